"""Record a result: how a table's game ended, written by the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from games.engine.refusals import Illegal
from games.engine.shapes import Length, Matching
from league.core.events import Event
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, Result, Table
from league.core.state.plan import Placing
from league.core.state.updates import with_table
from league.core.verb import Events, Given, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    game: v.GameId
    head: Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits")]
    status: Literal["finished", "abandoned"]
    seats: Annotated[tuple[Placing, ...], Length(0, 10)]


class ResultRecorded(_Fields, Event, type="result_recorded"):
    """A game is over; ``head`` is the hash of the last entry of its log.

    The result of a finished game counts. An abandoned game has no ``seats``, and its table waits for an
    organiser.
    """

    title = "Result"
    found_by = "score, finished, won, lost, game over, abandoned"
    text = "%(table)s has finished: %(seats)s."
    text_abandoned = "%(table)s (%(at_table)s): the game is abandoned."
    webhook = notice = "result"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        return cls.text_abandoned if fields.get("status") == "abandoned" else cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        game = next((each for each in table.games if each.id == self.game), None)
        if game is None:
            raise Illegal("This game does not belong to this table.")
        if game.result or game.abandoned:
            raise Illegal("The result of this game is recorded already.")
        if self.status == "abandoned":
            over = replace(game, abandoned=True)
        else:
            over = replace(game, result=Result(in_seat_order(table, self.seats), state.seq + 1))
        games = tuple(over if each.id == game.id else each for each in table.games)
        return with_table(state, replace(table, games=games))


def in_seat_order(table: Table, placings: tuple[Placing, ...]) -> tuple[Placing, ...]:
    """Return the placings in seat order; raise `Illegal` unless every seat has one and ranks fit."""
    ordered = tuple(sorted(placings, key=lambda placing: placing.seat))
    refuse_seats(table, [placing.seat for placing in ordered])
    ranks = [placing.rank for placing in ordered]
    if not _nobody_won(ranks) and any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise Illegal("Ranks start at 1. Equal places share the better rank: 1, 1, 3.")
    return ordered


def refuse_seats(table: Table, seats: Sequence[int]) -> None:
    """Raise `Illegal` unless these are the numbers of the table's seats, in order."""
    if [*seats] != list(range(len(table.seats))):
        raise Illegal("A result needs one line for each seat of the table.")


def _nobody_won(ranks: Sequence[int]) -> bool:
    """Return whether all share one rank other than 1, as in a game with only losers."""
    return len({*ranks}) == 1 and 1 < ranks[0] <= len(ranks)


class RecordResult(_Fields, Verb, key="record-result"):
    """Record how a game ended; nothing changes if this is recorded already or the competition is over."""

    event = ResultRecorded
    audience = "system"

    def decide(self, state: Competition, given: Given) -> Events:
        if state.over or is_recorded(state, self.table, self.game):
            return ()
        return super().decide(state, given)


def is_recorded(state: Competition, table: str, game: str) -> bool:
    """Return whether the end of a table's game is recorded; raise `Illegal` for an unknown table."""
    its_games = state.table(table)[2].games
    return any(each.id == game and (each.result is not None or each.abandoned) for each in its_games)
