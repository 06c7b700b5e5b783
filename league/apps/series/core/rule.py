"""The rule of a series: what an evening is worth, which evenings count, and who is ranked how.

`Rule` is JSON in the log of a series. Its switches are those that card clubs have: each club of
`league.apps.series.core.presets` is a few of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Label, Length
from league.core.state import values as v

NEWEST: Final = 3
"""The edition with which rules are written now; what an earlier one counts never changes."""
FAIR_PLACES: Final = 3
"""From this edition on no lot decides what a place is worth, and points of one's own have their own place."""
RANKS_NEED_VALUES: Final = 3
"""From this edition on who has nothing that counts has no rank."""
MOST_PARTS: Final = 1000
"""The most evenings or lists of a series."""

By: TypeAlias = Literal[
    "points",
    "per_deal",
    "per_table",
    "beaten",
    "places",
    "acbl_club",
    "acbl_open",
    "two_winners",
    "one_winner",
    "individual",
    "simultaneous",
]
"""What makes the value of an evening; from ``acbl_club`` on, a published formula of place and field."""
ABSOLUTE: Final = ("points", "per_deal", "per_table")
"""Values in the game's own points: where low scores win, the lowest is the best."""
Few: TypeAlias = Annotated[int, Between(0, MOST_PARTS)]


@dataclass(frozen=True)
class Value:
    """What an evening is worth to a person."""

    by: Annotated[
        By,
        Help("what an evening is worth"),
        Label(
            "Value",
            (
                ("points", text("Points")),
                ("per_deal", text("Average per deal")),
                ("per_table", text("Average per table")),
                ("beaten", text("Share of the field that was beaten, 0 to 100")),
                ("places", text("Points for places")),
                ("acbl_club", text("Place and tables, as in clubs of the ACBL")),
                ("acbl_open", text("Place and tables, as in open events of the ACBL")),
                ("two_winners", text("Place and field, two winners: lowest award 10, in steps of 10")),
                ("one_winner", text("Place and field, one winner: lowest award 6, in steps of 6")),
                ("individual", text("Place and field, individuals: lowest award 6, in steps of 3")),
                ("simultaneous", text("Place and tables, as in simultaneous pairs")),
            ),
        ),
    ] = "points"
    places: Annotated[tuple[v.Points, ...], Length(0, 100), Help("points for first, second, … place")] = ()
    rest: Annotated[v.Points, Help("points for all other places")] = "0"
    level: Annotated[
        Literal["mean", "best"],
        Help("those who share a place share the points of their places, or each gets those of the best"),
        Label("Shared place", (("mean", text("The mean")), ("best", text("The best place’s")))),
    ] = "mean"
    times: Annotated[v.Points, Help("the value is multiplied by it: for class and sessions")] = "1"
    least: Annotated[v.Points | None, Help("an evening with fewer points is worth nothing")] = None


@dataclass(frozen=True)
class Drops:
    """Drops that are earned: one for every so many that were played beyond a number."""

    every: Annotated[Few, Help("one drop is earned for every so many played; 0: none")] = 0
    beyond: Annotated[Few, Help("only those played beyond so many earn drops")] = 0
    most: Annotated[Few, Help("at most so many drops; 0: no limit")] = 0
    when: Annotated[
        Literal["end", "earned"],
        Help("whether a drop takes the worst of all in the end, or the worst so far when it is earned"),
        Label(
            "What is dropped",
            (("end", text("The worst of all in the end")), ("earned", text("The worst so far, when earned"))),
        ),
    ] = "end"

    def earned(self, played: int) -> int:
        """Return how many of those played are dropped."""
        earned = max(0, played - self.beyond) // self.every if self.every else 0
        return min(earned, self.most) if self.most else earned


@dataclass(frozen=True)
class Count:
    """Which evenings count. A final counts beside all of this."""

    best: Annotated[Few, Help("how many of the best count; 0: all of them")] = 0
    declared: Annotated[
        Few,
        Help("only so many evenings declared beforehand count, with all their lists; 0: none is declared"),
    ] = 0
    drops: Drops = Drops()
    months: Annotated[int, Between(0, 120), Help("only the last so many months; 0: all")] = 0
    entries: Annotated[int, Between(0, v.MAX_ENTRIES), Help("only where at least so many had a rank")] = 0
    lists: Annotated[
        int, Between(0, 100), Help("only evenings of at least so many lists, where lists count")
    ] = 0
    brought: Annotated[bool, Help("evenings of other clubs count, which are brought as verified files")] = (
        False
    )


@dataclass(frozen=True)
class Absence:
    """What a person has for an evening that was played without it."""

    gives: Annotated[
        Literal["nothing", "value", "average"],
        Help("what somebody has for an evening without them"),
        Label(
            "Absence",
            (
                ("nothing", text("Nothing")),
                ("value", text("A fixed value")),
                ("average", text("Their own average")),
            ),
        ),
    ] = "nothing"
    value: Annotated[v.Points, Help("what it is worth, where that is fixed")] = "0"


@dataclass(frozen=True)
class Minimum:
    """What it takes to be ranked; who has less is listed below, without a rank."""

    played: Annotated[Few, Help("how many it takes to be ranked")] = 0
    partners: Annotated[int, Between(0, 100), Help("how many different partners it takes to be ranked")] = 0


@dataclass(frozen=True)
class Bonus:
    """What attendance adds to the total."""

    points: Annotated[v.Points, Help("what each one played adds to the total")] = "0"
    beyond: Annotated[Few, Help("only those played beyond so many add it")] = 0
    least: Annotated[Few, Help("only for who played at least so many")] = 0


@dataclass(frozen=True)
class Deduction:
    """What is taken off each evening of somebody who won prizes in the months before it."""

    points: Annotated[v.Points, Help("what is taken off an evening’s value for each prize")] = "0"
    months: Annotated[int, Between(0, 120), Help("prizes of so many months before the evening; 0: all")] = 0


@dataclass(frozen=True)
class Rule:
    """How a series counts. Without anything chosen, the points of all evenings are added."""

    unit: Annotated[
        Literal["evening", "list"],
        Help("what is counted by itself: evenings, or the lists (rounds) that they consist of"),
        Label("Counted", (("evening", text("Evenings")), ("list", text("Lists")))),
    ] = "evening"
    lists: Annotated[
        tuple[Annotated[int, Between(1, 100)], ...],
        Length(0, 100),
        Help("which lists of an evening count, where lists do; empty: all"),
    ] = ()
    value: Value = Value()
    deduction: Deduction = Deduction()
    count: Count = Count()
    absence: Absence = Absence()
    divide: Annotated[
        Literal["sum", "mean"],
        Help("the total is the sum of the values, or their average"),
        Label("The total", (("sum", text("The sum")), ("mean", text("The average")))),
    ] = "sum"
    over: Annotated[
        Few, Help("an average is over at least so many: those that are missing count 0; 0: over those played")
    ] = 0
    bonus: Bonus = Bonus()
    minimum: Minimum = Minimum()
    ties: Annotated[
        Literal["best", "shared"],
        Help("what decides between equal totals"),
        Label(
            "Ties",
            (
                ("best", text("The best single evening decides, then the next")),
                ("shared", text("They share the rank")),
            ),
        ),
    ] = "best"
    without: Annotated[
        tuple[v.Name, ...], Length(0, 20), Help("who won one of these prizes has no rank")
    ] = ()
    edition: Annotated[
        int,
        Between(1, NEWEST),
        Help(
            "from 2 on an absence counts as often as the evening’s weight says; from 3 on those whom only a "
            "lot separates share the place, and who has a part of an entry’s points is placed by these"
        ),
    ] = 1


def check(rule: Rule) -> None:
    """Raise `Malformed` for switches that contradict each other, with the path of each."""
    if errors := {path: [sentence] for path, sentence in _contradictions(rule)}:
        raise Malformed(errors)


def _contradictions(rule: Rule) -> Iterator[tuple[str, str]]:
    yield from _of_value(rule.value)
    yield from _of_count(rule.count)
    if rule.unit != "list":
        for path, given in (("lists", rule.lists), ("count.lists", rule.count.lists)):
            if given:
                yield path, text("This needs lists that count by themselves.")
    if rule.over and rule.divide != "mean":
        yield "over", text("This needs an average.")
    if rule.count.drops.when != "end" and rule.absence.gives != "nothing":
        yield "count.drops.when", text("An absence is no result so far: choose the worst of all in the end.")
    if rule.absence.gives != "value" and Fraction(rule.absence.value):
        yield "absence.value", text("This needs a fixed value for absence.")


def _of_value(value: Value) -> Iterator[tuple[str, str]]:
    if value.by == "places" and not value.places:
        yield "value.places", text("Say what the places are worth.")
    if value.by != "places" and value.places:
        yield "value.places", text("Leave this empty: places are not what an evening is worth.")
    if value.by != "points" and value.least is not None:
        yield "value.least", text("Leave this empty: points are not what an evening is worth.")
    for path, number in (("value.least", value.least), ("value.times", value.times)):
        if number is not None and Fraction(number) <= 0:
            yield path, text("This must be more than 0.")


def _of_count(count: Count) -> Iterator[tuple[str, str]]:
    if count.best and count.drops.every:
        yield "count.drops.every", text("Choose one: the best evenings, or drops that are earned.")
    if count.drops.when != "end" and not count.drops.every:
        yield "count.drops.when", text("This needs drops that are earned.")
    if count.declared and count.best > count.declared:
        yield "count.best", text("No more can count than may be declared: %(count)d.", count=count.declared)
