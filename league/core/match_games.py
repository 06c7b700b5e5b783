"""The games of a match: the next one opens by itself, and one that is not needed any more ends.

Both are events that follow from what decided or undid a game, in the same transaction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated

from games.engine.chain import derived_id
from games.engine.refusals import Illegal
from games.engine.shapes import Between
from games.engine.values import replace
from league.core.events import AND_SERVER, Ending, EndsGames, Event, OpensGames, changes
from league.core.state import values as v
from league.core.state.competition import Competition, Table, TableGame
from league.core.state.match import MOST_GAMES
from league.core.state.updates import published_table, refuse_known_games, with_table

Number = Annotated[int, Between(1, MOST_GAMES)]


class NextGame(OpensGames, type="next_game"):
    """The next game of a match that is not decided; those who sit side by side change seats."""

    title = "Next game of a match"
    found_by = "best of, second game, third game"
    said_by = (*AND_SERVER, "scorekeeper")
    text = "%(table)s (%(at_table)s): game %(number)s of the match begins."
    table: v.TableId
    game: v.GameId
    number: Number

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if not wants_game(table):
            raise Illegal("This table needs no further game.")
        if self.number != len(table.needed) + 1:
            raise Illegal("The games of a match have the numbers 1, 2, 3, …")
        refuse_known_games(state, [self.game])
        games = (*table.games, TableGame(self.game, number=self.number))
        return with_table(state, replace(table, games=games))

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((self.table, self.game),)


class GameNotNeeded(EndsGames, type="game_not_needed"):
    """A game of a match ends that was begun before its decision changed: the match is decided without it."""

    title = "Game of a match not needed"
    found_by = "best of, needless game, decided before"
    said_by = NextGame.said_by
    text = "%(table)s (%(at_table)s): game %(number)s is not needed, the match is decided."
    table: v.TableId
    game: v.GameId
    number: Number

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        game = next((each for each in needless(table) if each.id == self.game), None)
        if game is None or game.number != self.number:
            raise Illegal("This game is needed, or over.")
        games = tuple(replace(each, dropped=True) if each is game else each for each in table.games)
        return with_table(state, replace(table, games=games))

    def endings(self, state: Competition) -> Iterable[Ending]:
        return (Ending(self.table, "The match is decided without this game."),)


def wants_game(table: Table) -> bool:
    """Return whether a match needs a game that is not there: all are over, and it is not decided."""
    waits = table.match is not None and table.status in ("playing", "postponed")
    return waits and not table.left_outcomes and all(game.result for game in table.needed)


def needless(table: Table) -> Sequence[TableGame]:
    """Return the games of a match that still run although the others have decided it."""
    if table.match is None or table.ruling or table.status != "played":
        return ()
    if not table.match.decided(table.tally):
        return ()
    return [game for game in table.needed if not game.over]


def with_games(state: Competition, events: Iterable[Event], now: datetime) -> Sequence[Event]:
    """Return the events, and after them those of matches' games that follow from them."""
    decided = [*events]
    if not decided or not any(plan.match for plan in state.plans):
        return decided
    # The table of an entry that always sits there is a number.
    named = (vars(event).get("table") for event in decided)
    tables = dict.fromkeys(table for table in named if isinstance(table, str))
    if not tables:
        return decided
    made = [*changes(state, decided)]
    after = made[-1].after if made else state
    more = (each for table in tables for each in _following(after, table, now))
    return [*decided, *more]


def _following(state: Competition, table: str, now: datetime) -> Iterator[Event]:
    _stage, its_round, its_table = state.table(table)
    if its_round.status == "drawn" or state.over:
        return
    for game in needless(its_table):
        yield GameNotNeeded(table, game.id, game.number)
    if wants_game(its_table):
        # The id depends on number and time of the event, so that a retry opens no second game.
        number = len(its_table.needed) + 1
        opened = str(derived_id(now, f"{table} game {number} after {state.seq}"))
        yield NextGame(table, opened, number)


def numbers_of(events: Iterable[Event], state: Competition) -> Mapping[str, int]:
    """Return which of its table's match each game is that the events open; 1 where there is one.

    Where the game that is played again was opened before them, the state after them tells.
    """
    known = {game.id: game.number for _, _, table in state.tables() for game in table.games}
    numbers: dict[str, int] = {}
    for event in events:
        if isinstance(event, OpensGames):
            own = vars(event).get("number") or numbers.get(vars(event).get("abandoned", ""))
            numbers |= {game: own or known.get(game, 1) for _, game in event.opened_games()}
    return numbers
