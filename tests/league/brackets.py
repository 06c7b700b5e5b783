"""Cups of tables of two for tests, played round by round."""

from typing import Any

from league.core import formats
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Table
from league.projections.standings import compute_standings
from league.queries.competitions import entrants_of, state_of
from league.queries.pictures import brackets_of
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play, tables

CUP = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2}
DOUBLE = {**CUP, "format": "double_elimination"}


def started(cast: Cast, players: int, plan: dict[str, Any] = DOUBLE, **announced: Any) -> Competition:
    """Return a cup that has started."""
    competition = opened(cast, players, stages=[plan], **announced)
    act(cast.olga, competition, StartCompetition)
    return competition


def drawn_next(cast: Cast, competition: Competition) -> Competition:
    """Draw and publish the next round."""
    for verb in (DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    return competition


def closed(cast: Cast, competition: Competition, number: int) -> Competition:
    """Play the tables of the running round that are undecided; at each the second seat wins. Close it."""
    for table in tables(competition, number):
        while table.status == Table.Status.PLAYING:
            game = table.games.latest("pk").game
            record_result(game_id=game.pk if game.is_over else play(game).pk)
            table.refresh_from_db()
    act(cast.olga, competition, CloseRound)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def in_round(cast: Cast, players: int, number: int, plan: dict[str, Any] = DOUBLE) -> Competition:
    """Return a cup of which a round is being played, and those before it are over."""
    competition = drawn_next(cast, started(cast, players, plan))
    for before in range(1, number):
        drawn_next(cast, closed(cast, competition, before))
    return competition


def words_in(competition: Competition) -> set[tuple[str, str]]:
    """Return who has which word in the bracket."""
    drawn = brackets_of(competition, 1, entrants_of(competition).names)
    matches = (match for each in drawn for column in each.columns for match in column.matches)
    slots = (slot for match in matches for slot in match.slots)
    return {(slot.name, str(slot.why)) for slot in slots if slot.why}


def rounds_of(competition: Competition) -> int:
    """Return how many rounds the cup has, as far as is known."""
    state = state_of(competition)
    stage = state.stages[0]
    return formats.of(stage.plan).rounds(state, stage)
