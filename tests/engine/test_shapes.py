"""What a declared dataclass says of itself: labels, references, and what is left without some fields."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from games.engine import shapes
from games.engine.kinds import AnyOf, Text
from games.engine.refusals import Malformed
from games.engine.shapes import Help, Label, Length, Matching, Named, Reference

Id = Annotated[str, Matching("[0-9a-f]{4}", "an id")]
Note = Annotated[str, Length(0, 9), Help("why")]


@dataclass(frozen=True)
class Swap:
    """One for another."""

    entry: Annotated[Id, Reference("entry"), Label("Who changes")]
    out: Annotated[Id, Reference("player"), Named("from")]
    table: Annotated[Annotated[Id, Reference("table")] | None, Label("Where")] = None
    note: Annotated[Note, Help("why now")] = ""


def test_fields_carry_labels_and_the_outermost_help() -> None:
    fields = shapes.record(Swap).fields
    assert [(field.label, field.help) for field in fields] == [
        ("Who changes", ""),
        ("", ""),
        ("Where", ""),
        ("", "why now"),
    ]


def test_references_stay_strings_of_the_pattern() -> None:
    entry, _out, table, _note = shapes.record(Swap).fields
    assert entry.shape == Text(0, 0, Matching("[0-9a-f]{4}", "an id"), Reference("entry"))
    assert isinstance(table.shape, AnyOf)
    assert shapes.schema(Swap)["properties"]["entry"] == {  # type: ignore[call-overload, index]
        "type": "string",
        "pattern": "^(?:[0-9a-f]{4})$",
    }


def test_a_record_without_some_fields_reads_and_writes_the_others() -> None:
    rest = shapes.without(shapes.record(Swap), {"entry", "table"}, "OwnSwap")
    given = rest.read({"from": "00ff"}, "")
    assert Swap(entry="ff00", **vars(given)) == Swap("ff00", "00ff")
    assert rest.write(given) == {"from": "00ff"}
    assert (rest.cls.__name__, rest.cls.__doc__) == ("OwnSwap", "One for another.")
    assert shapes.record(rest.cls) is rest
    assert [*rest.schema()] == ["type", "properties", "required", "additionalProperties"]
    assert rest.schema()["required"] == ["from"]


@pytest.mark.parametrize("value", [{"from": "00ff", "entry": "ff00"}, {}])
def test_a_record_without_some_fields_refuses_those_and_still_needs_its_own(value: Any) -> None:
    with pytest.raises(Malformed):
        shapes.without(shapes.record(Swap), {"entry"}).read(value, "")


def test_only_declared_fields_can_be_left_out() -> None:
    with pytest.raises(TypeError, match="out"):
        shapes.without(shapes.record(Swap), {"out"})


@dataclass(frozen=True, kw_only=True)
class Told:
    """A field that may be left out comes first."""

    note: Note = ""
    entry: Id
    table: Id


def test_a_field_that_may_be_left_out_may_come_before_one_that_is_needed() -> None:
    rest = shapes.without(shapes.record(Told), {"table"})
    assert vars(rest.read({"entry": "00ff"}, "")) == {"note": "", "entry": "00ff"}


@dataclass(frozen=True)
class Labelled:
    """Fields with labels of their values."""

    place: Annotated[Note, Label("Where", (("a", "Above"), ("b", "Below")), from_one=True)]
    other: Annotated[Note, Label("Other")]
    plain: Note


def test_labels_of_values_are_kept_by_value() -> None:
    fields = shapes.record(Labelled).fields
    assert [field.labels for field in fields] == [{"a": "Above", "b": "Below"}, {}, {}]
    assert [field.from_one for field in fields] == [True, False, False]


@pytest.mark.parametrize(
    ("hint", "lacks"),
    [
        (int, r"Between\(low, high\)"),
        (str, r"Length\(low, high\) or Matching"),
        (tuple[Id, ...], "Annotated"),
        (Annotated[tuple[Id, ...] | None, Length(0, 4)], "also within “| None”"),
        (float, "adding-a-game"),
    ],
)
def test_a_field_without_a_shape_is_named_with_what_it_lacks(hint: Any, lacks: str) -> None:
    cls = dataclasses.make_dataclass("Move", [("cards", hint)], frozen=True)
    with pytest.raises(TypeError, match=rf"\.Move\.cards: .*{lacks}"):
        shapes.record(cls)
