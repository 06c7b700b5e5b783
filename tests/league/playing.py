"""Competitions for tests, opened and played through the services."""

from typing import Any
from uuid import UUID

from games import log as games
from games.engine.replay import Actor
from games.models import Game, Seat
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Table
from league.projections.standings import compute_standings
from league.queries.standings import Standing, standings_of
from league.services.automatic import record_result
from league.services.competitions import open_competition
from tests.factories import Cast
from tests.league.acting import act, enter

PLAN = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4, "tie_breaks": ["wins"]}
AT_ONCE = {"close_round": 0, "finish": 0}


def opened(cast: Cast, players: int = 0, **announced: Any) -> Competition:
    """Return a competition of Tally with so many players entered."""
    given = {
        "name": "Autumn",
        "ruleset": "tally",
        "options": {},
        "stages": [PLAN],
        "waits": AT_ONCE,
        **announced,
    }
    competition = open_competition(by=cast.olga, club=cast.club, **given)
    if players:
        enter(cast.olga, competition, cast.people(players))
    competition.refresh_from_db()
    return competition


def in_play(cast: Cast, players: int = 8, **announced: Any) -> Competition:
    """Return a competition whose first round is being played."""
    competition = opened(cast, **announced)
    enter(cast.olga, competition, cast.people(players), StartCompetition(), DrawRound(), PublishRound())
    competition.refresh_from_db()
    return competition


def pairs_in_play(cast: Cast, pairs: int = 2, **announced: Any) -> Competition:
    """Return a competition of pairs, two at a table, whose first round is being played."""
    plan = {**PLAN, "rounds": 1, "table_size": 2}
    given = {"stages": [plan], "lineup": "partners", "team_size": 2, **announced}
    competition, people = opened(cast, **given), cast.people(2 * pairs)
    for first in range(0, 2 * pairs, 2):
        players = [player.pk for player in people[first : first + 2]]
        act(cast.olga, competition, EnterPlayers, players=players)
    competition.refresh_from_db()
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    return competition


def tables(competition: Competition, number: int = 1) -> list[Table]:
    """Return the tables of a round of the first stage."""
    return list(Table.objects.filter(round__stage__competition=competition, round__number=number))


def stands(competition: Competition, stage: int = 1) -> list[Standing]:
    """Return the current standings of a stage as they were last computed."""
    return list(standings_of(competition.stages.get(number=stage)))


def play(game: Game, *numbers: int) -> Game:
    """Let the seats say these numbers (their own, where none are given), which ends the game."""
    seats = Seat.objects.filter(game=game).count()
    for seat, number in enumerate(numbers or range(seats)):
        ended = moved(game, seat, {"type": "say", "number": number})
    return ended


def moved(game: Game, seat: int, move: object) -> Game:
    """Let a seat make the next move, by the account that plays it."""
    account, seq = accounts_in(game)[seat], Game.objects.values_list("seq", flat=True).get(pk=game.pk) + 1
    actor = Actor("seat", seat)
    return games.append(game_id=game.pk, seq=seq, actor=actor, move=move, account=account).game


def accounts_in(game: Game) -> list[str | None]:
    """Return the account that plays each seat of a game, as logs write it."""
    seats = Seat.objects.filter(game=game).order_by("number").values_list("account", flat=True)
    return [str(account) if account else None for account in seats]


def play_all(competition: Competition, number: int = 1) -> list[UUID]:
    """Play every game of a round to its end; return the games."""
    found = [place.game for table in tables(competition, number) for place in table.games.all()]
    return [play(game).pk for game in found]


def finished(cast: Cast, players: int = 8, **announced: Any) -> Competition:
    """Return a competition of which everything has been played, its games' results by their seats' order."""
    competition = opened(cast, players, **announced)
    act(cast.olga, competition, StartCompetition)
    for number in range(1, 1 + competition.stages.get().plan["rounds"]):
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, FinishCompetition)
    competition.refresh_from_db()
    return competition


def left_by_two(cast: Cast) -> Competition:
    """Return a competition of eight, all of it played, that one has left and another was expelled from."""
    competition = in_play(cast, 8)
    for game in play_all(competition):
        record_result(game_id=game)
    gone, expelled = (str(entry.pk) for entry in competition.entries.order_by("number")[:2])
    act(cast.olga, competition, WithdrawEntry, entry=gone)
    act(cast.olga, competition, ExpelEntry, entry=expelled, reason="cheated")
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition
