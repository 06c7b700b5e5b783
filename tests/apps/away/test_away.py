"""Days away: who says them and where; lists presume No, emails and the next evening leave people out."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from rest_framework.test import APIClient

from games.engine.refusals import Illegal, Malformed
from league.apps.attendance import queries
from league.apps.attendance.models import Asking
from league.apps.attendance.services import answer_for
from league.apps.away.models import Away
from league.apps.away.services import drop_away, forget_away, merge_away, say_away
from league.apps.evenings.queries import former_entries
from league.apps.notifications.services import write_next_evening
from league.models import Account, Club, Competition, Email, Player
from league.queries.clubs import away
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_emails import sent
from tests.factories import Cast, PlayerFactory
from tests.league.playing import finished
from tests.league.test_admin_scope import logged_in


def today() -> date:
    return Club.objects.get(name="Harbour Cards").today


def gone(cast: Cast, player: Player, since: int = 0, until: int = 9) -> Away:
    """Let a player be away between two days from now on."""
    days = (today() + timedelta(days=each) for each in (since, until))
    return say_away(by=cast.olga, player=player, **dict(zip(("since", "until"), days, strict=True)))


def answers(competition: Competition) -> dict[str, tuple[str, str]]:
    """What each player of the club has answered, and what is taken as the answer."""
    return {each.player.name: (each.reply, each.taken_as) for each in queries.answers_of(competition)}


# ---- Saying it -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("since", "until", "then"),
    [(0, 0, False), (4, 4, True), (0, 4, True), (4, 9, True), (0, 9, True), (5, 9, False), (0, 3, False)],
)
def test_both_days_are_days_away(cast: Cast, since: int, until: int, then: bool) -> None:
    gone(cast, cast.paul_plays, since, until)
    day = today() + timedelta(days=4)
    assert (cast.paul_plays.pk in away([cast.paul_plays.pk], day)) is then


def test_of_times_that_overlap_the_last_day_is_told(cast: Cast) -> None:
    gone(cast, cast.paul_plays, 0, 5)
    gone(cast, cast.paul_plays, 3, 8)
    found = away([cast.paul_plays.pk, cast.petra_plays.pk], today() + timedelta(days=4))
    assert found == {cast.paul_plays.pk: today() + timedelta(days=8)}
    assert away([cast.paul_plays.pk], None) == {}


@pytest.mark.parametrize(("since", "until", "field"), [(3, 1, ""), (-9, -1, "until")])
def test_days_that_are_over_or_reversed_are_refused(cast: Cast, since: int, until: int, field: str) -> None:
    with pytest.raises(Malformed) as refused:
        gone(cast, cast.paul_plays, since, until)
    assert [*refused.value.errors] == [field]


def test_only_the_person_and_organisers_say_and_drop_it(cast: Cast) -> None:
    own = say_away(by=cast.paul, player=cast.paul_plays, since=today(), until=today())
    assert say_away(by=cast.olga, player=cast.paul_plays, since=today(), until=today()) == own
    for stranger in (cast.petra, cast.nora):
        with pytest.raises(PermissionDenied):
            say_away(by=stranger, player=cast.paul_plays, since=today(), until=today())
        with pytest.raises(PermissionDenied):
            drop_away(by=stranger, away=own.pk)
    drop_away(by=cast.paul, away=own.pk)
    with pytest.raises(Illegal, match="not there any more"):
        drop_away(by=cast.paul, away=own.pk)


def test_it_passes_on_to_the_same_person_and_is_forgotten_with_one(cast: Cast) -> None:
    other = PlayerFactory.create(club=cast.club)
    for player in (cast.paul_plays, other):
        gone(cast, player)
    gone(cast, other, 20, 30)
    merge_away(cast.paul_plays, other)
    assert [each.player for each in Away.objects.all()] == [cast.paul_plays] * 2
    forget_away(cast.paul_plays)
    assert not Away.objects.exists()


# ---- Where it counts -----------------------------------------------------------------------------


def test_who_is_away_is_taken_not_to_come_until_they_answer(cast: Cast) -> None:
    tonight = evening(cast, 2)
    gone(cast, cast.paul_plays)
    assert answers(tonight) == {"Paul Pike": ("", "no"), "Petra Plum": ("", "")}
    assert queries.expected_at(tonight).no == 1
    assert queries.unanswered(cast.paul, [cast.club]) == []
    ticks = frozenset({cast.paul_plays.pk, cast.petra_plays.pk})
    Asking.objects.update(asks=False)
    assert queries.ticked(tonight, ticks) == {cast.petra_plays.pk}
    Asking.objects.update(asks=True)
    assert queries.ticked(tonight, ticks) == set()
    answer_for(by=cast.olga, competition=tonight, player=cast.paul_plays, reply="yes")
    assert answers(tonight)["Paul Pike"] == ("yes", "yes")
    assert queries.ticked(tonight, ticks) == {cast.paul_plays.pk}


def test_pages_of_answers_say_until_when_somebody_is_away(cast: Cast) -> None:
    tonight = evening(cast)
    gone(cast, cast.paul_plays)
    own = logged_in(cast.paul).get(f"/competitions/{tonight.slug}/coming/").content.decode()
    assert "You are away until" in own and 'value="no" aria-pressed="true"' in own
    desk = logged_in(cast.olga).get(f"/admin/league/competition/{tonight.pk}/coming/").content.decode()
    assert "away until" in desk and f'value="{cast.paul_plays.pk}:no" aria-pressed="true"' in desk


def test_emails_do_not_ask_who_is_away(cast: Cast) -> None:
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
    Account.objects.filter(pk=cast.petra.pk).update(email="petra@cards.example")
    evening(cast, days=2, by_mail=3)
    gone(cast, cast.paul_plays)
    assert [*sent()] == ["petra@cards.example"]


def test_members_who_are_away_are_not_told_of_the_next_evening(cast: Cast) -> None:
    Account.objects.update(email="somebody@cards.example")
    gone(cast, cast.paul_plays)
    write_next_evening(evening(cast, asks=False))
    told = {*Email.objects.filter(kind="next_evening").values_list("account", flat=True)}
    assert told == {cast.petra.pk}


def test_who_is_away_is_not_ticked_for_the_next_evening(cast: Cast) -> None:
    like = finished(cast, 4)
    gone(cast, cast.paul_plays, 5, 9)
    for day, then in ((4, False), (7, True)):
        former = former_entries(like, today() + timedelta(days=day))
        assert [each.ticked for each in former if cast.paul_plays.pk in each.players] == [not then]
    page = logged_in(cast.olga).get(f"/admin/league/competition/{like.pk}/again/").content.decode()
    assert "Not ticked: Paul Pike (away until" in page


# ---- Pages and API -------------------------------------------------------------------------------


def test_a_person_says_it_on_a_page_of_their_own(cast: Cast) -> None:
    paul = logged_in(cast.paul)
    assert "Days away" in paul.get("/account/").content.decode()
    sent = {"since": f"{today()}", "until": f"{today() + timedelta(days=3)}"}
    assert "I am away then" in paul.post("/account/away/", sent, follow=True).content.decode()
    away = Away.objects.get(player=cast.paul_plays)
    wrong = {"since": sent["until"], "until": sent["since"]}
    assert "before the first one" in paul.post("/account/away/", wrong).content.decode()
    paul.post("/account/away/", {"drop": away.pk})
    assert not Away.objects.exists()
    assert "not there any more" in paul.post("/account/away/", {"drop": "x"}, follow=True).content.decode()


def test_the_secretary_says_it_on_the_desk(cast: Cast, client: Client) -> None:
    olga, page = logged_in(cast.olga), f"/admin/league/player/{cast.paul_plays.pk}/away/"
    olga.post(page, {"since": f"{today()}", "until": f"{today()}"})
    away = Away.objects.get(player=cast.paul_plays)
    assert str(away.pk) in olga.get(page).content.decode()
    assert "Days away" in olga.get(f"/admin/league/player/{cast.paul_plays.pk}/change/").content.decode()
    assert logged_in(cast.petra).get(page).status_code in (302, 403, 404)
    olga.post(page, {"drop": away.pk})
    assert not Away.objects.exists()


def call(account: Account, method: str, path: str = "", **body: Any) -> Any:
    client = APIClient()
    client.force_authenticate(account)
    address = f"/api/v1/clubs/{Club.objects.get(name='Harbour Cards').slug}/away/{path}"
    return getattr(client, method)(address, body, format="json")


def test_programs_read_and_say_it(cast: Cast) -> None:
    days = {"since": f"{today()}", "until": f"{today()}"}
    made = call(cast.paul, "post", **days)
    assert made.status_code == 200 and made.json()["player"]["name"] == "Paul Pike"
    assert call(cast.petra, "post", player=str(cast.paul_plays.pk), **days).status_code == 403
    assert call(cast.olga, "post", player=str(cast.petra_plays.pk), **days).status_code == 200
    assert call(cast.paul, "post", since="2027-02-31", until="2027-03-01").status_code == 400
    assert [len(call(each, "get").json()["results"]) for each in (cast.olga, cast.paul)] == [2, 1]
    other = Away.objects.get(player=cast.petra_plays)
    assert call(cast.paul, "delete", f"{other.pk}/").status_code == 404
    assert call(cast.nora, "get").status_code == 403
    assert call(cast.olga, "delete", f"{other.pk}/").status_code == 204
