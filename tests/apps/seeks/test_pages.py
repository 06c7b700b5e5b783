"""Who wants to play, on pages."""

import re
from datetime import timedelta
from unittest.mock import patch

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from league.apps.seeks.models import Seek
from league.apps.seeks.queries import token_to_seat
from league.apps.seeks.services import create_seek, invite_to_seek
from league.hooks import HOUSE_BOTS
from league.services.accounts import choose_zone
from tests.factories import Cast, PlayerFactory
from tests.league.test_admin_scope import logged_in
from tests.league.test_invitations import invited, signed_up


def test_a_member_looks_for_players_and_another_joins(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    paul, petra = logged_in(cast.paul), logged_in(cast.petra)
    refused = paul.post(page, {"ruleset": "scram", "seats": 9, "minutes": 60})
    assert refused.status_code == 422 and not Seek.objects.exists()
    assert paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60}).status_code == 302
    seek = Seek.objects.get()
    assert reverse("withdraw_seek", args=[seek.pk]) in paul.get(page).content.decode()
    assert reverse("join_seek", args=[seek.pk]) in petra.get(page).content.decode()
    joined = petra.post(reverse("join_seek", args=[seek.pk]))
    assert joined["Location"] == reverse("game", args=[Game.objects.get().pk])
    assert "Your game of Scoops has begun." in (waiting := paul.get(page).content.decode())
    assert joined["Location"] in waiting and "data-refresh" in waiting
    assert "has begun" not in logged_in(cast.olga).get(page).content.decode()
    late = petra.post(reverse("withdraw_seek", args=[seek.pk]), follow=True)
    assert "The game has begun." in late.content.decode()


def test_players_are_looked_for_with_a_clock(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60, "move": 300})
    assert Seek.objects.get().clock["move"] == 300
    assert "5 minutes for each move" in logged_in(cast.petra).get(page).content.decode()


def links(page: str) -> list[str]:
    return re.findall(r"http://testserver(/seats/[^\"]+)", page)


def test_a_link_to_a_private_table_is_accepted_once(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul), logged_in(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60, "private": "on"})
    seek = Seek.objects.get()
    (link,) = links(paul.get(page).content.decode())
    assert "Nobody looks for players" in petra.get(page).content.decode()
    assert petra.post(reverse("join_seek", args=[seek.pk])).status_code == 404
    assert paul.post(reverse("invite_to_seek", args=[seek.pk]), follow=True).content.count(b"/seats/") == 1
    assert Client().get(f"{link[:-5]}aaaa/").status_code == 410
    assert "Paul Pike invites you." in Client().get(link).content.decode()
    assert Client().post(link, {"do": "accept"})["Location"].startswith("/account/login/?next=/seats/")
    assert paul.post(link, {"do": "accept"}).status_code == 410
    assert logged_in(cast.nora).post(link, {"do": "accept"}).status_code == 403
    begun = petra.post(link, {"do": "accept"})["Location"]
    assert begun == reverse("game", args=[Game.objects.get().pk])
    assert petra.get(link)["Location"] == petra.post(link, {"do": "accept"})["Location"] == begun
    for late in (Client().get(link), Client().post(link, {"do": "decline"}), paul.get(link)):
        assert late.status_code == 410


def test_a_link_is_declined_without_an_account_and_expires(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60})
    invite = reverse("invite_to_seek", args=[Seek.objects.get().pk])
    (link,) = links(paul.post(invite, follow=True).content.decode())
    assert "You declined" in Client().post(link, {"do": "decline"}).content.decode()
    assert Client().post(link, {"do": "decline"}).status_code == 200
    assert "1 person declined." in paul.get(page).content.decode()
    (another,) = links(paul.post(invite, follow=True).content.decode())
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        for late in (Client().get(another), logged_in(cast.petra).post(another, {"do": "accept"})):
            assert late.status_code == 410


def test_who_declined_takes_the_seat_after_all_while_it_is_free(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul), logged_in(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60})
    invite = reverse("invite_to_seek", args=[Seek.objects.get().pk])
    (link,) = links(paul.post(invite, follow=True).content.decode())
    petra.post(link, {"do": "decline"})
    again = petra.get(link).content.decode()
    assert "The seat is still free" in again and 'value="decline"' not in again
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert "You declined, and the seat is not free" in petra.get(link).content.decode()
    assert petra.post(link, {"do": "accept"})["Location"] == reverse("game", args=[Game.objects.get().pk])


def test_who_made_a_link_withdraws_it_on_the_page(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60, "private": "on"})
    shown = paul.get(page).content.decode()
    (link,), (button,) = links(shown), re.findall(r'action="(/seeks/[^"]+/links/[^"]+)"', shown)
    assert logged_in(cast.petra).post(button).status_code == 404
    assert "The link is withdrawn" in paul.post(button, follow=True).content.decode()
    assert Client().get(link).status_code in (404, 410)
    assert link not in paul.get(page).content.decode() and paul.post(button).status_code == 404


def test_the_length_of_a_game_is_chosen_and_told(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul)
    assert "Scoops: to 1 point, " in paul.get(page).content.decode()
    paul.post(page, {"ruleset": "scamper", "seats": 2, "minutes": 60, "length": "short"})
    assert Seek.objects.get().options["rounds"] == 3
    assert "3 deals" in logged_in(cast.petra).get(page).content.decode()


def test_seeks_are_shown_to_members_alone(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    assert logged_in(cast.nora).get(page).status_code == 403
    assert Client().get(page).status_code == 302
    assert page in logged_in(cast.paul).get(reverse("club", args=[cast.club.slug])).content.decode()
    assert page not in Client().get(reverse("club", args=[cast.club.slug])).content.decode()


def test_who_wants_to_play_is_in_the_readers_zone(cast: Cast) -> None:
    choose_zone(by=cast.paul, timezone="Pacific/Auckland")
    create_seek(by=cast.petra, club=cast.club, ruleset="tally", seats=2)
    page = reverse("seeks", args=[cast.club.slug])
    for account, is_there in ((cast.paul, True), (cast.petra, False)):
        assert (" NZ" in logged_in(account).get(page).content.decode()) == is_there


def test_a_new_member_is_led_back_to_the_table_whose_link_was_opened(cast: Cast, client: Client) -> None:
    seek = create_seek(by=cast.paul, club=cast.club, ruleset="scoops", seats=2)
    made = invite_to_seek(by=cast.paul, seek_id=seek.pk)
    seat = reverse("seat_invitation", args=[made.pk, token_to_seat(made)])
    assert "ask an organiser of" in client.get(seat).content.decode()
    client.post(seat, {"do": "accept"})
    invited(cast, player=PlayerFactory.create(club=cast.club))
    assert signed_up(client)["Location"] == seat
    assert client.post(seat, {"do": "accept"})["Location"].startswith("/games/")


@pytest.mark.usefixtures("house_bots")
def test_who_looks_for_players_lets_bots_take_the_empty_seats(cast: Cast) -> None:
    page, paul, petra = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul), logged_in(cast.petra)
    paul.post(page, {"ruleset": "scoops", "seats": 3, "minutes": 60})
    fill = reverse("fill_seek", args=[Seek.objects.get().pk])
    assert fill in paul.get(page).content.decode() and fill not in petra.get(page).content.decode()
    begun = paul.post(fill, {"level": "easy"}, follow=True).content.decode()
    assert "Robot 2" in begun


def test_without_house_bots_nobody_takes_the_empty_seats(cast: Cast) -> None:
    page, paul = reverse("seeks", args=[cast.club.slug]), logged_in(cast.paul)
    paul.post(page, {"ruleset": "scoops", "seats": 3, "minutes": 60})
    fill = reverse("fill_seek", args=[Seek.objects.get().pk])
    with patch.dict(HOUSE_BOTS, clear=True):
        assert fill not in paul.get(page).content.decode()
        assert "does not let bots play" in paul.post(fill, {"level": "easy"}, follow=True).content.decode()
