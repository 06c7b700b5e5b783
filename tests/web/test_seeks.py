"""Who wants to play, and rematches, on pages."""

from django.test import Client
from django.urls import reverse

from games.models import Game
from league.models import Player, Seek
from league.services.play import make_move
from tests.api.web import say
from tests.factories import Cast


def browsing(account: object) -> Client:
    client = Client()
    client.force_login(account)  # type: ignore[arg-type]
    return client


def test_a_member_looks_for_players_and_another_joins(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    paul, petra = browsing(cast.paul), browsing(cast.petra)
    refused = paul.post(page, {"ruleset": "scram", "seats": 9, "minutes": 60})
    assert refused.status_code == 422 and not Seek.objects.exists()
    assert paul.post(page, {"ruleset": "scoops", "seats": 2, "minutes": 60}).status_code == 302
    seek = Seek.objects.get()
    assert reverse("withdraw_seek", args=[seek.pk]) in paul.get(page).content.decode()
    assert reverse("join_seek", args=[seek.pk]) in petra.get(page).content.decode()
    joined = petra.post(reverse("join_seek", args=[seek.pk]))
    assert joined["Location"] == reverse("game", args=[Game.objects.get().pk])
    late = petra.post(reverse("withdraw_seek", args=[seek.pk]), follow=True)
    assert "The game has begun." in late.content.decode()


def test_seeks_are_shown_to_members_alone(cast: Cast) -> None:
    page = reverse("seeks", args=[cast.club.slug])
    assert browsing(cast.nora).get(page).status_code == 403
    assert Client().get(page).status_code == 302
    assert page in browsing(cast.paul).get(reverse("club", args=[cast.club.slug])).content.decode()
    assert page not in Client().get(reverse("club", args=[cast.club.slug])).content.decode()


def test_a_finished_game_has_a_rematch_for_its_players(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 1})
    make_move(by=cast.paul, game_id=game.pk, seq=2, move=say(5))
    make_move(by=cast.petra, game_id=game.pk, seq=3, move=say(5))
    page, button = reverse("game", args=[game.pk]), reverse("rematch", args=[game.pk])
    assert button in browsing(cast.petra).get(page).content.decode()
    assert button not in browsing(cast.nora).get(page).content.decode()
    asked = browsing(cast.petra).post(button)
    accepted = browsing(cast.paul).post(button)
    assert asked["Location"] == accepted["Location"] != page


def test_a_bot_is_marked_on_pages(cast: Cast) -> None:
    Player.objects.filter(pk=cast.paul_plays.pk).update(bot=True)
    game = cast.game("tally")
    for page in (
        reverse("player", args=[cast.paul_plays.pk]),
        reverse("club", args=[cast.club.slug]),
        reverse("game", args=[game.pk]),
    ):
        assert '<span class="badge">bot</span>' in Client().get(page).content.decode(), page
