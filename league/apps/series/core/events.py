"""The events of a series' log, each with what it does to the state, and their fold.

People are named by the ids of players, evenings by the number of the entry that added them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias, dataclass_transform

from games.engine.base import read_typed, write_typed
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Label, Length
from games.engine.values import replace
from league.apps.series.core.ranking import Prize, Span
from league.apps.series.core.rule import MOST_PARTS, Rule, check
from league.apps.series.core.state import (
    Brought,
    BroughtShare,
    Day,
    Evening,
    LeftOut,
    Players,
    Ranked,
    Series,
    TypedTotal,
)
from league.core.state import values as v

Role: TypeAlias = Literal["organiser", "player", "system"]

EVENTS: Final[dict[str, type["Event"]]] = {}
"""Every event by its type."""
Number: TypeAlias = Annotated[int, Between(1, 1_000_000)]
EveningId: TypeAlias = Annotated[Number, Help("the number of the entry that added it")]
Weight: TypeAlias = Annotated[
    int, Between(1, 10), Label("Weight"), Help("how often it counts, as one evening")
]
IsFinal: TypeAlias = Annotated[bool, Help("it counts in any case, beside those that the rule chooses")]
Deals: TypeAlias = Annotated[int, Between(0, 1000), Help("deals of a table in each list; 0: not counted")]
Field: TypeAlias = Annotated[int, Between(0, v.MAX_ENTRIES), Help("how many played; 0: those typed in")]
Tables: TypeAlias = Annotated[int, Between(0, v.MAX_ENTRIES), Help("at how many tables; 0: not known")]
Low: TypeAlias = Annotated[bool, Help("the lowest total is the best")]
First: TypeAlias = Annotated[
    int,
    Between(0, 100),
    Label("How many of the first"),
    Help("who shares the last of these places is one of them; 0: nobody is left out any more"),
]
Totals: TypeAlias = Annotated[tuple[TypedTotal, ...], Length(1, v.MAX_ENTRIES)]


@dataclass_transform(frozen_default=True)
class Event:
    """Something that happened, named `type` in the log. Each event is a frozen dataclass of declared shapes.

    ``title`` names it in lists. ``said_by`` are the roles that write it. ``when_closed``: it can happen in a
    series that is closed.
    """

    type: ClassVar[str]
    title: ClassVar[str]
    said_by: ClassVar[tuple[Role, ...]] = ("organiser",)
    when_closed: ClassVar[bool] = False

    def __init_subclass__(cls, type: str = "") -> None:  # noqa: A002 - the field's name in the log
        dataclass(frozen=True)(cls)
        cls.type = type
        EVENTS[type] = cls

    def begin(self) -> Series:
        """Return the state after the event as the first of a log; raise `Illegal` for all but an opening."""
        raise Illegal("A series’ log must begin with its opening.")

    def apply(self, state: Series) -> Series:
        """Return the state after the event, apart from ``seq``; raise `Illegal` where it can't happen."""
        raise NotImplementedError

    def people(self) -> Iterator[str]:
        """Yield the players whom the event names; one may come several times."""
        fields = vars(self)
        yield from (fields[name] for name in ("player", "into") if name in fields)
        yield from fields.get("players", ())
        yield from self.played()

    def played(self) -> Iterator[str]:
        """Yield the players of whom the event says that they played."""
        fields = vars(self)
        for total in fields.get("totals") or ():
            yield from (total.player, *total.partners)
        yield from (share.player for share in fields.get("shares", ()))


# ---- The series ----------------------------------------------------------------------------------


class Opened(Event, type="opened"):
    """The series is opened with its rule."""

    title = text("Series opened")

    name: v.Name
    rule: Rule = Rule()
    ranked: Ranked = "everybody"

    def begin(self) -> Series:
        _check(self.rule)
        return Series(1, self.name, self.rule, self.ranked)

    def apply(self, state: Series) -> Series:
        raise Illegal("A series is opened once.")


class RuleChanged(Event, type="rule_changed"):
    """The series counts by another rule, for all its evenings, or ranks others."""

    title = text("Rule changed")

    reason: v.Reason
    rule: Rule = Rule()
    ranked: Ranked = "everybody"

    def apply(self, state: Series) -> Series:
        _check(self.rule)
        return replace(state, rule=self.rule, ranked=self.ranked)


def _check(rule: Rule) -> None:
    try:
        check(rule)
    except Malformed as refusal:
        raise Illegal(refusal.sentence, fields=[f"rule.{path}" for path in refusal.errors]) from None


class Renamed(Event, type="renamed"):
    """The series has another name."""

    title = text("Series renamed")

    name: v.Name

    def apply(self, state: Series) -> Series:
        return replace(state, name=self.name)


class Closed(Event, type="closed"):
    """The series is over. Corrections of its competitions still count."""

    title = text("Series closed")

    def apply(self, state: Series) -> Series:
        return replace(state, closed=True)


class Reopened(Event, type="reopened"):
    """The series goes on."""

    title = text("Series reopened")
    when_closed = True

    reason: v.Reason

    def apply(self, state: Series) -> Series:
        return replace(state, closed=False)


# ---- Evenings ------------------------------------------------------------------------------------


class EveningAdded(Event, type="evening_added"):
    """A competition of the club is an evening of the series from now on."""

    title = text("Evening added")
    said_by = ("organiser", "system")

    competition: v.Id
    on: Day
    name: Annotated[v.OwnName, Help("left out: that of the competition")] = ""
    weight: Weight = 1
    final: IsFinal = False
    deals: Deals = 0

    def apply(self, state: Series) -> Series:
        if state.evening_of(self.competition):
            raise Illegal("The competition is an evening of the series already.")
        back = tuple(each for each in state.removed if each.competition != self.competition)
        return _with(replace(state, removed=back), Evening(id=state.seq + 1, **vars(self)))


class EveningTypedIn(Event, type="evening_typed_in"):
    """An evening that was played elsewhere, or before the series, with the total of each person."""

    title = text("Evening typed in")

    on: Day
    name: v.Name
    totals: Totals
    field: Field = 0
    tables: Tables = 0
    low_wins: Low = False
    weight: Weight = 1
    final: IsFinal = False

    def apply(self, state: Series) -> Series:
        _refuse_twice(self.totals)
        return _with(state, Evening(id=state.seq + 1, **vars(self)))


class EveningBrought(Event, type="evening_brought"):
    """People brought what they had of another club's evening by its verified file; others may do later."""

    title = text("Evening brought from another club")

    on: Day
    name: v.Name
    brought: Brought
    shares: Annotated[tuple[BroughtShare, ...], Length(1, v.MAX_ENTRIES)]
    field: Field
    tables: Tables = 0
    low_wins: Low = False
    weight: Weight = 1
    final: IsFinal = False

    def apply(self, state: Series) -> Series:
        if not state.rule.count.brought:
            raise Illegal("The rule of the series does not count evenings of other clubs.")
        _refuse_twice(self.shares, "shares")
        its, evening = self.brought, Evening(id=state.seq + 1, **vars(self))
        known = [(each, each.brought) for each in state.evenings if each.brought]
        for each in (each for each, other in known if other.is_file(its)):
            corrected = each.corrected or _has_later(state, each)
            return _with(state, replace(each.with_shares_of(evening), corrected=corrected))
        if any(other.is_of(its) for _, other in known) or state.evening_of(its.competition):
            raise Illegal("The competition is an evening of the series already.")
        return _with(state, evening)


class EveningChanged(Event, type="evening_changed"):
    """An evening has another date, name or weight, or other totals; what is left out stays as it was."""

    title = text("Evening changed")
    said_by = ("organiser", "system")

    evening: EveningId
    reason: v.Note = ""
    on: Day | None = None
    name: v.OwnName | None = None
    weight: Weight | None = None
    final: IsFinal | None = None
    deals: Deals | None = None
    totals: Totals | None = None
    field: Field | None = None
    tables: Tables | None = None
    low_wins: Low | None = None

    def apply(self, state: Series) -> Series:
        before = state.evening(self.evening)
        changed: dict[str, Any] = {
            name: value for name, value in vars(self).items() if name not in _NOT_OF_IT and value is not None
        }
        others = _OF_TOTALS if before.competition else _OF_COMPETITION
        if wrong := (_OF_TOTALS | _OF_COMPETITION if before.brought else others).intersection(changed):
            raise Illegal("This evening has no such thing.", fields=sorted(wrong))
        if not (before.competition or changed.get("name", before.name)):
            raise Illegal("An evening that was typed in needs a name.", fields=["name"])
        _refuse_twice(changed.get("totals", ()))
        counts = any(value != getattr(before, name) for name, value in changed.items() if name != "name")
        # Totals were seen once they were typed in, as a result is once a competition is over.
        if counts and (_OF_TOTALS.intersection(changed) or _has_later(state, before)):
            changed["corrected"] = True
        return _with(state, replace(before, **changed))


_NOT_OF_IT: Final = ("evening", "reason")
_OF_COMPETITION: Final = frozenset({"deals"})
_OF_TOTALS: Final = frozenset({"totals", "field", "tables", "low_wins"})


class EveningRemoved(Event, type="evening_removed"):
    """An evening does not belong to the series any more."""

    title = text("Evening removed")

    evening: EveningId
    reason: v.Reason

    def apply(self, state: Series) -> Series:
        gone = state.evening(self.evening)
        declared = tuple(each for each in state.declared if each[1] != gone.id)
        removed = (*state.removed, gone) if _has_later(state, gone) else state.removed
        return replace(_without(state, gone.id), declared=declared, removed=removed)


def _has_later(state: Series, evening: Evening) -> bool:
    """Return whether a later evening was added: tables after it were seen with this one as it is."""
    return any(each.id > evening.id for each in state.evenings)


def _with(state: Series, evening: Evening) -> Series:
    """Return the state with an evening in its place, or refuse one too many."""
    evenings = (*_without(state, evening.id).evenings, evening)
    if len(evenings) > MOST_PARTS:
        raise Illegal(text("A series has at most %(most)d evenings.", most=MOST_PARTS))
    return replace(state, evenings=tuple(sorted(evenings, key=lambda each: (each.on, each.id))))


def _without(state: Series, evening: int) -> Series:
    return replace(state, evenings=tuple(each for each in state.evenings if each.id != evening))


def _refuse_twice(totals: Iterable[TypedTotal | BroughtShare], name: str = "totals") -> None:
    named = Counter(total.player for total in totals)
    twice = {player for player, times in named.items() if times > 1}
    if twice:
        wrong = [f"{name}.{at}.player" for at, total in enumerate(totals) if total.player in twice]
        raise Illegal("A person has one total of an evening.", fields=wrong)


# ---- People --------------------------------------------------------------------------------------


class Declared(Event, type="declared"):
    """A person declared before an evening that it shall count."""

    title = text("Evening declared")
    said_by = ("organiser", "player")

    player: v.PlayerId
    evening: EveningId

    def apply(self, state: Series) -> Series:
        pair = (self.player, state.evening(self.evening).id)
        return replace(state, declared=tuple(dict.fromkeys((*state.declared, pair))))


class DeclarationTakenBack(Event, type="declaration_taken_back"):
    """An evening that a person declared is not declared any more."""

    title = text("Declaration taken back")
    said_by = ("organiser", "player")

    player: v.PlayerId
    evening: EveningId

    def apply(self, state: Series) -> Series:
        pair = (self.player, self.evening)
        return replace(state, declared=tuple(each for each in state.declared if each != pair))


class Counted(Event, type="counted"):
    """People are ranked from a day on, or from it to another one. Why is nobody's business."""

    title = text("People counted")
    said_by = ("organiser", "system")

    players: Players
    since: Day
    until: Annotated[Day | None, Help("the last day; null: still")] = None

    def apply(self, state: Series) -> Series:
        since, until = date.fromisoformat(self.since), date.fromisoformat(self.until) if self.until else None
        if until and until < since:
            raise Illegal("The last day can’t be before the first.", fields=["until"])
        counted = {(player, span.since): span for player, span in state.counted}
        counted |= {(player, since): Span(since, until) for player in self.players}
        return replace(state, counted=tuple((player, span) for (player, _), span in counted.items()))


class CountTakenBack(Event, type="count_taken_back"):
    """People are not counted from that day on, as if that had never been said."""

    title = text("People not counted")
    said_by = ("organiser", "system")

    players: Players
    since: Day

    def apply(self, state: Series) -> Series:
        since = date.fromisoformat(self.since)
        gone = {(player, since) for player in self.players}
        kept = (each for each in state.counted if (each[0], each[1].since) not in gone)
        return replace(state, counted=tuple(kept))


class PrizeWon(Event, type="prize_won"):
    """A person won a prize that the rule knows, or of which an earlier winner has a deduction."""

    title = text("Prize won")

    player: v.PlayerId
    on: Day
    prize: v.Name

    def apply(self, state: Series) -> Series:
        won = Prize(self.player, date.fromisoformat(self.on), self.prize)
        return replace(state, prizes=tuple(dict.fromkeys((*state.prizes, won))))


class PrizeTakenBack(Event, type="prize_taken_back"):
    """A person did not win that prize."""

    title = text("Prize taken back")

    player: v.PlayerId
    on: Day
    prize: v.Name

    def apply(self, state: Series) -> Series:
        lost = Prize(self.player, date.fromisoformat(self.on), self.prize)
        return replace(state, prizes=tuple(each for each in state.prizes if each != lost))


class WinnersLeftOut(Event, type="winners_left_out"):
    """The first of another table of the club, as that was then, have no rank; with ``first`` 0 they have."""

    title = text("Winners of another table left out")

    of: Annotated[v.Id, Help("the series or the competition")]
    table: v.Name
    first: First
    players: Annotated[tuple[v.PlayerId, ...], Length(0, v.MAX_ENTRIES)] = ()

    def apply(self, state: Series) -> Series:
        if bool(self.first) != bool(self.players):
            raise Illegal("Nobody has a rank there yet.", fields=["first"])
        kept = tuple(each for each in state.left_out if each.of != self.of)
        return replace(state, left_out=(*kept, LeftOut(**vars(self))) if self.first else kept)


class Merged(Event, type="merged"):
    """Two players are one person: what one of them has belongs to the other."""

    title = text("Players merged")
    said_by = ("organiser", "system")
    when_closed = True

    player: v.PlayerId
    into: v.PlayerId

    def apply(self, state: Series) -> Series:
        if state.now(self.into) == self.player or self.player in dict(state.merged):
            raise Illegal("These players are merged already.")
        return replace(state, merged=(*state.merged, (self.player, self.into)))


# ---- The fold ------------------------------------------------------------------------------------


def read(data: object) -> Event:
    """Return the event in a log entry's JSON; raise `Malformed` with the path of each error."""
    if not isinstance(data, Mapping):
        raise Malformed({"": [text("An event must be an object with a type.")]})
    event: Event = read_typed(EVENTS, data)
    return event


def write(event: Event) -> JsonObject:
    """Return the canonical JSON of an event: ``type`` first, fields at their default left out."""
    return write_typed(EVENTS, event)


def apply(state: Series, event: Event) -> Series:
    """Return the state after one more event; raise `Illegal` where it cannot happen now."""
    if state.closed and not event.when_closed:
        raise Illegal("The series is closed.")
    return replace(event.apply(state), seq=state.seq + 1)


def fold(events: Iterable[Event]) -> Series:
    """Return the state after all events, in order; raise `Illegal` where one cannot happen."""
    first, *later = events
    return reduce(apply, later, first.begin())


@dataclass(frozen=True)
class Change:
    """An event with its JSON, and the state after it."""

    event: Event
    written: JsonObject
    after: Series


def changes(state: Series, decided: Sequence[Event]) -> Iterator[Change]:
    """Yield the events that change something, each applied to the state after those before it.

    Raises `Illegal`, and `Malformed` for an event that does not have its declared shape.
    """
    for event in decided:
        entering = read(write(event))
        after = apply(state, entering)
        if replace(after, seq=state.seq) != state:
            yield Change(entering, write(entering), after)
            state = after
