"""Emails that ask: to whom, when, once, with links that answer; and how they are stopped."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils.translation import override

from games import database_time
from league.apps.attendance import services
from league.apps.attendance.emails import samples, write_emails
from league.apps.attendance.models import Answer
from league.models import Account, Club, Competition, Contact, Details, Email, Player
from league.services.emails import send_emails
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import replies
from tests.factories import Cast, PlayerFactory
from tests.league.test_admin_scope import logged_in

FILES = "django.core.mail.backends.filebased.EmailBackend"
NOBODY = "Nobody is asked by email; 2 people could be;"


@pytest.fixture
def reached(cast: Cast) -> Cast:
    """Paul has an account with an address, Ruth an address that organisers know, Petra neither."""
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    Contact.objects.create(player=ruth, email="ruth@cards.example")
    return cast


def sent() -> dict[str, Any]:
    """Write and send what is due; return the emails by address."""
    write_emails()
    send_emails()
    found = {each.to[0]: each for each in mail.outbox}
    mail.outbox.clear()
    return found


def test_everybody_with_an_address_is_asked_once_some_days_before(reached: Cast) -> None:
    evening(reached, days=4, by_mail=3)
    assert sent() == {}
    Details.objects.update(begins_on=reached.club.today + timedelta(days=2))
    found = sent()
    assert {*found} == {"paul@cards.example", "ruth@cards.example"}
    assert found["paul@cards.example"].subject.startswith("Are you coming on ")
    assert sent() == {}


def test_the_link_of_an_email_answers_without_an_account(client: Client, reached: Cast) -> None:
    tonight = evening(reached, days=2, by_mail=3)
    body = sent()["ruth@cards.example"].body
    (address,) = re.findall(r"http://[^/]*(/coming/\S+\?reply=no)", body)
    page = client.get(address)
    assert page.status_code == 200
    client.post(address, {"reply": "no"})
    assert replies(tonight) == [("Ruth Rye", "no")]


def test_who_has_not_answered_is_reminded_once(reached: Cast) -> None:
    tonight = evening(reached, days=2, by_mail=3)
    sent()
    services.answer_myself(by=reached.paul, competition=tonight, reply="yes")
    Details.objects.update(begins_on=reached.club.today)
    Answer.objects.update(asked_at=database_time.now() - timedelta(days=2))
    found = sent()
    assert [*found] == ["ruth@cards.example"]
    assert found["ruth@cards.example"].subject.startswith("Not answered yet")
    assert sent() == {}


def test_nobody_is_asked_by_email_unless_the_organiser_wants_it(reached: Cast) -> None:
    evening(reached, days=1)
    evening(reached, days=1, asks=False)
    assert sent() == {}


@pytest.mark.parametrize(
    ("asks", "by_mail", "said"),
    [(True, 3, "2 people are asked by email;"), (True, 0, NOBODY), (False, 0, NOBODY)],
)
def test_the_desk_says_that_emails_ask_only_where_they_do(
    client: Client, reached: Cast, asks: bool, by_mail: int, said: str
) -> None:
    tonight = evening(reached, asks=asks, by_mail=by_mail)
    client.force_login(reached.olga)
    assert said in client.get(f"/admin/league/competition/{tonight.pk}/coming/").content.decode()


@pytest.mark.parametrize("files", [True, False])
def test_the_desk_says_once_how_many_are_to_be_asked_otherwise(
    client: Client, reached: Cast, settings: Any, tmp_path: Path, files: bool
) -> None:
    if files:
        settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = FILES, str(tmp_path)
    tonight = evening(reached, by_mail=3)
    services.answer_for(by=reached.olga, competition=tonight, player=reached.petra_plays, reply="no")
    client.force_login(reached.olga)
    page = client.get(f"/admin/league/competition/{tonight.pk}/coming/").content.decode()
    listed = re.findall(r"(\d+) (?:person|people) to ask by phone", page)
    told = re.findall(r"(\d+) (?:is|are) to be asked by phone", page)
    assert told == (listed or ["0"])


def test_who_answers_before_the_email_leaves_gets_none(reached: Cast) -> None:
    tonight = evening(reached, days=1, by_mail=3)
    write_emails()
    services.answer_myself(by=reached.paul, competition=tonight, reply="yes")
    assert [*sent()] == ["ruth@cards.example"]


def test_whose_address_is_deleted_before_the_email_leaves_gets_none(reached: Cast) -> None:
    evening(reached, days=1, by_mail=3)
    write_emails()
    Contact.objects.all().delete()
    assert [*sent()] == ["paul@cards.example"]
    assert [each.status for each in Email.objects.filter(account=None)] == [Email.Status.DROPPED]


def test_emails_wait_for_the_morning_of_the_club(reached: Cast) -> None:
    evening(reached, days=1, by_mail=3)
    now = database_time.now().astimezone(reached.club.zone)
    quiet = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=2):%H:%M}"
    Club.objects.update(quiet=quiet)
    assert sent() == {}
    written = Email.objects.filter(kind="coming")
    assert written.count() == written.filter(next_at__gt=database_time.now()).count() == 2


@pytest.mark.parametrize("with_token", [True, False])
def test_one_click_stops_these_emails_for_one_person(reached: Cast, *, with_token: bool) -> None:
    evening(reached, days=1, by_mail=3)
    stop = sent()["ruth@cards.example"].extra_headers["List-Unsubscribe"].strip("<>")
    client = Client(enforce_csrf_checks=True)
    address = re.sub(r"http://[^/]*", "", stop)
    address = address if with_token else re.sub(r"/[^/]{43}/", f"/{'A' * 43}/", address)
    assert client.get(address).status_code == (200 if with_token else 404)
    client.post(address)
    evening(reached, days=2, by_mail=3)
    stopped = {"ruth@cards.example"} if with_token else set()
    assert {*sent()} == {"paul@cards.example", "ruth@cards.example"} - stopped


def test_a_player_who_is_no_longer_active_is_not_asked(reached: Cast) -> None:
    evening(reached, days=1, by_mail=3)
    write_emails()
    Player.objects.filter(name="Ruth Rye").update(active=False)
    assert [*sent()] == ["paul@cards.example"]


def test_who_has_no_account_is_asked_in_the_organisers_language(reached: Cast) -> None:
    with override("de"):
        evening(reached, days=1, by_mail=3)
    assert "Kommst du" in sent()["ruth@cards.example"].subject


def test_an_evening_that_was_called_off_asks_nobody(reached: Cast) -> None:
    evening(reached, days=1, by_mail=3)
    write_emails()
    Competition.objects.update(status="cancelled")
    assert sent() == {}


def test_the_desk_shows_a_sample(cast: Cast) -> None:
    with override("en"):
        (sample,) = samples(cast.club)
    assert sample[0] == "Are you coming?"
    assert "Yes, with a guest" in str(sample[1].body)


# ---- Another account, or none --------------------------------------------------------------------


def paths(found: Any) -> list[str]:
    """Return the paths of the links of an email that are for one person alone."""
    return [*{re.sub(r"\?.*", "", each) for each in re.findall(r"http://[^/]*(/coming/\S+)", found.body)}]


@pytest.mark.parametrize("becomes", ["another", "none", "first"])
def test_links_that_were_sent_end_when_the_person_has_another_account(
    client: Client, reached: Cast, becomes: str
) -> None:
    tonight = evening(reached, days=2, by_mail=3)
    found = sent()
    changed = "Ruth Rye" if becomes == "first" else "Paul Pike"
    links = paths(found["ruth@cards.example" if becomes == "first" else "paul@cards.example"])
    assert links
    account = {"another": reached.nora, "first": reached.nora, "none": None}[becomes]
    Player.objects.filter(name=changed).update(account=account)
    for each in links:
        assert client.get(each).status_code == 410
        client.post(each, {"reply": "no"})
    assert replies(tonight) == []


def test_links_end_when_the_club_corrects_the_address_that_it_keeps(client: Client, reached: Cast) -> None:
    evening(reached, days=2, by_mail=3)
    (link, *_others) = paths(sent()["ruth@cards.example"])
    Contact.objects.update(phone="0123")
    assert client.get(link).status_code == 200
    Contact.objects.update(email="right@cards.example")
    assert client.get(link).status_code == 410


def test_an_email_that_waits_is_dropped_once_its_account_is_not_the_persons(reached: Cast) -> None:
    evening(reached, days=2, by_mail=3)
    write_emails()
    Account.objects.filter(pk=reached.nora.pk).update(email="nora@cards.example")
    Player.objects.filter(account=reached.paul).update(account=reached.nora)
    Player.objects.filter(name="Ruth Rye").update(account=reached.paul)
    assert sent() == {}


def test_the_desk_says_how_many_emails_ask_and_who_is_to_be_asked_otherwise(reached: Cast) -> None:
    tonight = evening(reached, days=2)
    Contact.objects.create(player=reached.petra_plays, phone="01 444")
    address = f"/admin/league/competition/{tonight.pk}/coming/"
    saved = logged_in(reached.olga).post(
        address, {"save": "1", "asks": "on", "days": "3", "most_visits": "0"}, follow=True
    )
    assert (
        saved.content.decode().count("2 people are asked by email; 1 is to be asked by phone or in person.")
        == 2
    )
    assert [each.name for each in saved.context["to_ask"]] == [reached.petra_plays.name]
    assert "1 person to ask by phone or in person" in saved.content.decode()
    assert "01 444" in saved.content.decode()


def test_the_desk_names_who_is_to_be_asked_otherwise_until_they_answer(reached: Cast) -> None:
    tonight = evening(reached, days=2)
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    desk = logged_in(reached.olga)
    assert "no telephone number" in desk.get(page).content.decode()
    desk.post(page, {"reply": f"{reached.petra_plays.pk}:no"})
    assert "to ask by phone" not in desk.get(page).content.decode().split('id="asking"')[0]


def test_the_desk_names_everybody_where_no_email_leaves_the_server(
    reached: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = FILES, str(tmp_path)
    tonight = evening(reached, days=2)
    shown = logged_in(reached.olga).get(f"/admin/league/competition/{tonight.pk}/coming/")
    people = Player.objects.filter(club=reached.club, active=True, bot=False).order_by("search_name")
    assert [each.name for each in shown.context["to_ask"]] == [each.name for each in people]
