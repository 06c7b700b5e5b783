"""What the pictures of a competition show: brackets, the race of points, and ways through the stages."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from league.core import formats, scoring
from league.core.drawing.bracket import THIRD_PLACE, Played, played_rounds, seeded, slots_after
from league.core.formats.knockout import TIES, Knockout
from league.core.standings import ranking
from league.core.standings.rows import Order, read
from league.core.state.competition import Competition as State
from league.core.state.competition import Stage as StageState
from league.core.state.competition import Table
from league.models import Competition, Entry, Player, RoundStandings, Stage
from league.queries.bots import entries_of_bots
from league.queries.competitions import state_of
from league.queries.standings import current_orders

# ---- Brackets ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slot:
    """A place in a match: an entry with its score, as far as they are known, and whether it advanced.

    ``bot`` says that the entry is one of bots alone. ``why`` says what decided for an entry that advanced
    from a table at which it was level with one that did not.
    """

    name: str = ""
    score: int | None = None
    advanced: bool = False
    bot: bool = False
    why: str = ""


@dataclass(frozen=True)
class Match:
    """A match of a bracket; ``centre`` is the height of its middle, in heights of a slot."""

    label: str
    slots: tuple[Slot, ...]
    centre: float


@dataclass(frozen=True)
class Bracket:
    """A knockout of a group: its rounds of matches; ``paired`` where two neighbours lead to one match.

    ``height`` is in heights of a slot.
    """

    group: int
    paired: bool
    rounds: tuple[tuple[Match, ...], ...]
    height: float

    @property
    def level(self) -> tuple[Slot, ...]:
        """Return who went on from a table at which they were level with one who did not."""
        return tuple(slot for each in self.rounds for match in each for slot in match.slots if slot.why)


GAP = 0.8
"""Between matches, in heights of a slot."""


def brackets_of(competition: Competition, number: int) -> tuple[Bracket, ...]:
    """Return the brackets of a stage, group by group; none where it is no knockout or has not begun."""
    state = state_of(competition)
    if not 1 <= number <= len(state.stages):
        return ()
    stage = state.stages[number - 1]
    if stage.plan.format != Knockout.key:
        return ()
    bots, groups = entries_of_bots(competition), range(1, len(stage.groups) + 1)
    return tuple(_Brackets(state, stage, group, bots).bracket() for group in groups)


class _Brackets:
    """The bracket of one group, from what is public of a stage."""

    def __init__(self, state: State, stage: StageState, group: int, bots: Container[str]) -> None:
        cup = formats.of(stage.plan)
        assert isinstance(cup, Knockout)
        heats = cup.heats(state.opening, stage.plan)
        self.state, self.stage, self.group, self.bots = state, stage, group, bots
        self.seeds = stage.groups[group - 1]
        self.closed = played_rounds(state, stage, group, heats, len(stage.rounds))
        self.shown = [each for each in stage.shown_rounds if not each.play_off]

    def bracket(self) -> Bracket:
        rounds = tuple(self._paired() if self.stage.plan.table_size == 2 else self._heats())
        matches = [match for each in rounds for match in each]
        height = max((match.centre + len(match.slots) / 2 for match in matches), default=0.0)
        return Bracket(self.group, self.stage.plan.table_size == 2, rounds, height)

    # ---- Tables of two ----

    def _paired(self) -> Iterator[tuple[Match, ...]]:
        centres = [at * (2 + GAP) + 1 for at in range(len(seeded(len(self.seeds))) // 2)]
        number = 0
        while centres:
            yield (*self._pairs(number, centres), *self._third(number, centres))
            centres = [(one + other) / 2 for one, other in zip(centres[::2], centres[1::2], strict=False)]
            number += 1

    def _pairs(self, number: int, centres: Sequence[float]) -> Iterator[Match]:
        known = number <= len(self.closed)
        slots = slots_after(self.seeds, self.closed[:number]) if known else (None,) * (2 * len(centres))
        for centre, pair in zip(centres, zip(slots[::2], slots[1::2], strict=True), strict=True):
            yield Match("", self._slots(number, pair, self._advancing(number)), centre)

    def _third(self, number: int, centres: Sequence[float]) -> Iterator[Match]:
        for table in self._tables(number):
            if table.label == THIRD_PLACE:
                winners = _winners(self.closed[number:][:1], table.entries)
                slots = self._slots(number, table.entries, winners)
                yield Match(THIRD_PLACE, slots, centres[-1] + 2 + 2 * GAP)

    def _slots(self, number: int, entries: Sequence[str | None], winners: Container[str]) -> tuple[Slot, ...]:
        return tuple(
            Slot(
                self.state.entry(entry).name,
                self._score(number, entry, entries),
                entry in winners,
                entry in self.bots,
                self._why(number, entry),
            )
            if entry
            else Slot()
            for entry in entries
        )

    def _why(self, number: int, entry: str) -> str:
        matches = self.closed[number].matches if number < len(self.closed) else ()
        lines = (match.line for match in matches)
        decided = (line.decided.get(entry) for line in lines if entry in line.through and line.out)
        return next((TIES[by] for by in decided if by and by in TIES), "")

    def _advancing(self, number: int) -> Container[str]:
        return self.closed[number].advancing if number < len(self.closed) else ()

    # ---- Heats ----

    def _heats(self) -> Iterator[tuple[Match, ...]]:
        for number, _shown in enumerate(self.shown):
            bottom, matches = 0.0, []
            for label, entries in self._order(number):
                slots = self._slots(number, entries, self._advancing(number))
                matches.append(Match(label, slots, bottom + len(slots) / 2))
                bottom += len(slots) + GAP
            yield tuple(matches)

    def _order(self, number: int) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the label and the entries of each match, best first where it is over."""
        if number < len(self.closed):
            yield from ((match.label, match.order) for match in self.closed[number].matches)
        else:
            yield from {
                table.entries: (table.label, table.entries) for table in self._tables(number)
            }.values()

    # ---- Tables ----

    def _tables(self, number: int) -> list[Table]:
        if number >= len(self.shown):
            return []
        return [table for table in self.shown[number].tables if table.group == self.group]

    def _score(self, number: int, entry: str, match: Sequence[str | None]) -> int | None:
        """Return the scores of an entry's games in a match together; partners have one."""
        scores = [
            next(each.score for each in result.placings if table.seats[each.seat].entry == entry)
            for table in self._tables(number)
            if set(table.entries) == set(match)
            for result in table.results
        ]
        return sum(scores) if scores else None


def _winners(played: Sequence[Played], entries: Sequence[str]) -> Container[str]:
    """Return who came first in a match, nobody while it is not over."""
    matches = (match for each in played for match in each.matches)
    return {match.order[0] for match in matches if set(match.order) == set(entries)}


# ---- The race of points --------------------------------------------------------------------------


@dataclass(frozen=True)
class Runner:
    """An entry, and its points and its rank after each round, None where it had none; ``entry`` is its id."""

    entry: str
    name: str
    points: tuple[Fraction | None, ...]
    ranks: tuple[int | None, ...]

    @property
    def rank(self) -> int | None:
        """Return the rank after the last round."""
        return self.ranks[-1]


@dataclass(frozen=True)
class Race:
    """The points of a group's entries round by round, the leader first."""

    group: int
    rounds: tuple[int, ...]
    runners: tuple[Runner, ...]
    fewest_lead: bool


def races_of(stage: Stage) -> tuple[Race, ...]:
    """Return the race of points in each group of a stage; none before its second round has standings."""
    stored = RoundStandings.objects.filter(stage=stage, round__gt=0).order_by("round")
    orders = {each.round: read(each.order) for each in stored}
    state = state_of(stage.competition)
    fewest = scoring.rate_of(state, state.stages[stage.number - 1]).low_points_win
    if len(orders) < 2:
        return ()
    names = _names(stage.competition)
    return tuple(
        _race(group, orders, names, fewest) for group in range(1, len(orders[max(orders)].groups) + 1)
    )


def _names(competition: Competition) -> Mapping[str, str]:
    """Return the names of a competition's entries by their ids."""
    named = Entry.objects.filter(competition=competition).values_list("pk", "name")
    return {str(pk): name for pk, name in named}


def _race(group: int, orders: Mapping[int, Order], names: Mapping[str, str], fewest: bool) -> Race:
    points = [{each.entry: each.points for each in order.groups[group - 1]} for order in orders.values()]
    ranks = [
        {entry: rank for number, entry, rank in order.ranks() if number == group} for order in orders.values()
    ]
    runners = tuple(
        Runner(
            entry,
            names[entry],
            tuple(each.get(entry) for each in points),
            tuple(each.get(entry) for each in ranks),
        )
        for entry in ranks[-1]
    )
    return Race(group, tuple(orders), runners, fewest)


# ---- Ways through the stages ---------------------------------------------------------------------


@dataclass(frozen=True)
class Stop:
    """Where an entry stands in a stage; ``row`` counts over all groups from 0."""

    stage: int
    group: int
    rank: int
    row: int


@dataclass(frozen=True)
class Way:
    """An entry's stops in the stages that it played; ``bot`` says that it is one of bots alone."""

    name: str
    stops: tuple[Stop, ...]
    bot: bool = False


@dataclass(frozen=True)
class StageColumn:
    """A stage's name, and where its groups begin: the row of the first entry of each."""

    name: str
    divisions: bool
    begins: tuple[int, ...]


@dataclass(frozen=True)
class Ways:
    """The ways of all entries through stages that have standings."""

    columns: tuple[StageColumn, ...]
    ways: tuple[Way, ...]

    @cached_property
    def rows(self) -> int:
        """Return how many rows the longest stage has."""
        return 1 + max((stop.row for way in self.ways for stop in way.stops), default=0)

    @property
    def table(self) -> Iterator[tuple[Way, list[tuple[Stop | None, bool]]]]:
        """Yield each way with its stop in each stage, None for none, and whether the stage has groups."""
        several = [len(column.begins) > 1 for column in self.columns]
        for way in self.ways:
            at = {stop.stage: stop for stop in way.stops}
            yield way, [(at.get(stage), groups) for stage, groups in enumerate(several, 1)]


def ways_of(competition: Competition, stages: Sequence[Stage]) -> Ways | None:
    """Return the ways through the stages that have begun; None where that is one."""
    begun = [stage for stage in stages if stage.number <= competition.stage]
    orders, names = current_orders(begun), _names(competition)
    stops: dict[str, list[Stop]] = {}
    begins: dict[int, list[int]] = {}
    for each in (each for each in begun if each.pk in orders):
        for at, (group, entry, rank) in enumerate(orders[each.pk].ranks()):
            if group > len(begins.setdefault(each.number, [])):
                begins[each.number].append(at)
            stops.setdefault(entry, []).append(Stop(len(begins), group, rank, at))
    columns = [
        StageColumn(each.name, each.has_divisions, tuple(begins[each.number]))
        for each in begun
        if each.number in begins
    ]
    if len(columns) < 2:
        return None
    bots = entries_of_bots(competition)
    ways = tuple(Way(names[entry], tuple(path), entry in bots) for entry, path in stops.items())
    return Ways(tuple(columns), ways)


# ---- Places --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FinalPlace:
    """An entry's place when a competition is over, which others may share, and the names of its players.

    ``by_lot``: only a lot separates it from an entry that is level with it.
    ``own_of`` are the ids of the players.
    """

    place: int
    shared: bool
    by_lot: bool
    entry: str
    name: str
    players: tuple[str, ...]
    own_of: tuple[str, ...]


def places_of(competition: Competition) -> tuple[FinalPlace, ...]:
    """Return the final places, the winner's first; none before the competition is finished."""
    if competition.status != Competition.Status.FINISHED:
        return ()
    state = state_of(competition)
    places = ranking.final_places(state)
    taken = Counter(place for place, _entry in places)
    by_lot = ranking.drawn_by_lot(state)
    ids = {entry: state.entry(entry).players for _place, entry in places}
    of_club = Player.objects.filter(pk__in={player for own in ids.values() for player in own})
    names = {str(player): name for player, name in of_club.values_list("pk", "name")}
    return tuple(
        FinalPlace(
            place,
            taken[place] > 1,
            entry in by_lot,
            entry,
            state.entry(entry).name,
            tuple(names[player] for player in ids[entry] if player in names),
            ids[entry],
        )
        for place, entry in places
    )
