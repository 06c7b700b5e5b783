"""What events check before they change a state, and copies of a state with one part replaced."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from games.engine.messages import Message, plural
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from games.engine.values import replace
from league.core.state import values as v
from league.core.state.challenges import Challenge
from league.core.state.competition import (
    BEGINNING,
    PLAY_OFF,
    Competition,
    Decision,
    Entry,
    EntryStatus,
    Point,
    Round,
    Seat,
    Stage,
    Status,
    Table,
)
from league.core.state.plan import StagePlan

# ---- Conditions ----------------------------------------------------------------------------------


def refuse_double(
    state: Competition, players: Sequence[str], since: Point = BEGINNING, itself: str = ""
) -> None:
    """Raise `Illegal` where one of the players belongs to another entry from a point on."""
    if entry := doubled(state, players, since, itself):
        raise Illegal("A player of %(name)s cannot play for a second entry.", name=entry.name)


def doubled(state: Competition, players: Sequence[str], since: Point, itself: str) -> Entry | None:
    """Return another entry to which one of the players belongs from a point on, None for none."""
    theirs = (entry for player in players for entry in state.entries.found(player) if entry.id != itself)
    return next((entry for entry in theirs if not entry.engaged(since).isdisjoint(players)), None)


def refuse_taken_name(state: Competition, name: str, itself: str = "") -> None:
    """Raise `Illegal` where another entry that takes part, waits or has applied has the name."""
    named = state.entries.found(name)
    if any(entry.live and name in (entry.name, entry.own_name) for entry in named if entry.id != itself):
        raise Illegal("There is an entry named %(name)s already.", name=name)


def refuse_after_start(state: Competition) -> None:
    """Raise `Illegal` once the competition has started."""
    if state.started:
        raise Illegal("The competition has started.")


def with_entries(state: Competition, status: Status) -> Competition:
    """Return the state with entries open or closed; raise `Illegal` after the start of drawn rounds."""
    if state.open_ended:
        return replace(state, before_start=status)
    refuse_after_start(state)
    return replace(state, status=status)


def refuse_if_full(state: Competition) -> None:
    """Raise `Illegal` where the limit of entries is reached."""
    if state.full:
        limit = state.opening.entering.places
        raise Illegal(plural("The only place is taken.", "All %(count)d places are taken.", limit))


def with_status(state: Competition, entry: str, status: EntryStatus, otherwise: Message) -> Entry:
    """Return an entry if it has the status; else raise `Illegal` with a sentence."""
    known = state.entry(entry)
    if known.status != status:
        raise Illegal(otherwise)
    return known


def upcoming_round(state: Competition, number: int) -> Point:
    """Return an unpublished round of the current stage, or before the start of the first; raise `Illegal`."""
    state.upcoming(number)
    return state.round_point(number)


def refuse_unless_running(state: Competition) -> None:
    """Raise `Illegal` unless the competition is running."""
    if state.status != "running":
        raise Illegal("The competition is not running.")


def current_stage(state: Competition, number: int) -> Stage:
    """Return the current stage if it has the number; raise `Illegal`."""
    if number != len(state.stages):
        raise Illegal("Stage %(stage)d is not being played.", stage=number)
    return state.stage_numbered(number)


def begun_stage(state: Competition) -> Stage:
    """Return the stage that began last; raise `Illegal` before the first."""
    if state.stage is None:
        raise Illegal("No stage has begun.")
    return state.stage


def drawn_round(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    """Return the drawn, unpublished round if it has the number, with its stage; raise `Illegal`."""
    refuse_unless_running(state)
    current = current_stage(state, stage)
    drawn = current.drawn_round
    if drawn is None or drawn.number != number:
        raise Illegal("Round %(round)d is not drawn, or is published already.", round=number)
    return current, drawn


def refuse_unless_under_way(state: Competition) -> None:
    """Raise `Illegal` unless the competition is running or paused."""
    if state.status not in ("running", "paused"):
        raise Illegal("The competition is not running.")


def played_round(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    """Return the round that is being played if it has the number, with its stage; raise `Illegal`."""
    current = current_stage(state, stage)
    played = current.current_round
    if played is None or played.number != number:
        raise Illegal("Round %(round)d is not being played.", round=number)
    return current, played


def refuse_undecided_in_closed_round(state: Competition, table: Table) -> None:
    """Raise `Illegal` where a table of a closed round would be neither decided nor put off.

    A table of an earlier stage must be decided: the present one was made from its standings.
    """
    stage, its_round, _ = state.table(table.id)
    put_off = table.to_come and stage == state.stage
    if its_round.status == "closed" and not (table.decided or put_off):
        raise Illegal(
            "Round %(round)d is closed, and the table would not be decided: reopen the round first, "
            "or set the result.",
            round=its_round.number,
        )


def tables_to_come(state: Competition) -> Message | None:
    """Return what an end has to wait for: the tables that are put off; None where there is none."""
    waiting = [each for _, _, each in state.tables() if each.to_come]
    if not waiting:
        return None
    return plural(
        "%(count)d table is put off. Wait for its result, set it, or void the table.",
        "%(count)d tables are put off. Wait for their results, set them, or void the tables.",
        len(waiting),
    )


def refuse_with_tables_to_come(state: Competition) -> None:
    """Raise `Illegal` while a table is put off."""
    if waits := tables_to_come(state):
        raise Illegal(waits)


def published_table(state: Competition, table: str) -> Table:
    """Return a table of a published round; raise `Illegal`."""
    _, its_round, known = state.table(table)
    if its_round.status == "drawn":
        raise Illegal("The round is not published yet.")
    return known


# ---- Copies --------------------------------------------------------------------------------------


def with_entry(state: Competition, entry: Entry) -> Competition:
    """Return the state with an entry replaced, which notes by which event it came or left at once."""
    at, before = state.round_point(state.next_change), state.entry(entry.id)
    came = entry.takes_part(at)
    if state.started and came != before.takes_part(at):
        entry = replace(entry, turns=(*entry.turns, (state.seq + 1, came)))
    return replace(state, entries=state.entries.changed(entry))


def arrived(state: Competition, entry: Entry, since: Point) -> Entry:
    """Return an entry that is here from a round on, or already was; before the start it has to check in."""
    if entry.here(since) or not state.started:
        return entry
    return replace(entry, checked_in=True, here_from=since)


def with_stage(state: Competition, stage: Stage) -> Competition:
    """Return the state with a stage replaced."""
    index = stage.number - 1
    return replace(state, stages=(*state.stages[:index], stage, *state.stages[index + 1 :]))


def with_round(state: Competition, stage: Stage, changed: Round) -> Competition:
    """Return the state with a round of a stage replaced, or added as the next."""
    index = changed.number - 1
    rounds = (*stage.rounds[:index], changed, *stage.rounds[index + 1 :])
    return with_stage(state, replace(stage, rounds=rounds))


def with_queue(state: Competition) -> Competition:
    """Return the state after its next event with who waits for a table now, behind those who waited before.

    Of those who begin to wait at once, who has played at the fewest tables of the round comes first, then who
    is first by its lots; latecomers follow.
    """
    stage, played = state.stage, state.current_round
    if stage is None or played is None or played.queue is None:
        return state
    sat = Counter(entry for table in played.tables for entry in table.entries)
    busy = {entry for table in played.tables if table.status == "playing" for entry in table.entries}
    here = [each for group in state.field(stage, played.number) for each in group if each not in busy]
    waited = {entry for entry, _since in played.queue}
    lots = {entry: place for place, entry in enumerate(played.idle)}
    new = sorted({*here} - waited, key=lambda each: (sat[each], lots.get(each, len(lots)), here.index(each)))
    queue = (*(each for each in played.queue if each[0] in here), *((each, state.seq + 1) for each in new))
    return state if queue == played.queue else with_round(state, stage, replace(played, queue=queue))


def with_places(before: Competition, after: Competition) -> Competition:
    """Return the state with a number in the hall for each table that is played since the next event.

    That is the smallest one at which nobody plays; a table that goes on keeps its own where it can.
    """
    stage, played, was = after.stage, after.current_round, before.current_round
    if stage is None or played is None or played.queue is None or was is None or was.tables is played.tables:
        return after
    sitting = [table for table in played.tables if table.status == "playing"]
    kept = {table.id for table in was.tables if table.status == "playing"}
    taken = {table.place for table in sitting if table.id in kept}
    tables = played.tables
    for table in (each for each in sitting if each.id not in kept):
        free = (number for number in (table.place, *played.rooms.numbers(len(sitting))) if number)
        place = next(number for number in free if number not in taken)
        taken.add(place)
        tables = tables.changed(replace(table, place=place))
    return with_round(after, stage, replace(played, tables=tables))


def with_table(state: Competition, changed: Table) -> Competition:
    """Return the state with a table replaced, which notes when it first has a result that counts."""
    stage, its_round, before = state.table(changed.id)
    walkovers = stage.plan.editions.rung_is_rank
    if walkovers and before.walked_over and not changed.decided:
        changed = replace(changed, finished=0, gone=())
    if (changed.status == "played" or (walkovers and changed.walked_over)) and not changed.finished:
        at = (stage.number, its_round.number)
        gone = tuple(entry for entry in changed.entries if not state.entry(entry).takes_part(at))
        changed = replace(changed, finished=state.seq + 1, gone=gone)
    return with_round(state, stage, replace(its_round, tables=its_round.tables.changed(changed)))


def decided(table: Table, decision: Decision) -> Table:
    """Return the table with another decision; the one before can be given back."""
    return replace(table, **vars(decision), earlier=(*table.earlier, table.decision))


def without_decision(table: Table) -> Table:
    """Return the table as it was before its last decision."""
    return replace(table, **vars(table.earlier[-1]), earlier=table.earlier[:-1])


def without_draft(state: Competition, reason: str) -> Competition:
    """Return the state without a cut-off, and without an unpublished draw, which is kept with the reason."""
    *before, last = state.drafts or (None,)
    if last and not last.dropped:
        drafts = (*(draft for draft in before if draft), replace(last, dropped=reason))
        state = replace(state, drafts=drafts)
    state = replace(state, pending=None)
    stage = state.stage
    if stage is None or stage.drawn_round is None:
        return state
    return with_stage(state, replace(stage, rounds=stage.rounds[:-1]))


def discarded(state: Competition, reason: str) -> Competition:
    """Return the state in which an unpublished draw is thrown away, for a reason; it is public now."""
    return replace(without_draft(state, reason), drafted_at=None)


def in_smallest_group(state: Competition, entry: str) -> Competition:
    """Return the state with a late entry in the smallest group of the current stage."""
    stage = state.stage
    if stage is None:
        return state
    smallest = min(range(len(stage.groups)), key=lambda index: len(stage.groups[index]))
    groups = tuple(
        (*group, entry) if index == smallest else group for index, group in enumerate(stage.groups)
    )
    return with_stage(state, replace(stage, groups=groups))


def with_challenge(state: Competition, changed: Challenge) -> Competition:
    """Return the state with a challenge replaced."""
    listed = (changed if each.number == changed.number else each for each in state.challenges)
    return replace(state, challenges=tuple(listed))


def challenges_ended(state: Competition) -> Competition:
    """Return the state in which no challenge is open that nobody can accept any more.

    One ends with its round, and when one of its two entries leaves; those of a withdrawn round never were.
    """
    if not state.challenges:
        return state
    shown = {stage.number: len(stage.shown_rounds) for stage in state.stages}
    listed = tuple(
        _ended(state, each) if each.status == "open" else each
        for each in state.challenges
        if each.at[1] <= shown.get(each.at[0], 0)
    )
    return replace(state, challenges=listed) if listed != state.challenges else state


def _ended(state: Competition, challenge: Challenge) -> Challenge:
    """Return an open challenge as it is after an event: open still, or ended."""
    current = state.current_round
    played = not state.over and current and challenge.at == (len(state.stages), current.number)
    gone = (each for each in challenge.entries if not state.entry(each).takes_part(challenge.at))
    left = next(gone, "") if played else ""
    if played and not left:
        return challenge
    return replace(challenge, status="ended", closed=state.seq + 1, left=left)


# ---- Players in seats, and the rules that the tables of a round must keep -------------------------


@dataclass(frozen=True)
class Seating:
    """A table of a draw: its seats in order, each an entry and a player."""

    table: v.TableId
    seats: Annotated[tuple[v.SeatPair, ...], Length(1, 10)]
    group: v.Count = 1
    board: Annotated[int, Between(1, v.MAX_TEAM)] = 1
    label: Annotated[str, Length(0, 60), Help("what the table is for: final, third place")] = ""

    def as_table(self, plan: StagePlan) -> Table:
        """Return the table of a stage, without games yet; a play-off is one game."""
        seats = tuple(Seat(entry, player) for entry, player in self.seats)
        sides = len({entry for entry, _ in self.seats})
        match = plan.match if sides == 2 and self.label != PLAY_OFF else None
        return Table(self.table, seats, self.group, self.board, self.label, match=match)


def seats_of(
    entries: Sequence[str], lineups: Mapping[str, tuple[str, ...]], board: int | None
) -> tuple[v.SeatPair, ...]:
    """Return a table's seats: all players of each entry in turn, or at a board the players with its number.

    At every other board the order is reversed, so that each team has the first seat at half of them.
    """
    if board is None:
        most = len(lineups[entries[0]])
        return tuple((entry, lineups[entry][turn]) for turn in range(most) for entry in entries)
    order = entries if board % 2 else entries[::-1]
    return tuple((entry, lineups[entry][board - 1]) for entry in order)


def check_round(
    state: Competition, stage: Stage, number: int, tables: tuple[Table, ...], resting: tuple[str, ...]
) -> None:
    """Raise `Illegal` unless each entry of the round has its seats, or a bye, exactly once."""
    refuse_known_tables(state, [table.id for table in tables])
    group_of = groups(state, stage, number)
    turns = Counter(resting)
    for table in tables:
        check_table(state, table, (stage.number, number), group_of)
        turns.update(table.entries)
    tables_each = state.opening.team_size if state.opening.lineup == "boards" else 1
    wanted = dict.fromkeys(group_of, tables_each) | dict.fromkeys(group_of.keys() & {*resting}, 1)
    if turns != wanted:
        raise Illegal("The draw must give each entry of the round its seats, or a bye, exactly once.")
    if max(Counter(seat.player for table in tables for seat in table.seats).values(), default=0) > 1:
        raise Illegal("A player can have only one seat in a round.")


def groups(state: Competition, stage: Stage, number: int) -> Mapping[str, int]:
    """Return the group of each entry that plays in a round, counted from 1."""
    return {entry: group for group, entries in enumerate(state.field(stage, number), 1) for entry in entries}


def refuse_known_tables(state: Competition, tables: Sequence[str]) -> None:
    """Raise `Illegal` where a table is named twice, or is one of a round that was published."""
    if _known_or_double(state, tables):
        raise Illegal("Two tables have the same id.")


def check_table(state: Competition, table: Table, at: tuple[int, int], group_of: Mapping[str, int]) -> None:
    """Raise `Illegal` unless the seats belong to entries of one group and to their players."""
    if len(table.seats) not in state.opening.seats:
        seats = len(table.seats)
        raise Illegal(
            plural("The game is not for %(count)d player.", "The game is not for %(count)d players.", seats)
        )
    if {group_of.get(entry) for entry in table.entries} != {table.group}:
        raise Illegal("The entries of a table must play in the round, all in one group.")
    each = state.opening.team_size if state.opening.lineup == "partners" else 1
    seated = [seat.entry for seat in table.seats]
    if each < max(map(seated.count, seated)):
        raise Illegal("An entry can't play against itself.")
    if {seated.count(entry) for entry in seated} != {each}:
        raise Illegal("Each entry must have %(count)d of a table's seats.", count=each)
    if not all(seat.player in state.entry(seat.entry).lineup(at) for seat in table.seats):
        raise Illegal("A seat must belong to a player of its entry.")
    if len({seat.player for seat in table.seats}) != len(table.seats):
        raise Illegal("A player can have only one seat at a table.")


def refuse_known_games(state: Competition, games: Sequence[str]) -> None:
    """Raise `Illegal` where a game is named twice, or belongs to a table already."""
    if _known_or_double(state, games):
        raise Illegal("A game can belong to only one table.")


def _known_or_double(state: Competition, ids: Sequence[str]) -> bool:
    return len({*ids}) != len(ids) or any(each.tables.has_any(ids) for each in state.published_rounds)
