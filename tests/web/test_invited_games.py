"""Pages of games that have not begun: who is asked, and the buttons that answer."""

from collections.abc import Callable

from django.test import Client

from games.models import Game
from league.models import Account, Member
from league.services.play import open_casual_game
from tests.factories import Cast

Visit = Callable[[Account], Client]


def opened(cast: Cast) -> Game:
    players = [player.pk for player in cast.people(2)]
    return open_casual_game(by=cast.paul, club=cast.club, ruleset="tally", options={}, players=players)


def test_the_page_of_an_invited_game_says_who_has_not_answered(cast: Cast) -> None:
    page = Client().get(f"/games/{opened(cast).pk}/").content.decode()
    waiting = page.partition("Not answered yet")[2].partition("</ul>")[0]
    assert "Petra Plum" in waiting and "Paul Pike" not in waiting
    assert "/accept/" not in page and "/decline/" not in page


def test_a_player_accepts_from_the_account_page(cast: Cast, as_account: Visit) -> None:
    game, petra = opened(cast), as_account(cast.petra)
    assert f"/games/{game.pk}/accept/" in petra.get("/account/").content.decode()
    petra.post(f"/games/{game.pk}/accept/")
    assert Game.objects.get(pk=game.pk).status == "active"
    assert "Invitations to games" not in petra.get("/account/").content.decode()


def test_a_player_declines(cast: Cast, as_account: Visit) -> None:
    game, petra = opened(cast), as_account(cast.petra)
    petra.post(f"/games/{game.pk}/decline/")
    assert Game.objects.get(pk=game.pk).status == "abandoned"
    assert "called off before it began" in petra.get(f"/games/{game.pk}/").content.decode()


def test_answers_are_only_for_players(cast: Cast, as_account: Visit) -> None:
    game = opened(cast)
    assert as_account(cast.nora).post(f"/games/{game.pk}/accept/").status_code == 403
    assert (
        as_account(cast.paul).post("/games/00000000-0000-4000-8000-000000000000/accept/").status_code == 404
    )
    assert Client().post(f"/games/{game.pk}/accept/").status_code == 302


def test_a_member_lets_games_begin_without_asking(cast: Cast, as_account: Visit) -> None:
    petra = as_account(cast.petra)
    petra.post(f"/account/clubs/{cast.club.slug}/asking/", {"ask": "no"})
    assert Member.objects.get(account=cast.petra).agrees_to_games
    assert "begin without asking you" in petra.get("/account/").content.decode()
