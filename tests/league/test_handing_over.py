"""The account that plays a seat is fixed by the game's log, and changes only by an entry of it."""

from uuid import uuid4

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied

from games import log
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league import tasks
from league.callers import ByAccount
from league.hooks import Visitor
from league.models import Account, Player
from league.queries import reading
from league.queries.games import seat_of
from league.queries.own_tables import ended_tables, running_tables
from league.services import gate
from league.services.play import make_move
from league.services.players import change_player
from tests.factories import AccountFactory, Cast


def hand_over(by: Account, game: Game, **fields: object) -> log.Appended:
    move = {"type": "hand_over", "seat": 0, "reason": "new account", **fields}
    return make_move(ByAccount(by), game_id=game.pk, seq=2, move=move)


def link(cast: Cast, player: Player, account: Account | None) -> None:
    change_player(by=cast.olga, player=player, name=player.name, account=account, active=True)


def sees_a_hand(account: Account, game: Game) -> bool:
    return bool(reading.read(game.pk, account).view.get("hand"))


@pytest.fixture
def game(cast: Cast) -> Game:
    """Return a game of Paul, whose account was replaced by Olga's after it began, against Petra."""
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@example.org")
    game = cast.game("scoops")
    link(cast, cast.paul_plays, cast.olga)
    return game


def test_an_account_that_is_linked_during_a_game_sees_and_plays_nothing(cast: Cast, game: Game) -> None:
    assert not sees_a_hand(cast.olga, game) and seat_of(cast.olga, game.pk) is None
    assert not running_tables(Visitor(uuid4(), cast.olga)) and not ended_tables(cast.olga)
    with pytest.raises(PermissionDenied):
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=2, move={"type": "resign"})
    assert sees_a_hand(cast.paul, game)
    assert make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "resign"}).created


def test_an_entry_of_the_log_hands_the_seat_over_for_all_to_see(cast: Cast, game: Game) -> None:
    made = hand_over(cast.olga, game)
    assert made.entry.move == {
        "type": "hand_over", "seat": 0, "reason": "new account", "account": str(cast.olga.pk),
    }  # fmt: skip
    assert log.in_words(made.game, made.entry) == "changes the account that plays seat 0: new account"
    assert sees_a_hand(cast.olga, game) and not sees_a_hand(cast.paul, game)
    assert seat_of(cast.paul, game.pk) is None
    assert make_move(ByAccount(cast.olga), game_id=game.pk, seq=3, move={"type": "resign"}).created
    assert not [*gate.of_game(game.pk)]


def test_the_former_account_gets_one_email(cast: Cast, game: Game) -> None:
    assert [hand_over(cast.olga, game).created for _ in range(2)] == [True, False]
    tasks.send_emails()
    (sent,) = mail.outbox
    assert sent.to == ["paul@example.org"] and "new account" in sent.body


def test_a_seat_can_be_left_without_an_account(cast: Cast) -> None:
    game = cast.game("scoops")
    link(cast, cast.paul_plays, None)
    assert "account" not in hand_over(cast.olga, game).entry.move
    assert not sees_a_hand(cast.paul, game)


@pytest.mark.parametrize(("fields", "refusal"), [
    ({"seat": 1}, Illegal),
    ({"seat": 7}, Illegal),
    ({"seat": "0"}, Malformed),
    ({"reason": ""}, Malformed),
    ({"account": "somebody"}, Malformed),
])  # fmt: skip
def test_anything_else_is_refused(
    cast: Cast, game: Game, fields: dict[str, object], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        hand_over(cast.olga, game, **fields)
    assert log.latest(Game.objects.get()).entries == 1


def test_only_organisers_hand_a_seat_over(cast: Cast, game: Game) -> None:
    for account in (cast.paul, cast.petra, cast.nora, AccountFactory.create()):
        with pytest.raises(PermissionDenied):
            hand_over(account, game)
