"""What a ruleset is written with: choices as clients see them, moves by their type, ranks and rules."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from games.engine.base import listed, numbered, ranked, read_typed, replaced, write_typed
from games.engine.choosing import FieldChoice, choice
from games.engine.refusals import Malformed
from games.engine.schemas import typed_schema
from games.engine.shapes import Between


@dataclass(frozen=True)
class Take:
    """A move with a required and an optional field."""

    pile: Annotated[int, Between(0, 3)]
    all: bool = False


@dataclass(frozen=True)
class Stop:
    """A move without fields."""


KINDS = {"take": Take, "stop": Stop}


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (FieldChoice(), {"values": []}),
        (FieldChoice((1, "2H")), {"values": [1, "2H"]}),
        (FieldChoice(complete=False), {"values": [], "complete": False}),
        (FieldChoice(optional=True), {"values": [], "optional": True}),
        (FieldChoice(about="any text"), {"values": [], "about": "any text"}),
        (FieldChoice(draft=0), {"values": [], "draft": 0}),
        (FieldChoice((0, 1), seats=True), {"values": [0, 1], "seats": True}),
        (
            FieldChoice(by_seat=({"points": FieldChoice((5,))}, {})),
            {"values": [], "by_seat": [{"points": {"values": [5]}}, {}]},
        ),
        (FieldChoice(("a",), worth={"a": 10}), {"values": ["a"], "worth": {"a": 10}}),
    ],
)
def test_a_field_is_shown_without_what_is_as_usual(field: FieldChoice, shown: Any) -> None:
    assert field.as_json() == shown


def test_a_choice_has_its_type_and_the_fields_that_are_given() -> None:
    made = choice("take", pile=[0, 2], all=None, why=FieldChoice(optional=True))
    assert made.as_json() == {
        "type": "take",
        "fields": {"pile": {"values": [0, 2]}, "why": {"values": [], "optional": True}},
    }


def test_a_move_is_read_and_written_with_its_type() -> None:
    for move, data in ((Take(2), {"type": "take", "pile": 2}), (Stop(), {"type": "stop"})):
        assert read_typed(KINDS, data) == move
        assert write_typed(KINDS, move) == data


@pytest.mark.parametrize(
    ("data", "field", "sentence"),
    [
        ("take", "", "A move must be an object with a type."),
        ({}, "type", "This must be one of take, stop."),
        ({"type": 1}, "type", "This must be one of take, stop."),
        ({"type": []}, "type", "This must be one of take, stop."),
        ({"type": "fly"}, "type", "This must be one of take, stop."),
        ({"type": "stop", "pile": 1}, "pile", "This field is not known here."),
        ({"type": "take"}, "pile", "This field is required."),
    ],
)
def test_what_is_no_move_is_refused_at_its_field(data: object, field: str, sentence: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_typed(KINDS, data)
    assert caught.value.errors == {field: [sentence]}


def test_the_schema_of_a_move_has_its_type() -> None:
    assert typed_schema("take", Take) == {
        "type": "object",
        "properties": {
            "type": {"const": "take"},
            "pile": {"type": "integer", "minimum": 0, "maximum": 3},
            "all": {"type": "boolean", "default": False},
        },
        "required": ["type", "pile"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("numbers", "words"),
    [((2, 3, 4), "2 to 4"), ((3, 4), "3 to 4"), ((3,), "3"), ((3, 4, 6), "3, 4 or 6"), ((2, 4), "2 or 4")],
)
def test_numbers_of_seats_are_a_range_or_a_list(numbers: tuple[int, ...], words: str) -> None:
    assert listed(numbers) == words


def test_rules_are_numbered_with_their_letter() -> None:
    assert numbered("B", 3) == ("B1", "B2", "B3")
    assert numbered("C", 4, 3) == ("C3", "C4")


def test_equal_keys_share_a_rank() -> None:
    assert ranked([5, 3, 3, 9]) == (3, 1, 1, 4)


@pytest.mark.parametrize(("index", "after"), [(0, "Xbc"), (1, "aXc"), (2, "abX")])
def test_one_value_of_a_tuple_is_replaced(index: int, after: str) -> None:
    assert replaced(tuple("abc"), index, "X") == tuple(after)
