"""What the events of stages and rounds do: starting, drawing, moving seats, publishing, closing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from games.engine.refusals import Illegal
from league.competition.changes import with_round
from league.competition.events import (
    DeadlineSet,
    Drawn,
    OfRound,
    Published,
    RoundClosed,
    Seating,
    SeatsMoved,
    StageAdded,
    StageStarted,
    TableOpened,
)
from league.competition.state import Competition, Point, Round, Seat, Stage, Table, TableGame


def effect(state: Competition, event: OfRound) -> Competition:
    """Return the state after an event of a stage or a round; raise `Illegal`."""
    match event:
        case StageAdded():
            return stage_added(state, event)
        case StageStarted():
            return stage_started(state, event)
        case Drawn():
            return drawn(state, event)
        case SeatsMoved():
            return seats_moved(state, event)
        case Published():
            return published(state, event)
        case DeadlineSet():
            return deadline_set(state, event)
        case TableOpened():
            return table_opened(state, event)
        case RoundClosed():
            return round_closed(state, event)
        case _:
            assert_never(event)


def stage_added(state: Competition, event: StageAdded) -> Competition:
    """Announce one more stage."""
    return replace(state, plans=(*state.plans, event.stage))


def stage_started(state: Competition, event: StageStarted) -> Competition:
    """Begin the next stage with its groups and what they carry over."""
    _refuse_idle(state)
    if event.stage != len(state.stages) + 1 or event.stage > len(state.plans):
        raise Illegal(f"Stage {event.stage} is not the next one.")
    if state.stage and state.stage.open_round:
        raise Illegal("The stage before has a round open.")
    placed = [entry for group in event.groups for entry in group]
    known = {entry.id: entry for entry in state.entries}
    if len({*placed}) != len(placed) or not all(entry in known for entry in placed):
        raise Illegal("The groups must hold entries of the competition, each once.")
    carried = tuple((each.entry, Fraction(each.points)) for each in event.carried)
    if {entry for entry, _ in carried} - {*placed}:
        raise Illegal("Only an entry of the stage can carry points into it.")
    stage = Stage(event.stage, state.plans[event.stage - 1], event.groups, carried)
    return replace(state, stages=(*state.stages, stage))


def _refuse_idle(state: Competition) -> None:
    if state.status != "running":
        raise Illegal("The competition is not running.")


def drawn(state: Competition, event: Drawn) -> Competition:
    """Propose a round: a table or a bye for each entry that plays in it."""
    _refuse_idle(state)
    stage = _current_stage(state, event.stage)
    expected = _next_number(stage)
    if event.round != expected:
        raise Illegal(f"The round to draw now is round {expected}.")
    tables = tuple(_table(seating) for seating in event.tables)
    _check_tables(state, stage, event.round, tables, event.byes + event.idle)
    proposal = Round(
        number=event.round,
        status="drawn",
        tables=tables,
        byes=event.byes,
        idle=event.idle,
        proposed=tables,
        proposed_byes=event.byes,
        report=event.report,
        drawn_at=stage.open_round.drawn_at if stage.open_round else state.seq + 1,
        open=event.open,
    )
    return with_round(state, stage, proposal)


def _current_stage(state: Competition, number: int) -> Stage:
    if number != len(state.stages):
        raise Illegal(f"Stage {number} is not being played.")
    return state.stage_numbered(number)


def _next_number(stage: Stage) -> int:
    """Return the number of the round that may be drawn, or drawn again; raise `Illegal`."""
    if stage.open_round is None:
        return len(stage.rounds) + 1
    if stage.open_round.status == "published":
        raise Illegal(f"Round {stage.open_round.number} is being played.")
    return stage.open_round.number


def _table(seating: Seating) -> Table:
    seats = tuple(Seat(entry, player) for entry, player in seating.seats)
    return Table(seating.table, seats, seating.group, seating.board, seating.label)


def _check_tables(
    state: Competition, stage: Stage, number: int, tables: tuple[Table, ...], resting: tuple[str, ...]
) -> None:
    """Raise `Illegal` unless each entry of the round has its seats, or rests, exactly once."""
    ids = Counter(table.id for table in tables)
    if max(ids.values(), default=0) > 1 or {table.id for _, _, table in _settled(state)} & {*ids}:
        raise Illegal("Every table needs an id of its own.")
    group_of = {entry: at for at, group in enumerate(state.field(stage, number), 1) for entry in group}
    places = Counter(resting)
    for table in tables:
        _check_table(state, table, (stage.number, number), group_of)
        places.update(table.entries)
    tables_each = state.opening.team_size if state.opening.lineup == "boards" else 1
    wanted = {entry: 1 if entry in resting else tables_each for entry in group_of}
    if places != wanted:
        raise Illegal("The draw must give every entry of the round its seats, or a rest, exactly once.")
    if max(Counter(seat.player for table in tables for seat in table.seats).values(), default=0) > 1:
        raise Illegal("A player sits once in a round.")


def _settled(state: Competition) -> Iterable[tuple[Stage, Round, Table]]:
    return (each for each in state.tables() if each[1].status != "drawn")


def _check_table(state: Competition, table: Table, at: tuple[int, int], group_of: Mapping[str, int]) -> None:
    if len(table.seats) not in state.opening.seats:
        raise Illegal(f"The game is not for {len(table.seats)} players.")
    if any(group_of.get(entry) != table.group for entry in table.entries):
        raise Illegal("A table seats entries that play in the round, all of one group.")
    seats_each = state.opening.team_size if state.opening.lineup == "partners" else 1
    if any(count != seats_each for count in Counter(seat.entry for seat in table.seats).values()):
        raise Illegal(f"Each entry has {seats_each} of a table's seats.")
    known = {entry.id: entry for entry in state.entries}
    if any(seat.player not in known[seat.entry].lineup(at) for seat in table.seats):
        raise Illegal("A seat is for a player of its entry.")
    if len({seat.player for seat in table.seats}) != len(table.seats):
        raise Illegal("A player sits once at a table.")


def seats_moved(state: Competition, event: SeatsMoved) -> Competition:
    """Let pairs of entries change places in the proposal."""
    stage, proposal = _proposal(state, event.stage, event.round)
    tables, byes = proposal.tables, proposal.byes
    at = (stage.number, event.round)
    for one, other in event.swaps:
        if not {one, other} <= {*byes, *(entry for table in tables for entry in table.entries)}:
            raise Illegal("Only entries of the round can change places.")
        seats = {entry: _seats(state, tables, byes, entry, at) for entry in (one, other)}
        names = {one: other, other: one}
        tables = _exchanged(tables, {one: iter(seats[other]), other: iter(seats[one])})
        byes = tuple(names.get(entry, entry) for entry in byes)
    _check_tables(state, stage, event.round, tables, byes + proposal.idle)
    moved = replace(proposal, tables=tables, byes=byes, moved=(*proposal.moved, event.reason))
    return with_round(state, stage, moved)


def _proposal(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    _refuse_idle(state)
    current = _current_stage(state, stage)
    proposal = current.open_round
    if proposal is None or proposal.number != number or proposal.status != "drawn":
        raise Illegal(f"Round {number} is not drawn, or is published already.")
    return current, proposal


def _seats(
    state: Competition, tables: Sequence[Table], byes: Sequence[str], entry: str, at: Point
) -> list[Seat]:
    """Return an entry's seats in the proposal; of one that rests those that it would take."""
    if entry in byes:
        return [Seat(entry, player) for player in state.entry(entry).lineup(at)]
    return [seat for table in tables for seat in table.seats if seat.entry == entry]


def _exchanged(tables: tuple[Table, ...], exchange: Mapping[str, Iterator[Seat]]) -> tuple[Table, ...]:
    """Return the tables with each seat of the entries that change places given to the next of the other's."""
    return tuple(
        replace(table, seats=tuple(_next_seat(exchange, seat) for seat in table.seats)) for table in tables
    )


def _next_seat(exchange: Mapping[str, Iterator[Seat]], seat: Seat) -> Seat:
    if seat.entry not in exchange:
        return seat
    return next(exchange[seat.entry])


def published(state: Competition, event: Published) -> Competition:
    """Show the round and open its games."""
    stage, proposal = _proposal(state, event.stage, event.round)
    games: dict[str, tuple[TableGame, ...]] = {table.id: () for table in proposal.tables}
    for each in event.games:
        if each.table not in games:
            raise Illegal("A game belongs to a table of the round.")
        games[each.table] += (TableGame(each.game),)
    if any(not its_games for its_games in games.values()):
        raise Illegal("Every table of the round needs a game.")
    _refuse_known_games(state, [each.game for each in event.games])
    tables = tuple(replace(table, games=games[table.id]) for table in proposal.tables)
    shown = replace(proposal, status="published", tables=tables, deadline=event.deadline)
    return with_round(state, stage, shown)


def _refuse_known_games(state: Competition, games: list[str]) -> None:
    known = {game.id for _, _, table in state.tables() for game in table.games}
    if len({*games}) != len(games) or known & {*games}:
        raise Illegal("A game is played at one table.")


def _played_now(state: Competition, stage: int, number: int) -> tuple[Stage, Round]:
    current = _current_stage(state, stage)
    open_round = current.open_round
    if open_round is None or open_round.number != number or open_round.status != "published":
        raise Illegal(f"Round {number} is not being played.")
    return current, open_round


def deadline_set(state: Competition, event: DeadlineSet) -> Competition:
    """Change until when a round is to be played; in a pause too, which may be why."""
    stage, open_round = _played_now(state, event.stage, event.round)
    return with_round(state, stage, replace(open_round, deadline=event.deadline))


def table_opened(state: Competition, event: TableOpened) -> Competition:
    """Add a table to the open round of a stage whose games are played at any time."""
    _refuse_idle(state)
    stage, open_round = _played_now(state, event.stage, event.round)
    if any(table.id == event.table for _, _, table in state.tables()):
        raise Illegal("Every table needs an id of its own.")
    if not open_round.open:
        raise Illegal("The tables of this round were drawn.")
    _refuse_known_games(state, list(event.games))
    table = _table(Seating(event.table, event.seats, event.group))
    group_of = {entry: at for at, group in enumerate(state.field(stage, event.round), 1) for entry in group}
    _check_table(state, table, (stage.number, event.round), group_of)
    table = replace(table, games=tuple(map(TableGame, event.games)))
    return with_round(state, stage, replace(open_round, tables=(*open_round.tables, table)))


def round_closed(state: Competition, event: RoundClosed) -> Competition:
    """Close a round, every table of which is decided."""
    _refuse_idle(state)
    stage, open_round = _played_now(state, event.stage, event.round)
    if not open_round.decided:
        waiting = sum(not table.decided for table in open_round.tables)
        raise Illegal(f"{waiting} of the round's tables are not decided.")
    return with_round(state, stage, replace(open_round, status="closed"))
