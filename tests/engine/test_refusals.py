"""What refusals carry: a code, a sentence, and the fields that are wrong."""

from typing import Literal

import pytest

from games.engine.refusals import Illegal, Malformed, Refusal, Stale, below


def test_each_kind_of_refusal_has_its_code() -> None:
    assert [kind.code for kind in (Refusal, Malformed, Illegal, Stale)] == [
        "refused",
        "malformed",
        "illegal",
        "stale",
    ]


def test_the_sentence_of_malformed_data_names_the_first_wrong_field() -> None:
    refusal = Malformed({"seats.0": ["Too many."], "round": ["Too late."]})
    assert refusal.sentence == str(refusal) == "seats.0: Too many."
    assert refusal.errors == {"seats.0": ["Too many."], "round": ["Too late."]}
    assert (refusal.said_of("seats.0"), refusal.said_of("round")) == ("Too many.", "seats.0: Too many.")
    assert Malformed({"": ["No move."]}).sentence == "No move."


def test_an_illegal_move_has_its_rule_and_the_sentence_at_each_wrong_field() -> None:
    refusal = Illegal("Too many.", "C9", ["groups", "discard"])
    assert (refusal.sentence, refusal.rule) == ("Too many.", "C9")
    assert refusal.errors == {"groups": ["Too many."], "discard": ["Too many."]}
    assert (Illegal("Over.").rule, Illegal("Over.").errors) == (None, {})


@pytest.mark.parametrize("what", ["game", "competition"])
def test_a_log_that_has_grown_names_its_next_entry(what: Literal["game", "competition"]) -> None:
    refusal = Stale(12, what)
    assert refusal.seq == 12
    assert str(refusal) == f"The {what} has changed meanwhile: reload it. The next log entry is number 12."
    assert str(Stale(12, what, sent=11)) == str(refusal)
    assert str(Stale(3)) == "The game has changed meanwhile: reload it. The next log entry is number 3."


@pytest.mark.parametrize("sent", [0, 13])
def test_a_number_that_was_never_next_is_said_to_be_wrong(sent: int) -> None:
    assert str(Stale(12, sent=sent)) == f"Number {sent} is not the next: the next log entry is number 12."


def test_errors_below_a_field_have_its_name_in_front() -> None:
    with pytest.raises(Malformed) as caught, below("options"):
        raise Malformed({"rounds": ["Too many."], "": ["No object."]})
    assert caught.value.errors == {"options.rounds": ["Too many."], "options": ["No object."]}
