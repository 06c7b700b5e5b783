"""How declared values are read: what a refusal says."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from games.engine.kinds import (
    AnyObject,
    AnyOf,
    Field,
    Flag,
    ListOf,
    Matching,
    OneOf,
    Shape,
    Text,
    Whole,
)
from games.engine.names import unprintable
from games.engine.refusals import MOST_ERRORS, Malformed
from games.engine.shapes import Between, Help, Length, record

HEX = Text(0, 0, Matching("[0-9a-f]{2}", "an id"))


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (OneOf((None,)), "This must be null."),
        (OneOf((True, "maybe", 2)), "This must be one of true, maybe, 2."),
        (AnyOf((Whole(1, 10), OneOf((None,)))), "This must be a whole number. Or: This must be null."),
        (AnyOf((Flag(), OneOf(("auto",)))), "This must be true or false. Or: This must be auto."),
    ],
)
def test_a_refusal_names_values_as_json_writes_them(shape: Shape, sentence: str) -> None:
    with pytest.raises(Malformed) as caught:
        shape.read("no", "rounds")
    assert caught.value.errors == {"rounds": [sentence]}


def test_a_list_tells_everything_that_is_wrong_in_its_items() -> None:
    with pytest.raises(Malformed) as caught:
        ListOf(Whole(0, 9), 0, 5).read([1, "x", 2, 10], "cards")
    assert [*caught.value.errors] == ["cards.1", "cards.3"]


@pytest.mark.parametrize(
    ("shape", "value", "sentence"),
    [
        (Whole(1, 3), 0, "This must be between 1 and 3."),
        (Whole(1, 3), 4, "This must be between 1 and 3."),
        (Whole(1, 3), True, "This must be a whole number."),
        (Whole(1, 3), 1.0, "This must be a whole number."),
        (Flag(), 1, "This must be true or false."),
        (Text(2, 3), 12, "This must be text."),
        (Text(2, 3), "a", "This must have 2 to 3 characters."),
        (Text(2, 3), "abcd", "This must have 2 to 3 characters."),
        (Text(0, 1), "ab", "This must have 0 to 1 character."),
        (Text(2, 2), "a", "This must have 2 characters."),
        (Text(1, 1), "", "This must have 1 character."),
        (Text(2, 3), "a\n", "This has a character that cannot be printed."),
        (HEX, 12, "This must be an id."),
        (HEX, "0g", "This must be an id."),
        (HEX, "00f", "This must be an id."),
        (OneOf((1, 2)), True, "This must be one of 1, 2."),
        (OneOf((1, 2)), 1.0, "This must be one of 1, 2."),
        (ListOf(Flag(), 1, 2), "no", "This must be a list."),
        (ListOf(Flag(), 1, 2), {"no": True}, "This must be a list."),
        (ListOf(Flag(), 1, 2), [], "This must have 1 to 2 items."),
        (ListOf(Flag(), 1, 2), [True] * 3, "This must have 1 to 2 items."),
        (ListOf(Flag(), 0, 1), [True] * 3, "This must have 0 to 1 item."),
        (ListOf(Flag(), 1, 1), [], "This must have 1 item."),
        (ListOf(Flag(), 2, 2), [], "This must have 2 items."),
        (AnyObject(), [1], "This must be an object, without fractional numbers."),
        (AnyObject(), {"a": [1, 0.5]}, "This must be an object, without fractional numbers."),
        (AnyObject(), {"a\n": 1}, "This has a character that cannot be printed."),
        (AnyObject(), {1: 1}, "This must be an object, without fractional numbers."),
    ],
)
def test_a_value_of_another_kind_or_size_is_refused(shape: Shape, value: object, sentence: str) -> None:
    with pytest.raises(Malformed) as caught:
        shape.read(value, "field")
    assert caught.value.errors == {"field": [sentence]}


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Whole(1, 3), 1),
        (Whole(1, 3), 3),
        (Flag(), False),
        (Text(2, 3), "ab"),
        (Text(2, 3), "abc"),
        (HEX, "0f"),
        (OneOf((1, True, None)), True),
        (OneOf((1, True, None)), None),
        (ListOf(Flag(), 1, 2), [True]),
        (ListOf(Flag(), 1, 2), [True, False]),
        (AnyObject(), {"a": [None, 1, "b", {"c": True}]}),
        (AnyOf((Whole(0, 1), ListOf(Whole(2, 3), 0, 1))), [3]),
        (AnyOf((ListOf(Whole(2, 3), 0, 1), Whole(0, 1))), 1),
    ],
)
def test_a_value_of_its_kind_is_read_and_written_back(shape: Shape, value: object) -> None:
    read = shape.read(value, "field")
    written = shape.write(read)
    assert (written, type(written)) == (value, type(value))


@pytest.mark.parametrize(
    ("character", "refused"),
    [
        *(("\x00", True), ("\x1f", True), (" ", False), ("~", False), ("\x7f", True), ("\x9f", True)),
        *(("\xa0", False), ("\ud7ff", False), ("\ud800", True), ("\udfff", True), ("\ue000", False)),
        *(("\u2027", False), ("\u2028", True), ("\u2029", True), ("\u202a", False)),
    ],
)
def test_control_characters_surrogates_and_line_separators_are_unprintable(
    character: str, refused: bool
) -> None:
    assert unprintable(character) is refused


def test_a_value_of_none_of_the_shapes_is_not_written() -> None:
    with pytest.raises(TypeError, match="5 has none of the declared shapes"):
        AnyOf((Whole(1, 3), OneOf((None,)))).write(5)


def test_a_shape_without_none_is_the_only_other_one() -> None:
    nothing, flag, number = OneOf((None,)), Flag(), Whole(1, 3)
    assert AnyOf((flag, nothing)).bare is flag
    several = AnyOf((flag, number, nothing))
    assert several.bare is several
    assert number.bare is number


@dataclass(frozen=True)
class Note:
    """A record with a field that may be left out."""

    seat: Annotated[int, Between(0, 3)]
    words: Annotated[str, Length(1, 9), Help("why")] = "late"


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ([], {"notes.1": ["This must be an object."]}),
        ({}, {"notes.1.seat": ["This field is required."]}),
        (
            {"seat": 4, "words": "", "x\n": 1},
            {
                "notes.1.x?": ["This field is not known here."],
                "notes.1.seat": ["This must be between 0 and 3."],
                "notes.1.words": ["This must have 1 to 9 characters."],
            },
        ),
        ({"seat": 1, "y" * 50: 1}, {"notes.1." + "y" * 40: ["This field is not known here."]}),
    ],
)
def test_a_record_tells_everything_that_is_wrong_in_it(value: object, errors: object) -> None:
    with pytest.raises(Malformed) as caught:
        ListOf(record(Note), 0, 5).read([{"seat": 0}, value], "notes")
    assert caught.value.errors == errors


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": (1, {"b": "\x7f"})}, "field.a.1.b"),
        ({"a": {"b\n": 1}}, "field.a"),
        ({"a": "\u2028"}, "field.a"),
    ],
)
def test_a_text_that_cannot_be_printed_is_named_within_its_object(value: object, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        AnyObject().read(value, "field")
    assert caught.value.errors == {path: ["This has a character that cannot be printed."]}


def test_of_many_wrong_fields_the_first_are_listed() -> None:
    notes = ListOf(record(Note), 0, 500)
    wrong = [
        *({f"x{number}": 1} for number in range(500)),
        {"seat": 0, **{f"x{number}": 1 for number in range(500)}},
    ]
    for value in (wrong[:-1], wrong[-1:]):
        with pytest.raises(Malformed) as caught:
            notes.read(value, "notes")
        assert len(caught.value.errors) == MOST_ERRORS + 1
        assert caught.value.errors["notes"] == ["More than 20 fields are wrong: these are the first."]


def test_a_record_is_written_without_what_is_as_usual() -> None:
    assert record(Note).write(Note(2)) == {"seat": 2}
    assert record(Note).write(Note(2, "ill")) == {"seat": 2, "words": "ill"}


@pytest.mark.parametrize(
    ("shape", "schema"),
    [
        (Flag(), {"type": "boolean"}),
        (Whole(1, 3), {"type": "integer", "minimum": 1, "maximum": 3}),
        (Text(2, 3), {"type": "string", "minLength": 2, "maxLength": 3}),
        (HEX, {"type": "string", "pattern": "^(?:[0-9a-f]{2})$"}),
        (OneOf((1, None)), {"enum": [1, None]}),
        (AnyObject(), {"type": "object"}),
        (ListOf(Flag(), 1, 2), {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}),
        (AnyOf((Flag(), OneOf((None,)))), {"anyOf": [{"type": "boolean"}, {"enum": [None]}]}),
        (
            record(Note),
            {
                "type": "object",
                "properties": {
                    "seat": {"type": "integer", "minimum": 0, "maximum": 3},
                    "words": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 9,
                        "description": "why",
                        "default": "late",
                    },
                },
                "required": ["seat"],
                "additionalProperties": False,
            },
        ),
    ],
)
def test_a_schema_says_what_is_accepted(shape: Shape, schema: object) -> None:
    assert shape.schema() == schema


@pytest.mark.parametrize(
    ("name", "label", "title"),
    [("first_dealer", "", "First dealer"), ("ten-pin", "", "Ten pin"), ("seat", "Who", "Who")],
)
def test_a_field_has_a_title(name: str, label: str, title: str) -> None:
    assert Field(name, name, Flag(), False, "", label).title == title


def test_a_field_is_required_or_has_a_usual_value() -> None:
    seat, words = record(Note).fields
    assert [(field.required, field.usual) for field in (seat, words)] == [(True, None), (False, "late")]
