"""Who calls, as whom, and what waits for the caller."""

import pytest

from league.services.casual_games import open_casual_game
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get, logged_in
from tests.factories import Cast


def test_a_token_learns_whose_it_is_and_what_it_may(cast: Cast) -> None:
    assert get("/me/", bearer(cast.paul, "play")) == {
        "id": str(cast.paul.pk),
        "username": "paul",
        "bot": False,
        "scopes": ["play"],
        "clubs": [
            {
                "club": cast.club.slug,
                "name": "Harbour Cards",
                "role": "player",
                "player": {"id": str(cast.paul_plays.pk), "name": "Paul Pike", "bot": False},
                "audience": "everybody",
                "findable": False,
                "names": "",
                "calendar": None,
                "asks": True,
            }
        ],
        "awaited": 0,
    }


def test_a_session_has_all_scopes_and_an_organiser_need_not_play(cast: Cast) -> None:
    shown = get("/me/", logged_in(cast.olga))
    assert shown["scopes"] is None
    assert [(each["role"], each["player"]) for each in shown["clubs"]] == [("owner", None)]


def test_nobody_is_nobody(cast: Cast) -> None:
    for address in ("me/", "games/?awaited=me"):
        assert_problem(EVERYBODY.get(f"{ROOT}/{address}"), 401, "not_authenticated")


def test_awaited_games_are_those_with_ones_turn_or_invitation(cast: Cast) -> None:
    turn, not_mine = cast.game("tally"), cast.game("tally", players=[each.pk for each in cast.people(4)[2:]])
    players = [player.pk for player in cast.people(2)]
    asked = open_casual_game(by=cast.petra, club=cast.club, ruleset="tally", options={}, players=players)
    paul, petra = bearer(cast.paul, "play"), bearer(cast.petra, "play")
    assert {row["id"] for row in get("/games/?awaited=me", paul)["results"]} == {str(turn.pk), str(asked.pk)}
    assert get("/games/?awaited=me", petra)["results"] == []
    assert get("/me/", paul)["awaited"] == 2 and str(not_mine.pk)
    organises = bearer(cast.paul, "organise").get(f"{ROOT}/games/?awaited=me")
    assert_problem(organises, 403, "insufficient_scope")


@pytest.mark.parametrize("query", ["awaited=you", "awaited="])
def test_only_the_caller_can_be_asked_for(cast: Cast, query: str) -> None:
    assert EVERYBODY.get(f"{ROOT}/games/?{query}").status_code == 400


def test_a_member_chooses_not_to_be_asked(cast: Cast) -> None:
    address = f"{ROOT}/me/clubs/{cast.club.slug}/"
    assert bearer(cast.paul, "play").put(address, {"asks": False}).json()["asks"] is False
    assert get("/me/", bearer(cast.paul))["clubs"][0]["asks"] is False
    assert_problem(bearer(cast.nora, "play").put(address, {"asks": False}), 403, "not_allowed")
    assert_problem(bearer(cast.paul, "read").put(address, {"asks": True}), 403, "insufficient_scope")


def test_an_account_says_once_and_for_good_that_it_is_a_bots(cast: Cast) -> None:
    paul = bearer(cast.paul, "play")
    assert paul.put(f"{ROOT}/me/bot/", {}).json()["bot"] is True
    assert paul.put(f"{ROOT}/me/bot/", {}).status_code == 200
    players = get(f"/clubs/{cast.club.slug}/players/")["results"]
    assert {player["name"]: player["bot"] for player in players} == {"Paul Pike": True, "Petra Plum": False}
    assert '"bot"' in paul.get(f"{ROOT}/me/")["RateLimit-Policy"]
    game = get(f"/games/{cast.game('tally').pk}/")
    assert [seat["player"]["bot"] for seat in game["seats"]] == [True, False]


def test_an_account_that_has_played_is_no_bots(cast: Cast) -> None:
    cast.game("tally")
    assert_problem(bearer(cast.paul).put(f"{ROOT}/me/bot/", {}), 422, "illegal")
