"""What Scram! says at the table: what can be picked, and what moves would do."""

import pytest

from games.engine.gestures import Gesture
from tests.rules.scram.notation import SCRAM, begin, play, table

CAMPSITES = ("3 3 = 4 (3) 5", "(1) (2)", "(1) (2)", "(1) (2)")
FROM_PILE = {"type": "draw", "from": "discard"}
AT_LEFT = "Replace; if they don't match, add it at the left"
AT_RIGHT = "Replace; if they don't match, add it at the right"


@pytest.mark.parametrize(
    ("drawn", "hint"),
    [
        ("=", "Pick cards of your team that the drawn one replaces, or discard it."),
        ("4", "Pick cards of your team that the drawn one replaces, or discard it."),
        ("5", "Pick cards of your team that the drawn one replaces, or what its action is for."),
        (
            "13",
            "Pick cards of your team that the drawn one replaces, or a card of the campsite where it is put.",
        ),
    ],
)
def test_a_hint_names_the_action_of_cards_that_have_one(drawn: str, hint: str) -> None:
    assert SCRAM.meaning(begin(table(*CAMPSITES), drawn), 0, Gesture()).hint == hint


@pytest.mark.parametrize(
    ("picked", "onto", "moves"),
    [
        ([], None, []),
        (["at:0.0"], None, ["Replace"]),
        (["at:1.0"], None, []),
        (["top:0"], None, ["Act"]),
        ([], "pile:discard", ["Discard"]),
    ],
)
def test_a_card_from_the_pile_is_refused_only_what_is_tried(
    picked: list[str], onto: str | None, moves: list[str]
) -> None:
    found = SCRAM.meaning(play(table(*CAMPSITES), FROM_PILE), 0, Gesture(tuple(picked), (), onto))
    assert [type(move).__name__ for move in found.moves] == moves


@pytest.mark.parametrize(
    ("picked", "titles", "rules"),
    [
        ("0 1", [None], []),
        ("0 2", [None], []),
        ("0 4", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0 3", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0 1 4", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0", [None], ["B11"]),
        ("4", [None], ["B11"]),
    ],
)
def test_an_end_is_asked_for_only_where_cards_may_not_match(
    picked: str, titles: list[str | None], rules: list[str]
) -> None:
    state = play(table(*CAMPSITES), FROM_PILE)
    found = SCRAM.meaning(state, 0, Gesture(tuple(f"at:0.{place}" for place in picked.split())))
    assert [SCRAM.button(state, move) for move in found.moves] == titles
    assert [note.rule for note in found.notes] == rules
