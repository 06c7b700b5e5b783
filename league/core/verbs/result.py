"""Record a result: how a table's game ended, written by the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from games.engine.refusals import Illegal
from games.engine.shapes import Length, Matching
from games.engine.values import replace
from league.core.events import AND_SERVER, Event
from league.core.state import values as v
from league.core.state.checks import published_table, refuse_undecided_in_closed_round
from league.core.state.competition import Competition, Result, Table, TableGame
from league.core.state.plan import Placing
from league.core.state.updates import with_table
from league.core.verb import Events, Given, Verb


@dataclass(frozen=True)
class _Fields:
    table: v.TableId
    game: v.GameId
    head: Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits", example="5d" * 32)]
    status: Literal["finished", "abandoned", "active"]
    seats: Annotated[tuple[Placing, ...], Length(0, 10)]


class ResultRecorded(_Fields, Event, type="result_recorded"):
    """A game is over; ``head`` is the hash of the last entry of its log.

    The result of a finished game counts. An abandoned game has no ``seats``, and its table waits for an
    organiser. A score card that is corrected afterwards is recorded again with its new head: ``active``,
    without ``seats``, if the correction leaves it without an end.
    """

    title = "Result"
    found_by = "score entered, set, finished, won, lost, game over, abandoned"
    about = ("table", "game")
    replaces = ("result_recorded",)
    said_by = AND_SERVER
    said_with: ClassVar = {"organiser": "replayed"}
    text = "%(table)s has finished: %(seats)s."
    text_corrected = "%(table)s: the score card is corrected: %(before)s → %(seats)s."
    text_active = "%(table)s (%(at_table)s): the game continues after a correction."
    text_abandoned = (
        "%(table)s (%(at_table)s): the game ends unfinished. What is decided for the table counts, "
        "such as totals entered by hand."
    )
    announces = notice = "result"

    @classmethod
    def sentence(cls, fields: Mapping[str, object]) -> str:
        match fields:
            case {"status": "abandoned"}:
                return cls.text_abandoned
            case {"status": "active"}:
                return cls.text_active
            case {"before": {"seats": before}, "seats": seats} if before != seats:
                return cls.text_corrected
            case _:
                return cls.text

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        game = next((each for each in table.games if each.id == self.game), None)
        if game is None:
            raise Illegal("This game does not belong to this table.")
        if game.abandoned or game.head == self.head:
            raise Illegal("The result of this game is recorded already.")
        now = self._recorded(state, table, game)
        games = tuple(now if each.id == game.id else each for each in table.games)
        changed = replace(table, games=games)
        if self.status == "active":
            refuse_undecided_in_closed_round(state, changed)
        return with_table(state, changed)

    def _recorded(self, state: Competition, table: Table, game: TableGame) -> TableGame:
        match self.status:
            case "finished":
                result = Result(in_seat_order(table, self.seats), state.seq + 1)
                return replace(game, result=result, head=self.head)
            case "abandoned":
                return replace(game, abandoned=True, head=self.head)
            case "active" if game.result:
                return replace(game, result=None, head=self.head)
            case _:
                raise Illegal("This game is not over.")


def in_seat_order(table: Table, placings: tuple[Placing, ...]) -> tuple[Placing, ...]:
    """Return the placings in seat order; raise `Illegal` unless every seat has one and ranks fit."""
    ordered = tuple(sorted(placings, key=lambda placing: placing.seat))
    refuse_seats(table, [placing.seat for placing in ordered])
    ranks = [placing.rank for placing in ordered]
    best_first = sorted(ranks)
    if not _nobody_won(ranks) and ranks != [1 + best_first.index(rank) for rank in ranks]:
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
    """Record how a game ended; nothing changes if this is recorded already or the competition is over.

    A corrected score card is recorded again, unless it would leave a table of a closed round undecided.
    """

    event = ResultRecorded
    audience = "system"

    def decide(self, state: Competition, given: Given) -> Events:
        if state.over or is_recorded(state, self.table, self.game, self.head):
            return ()
        if self.status == "active" and not self._goes_on(state):
            return ()
        return super().decide(state, given)

    def _goes_on(self, state: Competition) -> bool:
        """Return whether the recorded end of a game can be taken back."""
        _stage, its_round, table = state.table(self.table)
        ended = any(game.id == self.game and game.result for game in table.games)
        return ended and its_round.status == "published"


def is_recorded(state: Competition, table: str, game: str, head: str) -> bool:
    """Return whether a game's end is recorded with this head; raise `Illegal` if there is no such table."""
    its_games = state.table(table)[2].games
    return any(each.id == game and (each.abandoned or each.head == head) for each in its_games)
