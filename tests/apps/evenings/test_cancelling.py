"""Cancel tonight: everybody is told, and the organiser sees who has been, and whom to ring."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from pytest_django import Settings

from league.apps.attendance.desk import reach_in_words
from league.apps.attendance.models import Answer
from league.apps.attendance.services import answer_for, set_asking
from league.apps.away.services import say_away
from league.apps.evenings.models import WEEKLY, Cancellation
from league.apps.evenings.queries import told_apart
from league.apps.evenings.services import begin_rhythm, prepare_evening, tell_apart
from league.core.verbs.course import CancelCompetition, ReopenCompetition
from league.models import Account, Competition, Contact, Details, Player
from league.queries.competitions import concerned, state_of
from league.services.emails import send_emails
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """Paul has an address, the guest one that the club keeps, Petra and another one a telephone at most."""
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@club.example")
    made = opened(cast, 4)
    guest, other = Player.objects.filter(account=None).order_by("created_at")
    Contact.objects.create(player=guest, email="guest@home.example", phone="01 111")
    Contact.objects.create(player=other, phone="01 222")
    return made


def cancel(cast: Cast, competition: Competition, **reasons: str) -> Any:
    page = f"/admin/league/competition/{competition.pk}/do/cancel/"
    return logged_in(cast.olga).post(page, {"seq": competition.seq + 1, "reason": "", "told": "", **reasons})


def told(cast: Cast, competition: Competition) -> Any:
    return logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/told/").context


def test_who_can_not_be_written_to_is_to_be_rung(cast: Cast, competition: Competition) -> None:
    cancel(cast, competition, reason="Snow")
    assert len(told(cast, competition)["waiting"]) == 2
    send_emails()
    found = told(cast, competition)
    assert len(found["told"]) == 2 and not found["waiting"]
    assert sorted(each.phone for each in found["ring"]) == ["", "01 222"]
    assert {each.player for each in found["ring"]} >= {cast.petra_plays}


def test_who_was_never_asked_is_to_be_rung_where_the_evening_asks(
    cast: Cast, competition: Competition
) -> None:
    away, unasked = (PlayerFactory.create(club=cast.club, name=name) for name in ("Ada Away", "Una Unasked"))
    Contact.objects.create(player=unasked, phone="01 333")
    Details.objects.create(competition=competition, begins_on=competition.club.today + timedelta(days=1))
    set_asking(by=cast.olga, competition=competition, asks=True, days=3)
    answer_for(by=cast.olga, competition=competition, player=away, reply="no")
    cancel(cast, competition)
    ring = {each.player: each.phone for each in told(cast, competition)["ring"]}
    assert ring[unasked] == "01 333" and away not in ring


def test_who_is_away_on_the_day_is_not_rung_unless_they_say_that_they_come(
    cast: Cast, competition: Competition
) -> None:
    absent, back = (PlayerFactory.create(club=cast.club) for _player in range(2))
    day = competition.club.today + timedelta(days=1)
    Details.objects.create(competition=competition, begins_on=day)
    set_asking(by=cast.olga, competition=competition, asks=True, days=3)
    for player in (absent, back):
        say_away(by=cast.olga, player=player, since=day, until=day)
    answer_for(by=cast.olga, competition=competition, player=back, reply="unsure")
    cancel(cast, competition)
    ring = {each.player for each in told(cast, competition)["ring"]}
    assert back in ring and absent not in ring


def test_all_of_the_club_are_rung_where_the_evening_would_have_asked_them_later(
    cast: Cast, competition: Competition
) -> None:
    unasked = PlayerFactory.create(club=cast.club)
    Details.objects.create(competition=competition, begins_on=competition.club.today + timedelta(days=9))
    set_asking(by=cast.olga, competition=competition, asks=True, days=3)
    assert unasked not in concerned(competition)
    cancel(cast, competition)
    assert unasked in {each.player for each in told(cast, competition)["ring"]}


@pytest.mark.parametrize("asks", [True, False])
def test_all_of_the_club_are_rung_of_an_evening_that_a_rhythm_has_set_up(
    cast: Cast, competition: Competition, asks: bool
) -> None:
    today = competition.club.today
    Details.objects.create(competition=competition, begins_on=today)
    set_asking(by=cast.olga, competition=competition, asks=asks, days=3)
    week: Any = {"weekday": today.weekday(), "nth": WEEKLY, "weeks": 1, "days_before": 8}
    rhythm = begin_rhythm(by=cast.olga, like=competition, first=today, at=None, **week)
    prepare_evening(rhythm_id=rhythm.pk)
    made = Competition.objects.get(evening__rhythm=rhythm)
    cancel(cast, made)
    send_emails()
    ring = told(cast, made)["ring"]
    assert cast.petra_plays in {each.player for each in ring} and "01 222" in {each.phone for each in ring}


def test_a_reason_for_those_who_entered_is_in_their_email_and_on_no_page(
    cast: Cast, competition: Competition
) -> None:
    cancel(cast, competition, told="The landlord is ill")
    send_emails()
    assert all("The landlord is ill" in each.body for each in mail.outbox) and mail.outbox
    now = Competition.objects.get()
    assert (now.status, state_of(now).reason) == ("cancelled", "")
    for path in ("", "log/", "entries/"):
        assert "landlord" not in logged_in(cast.paul).get(f"/competitions/{now.slug}/{path}").content.decode()
    assert "landlord" not in logged_in(cast.paul).get(f"/api/v1/competitions/{now.pk}/log/").content.decode()


def test_a_reason_that_can_not_be_kept_cancels_nothing(cast: Cast, competition: Competition) -> None:
    answer = cancel(cast, competition, told="x" * 501, reason="Snow")
    assert answer.context["form"].errors.keys() == {"told"}
    assert answer.context["form"]["reason"].value() == "Snow"
    assert Competition.objects.get().status == "preparing" and not Cancellation.objects.exists()


def test_where_emails_become_files_nobody_is_told(
    cast: Cast, competition: Competition, settings: Settings, tmp_path: Path
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path)
    cancel(cast, competition)
    send_emails()
    found = told(cast, competition)
    assert not found["told"] and len(found["ring"]) >= 2
    page = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/told/").content.decode()
    assert f"become files in {tmp_path}" in page
    assert "become files" in reach_in_words(competition)


def test_the_page_of_whom_to_ring_is_for_organisers_alone(cast: Cast, competition: Competition) -> None:
    cancel(cast, competition)
    page = f"/admin/league/competition/{competition.pk}/told/"
    assert logged_in(cast.nora).get(page).status_code == 404
    assert logged_in(cast.paul).get(page).status_code != 200
    desk = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
    assert page in desk


def test_who_was_asked_and_has_not_said_no_is_told_too(cast: Cast, competition: Competition) -> None:
    asked, declined = (PlayerFactory.create(club=cast.club) for _player in range(2))
    for player, reply in ((asked, ""), (declined, "no")):
        Answer.objects.create(competition=competition, player=player, reply=reply)
    cancel(cast, competition)
    shown = {each.player for each in told(cast, competition)["ring"]}
    assert asked in shown and declined not in shown


def test_who_said_yes_without_account_and_address_is_rung_whether_or_not_the_evening_asks(
    cast: Cast, competition: Competition
) -> None:
    coming = PlayerFactory.create(club=cast.club, name="Wilma Wired")
    Contact.objects.create(player=coming, phone="01 444")
    Answer.objects.create(competition=competition, player=coming, reply="yes")
    cancel(cast, competition)
    ring = {each.player: each.phone for each in told(cast, competition)["ring"]}
    assert ring[coming] == "01 444"


def test_a_second_cancellation_does_not_say_again_what_the_first_one_told(cast: Cast) -> None:
    competition = opened(cast, 2)
    tell_apart(by=cast.olga, competition=competition, told="Gerda has died.")
    act(cast.olga, competition, CancelCompetition, reason="Snow")
    act(cast.olga, competition, ReopenCompetition, reason="Thaw")
    act(cast.olga, competition, CancelCompetition, reason="Snow again")
    assert told_apart(competition.pk) == ""
