"""Pages of games that have not begun: who is asked, and the buttons that answer."""

from collections.abc import Callable

from django.test import Client

from games.models import Game
from league.callers import ByAccount
from league.models import Account, Member
from league.services.casual_games import open_casual_game, open_rematch
from league.services.play import make_move
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


def test_a_rematch_says_who_asks_for_which_game_and_how_long_it_is(cast: Cast, as_account: Visit) -> None:
    played = cast.game("scoops", {"target": 2, "turn_limit": 40})
    make_move(ByAccount(cast.petra), game_id=played.pk, seq=2, move={"type": "resign"})
    game, _created = open_rematch(by=cast.paul, game_id=played.pk)
    for address in ("/account/", f"/games/{game.pk}/"):
        page = as_account(cast.petra).get(address).content.decode()
        assert "A rematch counts in no competition." in page and "nothing counts" not in page
        assert "Paul Pike asks for a rematch." in page and f'href="/games/{played.pk}/"' in page
        assert "Scoops · to 2 points · 2 players" in page
        assert "<dd>40</dd>" in page and "<dd>2</dd>" not in page
    other = as_account(cast.petra).get(f"/games/{opened(cast).pk}/").content.decode()
    assert "Paul Pike asks for this game." in other


def test_the_finished_game_shows_the_rematch_that_another_asks_for(cast: Cast, as_account: Visit) -> None:
    played = cast.game("scoops", {"target": 2, "turn_limit": 40})
    make_move(ByAccount(cast.petra), game_id=played.pk, seq=2, move={"type": "resign"})
    page, petra = f"/games/{played.pk}/", as_account(cast.petra)
    again, _created = open_rematch(by=cast.paul, game_id=played.pk)
    shown, asker = petra.get(page).content.decode(), as_account(cast.paul).get(page).content.decode()
    assert "Paul Pike asks for a rematch." in shown and f"/games/{again.pk}/accept/" in shown
    assert f"/games/{again.pk}/decline/" in shown and f"{page}rematch/" not in shown + asker
    assert "It waits for answers." in asker and f"/games/{again.pk}/accept/" not in asker
    assert "asks for a rematch" not in Client().get(page).content.decode()
    petra.post(f"/games/{again.pk}/decline/")
    assert f"{page}rematch/" in petra.get(page).content.decode()
