"""Replay: a table plays a new game that replaces an abandoned one."""

from collections.abc import Iterable
from typing import Annotated

from games.engine.ids import derived_id
from games.engine.refusals import Illegal
from games.engine.shapes import Help
from games.engine.values import replace
from league.core.events import OpensGames
from league.core.state import values as v
from league.core.state.checks import published_table
from league.core.state.competition import Competition, TableGame
from league.core.state.updates import with_table
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY, Button, Events, Given, Verb
from league.core.verbs.result import ResultRecorded, is_recorded


class Replayed(OpensGames, type="replayed"):
    """A new game replaces an abandoned one at an undecided table."""

    title = "Game replayed"
    found_by = "played again, rematch"
    text = "%(table)s (%(at_table)s) plays its abandoned game again."
    table: v.TableId
    abandoned: v.GameId
    game: v.GameId
    reason: v.Note = ""

    def apply(self, state: Competition) -> Competition:
        table = published_table(state, self.table)
        if any(game.id == self.game for _, _, each in state.tables() for game in each.games):
            raise Illegal("A game can belong to only one table.")
        if table.decided:
            raise Illegal("The table is decided. Only setting its result can change that.")
        if not any(game.id == self.abandoned and game.abandoned for game in table.games):
            raise Illegal("Only a game that was abandoned is replayed.")
        games = tuple(TableGame(self.game) if each.id == self.abandoned else each for each in table.games)
        return with_table(state, replace(table, games=games))

    def opened_games(self) -> Iterable[tuple[str, str]]:
        return ((self.table, self.game),)


class ReplayGame(Verb, key="replay"):
    """Open a new game at an undecided table; the present game is abandoned if it is still running.

    With ``game``, the game to replace, a retry writes nothing.
    """

    taken_back_by = ("rule",)
    scope = "club:rule"
    ends_its_game = True
    replay = Button(
        "Replay",
        "A new game is opened at the table. The present game is abandoned and does not count.",
        "The old game is over and can’t be continued; set the result if the new one should not be played.",
        statuses=UNDER_WAY,
        tables=UNDECIDED_TABLE,
        asks=("reason",),
        danger=True,
    )

    table: v.TableId
    game: Annotated[v.GameId | None, Help("the game to replace: a retry opens no second one")] = None
    reason: v.Note = ""

    def decide(self, state: Competition, given: Given) -> Events:
        current = {game.id for game in state.table(self.table)[2].games}
        if self.game and self.game not in current:
            if self.game not in given.games:
                raise Illegal("This game does not belong to this table.")
            return ()
        recorded = [
            result
            for result in given.ended
            if isinstance(result, ResultRecorded)
            and result.game in current
            and not is_recorded(state, self.table, result.game, result.head)
        ]
        abandoned = self._abandoned(state, recorded)
        # The id depends on the number and time of the event, so that a retry opens no second game.
        game = str(derived_id(given.now, f"{self.table} game after {state.seq + len(recorded)}"))
        return *recorded, Replayed(self.table, abandoned, game, self.reason)

    def _abandoned(self, state: Competition, recorded: Iterable[ResultRecorded]) -> str:
        over = {result.game for result in recorded if result.status == "abandoned"}
        for game in state.table(self.table)[2].games:
            if game.abandoned or game.id in over:
                return game.id
        raise Illegal("Only a game that was abandoned is replayed.")
