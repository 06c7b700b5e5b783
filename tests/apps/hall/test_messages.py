"""Messages of an organiser: whom they are to, by email and in browsers, and what stands against too many."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import PermissionDenied

from games import database_time
from games.engine.refusals import Illegal, Malformed
from league.apps.attendance.services import answer_for
from league.apps.away.services import say_away
from league.apps.hall import services
from league.apps.hall.models import Announcement
from league.apps.notifications import push
from league.apps.notifications.services import choose_emails
from league.core.verbs.presence import CheckInEntry
from league.models import Account, Competition, Contact, Email, Player
from league.services.competitions import change_details
from league.services.emails import send_emails
from tests.factories import AccountFactory, Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, tables
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """A round of two tables is played by eight people with an address each."""
    competition = in_play(cast, 8)
    Email.objects.all().delete()
    people = Player.objects.filter(seats__table__round__stage__competition=competition)
    for number, player in enumerate(people.order_by("pk")):
        account = AccountFactory.create(username=f"p{number}", email=f"p{number}@cards.example")
        Player.objects.filter(pk=player.pk).update(account=account)
    return Competition.objects.select_related("club").get()


def message(cast: Cast, competition: Competition, **given: Any) -> Announcement:
    given = {"words": "The door is open", "send": True, **given}
    return services.announce(by=cast.olga, competition=competition, **given)


def test_reaches_everybody_once_however_often_it_is_sent(cast: Cast, competition: Competition) -> None:
    first, again = message(cast, competition), message(cast, competition)
    send_emails()
    assert first == again and (again.people, again.told) == (8, 8)
    assert len(mail.outbox) == 8
    assert "The door is open" in str(mail.outbox[0].body)


def test_reaches_one_table_alone(cast: Cast, competition: Competition) -> None:
    table = tables(competition)[1]
    made = message(cast, competition, to="table", table=table.pk)
    seated = {*table.seats.values_list("player__account", flat=True)}
    assert (made.people, {*Email.objects.values_list("account", flat=True)}) == (4, seated)


def test_reaches_who_is_missing(cast: Cast) -> None:
    competition = opened(cast, 3, entering={"check_in": True})
    act(cast.olga, competition, CheckInEntry, entry=str(competition.entries.get(number=1).pk))
    assert message(cast, competition, to="missing").people == 2
    day = cast.club.today + timedelta(days=1)
    change_details(by=cast.olga, competition=competition, values={"begins_on": day})
    said_no, is_away = Player.objects.filter(entered__entry__in=competition.entries.filter(checked_in=False))
    say_away(by=cast.olga, player=is_away, since=day, until=day)
    competition.refresh_from_db()
    assert message(cast, competition, to="missing", words="Where?").people == 1
    answer_for(by=cast.olga, competition=competition, player=said_no, reply="no")
    assert message(cast, competition, to="missing", words="Who?").people == 0
    answer_for(by=cast.olga, competition=competition, player=is_away, reply="yes")
    assert message(cast, competition, to="missing", words="When?").people == 1


def test_nobody_is_missing_where_nobody_checks_in(cast: Cast, competition: Competition) -> None:
    with pytest.raises(Illegal, match="checks in"):
        message(cast, competition, to="missing")
    shown = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/")
    assert 'value="round"' in shown.content.decode() and 'value="missing"' not in shown.content.decode()


def test_an_announcement_can_be_sent_later(cast: Cast, competition: Competition) -> None:
    message(cast, competition, send=False)
    assert not Email.objects.exists()
    assert message(cast, competition).told == 8


def test_waits_for_the_morning_unless_it_wakes_the_club(cast: Cast, competition: Competition) -> None:
    competition.club.quiet = "22:00-08:00"
    with time_machine.travel("2026-11-26T23:00:00Z", tick=False):
        message(cast, competition)
        message(cast, competition, words="Now", wakes=True)
        due = Email.objects.filter(next_at__lte=database_time.now())
        assert {each.about["words"] for each in due} == {"Now"}


def test_who_wants_none_gets_none_and_can_stop_them(cast: Cast, competition: Competition) -> None:
    choose_emails(by=Account.objects.get(username="p0"), notice=False)
    assert message(cast, competition).told == 7
    send_emails()
    assert "List-Unsubscribe" in mail.outbox[0].extra_headers


def test_is_news_for_browsers(cast: Cast, competition: Competition) -> None:
    message(cast, competition)
    news = push.last_news(Account.objects.get(username="p0"))
    assert news and news[1] == "notice"


def test_what_is_removed_before_it_is_sent_is_not_sent(cast: Cast, competition: Competition) -> None:
    made = message(cast, competition)
    services.remove_announcement(by=cast.olga, competition=competition, announcement=made.pk)
    send_emails()
    assert mail.outbox == []


def test_a_flood_is_refused_and_changes_nothing(cast: Cast, competition: Competition) -> None:
    for number in range(services.MOST_SENT):
        message(cast, competition, words=f"Number {number}")
    with pytest.raises(Illegal, match="in an hour"):
        message(cast, competition, words="One more")
    assert not Announcement.objects.filter(text="One more").exists()


def test_to_a_table_of_another_competition_is_refused(cast: Cast, competition: Competition) -> None:
    other = tables(in_play(cast, 4, name="Other"))[0]
    with pytest.raises(Malformed):
        message(cast, competition, to="table", table=other.pk)


def test_of_a_player_is_refused(cast: Cast, competition: Competition) -> None:
    with pytest.raises(PermissionDenied):
        services.announce(by=cast.paul, competition=competition, words="Free beer", send=True)
    assert not Email.objects.exists()


def test_reaches_people_without_an_account_at_the_address_that_the_club_keeps(
    cast: Cast, competition: Competition
) -> None:
    player = Player.objects.filter(account__username="p0").get()
    Player.objects.filter(pk=player.pk).update(account=None)
    assert message(cast, competition, words="Nobody knows an address").told == 7
    Contact.objects.create(player=player, email="anna@example.org")
    assert message(cast, competition).told == 8
    send_emails()
    assert "anna@example.org" in [to for each in mail.outbox for to in each.to]


def test_the_desk_says_how_many_it_reaches(cast: Cast, competition: Competition) -> None:
    Account.objects.filter(username="p0").update(email="")
    page = f"/admin/league/competition/{competition.pk}/hall/"
    sent = {"do": "announce", "text": "Tea is ready", "to": "all", "send": "on"}
    assert "7 of 8 people" in logged_in(cast.olga).post(page, sent, follow=True).content.decode()
