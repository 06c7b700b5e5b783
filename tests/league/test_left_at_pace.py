"""The automatic pace draws nobody who has left the club: it waits for an organiser, and names them."""

from typing import Any

from django.test import Client

from league import tasks
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.models import Competition, Entry, Player, Round, TableSeat
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import AT_ONCE, in_play, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk import page_text, texts

CUP = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2}


def leave(competition: Competition, number: int = 1) -> Entry:
    entry: Entry = competition.entries.get(number=number)
    Player.objects.filter(entered__entry=entry).update(active=False)
    return entry


def rounds(competition: Competition) -> list[str]:
    """Return the status of each round after the server has done what is due."""
    tasks.sweep()
    found = Round.objects.filter(stage__competition=competition).order_by("number")
    return [*found.values_list("status", flat=True)]


def played(cast: Cast, **announced: Any) -> Competition:
    """Return a competition whose first round is played, and not yet closed."""
    competition = in_play(cast, 8, pace="automatic", waits=AT_ONCE, **announced)
    play_all(competition)
    return competition


def test_a_round_is_not_drawn_by_itself_with_who_has_left_the_club(cast: Cast) -> None:
    competition = played(cast)
    leave(competition)
    assert rounds(competition) == ["closed"]
    (told,) = texts(cast.club)
    assert "It does not go on automatically" in told and "no longer in the club" in told


def test_it_goes_on_once_the_entry_is_withdrawn(cast: Cast) -> None:
    competition = played(cast)
    entry = leave(competition)
    tasks.sweep()
    act(cast.olga, competition, WithdrawEntry, entry=str(entry.pk))
    assert rounds(competition) == ["closed", "published"]


def test_it_goes_on_once_the_player_is_back_in_the_club(cast: Cast) -> None:
    competition = played(cast)
    leave(competition)
    tasks.sweep()
    Player.objects.update(active=True)
    assert rounds(competition) == ["closed", "published"]


def test_an_organiser_who_knows_may_draw_the_round_and_is_asked_again_before_it_is_published(
    cast: Cast,
) -> None:
    competition = played(cast)
    leave(competition)
    tasks.sweep()
    act(cast.olga, competition, DrawRound)
    assert rounds(competition) == ["closed", "drawn"]
    assert any("no longer in the club" in told for told in texts(cast.club))


def test_who_is_out_of_a_cup_holds_up_nothing(cast: Cast) -> None:
    competition = played(cast, stages=[CUP])
    tasks.sweep()
    Round.objects.filter(number=2).get()
    play_all(competition, 2)
    out = TableSeat.objects.filter(table__round__number=1, rank=2).values("player")
    Player.objects.filter(pk__in=out).update(active=False)
    assert rounds(competition) == ["closed", "closed", "published"]


def test_the_api_says_of_no_time_at_which_it_would_go_on(cast: Cast, client: Client) -> None:
    competition = played(cast)
    leave(competition)
    tasks.sweep()
    assert client.get(f"/api/v1/competitions/{competition.pk}/").json()["acts_at"] is None


def test_the_desk_leads_to_the_draw_and_to_the_withdrawal(cast: Cast) -> None:
    competition = played(cast)
    gone = leave(competition)
    tasks.sweep()
    olga, page = logged_in(cast.olga), f"/admin/league/competition/{competition.pk}/"
    assert f"{gone.name} is no longer in the club, and would play." in page_text(olga.get(f"{page}change/"))
    assert f'href="{page}do/withdraw/"' in page_text(olga.get(f"{page}do/draw/"))
