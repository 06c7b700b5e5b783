"""What the pictures of a competition show: brackets, the race of points, and ways through the stages."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from games.engine.values import replace
from league.choices import EXPELLED, NOT_PLAYED
from league.core import formats, scoring
from league.core.formats import Bracket, Slot
from league.core.standings import ranking
from league.core.standings.rows import Order, read
from league.core.state.entries import JOIN, is_named_after
from league.models import Competition, Entry, Player, RoundStandings, Stage
from league.queries.competitions import entrants_of, entries_of_bots, state_of
from league.queries.readers import names_of
from league.queries.stand_ins import stand_ins
from league.queries.standings import current_orders

# ---- Brackets ------------------------------------------------------------------------------------


def brackets_of(competition: Competition, number: int, names: Mapping[str, str]) -> tuple[Bracket, ...]:
    """Return the pictures that a format draws of a stage, with names by entry; none before it begins."""
    state = state_of(competition)
    if not 1 <= number <= len(state.stages):
        return ()
    stage = state.stages[number - 1]
    return formats.of(stage.plan).brackets(state, stage, names)


def next_opponent(competition: Competition, entry: str) -> Slot | None:
    """Return whom an entry meets in its next match of a bracket: a name, or which match decides who it is.

    None where the bracket does not say that it plays on.
    """
    names = entrants_of(competition).names
    drawn = brackets_of(competition, competition.stage, {each: each for each in names})
    to_come = (
        match for each in drawn for column in each.columns if not column.over for match in column.matches
    )
    for match in to_come:
        others = [slot for slot in match.slots if slot.name != entry]
        if len(others) == len(match.slots) - 1 == 1 and others[0].note != formats.BYE:
            return replace(others[0], name=names.get(others[0].name, ""))
    return None


@dataclass(frozen=True)
class TableAhead:
    """A table of a schedule in a round to come: the names of whom an entry meets there."""

    round: int
    names: tuple[str, ...]


def next_table(competition: Competition, entry: str) -> TableAhead | None:
    """Return whom an entry meets in its next round by a schedule that published rounds follow, if any."""
    state = state_of(competition)
    stage = state.stage
    if stage is None or not stage.shown_rounds or state.over:
        return None
    for number, table in formats.of(stage.plan).tables_ahead(state, stage):
        here = [each for each in table if not state.misses(state.entry(each), (stage.number, number))]
        if entry in here and len(here) > 1:
            names = entrants_of(competition).names
            return TableAhead(number, tuple(names[each] for each in here if each != entry))
    return None


def is_out(competition: Competition, entry: str) -> bool:
    """Return whether an entry can no longer win the stage, of which it is, before the stage is over."""
    stage = state_of(competition).stage
    left = formats.of(stage.plan).still_in(state_of(competition), stage) if stage else None
    return left is not None and stage is not None and entry in stage.entries and entry not in left


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
    named = names_of(Entry.objects.filter(competition=competition), competition.club_id)
    return {str(pk): name for pk, name in named.items()}


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
    ``own_of`` are the ids of the players. ``gone`` says in a word why it is last and has no certificate: it
    was expelled, or did not play. ``stood_in`` says who else played in which rounds.
    """

    place: int
    shared: bool
    by_lot: bool
    entry: str
    name: str
    players: tuple[str, ...]
    own_of: tuple[str, ...]
    gone: str = ""
    stood_in: str = ""

    @property
    def team(self) -> tuple[str, ...]:
        """Return the names of a team's players, none where its name says them already."""
        named = len(self.players) < 2 or is_named_after(self.name, JOIN.join(self.players))
        return () if named else self.players


def places_of(competition: Competition) -> tuple[FinalPlace, ...]:
    """Return the final places, the winner's first; none before the competition is finished."""
    if competition.status != Competition.Status.FINISHED:
        return ()
    state = state_of(competition)
    places = ranking.final_places(state)
    taken = Counter(place for place, _entry in places)
    by_lot = ranking.drawn_by_lot(state)
    gone = dict.fromkeys(ranking.never_came(state), str(NOT_PLAYED))
    gone |= dict.fromkeys(ranking.expelled(state), str(EXPELLED))
    ids = {entry: state.entry(entry).players for _place, entry in places}
    of_club = Player.objects.filter(pk__in={player for own in ids.values() for player in own})
    names = {str(player): name for player, name in names_of(of_club, competition.club_id).items()}
    others = stand_ins(competition)
    return tuple(
        FinalPlace(
            place,
            taken[place] > 1,
            entry in by_lot,
            entry,
            state.entry(entry).name,
            tuple(names[player] for player in ids[entry] if player in names),
            ids[entry],
            gone.get(entry, ""),
            others.get(entry, ""),
        )
        for place, entry in places
    )


def honoured_in(competition: Competition) -> tuple[FinalPlace, ...]:
    """Return the places that have a certificate: of all who played and were not expelled."""
    return tuple(each for each in places_of(competition) if not each.gone)
