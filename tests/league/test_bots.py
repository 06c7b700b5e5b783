"""House bots and practice games: bots move where a game waits for them, once, and guests leave no traces."""

from collections.abc import Sequence
from datetime import timedelta
from threading import Event, Thread
from uuid import UUID, uuid4

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from games import log, rules
from games.deciding import decided
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed
from games.models import Game, Seat
from games.models.moves import Move, PracticeMove, PracticeSeed, Seed
from games.packages import has_bot, policy_of
from league import tasks
from league.core.house_bots import HOUSE_BOTS, bots_of
from league.models import Club, Player, PracticeGame
from league.queries.due import games_awaiting_bots
from league.queries.games import seated
from league.queries.practice import Visitor
from league.services import bots, gate, practice
from league.services.play import make_move, open_rematch
from league.services.practice import forget_practice, make_practice_move, open_practice
from league.services.seeks import create_seek, fill_seek, join_seek
from league.services.sequencing import enter_all
from league.services.shares import Place
from tests import patience
from tests.factories import Cast

GAMES = [each.key for each in rules.RULESETS if has_bot(each)]
pytestmark = pytest.mark.django_db


def opened(ruleset: str = GAMES[0], guest: UUID | None = None, address: str = "192.0.2.1") -> Game:
    return open_practice(visitor=Visitor(guest or uuid4()), address=address, ruleset=ruleset, level="easy")


def among_bots(ruleset: str, moves: int) -> Game:
    """Return a practice game after some moves, in which a bot has the guest's seat, too."""
    game = opened(ruleset)
    game.seats.filter(account=None).update(account=bots_of("strong")[-1].id)
    for _move in range(moves):
        assert bots.make_move(game_id=game.pk)
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
    assert enter_all() == 0


def test_a_bot_remembers_the_same_in_each_process() -> None:
    game = among_bots("scram", 30)
    seat, bot = bots._awaited(game) or (0, bots_of("easy")[0])
    here = bots._policy(game, log.latest(game), seat, bot.level)
    bots._minds.cache_clear()
    assert bots._policy(game, log.latest(game), seat, bot.level) == here


def test_a_bot_moves_for_no_guest() -> None:
    guest = uuid4()
    game = opened(guest=guest)
    while bots.make_move(game_id=game.pk):
        pass
    now = Game.objects.get(pk=game.pk)
    assert now.awaited == [0] and games_awaiting_bots() == []
    position = log.latest(now)
    move = decided(policy_of(position.ruleset), position, 0)
    with pytest.raises(PermissionDenied):
        make_practice_move(visitor=Visitor(uuid4()), game_id=game.pk, seq=now.seq + 1, move=move)
    made = make_practice_move(visitor=Visitor(guest), game_id=game.pk, seq=now.seq + 1, move=move)
    again = make_practice_move(visitor=Visitor(guest), game_id=game.pk, seq=now.seq + 1, move=move)
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
    assert bots.make_move(game_id=game.pk)
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
    monkeypatch.setattr(practice, "MOST_RUNNING", 1)
    monkeypatch.setattr(practice, "MOST_A_DAY", 2)
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
        tasks.tidy()
    assert [*Game.objects.values_list("pk", flat=True)] == [new.pk]
    for rows in (PracticeMove, PracticeSeed, PracticeGame, Seat):
        assert {*rows._default_manager.values_list("game", flat=True)} == {new.pk}


@pytest.mark.django_db(transaction=True)
def test_the_worker_hears_of_games_that_wait_for_a_bot() -> None:
    game, stop, heard = among_bots(GAMES[0], 0), Event(), Event()

    def wake(game_id: UUID) -> None:
        if game_id == game.pk:
            heard.set()

    thread = Thread(target=bots.listen, args=(wake, stop))
    thread.start()
    # It listens before it looks which games wait.
    looked = heard.wait(patience.SECONDS)
    heard.clear()
    bots.make_move(game_id=game.pk)
    told = heard.wait(patience.SECONDS)
    stop.set()
    thread.join()
    assert (looked, told) == (True, True)


def test_bots_fill_the_seats_of_a_seek_where_the_club_lets_them(cast: Cast) -> None:
    seek = create_seek(by=cast.paul, club=cast.club, ruleset="scamper", seats=4)
    join_seek(by=cast.petra, seek_id=seek.pk)
    with pytest.raises(PermissionDenied):
        fill_seek(by=cast.petra, seek_id=seek.pk, level="easy")
    Club.objects.update(bots=[])
    with pytest.raises(Illegal):
        fill_seek(by=cast.paul, seek_id=seek.pk, level="easy")
    Club.objects.update(bots=["casual"])
    begun = fill_seek(by=cast.paul, seek_id=seek.pk, level="easy")
    assert begun.game is not None and fill_seek(by=cast.paul, seek_id=seek.pk, level="easy") == begun
    seats = [(seat.player.name, seat.player.bot) for seat in seated(begun.game) if seat.player]
    assert seats == [("Paul Pike", False), ("Petra Plum", False), ("Easy bot 1", True), ("Easy bot 2", True)]


def test_a_house_bot_is_called_in_the_readers_language_unless_the_club_named_it(
    client: Client, cast: Cast
) -> None:
    seek = create_seek(by=cast.paul, club=cast.club, ruleset="scoops", seats=2)
    game = fill_seek(by=cast.paul, seek_id=seek.pk, level="easy").game
    assert game is not None
    pages = f"/games/{game.pk}/", f"/clubs/{cast.club.slug}/players/"

    def told(language: str, name: str) -> list[bool]:
        answers = [client.get(page, headers={"Accept-Language": language}) for page in pages]
        return [name in answer.content.decode() for answer in answers]

    assert told("de", "Leichter Bot 1") == told("en", "Easy bot 1") == [True, True]
    assert told("de", "Easy bot 1") == [False, False]
    answer = client.get(f"/api/v1/games/{game.pk}/", headers={"Accept-Language": "de"})
    assert "Easy bot 1" in answer.content.decode() and "Leichter" not in answer.content.decode()
    Player.objects.filter(name="Easy bot 1").update(name="Robbie")
    assert told("de", "Robbie") == [True, True]


def test_a_bot_accepts_a_rematch(cast: Cast) -> None:
    seek = create_seek(by=cast.paul, club=cast.club, ruleset="scoops", seats=2)
    game = fill_seek(by=cast.paul, seek_id=seek.pk, level="easy").game
    assert game is not None
    make_move(by=cast.paul, game_id=game.pk, seq=game.seq + 1, move={"type": "resign"})
    rematch, _made = open_rematch(by=cast.paul, game_id=game.pk)
    assert games_awaiting_bots() == [rematch.pk]
    bots.make_move(game_id=rematch.pk)
    assert Game.objects.get(pk=rematch.pk).status == "active"
