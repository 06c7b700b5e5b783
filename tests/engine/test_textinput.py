"""What people type, as JSON; and the fold by which every face walks a shape."""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

import pytest

from games.engine import shapes
from games.engine.cards import AnyCard
from games.engine.jsontypes import Json
from games.engine.kinds import (
    NOTHING,
    SCHEMAS,
    AnyObject,
    AnyOf,
    Builders,
    Flag,
    Kind,
    ListOf,
    OneOf,
    Text,
    Whole,
)
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Length
from games.engine.textinput import (
    CLEANERS,
    READERS,
    as_line,
    from_text,
    in_ascii,
    in_form,
    record_in_form,
    rows_in_form,
)
from league.core.details import Day
from league.core.state.values import Instant, Points

Digit = Annotated[int, Between(0, 9)]
Sizes = Annotated[tuple[Digit, ...], Length(0, 3)]


@dataclass(frozen=True)
class Contract:
    sets: Sizes
    runs: Sizes


@dataclass(frozen=True)
class Group:
    kind: Literal["set", "run"]
    cards: Annotated[tuple[AnyCard, ...], Length(1, 9)]


@dataclass(frozen=True)
class Move:
    card: AnyCard
    source: Literal["deck"] | Digit
    groups: Annotated[tuple[Group, ...], Length(0, 3)]
    called: Annotated[tuple[Literal["late", "loud"], ...], Length(0, 20)]
    knock: bool = False
    place: Digit | None = None


SOURCE = AnyOf((OneOf(("deck",)), Whole(0, 9)))
CONTRACTS = shapes.record(Contract)
GROUP = shapes.record(Group)
WORDS: Builders[str] = {
    kind: lambda shape, parts: f"{shape.kind}({', '.join(parts)})" if parts else str(shape.kind)
    for kind in get_args(Kind)
}


def test_a_fold_builds_from_the_innermost_part_outward() -> None:
    assert shapes.record(Move).fold(WORDS) == (
        "record(text, either(choice, number), rows(record(choice, list(text))), list(choice), flag, "
        "either(number, choice))"
    )


@pytest.mark.parametrize("build", [SCHEMAS, READERS, CLEANERS])
def test_every_fold_knows_every_kind(build: Builders[Any]) -> None:
    assert {*build} == {*get_args(Kind)}


@dataclass(frozen=True)
class Adjustment:
    points: Points
    until: Day | None = None
    at: Instant | None = None


@dataclass(frozen=True)
class Places:
    points: Annotated[tuple[Points, ...], Length(0, 9)]


@pytest.mark.parametrize(
    ("sent", "points"),
    [("7/2", "7/2"), ("0,5", "1/2"), ("0.5", "1/2"), ("−1", "-1"), ("+3", "3"), ("٣", "3"), ("-１,5", "-3/2"),
     ("−1/2", "-1/2"), ("1.204", "301/250")],
)  # fmt: skip
def test_points_are_read_as_people_write_them_and_kept_in_one_way(sent: str, points: str) -> None:
    assert shapes.read(Adjustment, {"points": sent}) == Adjustment(points)
    described: Any = shapes.schema(Adjustment)["properties"]
    assert re.match(described["points"]["pattern"], in_ascii(sent))


@pytest.mark.parametrize(
    ("sent", "points"),
    [("1; 0,5; 0", "1 1/2 0"), ("1;0,5;0;", "1 1/2 0"), ("0,5;1", "1/2 1"), ("1; 0.5; −1", "1 1/2 -1"),
     ("1 0,5 0", "1 1/2 0"), ("0,5 0,5", "1/2 1/2"), ("1, 0, 0", "1 0 0"), ("1,0,0", "1 0 0"),
     ("1, 0.5, 0", "1 1/2 0"), ("1 1/2 0", "1 1/2 0"), ("3\n2\n1", "3 2 1"), ("1 0，5 0", "1 1/2 0")],
)  # fmt: skip
def test_points_of_places_are_separated_by_what_is_in_none_of_them(sent: str, points: str) -> None:
    shape = shapes.record(Places).fields[0].shape
    assert shape.read(from_text(shape, sent), "points") == tuple(points.split())


@pytest.mark.parametrize("sent", ["1, 0,5, 0", "1; 0 5; 0", "1; half", "1 0,5, 0"])
def test_points_of_places_that_can_be_read_in_two_ways_are_refused(sent: str) -> None:
    shape = shapes.record(Places).fields[0].shape
    with pytest.raises(Malformed, match="a number or fraction"):
        shape.read(from_text(shape, sent), "points")


@pytest.mark.parametrize("sent", ["", "half", "1.2.3", "1,", "½", "1 2", "1/0", "--1"])
def test_what_is_no_number_is_refused(sent: str) -> None:
    with pytest.raises(Malformed, match="a number or fraction"):
        shapes.read(Adjustment, {"points": sent})


def test_days_and_times_are_kept_with_the_digits_of_ascii() -> None:
    sent = {"points": "1", "until": "２０２７-０１-３１", "at": "٢٠٢٧-٠١-٣١T١٨:٠٠:٠٠Z"}
    assert shapes.read(Adjustment, sent) == Adjustment("1", "2027-01-31", "2027-01-31T18:00:00Z")


def test_a_shape_that_may_be_empty_is_bare_without_that() -> None:
    assert AnyOf((Flag(), NOTHING)).bare == Flag()
    assert SOURCE.bare is SOURCE
    assert Flag().bare == Flag()


def test_a_field_has_its_name_as_title_unless_it_has_a_label() -> None:
    assert [field.title for field in shapes.record(Move).fields][:2] == ["Card", "Source"]


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (Whole(0, 9), "7", 7),
        (Whole(0, 9), "-70", -70),
        (Whole(0, 9), "seven", "seven"),
        (Whole(0, 9), "٣", 3),
        (Whole(0, 9), "１", 1),
        (Whole(0, 9), "−1", -1),
        (Whole(0, 9), "+3", 3),
        (Whole(0, 9), "1.204", 1204),
        (Whole(0, 9), "1 204 000", 1204000),
        (Whole(0, 9), "1.20", "1.20"),
        (Whole(0, 9), "0.500", "0.500"),
        (Whole(0, 9), "1,204.000", "1,204.000"),
        (Flag(), "true", True),
        (Flag(), "false", False),
        (Flag(), "on", "on"),
        (Flag(), "0.5", "0.5"),
        (OneOf((1, True, "deck", None)), "True", True),
        (OneOf((1, True, "deck", None)), "None", None),
        (OneOf((1, True, "deck", None)), "2", "2"),
        (Text(0, 9), " cleaned\u200b\n now", "cleaned now"),
        (GROUP.fields[1].shape, "10♥, th jk;9c", ["TH", "TH", "JK", "9C"]),
        (ListOf(Whole(0, 9), 0, 9), "1 2,x; 3", [1, 2, "x", 3]),
        (SOURCE, "deck", "deck"),
        (SOURCE, "5", 5),
        (SOURCE, "50", "50"),
        (AnyObject(), "{}", "{}"),
        (CONTRACTS, "runs 4; sets 3 3", {"sets": [3, 3], "runs": [4]}),
        (CONTRACTS, "runs 4; hats 2", {"sets": [], "runs": [4], "hats": "2"}),
    ],
)  # fmt: skip
def test_a_text_says_this_value(shape: Any, text: str, value: Json) -> None:
    assert from_text(shape, text) == value


def test_a_line_is_read_as_it_was_written() -> None:
    item = {"sets": [3, 3], "runs": []}
    assert as_line(item) == "sets 3 3"
    assert from_text(CONTRACTS, as_line(item)) == item


def test_a_form_of_many_inputs_says_a_record() -> None:
    form = {
        "own-card": " 9c ",
        "own-source": "3",
        "own-groups-0-kind": "set",
        "own-groups-0-cards": "",
        "own-groups-2-kind": "run",
        "own-groups-2-cards": "9c 10c",
        "own-called-loud": "2",
        "own-knock": "on",
        "own-place": "",
    }
    assert record_in_form(shapes.record(Move), "own-", form) == {
        "card": "9C",
        "source": 3,
        "groups": [{"kind": "run", "cards": ["9C", "TC"]}],
        "called": ["loud", "loud"],
        "knock": True,
    }


def test_values_that_a_form_has_read_itself_stay() -> None:
    assert [in_form(shape, "a", {"a": value}) for shape, value in ((Flag(), False), (Whole(0, 9), 0))] == [
        False,
        0,
    ]
    assert in_form(Flag(), "a", {"a": None}) is None


@pytest.mark.parametrize(("text", "times"), [("0", 0), ("3", 3), ("-1", 99), ("many", 99), ("9" * 17, 99)])
def test_names_are_counted_but_not_without_end(text: str, times: int) -> None:
    value = in_form(shapes.record(Move).fields[3].shape, "called", {"called-late": text})
    assert value == (["late"] * times or None)


def test_rows_keep_their_places_and_are_not_without_end() -> None:
    form = {"line-1-sets": "3", "line-99-sets": "5", "line-x-sets": "7"}
    rows = rows_in_form(CONTRACTS, "line", form)
    assert (len(rows), rows[:3]) == (20, [{}, {"sets": [3]}, {}])
