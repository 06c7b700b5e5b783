"""The hall on the desk: an organiser runs the timer, announces, and lets phones check in."""

import re
from typing import Any

import pytest
from django.test import Client

from league.apps.hall.models import Announcement, Hall
from league.apps.hall.queries import announcements_of
from league.models import Competition
from tests.factories import Cast
from tests.league.playing import in_play, opened, tables
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page(client: Client, competition: Competition) -> str:
    return str(client.get(f"/admin/league/competition/{competition.pk}/change/").content.decode())


def post(client: Client, competition: Competition, do: str, **fields: Any) -> str:
    address = f"/admin/league/competition/{competition.pk}/hall/"
    answer = client.post(address, {"do": do, **fields}, follow=True)
    return str(answer.content.decode())


def test_a_timer_is_started_paused_and_removed(olga: Client, cast: Cast) -> None:
    competition = in_play(cast)
    assert 'name="minutes" min="1" max="1440" value="60"' in page(olga, competition)
    assert "The timer runs until" in post(olga, competition, "start", minutes="50")
    assert re.search("(50:00|49:..) left", post(olga, competition, "pause"))
    assert re.search("(55:00|54:..) left", post(olga, competition, "add", minutes="5"))
    assert "Runs until" in post(olga, competition, "resume")
    assert re.search('value="5[45]"', post(olga, competition, "remove"))


@pytest.mark.parametrize("minutes", ["", "x", "0", "1441", "-5", "--5", "1e2"])
def test_minutes_that_make_no_sense_are_refused(olga: Client, cast: Cast, minutes: str) -> None:
    competition = in_play(cast)
    assert "between 1 and 1440" in post(olga, competition, "start", minutes=minutes)
    assert not Hall.objects.filter(ends_at__isnull=False).exists()


def test_a_timer_is_offered_only_while_a_round_is_played(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 4)
    assert "Start the timer" not in page(olga, competition)
    assert "No round is being played" in post(olga, competition, "start", minutes="50")


def test_the_hall_is_unfolded_while_a_round_is_played(olga: Client, cast: Cast) -> None:
    opened_panel = '<details class="tf-panel tf-hall" id="hall" open>'
    assert opened_panel not in page(olga, opened(cast, 4))
    assert opened_panel in page(olga, in_play(cast))


def test_an_announcement_is_shown_until_it_is_removed(olga: Client, cast: Cast) -> None:
    competition = opened(cast)
    assert "Soup is ready" in post(olga, competition, "announce", text="Soup is ready")
    announcement = Announcement.objects.get()
    assert "was removed" in post(olga, competition, "withdraw", announcement=announcement.pk)
    assert not announcements_of(competition)
    assert Announcement.objects.get().removed_at
    assert "no such announcement" in post(olga, competition, "withdraw", announcement="x")


def test_check_in_from_phones_is_switched_on_and_off(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 4, entering={"check_in": True})
    assert "Switch on" in page(olga, competition)
    assert "Switch off" in post(olga, competition, "phones-on")
    assert Hall.objects.get().self_check_in
    assert "Switch on" in post(olga, competition, "phones-off")
    assert "Switch o" not in page(olga, opened(cast, 4))


def test_a_form_that_names_no_action_changes_nothing(olga: Client, cast: Cast) -> None:
    post(olga, opened(cast), "sing")
    assert not Hall.objects.exists()


def test_the_hall_of_another_club_is_out_of_reach(cast: Cast) -> None:
    competition = opened(cast)
    for account in (cast.nora, cast.paul):
        answer = logged_in(account).post(
            f"/admin/league/competition/{competition.pk}/hall/", {"do": "announce", "text": "Soup"}
        )
        assert answer.status_code in (302, 403, 404)
    assert not Announcement.objects.exists()


def test_a_message_to_one_table_is_written_down_with_who_sent_it_and_whom_it_reached(
    olga: Client, cast: Cast
) -> None:
    competition = in_play(cast, 8)
    table = tables(competition)[0]
    sent = {"text": "Spare cards are here", "to": "table", "table": table.pk, "send": "1"}
    shown = post(olga, competition, "announce", **sent)
    assert f"olga: Table {table.number}: Spare cards are here" in shown
    assert "sent to 0 of 4 people" in shown
    post(olga, competition, "withdraw", announcement=Announcement.objects.get().pk)
    assert "Spare cards are here" in page(olga, competition)
