"""What verbs would change: the standings and who goes on, as they are and as they would be.

Nothing is written: the verbs decide, and their events are applied to the state in memory.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import intake
from league.core.entering import with_names
from league.core.events import Ending, EndsGames, Event, changes
from league.core.standings import ranking
from league.core.standings.ranking import levels_of, lots_to_draw
from league.core.standings.rows import Row
from league.core.state.competition import Competition, Stage, Table
from league.core.verb import Given, Verb, decide
from league.core.verbs.results import in_table_order

Movement: TypeAlias = Literal["up", "down", "stays", "new", "undecided"]
NO_PREVIEW = text("A draw can't be previewed.")


@dataclass(frozen=True)
class Place:
    """An entry's group or division in the next stage, and how it moves to a division."""

    entry: str
    group: int
    movement: Movement


@dataclass(frozen=True)
class Situation:
    """The standings of each stage that has begun, by its number, and who goes on to the next stage.

    ``qualifiers`` are those of a next stage that takes the best, ``divisions`` those of a next season with
    promotion and relegation; both are empty where the next stage is neither.
    """

    standings: Mapping[int, tuple[Row, ...]]
    qualifiers: tuple[Place, ...] = ()
    divisions: tuple[Place, ...] = ()

    @property
    def goes_on(self) -> Mapping[str, Place]:
        """Return the places in the next stage by entry."""
        return {place.entry: place for place in (*self.qualifiers, *self.divisions)}


@dataclass(frozen=True)
class Preview:
    """The events that verbs would append, and the situations before and after them.

    ``stages`` are the numbers of the stages to compare: the last one, and those whose standings change.
    ``names`` are those of all entries by id, also of entries that the verbs would add. ``lots`` say for whom
    lots would be drawn: nobody can foretell them, so the situation after the verbs is that without them.
    ``ends`` are the tables whose running games would end, and ``lost`` says what was played there.
    """

    events: tuple[Event, ...]
    before: Situation
    after: Situation
    stages: tuple[int, ...]
    names: Mapping[str, str]
    lots: tuple[Message, ...] = ()
    ends: tuple[Table, ...] = ()
    lost: Sequence[Message] = ()


@dataclass(frozen=True)
class Comparison:
    """An entry of a stage before and after; a row or a place is None where there is none."""

    stage: int
    entry: str
    before: Row | None
    after: Row | None
    place_before: Place | None = None
    place_after: Place | None = None

    @property
    def changed(self) -> bool:
        """Return whether rank, points, or the place in the next stage change."""
        return _standing(self.before) != _standing(self.after) or self.place_before != self.place_after


def preview(
    state: Competition,
    given: Sequence[tuple[Verb, Given]],
    played_on: Callable[[Competition, Ending], Iterable[Event]] = lambda _state, _ending: (),
) -> Preview:
    """Return what verbs would do, one after the other, each with what it may know.

    ``played_on`` returns the results of the games that are over once an entry leaves them; like the server
    they are recorded after all that the verbs do.

    Raises what deciding and applying them raises, and `Illegal` for a verb that draws.
    """
    before, events, ends, left = state, list[Event](), list[Table](), list[Ending]()
    for verb, its_given in given:
        if verb.draws(state):
            raise Illegal(NO_PREVIEW)
        if verb.ends_its_game:
            ends.append(before.table(vars(verb)["table"])[2])
        for change in changes(state, decide(verb, state, replace(its_given, previewing=True))):
            events.append(change.event)
            state = change.after
            if isinstance(change.event, EndsGames):
                endings = [*change.event.endings(state)]
                ends += [before.table(each.table)[2] for each in endings if each.entry is None]
                left += [each for each in endings if each.entry is not None]
    for ending in left:
        for change in changes(state, [in_table_order(state, each) for each in played_on(state, ending)]):
            state = change.after
    was, will_be = _situation(before), _situation(state)
    brought = {player: name for _verb, known in given for player, name in known.players.items()}
    names = {entry.id: entry.name for entry in with_names(state, brought).entries}
    lots = tuple(_lots(before, state))
    return Preview(tuple(events), was, will_be, tuple(_to_compare(was, will_be)), names, lots, tuple(ends))


def compared(found: Preview) -> tuple[Comparison, ...]:
    """Return every entry of the compared stages: those that change first, then by stage, group and rank."""
    rows = [row for stage in found.stages for row in _compared(found, stage)]
    return tuple(sorted(rows, key=lambda row: (not row.changed, *_order(row))))


def _lots(before: Competition, after: Competition) -> Iterator[Message]:
    """Yield for whom lots would be drawn in the stage that the verbs would close."""
    stage = before.stage
    if stage and not before.over and (after.status == "finished" or len(after.stages) > len(before.stages)):
        found = after.stage_numbered(stage.number)
        yield from (lots_to_draw(after, found, level) for level in levels_of(after, found))


# ---- A situation ---------------------------------------------------------------------------------


def _situation(state: Competition) -> Situation:
    standings = {stage.number: ranking.standings(state, stage.number) for stage in state.stages}
    number = len(state.stages) + 1
    if state.over or state.stage is None or number > len(state.plans):
        return Situation(standings)
    source = state.plans[number - 1].intake.source
    if source == "entries":
        return Situation(standings)
    places = tuple(_places(state, state.stage, divisions=source == "promotion"))
    if source == "promotion":
        return Situation(standings, divisions=places)
    return Situation(standings, qualifiers=places)


def _places(state: Competition, stage: Stage, *, divisions: bool) -> Iterator[Place]:
    """Yield the places in the next stage, group by group."""
    coming = intake.advancing(state, stage.number)
    groups = coming.groups if coming else ()
    undecided = {entry for play_off in coming.play_offs for entry in play_off.entries} if coming else set()
    undecided |= {move.entry for move in coming.moves if move.line == "lots_to_come"} if coming else set()
    before = {entry: group for group, entries in enumerate(stage.groups, 1) for entry in entries}
    for group, entries in enumerate(groups, 1):
        for entry in entries:
            if entry not in undecided:
                yield Place(entry, group, _movement(before.get(entry), group, divisions))
    for entry in sorted(undecided):
        yield Place(entry, before[entry], "undecided")


def _movement(before: int | None, now: int, divisions: bool) -> Movement:
    if before is None:
        return "new"
    if not divisions or before == now:
        return "stays"
    return "up" if now < before else "down"


# ---- Comparing -----------------------------------------------------------------------------------


def _to_compare(before: Situation, after: Situation) -> Iterator[int]:
    last = max(after.standings, default=0)
    for number, rows in sorted(after.standings.items()):
        earlier = before.standings.get(number, ())
        if number == last or [*map(_standing, earlier)] != [*map(_standing, rows)]:
            yield number


def _standing(row: Row | None) -> tuple[object, ...]:
    return (row.entry, row.group, row.rank, row.points) if row else ()


def _compared(found: Preview, stage: int) -> Iterator[Comparison]:
    before = {row.entry: row for row in found.before.standings.get(stage, ())}
    after = {row.entry: row for row in found.after.standings[stage]}
    last = stage == max(found.stages)
    goes_before, goes_after = (found.before.goes_on, found.after.goes_on) if last else ({}, {})
    for entry in dict.fromkeys((*after, *before)):
        yield Comparison(
            stage,
            entry,
            before.get(entry),
            after.get(entry),
            goes_before.get(entry),
            goes_after.get(entry),
        )


def _order(row: Comparison) -> tuple[int, int, int]:
    shown = row.after or row.before
    assert shown is not None
    return row.stage, shown.group, shown.rank
