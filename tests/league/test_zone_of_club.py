"""A club begins with UTC: the desk offers its organiser the time zone of their device."""

import pytest
from django.test import Client

from league.models import Club, ClubChange
from tests.factories import Cast
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import page, page_text

OFFER = 'data-zones="UTC"'


@pytest.fixture
def in_utc(cast: Cast) -> Club:
    Club.objects.filter(pk=cast.club.pk).update(timezone="UTC")
    cast.club.refresh_from_db()
    return cast.club


def take(client: Client, club: Club, timezone: str, **more: str) -> str:
    sent = {"timezone": timezone, **more}
    return page_text(client.post(f"/admin/league/club/{club.pk}/zone/", sent, follow=True))


def test_the_desk_and_a_competition_offer_another_zone_than_utc(cast: Cast, in_utc: Club) -> None:
    olga, competition = logged_in(cast.olga), opened(cast)
    shown = page_text(olga.get("/admin/"))
    assert OFFER in shown
    assert "Times of Harbour Cards are shown in UTC." in shown
    assert OFFER in page_text(page(olga, competition))
    assert OFFER not in page_text(logged_in(cast.nora).get("/admin/"))


def test_the_zone_of_the_device_is_taken_with_one_click(cast: Cast, in_utc: Club) -> None:
    olga = logged_in(cast.olga)
    competition = opened(cast)
    back = f"/admin/league/competition/{competition.pk}/change/"
    shown = take(olga, in_utc, "Europe/Berlin", next=back)
    assert "Times of Harbour Cards are shown in this time zone: Europe/Berlin." in shown
    assert f"<h1>{competition.name}</h1>" in shown
    assert OFFER not in shown
    in_utc.refresh_from_db()
    assert in_utc.timezone == "Europe/Berlin"
    assert ClubChange.objects.filter(kind="club_changed").count() == 1


def test_no_other_zone_and_no_other_site_is_taken(cast: Cast, in_utc: Club) -> None:
    shown = take(logged_in(cast.olga), in_utc, "Mars/Olympus", next="https://elsewhere.example/")
    assert "<h1>Desk</h1>" in shown
    in_utc.refresh_from_db()
    assert in_utc.timezone == "UTC"


def test_only_organisers_of_the_club_take_one(cast: Cast, in_utc: Club) -> None:
    for account in (cast.paul, cast.nora):
        take(logged_in(account), in_utc, "Europe/Berlin")
    in_utc.refresh_from_db()
    assert in_utc.timezone == "UTC"


@pytest.mark.parametrize(
    ("quiet", "kept"),
    [
        ("23:00-06:30", "23:00-06:30"),
        ("22:30–06:30", "22:30-06:30"),
        ("22：30−06：30", "22:30-06:30"),
        ("", ""),
        ("all day", None),
        ("04:00-03:00", None),
    ],
)
def test_the_desk_saves_quiet_hours_or_shows_an_error(cast: Cast, quiet: str, kept: str | None) -> None:
    Club.objects.update(quiet="21:00-08:00")
    address = f"/admin/league/club/{cast.club.pk}/change/"
    fields = {
        "name": "Harbour Cards",
        "timezone": "UTC",
        "quiet": quiet,
        "mail_note": "Hello",
        "names": "full",
        "paper": "a4",
    }
    answer = logged_in(cast.olga).post(address, fields)
    club = Club.objects.get(pk=cast.club.pk)
    assert club.quiet == ("21:00-08:00" if kept is None else kept)
    assert (answer.status_code == 200) == (kept is None)
