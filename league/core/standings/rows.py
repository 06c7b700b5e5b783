"""The rows of standings, from the order of each group and what separates its entries.

The order holds what was counted; ranks, who is level with whom and why follow from it alone. So the order is
what is stored, and rows are made of it where they are read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, repeat
from typing import Any, Final, Protocol, TypeVar

from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, Param, as_json, from_json, plural, text
from league.core.standings.tie_breaks import BY_KEY, EXPELLED, LOT, PLACEMENT, POINTS, Criterion

_CRITERIA: Final[Mapping[str, Criterion]] = {
    **BY_KEY,
    **{each.key: each for each in (EXPELLED, PLACEMENT, POINTS)},
}
DID_NOT_PLAY: Final = text("Did not play")
NOT_YET: Final = text("Has not played yet")
WAS_EXPELLED: Final = text("Expelled")


@dataclass(frozen=True)
class Row:
    """A row of the standings.

    Entries that nothing separates share a ``rank``; the next one has as many ranks more. ``tiebreaks`` are
    values as text, None where a tie-break does not apply. ``decided_by`` is the tie-break that separates this
    row from the level row above (below, for the first), None without a level row or where they share a rank.
    ``by_lot``: only a lot separates it from the row above or below. ``notes`` say which points are scaled,
    and what stands for rounds without a result. ``movement`` is by how many ranks it rose since the round
    before, None where it was not there. ``reached`` are words for a rank that points did not give.
    """

    rank: int
    entry: str
    group: int
    played: int
    points: Fraction
    tiebreaks: Mapping[str, str | None]
    decided_by: str | None
    by_lot: bool
    explanation: Message
    notes: tuple[Message, ...]
    movement: int | None
    reached: str


@dataclass(frozen=True)
class Divide:
    """What decided the order of two neighbours: a criterion and the values of both."""

    criterion: Criterion
    above: str
    below: str


@dataclass(frozen=True)
class Placed:
    """An entry in the order, and what separates it from the one above: None for the first, and where nothing
    does."""

    entry: str
    divide: Divide | None


class Telling(Protocol):
    """What explanations say of tie-breaks instead of titles and values; None where they say these."""

    def named(self, key: str) -> Message | None:
        """Return what a tie-break is called."""

    def told(self, key: str, entry: str) -> Param | None:
        """Return an entry's value."""


class _AsCounted:
    def named(self, key: str) -> None: ...

    def told(self, key: str, entry: str) -> None: ...


AS_COUNTED: Final[Telling] = _AsCounted()
P = TypeVar("P", bound=Placed)


@dataclass(frozen=True)
class Ranked(Placed):
    """An entry in the order with what was counted for it.

    ``reached`` are the words for the rank that the format gives, empty for none; ``against`` is who was met
    in the match that gave it. ``tiebreaks`` are its values as text, None where one does not apply. ``notes``
    say what those need an explanation for.
    """

    played: int
    points: Fraction
    reached: str
    tiebreaks: tuple[str | None, ...]
    notes: tuple[Message, ...] = ()
    against: str = ""


@dataclass(frozen=True)
class Order:
    """The order of a stage's entries, group by group, and the keys of its tie-breaks."""

    tie_breaks: tuple[str, ...]
    groups: tuple[tuple[Ranked, ...], ...]

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    @property
    def entries(self) -> Iterator[str]:
        """Yield the entries in order."""
        return (each.entry for group in self.groups for each in group)

    @property
    def begun(self) -> bool:
        """Whether anybody has played."""
        return any(each.played for group in self.groups for each in group)

    def ranks(self) -> Iterator[tuple[int, str, int]]:
        """Yield the group, the entry and the rank of each row."""
        for number, group in enumerate(self.groups, 1):
            rank = 1
            for above, each in enumerate(group, 1):
                rank = above if each.divide else rank
                yield number, each.entry, rank

    def gone(self) -> frozenset[str]:
        """Return the entries that took no part in the end: expelled, or they never came to a table."""
        rows = (each for group in self.groups for each in group)
        return frozenset(each.entry for each in rows if each.reached in (DID_NOT_PLAY, WAS_EXPELLED))

    def by_lot(self) -> frozenset[str]:
        """Return the entries that only a lot separates from the one above or below."""
        pairs = (pair for group in self.groups for pair in pairwise(group))
        drawn = (pair for pair in pairs if pair[1].divide and pair[1].divide.criterion is LOT)
        return frozenset(each.entry for pair in drawn for each in pair)

    def as_json(self) -> JsonObject:
        """Return the order as JSON, which `read` turns into the same order."""
        groups: list[Json] = [[_as_json(each) for each in group] for group in self.groups]
        return {"tie_breaks": list(self.tie_breaks), "groups": groups}


def read(data: Mapping[str, Any]) -> Order:
    """Return the order that `Order.as_json` wrote."""
    groups = tuple(tuple(_ranked(*each) for each in group) for group in data["groups"])
    return Order(tuple(data["tie_breaks"]), groups)


def _as_json(each: Ranked) -> list[Json]:
    """Return an entry as a list; its last elements are left out if they are empty."""
    written: list[Json] = [each.entry, each.played, str(each.points)]
    by = each.divide
    if by or each.reached or each.tiebreaks or each.notes:
        written += [list(each.tiebreaks), [by.criterion.key, by.above, by.below] if by else None]
    if each.reached or each.notes or each.against:
        written.append(as_json(each.reached) if each.reached else None)
    if each.notes or each.against:
        written.append([as_json(note) for note in each.notes])
    if each.against:
        written.append(each.against)
    return written


def _ranked(
    entry: str,
    played: int,
    points: str,
    tiebreaks: Sequence[str | None] = (),
    divide: tuple[str, str, str] | None = None,
    reached: Mapping[str, Any] | None = None,
    notes: Sequence[Mapping[str, Any]] = (),
    against: str = "",
) -> Ranked:
    by = Divide(_CRITERIA[divide[0]], divide[1], divide[2]) if divide else None
    words = from_json(reached) if reached else ""
    told = tuple(_message(note) for note in notes)
    return Ranked(entry, by, played, Fraction(points), words, tuple(tiebreaks), told, against)


def _message(data: Mapping[str, Any]) -> Message:
    read = from_json(data)
    assert isinstance(read, Message)
    return read


def rows(
    order: Order,
    names: Mapping[str, str],
    earlier: Mapping[str, int],
    part: slice = slice(None),
    telling: Telling = AS_COUNTED,
) -> Iterator[Row]:
    """Yield the rows of an order, or of a part of it; ``earlier`` are the ranks after the round before.

    ``telling`` gives what explanations say of tie-breaks.
    """
    wanted = range(len(order))[part]
    by_lot = order.by_lot()
    position = 0
    for number, group in enumerate(order.groups, 1):
        rank = above = 0
        for level in levels(group):
            for each, same in zip(level, _same_ranks(level), strict=True):
                above += 1
                rank = above if each.divide or above == 1 else rank
                if position in wanted:
                    values = dict(zip(order.tie_breaks, each.tiebreaks, strict=True))
                    divide = _deciding(level, same)
                    yield Row(
                        rank=rank,
                        entry=each.entry,
                        group=number,
                        played=each.played,
                        points=each.points,
                        tiebreaks=_with_deciding(values, divide, first=not same.start),
                        decided_by=divide.criterion.key if divide else None,
                        by_lot=each.entry in by_lot,
                        explanation=_explained(names, telling, level, each, same),
                        notes=each.notes,
                        movement=earlier[each.entry] - rank if each.entry in earlier else None,
                        reached=each.reached,
                    )
                position += 1


def levels(group: Sequence[P]) -> Iterator[list[P]]:
    """Yield lists of entries with the same rank by the format and the same points."""
    level: list[P] = []
    for each in group:
        if level and each.divide and each.divide.criterion in (EXPELLED, PLACEMENT, POINTS):
            yield level
            level = []
        level.append(each)
    if level:
        yield level


def _with_deciding(
    values: Mapping[str, str | None], divide: Divide | None, *, first: bool
) -> Mapping[str, str | None]:
    """Return the values with the one that decided, which may apply only to a part of the level group."""
    if divide is None or values.get(divide.criterion.key, "") is not None:
        return values
    return {**values, divide.criterion.key: divide.above if first else divide.below}


def _same_ranks(level: Sequence[Ranked]) -> Iterator[range]:
    """Yield for each entry the places of those that nothing separates from it, itself included."""
    firsts = [0, *(at for at in range(1, len(level)) if level[at].divide), len(level)]
    for first, after in pairwise(firsts):
        yield from repeat(range(first, after), after - first)


def _deciding(level: Sequence[Ranked], same: range) -> Divide | None:
    """Return what separates those of a rank from the ones above, or the first ones from those below."""
    if same.start:
        return level[same.start].divide
    return level[same.stop].divide if same.stop < len(level) else None


# ---- Explanations --------------------------------------------------------------------------------


def _explained(
    names: Mapping[str, str], telling: Telling, level: Sequence[Ranked], own: Ranked, same: range
) -> Message:
    """Return the sentence that says why an entry has its rank."""
    rank = _rank_explained(names, telling, level, own, same)
    reached = own.reached
    if own.against in names:
        reached = text("%(reached)s, against %(name)s", reached=reached, name=names[own.against])
    if reached and len(level) == 1 and not own.points:
        return text("%(reached)s.", reached=reached)
    return text("%(reached)s. %(rank)s", reached=reached, rank=rank) if reached else rank


def _rank_explained(
    names: Mapping[str, str], telling: Telling, level: Sequence[Ranked], own: Ranked, same: range
) -> Message:
    points = _counted(own.points)
    compared = _compared(names, telling, level, same) if len(level) > 1 else ""
    match len(level) - 1:
        case 0 if own.reached:
            # What the format says has decided: others can have as many points.
            return text("%(points)s.", points=points)
        case 0:
            return text("Alone on %(points)s.", points=points)
        case 1:
            (other,) = (each.entry for each in level if each is not own)
            return text(
                "Level with %(name)s on %(points)s; %(compared)s.",
                name=names[other],
                points=points,
                compared=compared,
            )
        case count:
            return plural(
                "Level with %(count)s other on %(points)s; %(compared)s.",
                "Level with %(count)s others on %(points)s; %(compared)s.",
                count,
                points=points,
                compared=compared,
            )


def _compared(names: Mapping[str, str], telling: Telling, level: Sequence[Ranked], same: range) -> Message:
    divide = _deciding(level, same)
    if divide is None:
        return text("nothing separates them so far")
    by = telling.named(divide.criterion.key) or Message(divide.criterion.title, {})
    first = level[same.start - 1].entry if same.start else level[0].entry
    after = level[same.start].entry if same.start else level[same.stop].entry
    above = telling.told(divide.criterion.key, first) or divide.above
    below = telling.told(divide.criterion.key, after) or divide.below
    if same.start:
        name = names[first]
        compared = text(
            "behind %(name)s by %(by)s (%(own)s to %(other)s)", name=name, by=by, own=below, other=above
        )
    else:
        name = names[after]
        compared = text(
            "ahead of %(name)s by %(by)s (%(own)s to %(other)s)", name=name, by=by, own=above, other=below
        )
    if len(same) == 1:
        return compared
    return text("%(compared)s; nothing separates those of this rank so far", compared=compared)


def _counted(points: Fraction) -> Message:
    return plural("%(points)s point", "%(points)s points", 1 if 0 < points <= 1 else 2, points=str(points))
