"""Messages: English text that keeps what it was made from."""

import copy
import json
import pickle
from collections.abc import Callable

import pytest

from games.engine import messages
from games.engine.messages import Message, as_json, from_json, plural, text
from games.engine.refusals import Illegal, Malformed


def test_a_message_is_its_english_text_and_keeps_id_and_params() -> None:
    message = text("%(name)s does not take part.", name="Anna")
    assert message == "Anna does not take part."
    assert isinstance(message, str)
    assert json.dumps([message]) == '["Anna does not take part."]'
    assert (message.id, message.plural, message.params) == (
        "%(name)s does not take part.",
        "",
        {"name": "Anna"},
    )


@pytest.mark.parametrize(
    ("count", "expected"), [(0, "0 tables wait."), (1, "1 table waits."), (2, "2 tables wait.")]
)
def test_a_plural_counts(count: int, expected: str) -> None:
    message = plural("%(count)s table waits.", "%(count)s tables wait.", count)
    assert message == expected
    assert (message.id, message.plural, message.quantity) == (
        "%(count)s table waits.",
        "%(count)s tables wait.",
        count,
    )


def test_without_params_a_percent_sign_stands_for_itself() -> None:
    assert text("100 % sure") == "100 % sure"
    assert text("%(part)s %% sure", part=90) == "90 % sure"


def test_a_param_without_a_value_is_a_mistake_in_the_code() -> None:
    with pytest.raises(KeyError):
        text("%(name)s does not take part.", nmae="Anna")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_message_can_be_copied_and_pickled(copied: Callable[[Message], Message]) -> None:
    for message in (
        text("adds %(cards)s", cards=text("nothing")),
        plural("%(count)s card", "%(count)s cards", 3),
        messages.seat(2),
    ):
        other = copied(message)
        assert (type(other), str(other)) == (type(message), str(message))
        assert (other.id, other.plural, other.quantity) == (message.id, message.plural, message.quantity)
        assert other.params == message.params


def test_seats_are_known_as_such() -> None:
    assert (messages.seat(3), messages.seat_first(3)) == ("seat 3", "Seat 3")
    assert messages.seat(3).number == messages.seat_first(3).number == 3


def test_parts_are_listed() -> None:
    assert messages.all_of([]) == ""
    assert messages.all_of(["a", "b", "c"]) == "a, b, c"
    assert messages.both(["a", "b", "c"]) == "a, b and c"
    assert messages.either(["a", "b"]) == "a or b"
    assert messages.either(["a"]) == "a"


def test_refusals_keep_their_messages() -> None:
    message = text("%(name)s does not take part.", name="Anna")
    illegal = Illegal(message, "S1", ["seats.0"])
    assert illegal.sentence is message
    assert illegal.errors == {"seats.0": [message]}
    assert isinstance(illegal.errors["seats.0"][0], Message)
    malformed = Malformed({"name": [message]})
    assert malformed.sentence == "name: Anna does not take part."
    assert isinstance(malformed.sentence, Message)


def test_a_message_is_the_same_after_a_time_as_json() -> None:
    inner = plural("%(points)s point", "%(points)s points", 2, points="3/2")
    message = text("Level with %(name)s on %(points)s.", name="Ann", points=inner)
    back = from_json(json.loads(json.dumps(as_json(message))))
    assert isinstance(back, Message) and back == message
    assert isinstance(back.params["points"], Message) and back.params["points"].plural == inner.plural
    assert from_json(as_json("plain")) == "plain"
