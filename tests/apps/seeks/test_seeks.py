"""Seeks: nobody sits where they did not agree to, and a game begins once."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from games.engine.refusals import Illegal, Malformed
from league import tasks
from league.apps.seeks.models import Seek
from league.apps.seeks.queries import seeks_lapsed
from league.apps.seeks.services import MOST_OPEN, create_seek, fill_seek, join_seek, withdraw_seek
from league.apps.seeks.tasks import lapse_seek
from league.models import Account, AccountEvent, Club, Player
from league.queries.games import seated
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.games.test_database_time import Ahead, host_ahead

__all__ = ["host_ahead"]


def another(cast: Cast) -> Account:
    """Return the account of one more player of the club."""
    account = AccountFactory.create()
    MemberFactory.create(club=cast.club, account=account)
    PlayerFactory.create(club=cast.club, account=account)
    return account


def seek(cast: Cast, seats: int = 2) -> Seek:
    return create_seek(by=cast.paul, club=cast.club, ruleset="tally", seats=seats)


def told(account: Account) -> list[str]:
    return list(AccountEvent.objects.filter(account=account).order_by("pk").values_list("kind", flat=True))


def test_the_game_begins_when_the_last_seat_is_taken(cast: Cast) -> None:
    third = another(cast)
    made = seek(cast, 3)
    assert join_seek(by=cast.petra, seek_id=made.pk).game is None
    assert join_seek(by=cast.petra, seek_id=made.pk).taken.count() == 2
    begun = join_seek(by=third, seek_id=made.pk)
    assert begun.game and (begun.status, begun.game.status, begun.game.unanswered) == ("begun", "active", [])
    names = [seat.player.account_id for seat in seated(begun.game) if seat.player]
    assert names == [cast.paul.pk, cast.petra.pk, third.pk]
    assert told(cast.paul) == ["seek_answered", "seek_answered", "game_begun", "seek_closed"]
    assert join_seek(by=third, seek_id=made.pk).game == begun.game
    with pytest.raises(Illegal):
        join_seek(by=another(cast), seek_id=made.pk)


def test_who_withdraws_is_not_in_the_game(cast: Cast) -> None:
    made, third = seek(cast, 3), another(cast)
    join_seek(by=cast.petra, seek_id=made.pk)
    withdraw_seek(by=cast.petra, seek_id=made.pk)
    assert join_seek(by=third, seek_id=made.pk).status == "open"
    assert withdraw_seek(by=cast.paul, seek_id=made.pk).status == "withdrawn"
    assert told(third) == ["seek_closed"]
    with pytest.raises(Illegal):
        join_seek(by=cast.petra, seek_id=made.pk)


def test_a_player_who_left_the_club_frees_the_seat(cast: Cast) -> None:
    made, third = seek(cast, 3), another(cast)
    join_seek(by=cast.petra, seek_id=made.pk)
    Player.objects.filter(pk=cast.petra_plays.pk).update(active=False)
    assert join_seek(by=third, seek_id=made.pk).status == "open"


def test_a_seek_lapses(cast: Cast) -> None:
    made = seek(cast)
    Seek.objects.update(until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Illegal):
        join_seek(by=cast.petra, seek_id=made.pk)
    tasks.sweep()
    made.refresh_from_db()
    assert made.status == "lapsed"


def test_no_seek_lapses_on_a_worker_that_is_ahead(cast: Cast, host_ahead: Ahead) -> None:
    made = seek(cast)
    host_ahead(timedelta(days=1))
    lapse_seek(str(made.pk))
    made.refresh_from_db()
    assert (made.status, [*seeks_lapsed()]) == ("open", [])


def test_an_account_has_few_seeks_at_once(cast: Cast) -> None:
    for _ in range(MOST_OPEN):
        seek(cast)
    with pytest.raises(Illegal):
        seek(cast)


def test_only_players_of_the_club_look_for_others(cast: Cast) -> None:
    made = seek(cast)
    with pytest.raises(PermissionDenied):
        create_seek(by=cast.olga, club=cast.club, ruleset="tally", seats=2)
    for verb in (join_seek, withdraw_seek):
        with pytest.raises(PermissionDenied):
            verb(by=cast.nora, seek_id=made.pk)


@pytest.mark.parametrize(("given", "path"), [
    ({"ruleset": "none"}, "ruleset"), ({"seats": 1}, "seats"), ({"options": {"x": 1}}, "options.x"),
])  # fmt: skip
def test_settings_are_checked_at_once(cast: Cast, given: dict[str, object], path: str) -> None:
    with pytest.raises(Malformed) as refused:
        create_seek(**{"by": cast.paul, "club": cast.club, "ruleset": "tally", "seats": 2, **given})  # type: ignore[arg-type]
    assert [*refused.value.errors] == [path]


# ---- Bots ----------------------------------------------------------------------------------------


def test_a_club_keeps_bots_out_of_seeks(cast: Cast) -> None:
    Club.objects.update(bots=[])
    made = seek(cast)
    Player.objects.filter(pk=cast.petra_plays.pk).update(bot=True)
    with pytest.raises(Illegal):
        join_seek(by=cast.petra, seek_id=made.pk)
    with pytest.raises(Malformed):
        cast.club.refresh_from_db()
        cast.game("tally")


@pytest.mark.usefixtures("house_bots")
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
    assert seats == [("Paul Pike", False), ("Petra Plum", False), ("Robot 1", True), ("Robot 2", True)]
