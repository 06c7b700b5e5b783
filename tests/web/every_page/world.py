"""A club with something for every page to show, made once, and the people and devices that look at it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from games import database_time, log
from games.engine import replay
from games.models import Game
from league.callers import ByAccount
from league.core.verbs.checking import SetChecking
from league.core.verbs.cut_off import GiveText
from league.core.verbs.draw import DrawRound
from league.core.verbs.objections import PostResults
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.stages import AddSeason, StartStage
from league.core.verbs.start import StartCompetition
from league.models import Competition, Member, Passkey
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries.games import last_end
from league.services.accounts import create_token
from league.services.casual_games import open_casual_game
from league.services.competitions import change_details, set_picture
from league.services.play import make_move
from league.services.players import choose_privacy
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league import playing
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened
from tests.league.test_details import TOLD, photo
from tests.league.test_pictures import cup
from tests.league.test_seasons import league, play_season
from tests.rules.scamper_scorecard.scenarios import held
from tests.rules.scoops_scorecard.scenarios import entry as of_scoops
from tests.rules.scram_scorecard.scenarios import entry as of_scram
from tests.web.conftest import record_all
from tests.web.test_game import play

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from uuid import UUID

    from games.engine.jsontypes import JsonObject
    from league.models import Account

TABLES: Final[Mapping[str, tuple[int, JsonObject]]] = {
    "scoops": (3, {"target": 3}),
    "scamper": (3, {"rounds": 2}),
    "scram": (4, {"rounds": 2}),
}
"""The games that are dealt, with the players of a table and the options of a short game."""
CARDS: Final[Mapping[str, tuple[int, JsonObject]]] = {
    "scoops-scorecard": (9, of_scoops(1, "Bowl 1 2")),
    "scram-scorecard": (6, of_scram(1, "3! 12 8 15 9 21")),
    "scamper-scorecard": (4, {"type": "round", "round": 1, "seats": held("0 35 20 60")}),
}
"""The games on paper, with the players of a card and its first round."""
ENOUGH: Final = 14
"""How many moves are made at a table before Paul looks at it in his turn."""
LONG_NAME: Final = "Bartholomäus Featherstonehaugh-Ó Súilleabháin"


@dataclass
class World:
    """What there is to look at, by names that the table of pages uses."""

    cast: Cast
    games: dict[str, Game] = field(default_factory=dict)
    competitions: dict[str, Competition] = field(default_factory=dict)
    visitors: dict[str, Client] = field(default_factory=dict)
    of_apps: dict[str, Any] = field(default_factory=dict)
    """What the parts of apps made, for their own states."""
    hidden: UUID | None = None
    round: UUID | None = None


def made(cast: Cast, parts: Sequence[Callable[[World], None]]) -> World:
    """Return the world of these people with these parts."""
    world = World(cast)
    for make in (people, *parts):
        make(world)
    return world


def logged_in(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


# ---- People and competitions ---------------------------------------------------------------------


def people(world: World) -> None:
    cast = world.cast
    world.visitors |= {"nobody": Client(), "stranger": logged_in(AccountFactory.create(username="stranger"))}
    world.visitors |= {name: logged_in(getattr(cast, name)) for name in ("olga", "paul", "petra", "nora")}
    quinn = AccountFactory.create(username="quinn")
    MemberFactory.create(club=cast.club, account=quinn)
    shy = PlayerFactory.create(club=cast.club, account=quinn, name="Quinn Quiet")
    choose_privacy(by=quinn, player=shy, audience="nobody", findable=False)
    world.hidden = shy.pk
    PlayerFactory.create(club=cast.club, name=LONG_NAME)


def competitions(world: World) -> None:
    cast, made_ = world.cast, world.competitions
    made_["won"] = finished(cast, name="Winter")
    made_["coming"] = _coming(world)
    made_["running"] = _running(world)
    made_["cup"] = cup(cast, 6, 1)
    made_["seasons"] = _seasons(world)
    for name in ("won", "running"):
        compute_standings(made_[name].pk)
        rating_lists.compute_ratings(made_[name].pk)
    change_details(by=cast.olga, competition=made_["won"], values=TOLD)
    paper(world)


def _coming(world: World) -> Competition:
    """Return a competition that people check in for, with a picture and all that can be told of it."""
    olga = world.cast.olga
    coming = opened(world.cast, 6, name="Spring", entering={"check_in": True})
    change_details(by=olga, competition=coming, values=TOLD)
    set_picture(by=olga, competition=coming, data=photo())
    return coming


def _running(world: World) -> Competition:
    """Return a competition of which two rounds are played and a third has begun."""
    olga = world.cast.olga
    plan = {"name": "League", "format": "rounds", "rounds": 3, "table_size": 4, "tie_breaks": ["wins"]}
    running = in_play(world.cast, 11, stages=[plan], name="Autumn")
    for number in (1, 2):
        record_all(running, number)
        act(olga, running, CloseRound)
        act(olga, running, GiveText, text="three blind mice")
        act(olga, running, DrawRound)
        act(olga, running, PublishRound)
    running.refresh_from_db()
    return running


def _seasons(world: World) -> Competition:
    cast, found = world.cast, league(world.cast)
    act(cast.olga, found, StartCompetition)
    play_season(cast, found)
    act(cast.olga, found, AddSeason, name="Second", promoted=1, relegated=1)
    act(cast.olga, found, StartStage)
    compute_standings(found.pk)
    found.refresh_from_db()
    return found


def paper(world: World) -> None:
    """Make a competition on paper, with a round to enter."""
    found = in_play(world.cast, 8, ruleset="scram-scorecard", name="On paper")
    first, second = playing.tables(found)
    world.competitions["paper"], world.round = found, first.round_id
    world.games["first"], world.games["second"] = first.games.get().game, second.games.get().game
    _to_check(world)


def _to_check(world: World) -> None:
    """Make a competition with a result that a scorekeeper typed, for somebody else to check."""
    found = world.competitions["to check"] = in_play(world.cast, 4, name="To check")
    act(world.cast.olga, found, SetChecking, required=True)
    keeper = MemberFactory.create(club=world.cast.club, role=Member.Role.SCOREKEEPER).account
    scores = tuple({"seat": seat, "score": 10 - seat} for seat in range(4))
    act(keeper, found, SetResult, table=playing.tables(found)[0].pk, seats=scores)
    act(world.cast.olga, found, PostResults, until=database_time.now() + timedelta(minutes=20))
    compute_standings(found.pk)


# ---- Games ---------------------------------------------------------------------------------------


def tables(world: World) -> None:
    """Make tables at all games: in Paul's turn, with a deal over, and over; and one that can't be shown."""
    cast, games = world.cast, world.games
    asked(world)
    games["declined"] = games["asked"]
    asked(world)
    world.visitors["petra"].post(reverse("decline_game", args=[games["declined"].pk]))
    for key, (seats, short) in TABLES.items():
        players = [player.pk for player in cast.people(seats)]
        games[f"{key} on"] = until_turn(cast.game(key, {}, players))
        games[f"{key} ended"] = until_end(cast.game(key, short, players))
        games[f"{key} over"] = play(cast.game(key, short, players))
    lost = play(cast.game("scoops", {"target": 1}))
    Game.objects.filter(pk=lost.pk).update(ruleset="scoops@0", head="00" * 32)
    games["lost"] = lost


def asked(world: World) -> None:
    """Let Paul ask Petra for a game."""
    cast = world.cast
    given: dict[str, Any] = {"by": cast.paul, "club": cast.club, "ruleset": "scoops", "options": {}}
    world.games["asked"] = open_casual_game(players=[player.pk for player in cast.people(2)], **given)


def until_turn(game: Game, moves: int = ENOUGH) -> Game:
    """Let bots play so many moves, then until it is the turn of seat 0."""
    play(game, moves)
    while replay.to_act(log.latest(game)) != (0,):
        play(game, 1)
    return game


def until_end(game: Game) -> Game:
    """Let bots play until the first deal is over."""
    while last_end(game, 0, game.seq) is None:
        play(game, 1)
    return game


def cards(world: World) -> None:
    cast = world.cast
    for key, (seats, entry) in CARDS.items():
        card = cast.game(key, {}, [player.pk for player in cast.people(seats)])
        make_move(ByAccount(cast.paul), game_id=card.pk, seq=2, move=entry)
        world.games[key] = card


# ---- Accounts ------------------------------------------------------------------------------------


def account(world: World) -> None:
    cast = world.cast
    create_token(by=cast.paul, name="bot", scopes=["read"])
    Passkey.objects.create(account=cast.paul, name="My laptop", credential=uuid4().hex, public_key=b"")
