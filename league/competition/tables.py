"""What the events of a table do: results, rulings, no-shows, forfeits, walkovers; and adjustments."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from games.engine.refusals import Illegal
from league.competition.changes import with_stage, with_table
from league.competition.events import (
    Adjusted,
    Forfeited,
    NoShow,
    OfTable,
    Placing,
    Replayed,
    ResultRecorded,
    Ruled,
    Voided,
    WalkedOver,
)
from league.competition.state import Adjustment, Competition, Outcome, Result, Table, TableGame


def effect(state: Competition, event: OfTable) -> Competition:
    """Return the state after an event of a table, or an adjustment; raise `Illegal`."""
    match event:
        case ResultRecorded():
            return result_recorded(state, event)
        case Replayed():
            return replayed(state, event)
        case Ruled():
            return ruled(state, event)
        case NoShow():
            return no_show(state, event)
        case Forfeited():
            return forfeited(state, event)
        case WalkedOver():
            return walked_over(state, event)
        case Voided():
            return voided(state, event)
        case Adjusted():
            return adjusted(state, event)
        case _:
            assert_never(event)


def _table(state: Competition, table: str) -> Table:
    """Return a table of a published round; raise `Illegal`."""
    _, its_round, found = state.table(table)
    if its_round.status == "drawn":
        raise Illegal("The round is not published yet.")
    return found


def result_recorded(state: Competition, event: ResultRecorded) -> Competition:
    """Note how a game ended; one that was abandoned makes its table wait for an organiser."""
    table = _table(state, event.table)
    game = next((each for each in table.games if each.id == event.game), None)
    if game is None:
        raise Illegal("This game is not played at this table.")
    if game.result or game.abandoned:
        raise Illegal("The result of this game has been recorded.")
    if event.status == "abandoned":
        over = replace(game, abandoned=True)
    else:
        over = replace(game, result=Result(_placings(table, event.seats), state.seq + 1))
    games = tuple(over if each.id == game.id else each for each in table.games)
    return with_table(state, replace(table, games=games))


def _placings(table: Table, placings: tuple[Placing, ...]) -> tuple[Placing, ...]:
    """Return the placings in seat order; raise `Illegal` unless every seat has one and ranks fit."""
    ordered = tuple(sorted(placings, key=lambda placing: placing.seat))
    if [placing.seat for placing in ordered] != list(range(len(table.seats))):
        raise Illegal("A result needs one line for every seat of the table.")
    ranks = [placing.rank for placing in ordered]
    if not _nobody_won(ranks) and any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise Illegal("The ranks of a table count from 1, and equal seats share the best of theirs.")
    return ordered


def _nobody_won(ranks: Sequence[int]) -> bool:
    """Return whether all share one rank below the first, as where a game has only losers (B17 of Scram!)."""
    return len({*ranks}) == 1 and 1 < ranks[0] <= len(ranks)


def replayed(state: Competition, event: Replayed) -> Competition:
    """Put a new game in the place of one that was abandoned."""
    table = _table(state, event.table)
    if any(game.id == event.game for _, _, each in state.tables() for game in each.games):
        raise Illegal("A game is played at one table.")
    if table.decided:
        raise Illegal("The table is decided: only a ruling can change that.")
    if not any(game.id == event.abandoned and game.abandoned for game in table.games):
        raise Illegal("Only a game that was abandoned is replayed.")
    games = tuple(TableGame(event.game) if each.id == event.abandoned else each for each in table.games)
    return with_table(state, replace(table, games=games))


def ruled(state: Competition, event: Ruled) -> Competition:
    """Let an organiser's result stand for the whole table."""
    table = _table(state, event.table)
    ruling = Result(_placings(table, event.seats), state.seq + 1)
    ruled_on = replace(table, ruling=ruling, walked_over=False, void=None, outcomes=())
    return with_table(state, ruled_on)


def no_show(state: Competition, event: NoShow) -> Competition:
    """Note that an entry did not come."""
    return _with_outcome(state, event.table, event.entry, "no_show")


def forfeited(state: Competition, event: Forfeited) -> Competition:
    """Note that an entry left or was put out."""
    return _with_outcome(state, event.table, event.entry, "forfeit")


def _with_outcome(state: Competition, table: str, entry: str, outcome: Outcome) -> Competition:
    found = _table(state, table)
    if entry not in found.entries:
        raise Illegal("This entry does not sit at this table.")
    if found.walked_over or found.void is not None:
        raise Illegal("This table is not played.")
    others = tuple(each for each in found.outcomes if each[0] != entry)
    return with_table(state, replace(found, outcomes=(*others, (entry, outcome))))


def walked_over(state: Competition, event: WalkedOver) -> Competition:
    """Decide a table without a game: some were there, the others were not."""
    table = _table(state, event.table)
    if not {*event.entries} <= {*table.entries}:
        raise Illegal("Only an entry of the table can be given it.")
    outcomes = tuple((entry, _walkover_outcome(entry, event.entries)) for entry in table.entries)
    decided = replace(table, walked_over=True, outcomes=outcomes, ruling=None, void=None)
    return with_table(state, decided)


def _walkover_outcome(entry: str, there: tuple[str, ...]) -> Outcome:
    return "walkover" if entry in there else "no_show"


def voided(state: Competition, event: Voided) -> Competition:
    """Let a table count for nobody."""
    table = _table(state, event.table)
    if table.void is not None:
        raise Illegal("This table is void already.")
    return with_table(state, replace(table, void=event.reason))


def adjusted(state: Competition, event: Adjusted) -> Competition:
    """Add points to an entry's total in the current stage."""
    stage = state.stage
    if stage is None or event.entry not in stage.entries:
        raise Illegal("Only an entry of the stage that is being played can be given points.")
    adjustment = Adjustment(event.entry, Fraction(event.points), event.reason, state.seq + 1)
    return with_stage(state, replace(stage, adjustments=(*stage.adjustments, adjustment)))
