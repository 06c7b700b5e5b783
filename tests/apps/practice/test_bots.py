"""House bots and practice games: bots move where a game waits for them, once, and guests leave no traces."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from queue import Queue
from secrets import token_bytes
from threading import Event, Thread
from types import SimpleNamespace
from urllib.parse import unquote
from uuid import UUID, uuid4

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone
from psycopg import Error

from games import log, rules
from games.engine.chance import SECRET_BYTES
from games.engine.jsontypes import JsonObject
from games.engine.policy import decided
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor
from games.models import Game, Seat
from games.models.moves import Move, PracticeMove, PracticeSeed, Seed
from games.packages import has_bot, policy_of
from league import hooks
from league.apps.practice import bots, queries, services, tasks
from league.apps.practice.models import PracticeGame
from league.apps.practice.queries import games_awaiting_bots
from league.apps.practice.services import forget_practice, open_practice
from league.callers import ByAccount, ByVisitor
from league.hooks import HOUSE_BOTS, Visitor, bots_of
from league.hooks.upkeep import WORK
from league.models import Account, Club, Player, Rating
from league.projections.standings import compute_standings
from league.services import gate
from league.services.casual_games import open_rematch
from league.services.play import make_move
from league.services.players import player_of_bot
from league.services.shares import Place
from league.tasks import tidy
from tests import patience
from tests.factories import Cast
from tests.league.playing import finished

GAMES = [each.key for each in rules.RULESETS if has_bot(each)]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in each run: with some, a game of Scoops is over after 14 moves."""
    dealt = SimpleNamespace(
        token_bytes=lambda size: bytes(range(size)) if size == SECRET_BYTES else token_bytes(size)
    )
    monkeypatch.setattr("games.log.secrets", dealt)


def opened(
    ruleset: str = GAMES[0],
    guest: UUID | None = None,
    address: str = "192.0.2.1",
    account: Account | None = None,
) -> Game:
    visitor = Visitor(guest or uuid4(), account)
    return open_practice(visitor=visitor, address=address, ruleset=ruleset, level="easy")


def against_a_bot(cast: Cast) -> Game:
    """Return a game of Paul against a house bot in the club."""
    bot = player_of_bot(club=cast.club, bot=bots_of("easy")[0])
    return cast.game("scoops", players=[cast.paul_plays.pk, bot.pk])


def among_bots(ruleset: str, moves: int) -> Game:
    """Return a practice game after some moves, in which a bot has the guest's seat, too."""
    game = opened(ruleset)
    seat = game.seats.get(account=None).number
    move = {"type": "hand_over", "seat": seat, "reason": "left", "account": str(bots_of("strong")[-1].id)}
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("arbiter"), move=move, account=None)
    for _move in range(moves):
        assert bots.move_bot(game_id=game.pk)
    return Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("ruleset", GAMES)
def test_bots_move_where_a_game_waits_for_them_and_the_log_lies_apart(ruleset: str) -> None:
    game = among_bots(ruleset, 20)
    assert games_awaiting_bots() == [game.pk]
    entries = log.entries(game)
    assert len(entries) == game.seq >= 21
    assert {UUID(entry.account) for entry in entries if entry.account} <= HOUSE_BOTS.keys()
    assert log.verified(game).entries == game.seq
    assert not (Move.objects.exists() or Seed.objects.exists())
    assert sum(step.subjects for step in gate.verify(processes=1, since=Place())) == 0


def test_a_bot_remembers_the_same_in_each_process() -> None:
    game = among_bots("scram", 30)
    seat, bot = bots._awaited(game) or (0, bots_of("easy")[0])
    here = bots._policy(game, log.latest(game), seat, bot.level)
    bots._minds.cache_clear()
    assert bots._policy(game, log.latest(game), seat, bot.level) == here


def test_a_bot_moves_for_no_guest() -> None:
    guest = uuid4()
    game = opened(guest=guest)
    while bots.move_bot(game_id=game.pk):
        pass
    now = Game.objects.get(pk=game.pk)
    assert now.awaited == [0] and games_awaiting_bots() == []
    position = log.latest(now)
    move = decided(policy_of(position.ruleset), position, 0)
    with pytest.raises(PermissionDenied):
        make_move(ByVisitor(Visitor(uuid4())), game_id=game.pk, seq=now.seq + 1, move=move)
    made = make_move(ByVisitor(Visitor(guest)), game_id=game.pk, seq=now.seq + 1, move=move)
    again = make_move(ByVisitor(Visitor(guest)), game_id=game.pk, seq=now.seq + 1, move=move)
    assert (made.created, again.created) == (True, False)


class Lost:
    """A policy that finds no move, or one that the rules forbid."""

    def __init__(self, move: JsonObject | None) -> None:
        self.move = move

    def choose(self, seat: int, view: JsonObject, choices: Sequence[JsonObject]) -> JsonObject:
        assert self.move is not None
        return self.move


@pytest.mark.parametrize("move", [None, {"type": "fly"}, {"type": "ready"}])
def test_a_bot_without_a_legal_move_resigns(move: JsonObject | None, monkeypatch: pytest.MonkeyPatch) -> None:
    game = among_bots("scoops", 1)
    monkeypatch.setattr(bots, "policy_of", lambda *_: Lost(move))
    assert bots.move_bot(game_id=game.pk)
    assert log.entries(game)[-1].move == {"type": "resign"}
    assert games_awaiting_bots() == []


def test_a_game_in_which_no_bot_can_move_is_given_up_after_two_days() -> None:
    game = among_bots("scoops", 1)
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert games_awaiting_bots() == [game.pk]
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        assert games_awaiting_bots() == []


def test_practice_games_are_capped_by_guest_and_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = uuid4()
    with pytest.raises(Malformed):
        opened("scoops_scorecard")
    monkeypatch.setattr(services, "MOST_RUNNING", 1)
    monkeypatch.setattr(services, "MOST_A_DAY", 2)
    opened(guest=guest)
    with pytest.raises(Illegal):
        opened(guest=guest, address="192.0.2.2")
    opened()
    with pytest.raises(Illegal):
        opened()
    opened(address="192.0.2.2")
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        opened()


def test_practice_games_are_removed_after_thirty_days() -> None:
    old = among_bots(GAMES[0], 5)
    with time_machine.travel(timezone.now() + timedelta(days=29)):
        forget_practice()
        assert Game.objects.filter(pk=old.pk).exists()
        new = opened()
    with time_machine.travel(timezone.now() + timedelta(days=30, minutes=1)):
        tidy()
    assert [*Game.objects.values_list("pk", flat=True)] == [new.pk]
    for rows in (PracticeMove, PracticeSeed, PracticeGame, Seat):
        assert {*rows._default_manager.values_list("game", flat=True)} == {new.pk}


def test_practice_games_of_an_account_go_with_it(cast: Cast) -> None:
    own, other = opened(account=cast.paul), opened()
    hooks.account_deleted(cast.paul)
    assert [*Game.objects.filter(pk__in=[own.pk, other.pk])] == [other]


class Listeners:
    """Threads that stand for election to play for the house bots, and what each of them plays."""

    def __init__(self) -> None:
        self.stops: list[Event] = []
        self.threads: list[Thread] = []
        self.played = Queue[tuple[int, UUID]]()
        self.fails = 0

    def start(self) -> None:
        """Start one more."""
        number, stop = len(self.threads), Event()

        def play(game: UUID) -> None:
            self.played.put((number, game))
            if self.fails:
                self.fails -= 1
                raise ArithmeticError

        self.stops.append(stop)
        self.threads.append(Thread(target=tasks.run, args=(play, stop)))
        self.threads[-1].start()

    def stop(self, number: int) -> None:
        self.stops[number].set()
        self.threads[number].join()

    def plays(self, number: int, *games: Game) -> None:
        """Wait until one of them has played in all of the games, and no later one has played."""
        missing = {game.pk for game in games}
        while missing:
            player, game = self.played.get(timeout=patience.SECONDS)
            assert player <= number
            if player == number:
                missing.discard(game)


@pytest.fixture
def listeners(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Iterator[Listeners]:
    monkeypatch.setattr(tasks, "ELECTION_SECONDS", 0.1)
    monkeypatch.setattr(tasks, "LONGEST_PAUSE", 0.1)
    listeners = Listeners()
    yield listeners
    for number in range(len(listeners.threads)):
        listeners.stop(number)


def test_one_listener_plays_and_another_follows_when_it_is_gone(listeners: Listeners) -> None:
    game = among_bots(GAMES[0], 0)
    listeners.start()
    listeners.plays(0, game)  # it looks which games wait, and then hears
    listeners.start()
    bots.move_bot(game_id=game.pk)
    listeners.plays(0, game)
    other = among_bots(GAMES[0], 1)  # a game whose moves it does not hear yet
    listeners.plays(0, other)
    listeners.stop(0)
    listeners.plays(1, game, other)


def test_a_listener_outlives_what_fails_in_a_game_or_on_its_way(
    listeners: Listeners, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game, looks = among_bots(GAMES[0], 0), iter([ArithmeticError, Error])
    look = queries.games_of_bots

    def looks_twice_in_vain() -> Sequence[UUID]:
        if error := next(looks, None):
            raise error
        return look()

    monkeypatch.setattr(queries, "games_of_bots", looks_twice_in_vain)
    listeners.fails = 1
    listeners.start()
    listeners.plays(0, game)
    bots.move_bot(game_id=game.pk)
    listeners.plays(0, game)
    messages = [(record.levelname, record.msg) for record in caplog.records]
    told = [
        (level, said["event"])
        for level, said in messages
        if isinstance(said, dict) and "bot" in said["event"]
    ]
    assert told == [
        ("ERROR", "bots_do_not_hear"),
        ("WARNING", "bots_do_not_hear"),
        ("ERROR", "bot_cannot_move"),
    ]


def test_the_sweep_queues_what_the_listener_has_missed() -> None:
    game = among_bots(GAMES[0], 0)
    (work,) = (each for each in WORK if each.name == "move_bot")
    assert work() == []
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        assert work() == [game.pk]


def test_a_house_bot_is_called_in_the_readers_language_unless_the_club_named_it(
    client: Client, cast: Cast
) -> None:
    game = against_a_bot(cast)
    pages = f"/games/{game.pk}/", f"/clubs/{cast.club.slug}/players/"

    def told(language: str, name: str) -> list[bool]:
        answers = [client.get(page, headers={"Accept-Language": language}) for page in pages]
        return [name in answer.content.decode() for answer in answers]

    assert told("de", "Bot 1 (leicht)") == told("en", "Easy bot 1") == [True, True]
    assert told("de", "Easy bot 1") == [False, False]
    answer = client.get(f"/api/v1/games/{game.pk}/", headers={"Accept-Language": "de"})
    assert "Easy bot 1" in answer.content.decode() and "Leichter" not in answer.content.decode()
    bot = Player.objects.get(name="Easy bot 1")
    numbers = {"points": 900, "uncertainty": 20, "sure_points": 860, "games": 7}
    Rating.objects.create(pk=uuid4(), club=cast.club, player=bot, ruleset="scoops", **numbers)
    for listed in ("games.csv?", "players.csv?", "ratings.csv?ruleset=scoops&"):
        sheet = f"/api/v1/clubs/{cast.club.slug}/{listed}"
        assert "Bot 1 (leicht)" in client.get(f"{sheet}spreadsheet=de").content.decode(), listed
        assert "Easy bot 1" in client.get(sheet, headers={"Accept-Language": "de"}).content.decode(), listed
    Player.objects.filter(name="Easy bot 1").update(name="Robbie", public_name="Robbie")
    assert told("de", "Robbie") == [True, True]


def test_a_house_bot_in_a_competition_is_called_so_on_every_page_of_it(client: Client, cast: Cast) -> None:
    Club.objects.update(bots=["competitions"])
    Player.objects.filter(pk=cast.paul_plays.pk).update(
        name="Strong bot 2", public_name="Strong bot 2", bot=True
    )
    cast.paul_plays.refresh_from_db()
    competition = finished(cast)
    compute_standings(competition.pk)
    parts = ("", "entries/", "charts/", "winners/", "cross-table/", "log/", "hall/", "rounds/")
    for part in parts:
        page = client.get(f"/competitions/{competition.slug}/{part}", headers={"Accept-Language": "de"})
        shown = unquote(page.content.decode()).replace("name=Strong bot 2", "")  # the address of a filter
        assert "Bot 2 (stark)" in shown, part
        assert "Strong bot 2" not in shown, part


def test_a_bot_accepts_a_rematch(cast: Cast) -> None:
    game = against_a_bot(cast)
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=game.seq + 1, move={"type": "resign"})
    rematch, _made = open_rematch(by=cast.paul, game_id=game.pk)
    assert games_awaiting_bots() == [rematch.pk]
    bots.move_bot(game_id=rematch.pk)
    assert Game.objects.get(pk=rematch.pk).status == "active"
