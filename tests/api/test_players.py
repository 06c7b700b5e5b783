"""Clubs, their players, records and ratings over the API."""

import pytest

from tests.api.desks import Desk
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get, move, say
from tests.factories import Cast


def test_clubs_and_their_players_are_public(cast: Cast) -> None:
    assert cast.club.slug in [club["slug"] for club in get("/clubs/")["results"]]
    shown = get(f"/clubs/{cast.club.slug}/")
    assert (shown["name"], shown["timezone"]) == ("Harbour Cards", "Europe/Dublin")
    rows = get(f"/clubs/{cast.club.slug}/players/")["results"]
    assert [row["name"] for row in rows] == ["Paul Pike", "Petra Plum"]


@pytest.mark.parametrize(("query", "found"), [
    ("name=PÉT", ["Petra Plum"]), ("active=false", []), ("name=zz", []),
    ("active=true&name=p", ["Paul Pike", "Petra Plum"]), ("name=Paull Pyke", []),
    ("search=pike paul", ["Paul Pike"]), ("search=Paull Pyke", ["Paul Pike"]), ("search=zzz", []),
])  # fmt: skip
def test_players_are_found_by_name(cast: Cast, query: str, found: list[str]) -> None:
    rows = get(f"/clubs/{cast.club.slug}/players/?{query}")["results"]
    assert [row["name"] for row in rows] == found


def test_only_an_organiser_can_add_a_player(cast: Cast) -> None:
    path = f"{ROOT}/clubs/{cast.club.slug}/players/"
    answer = bearer(cast.olga, "organise").post(path, {"name": "Łukasz"})
    assert answer.status_code == 201 and answer.json()["name"] == "Łukasz"
    assert_problem(bearer(cast.paul).post(path, {"name": "X"}), 403, "not_allowed")
    assert_problem(bearer(cast.olga, "play").post(path, {"name": "X"}), 403, "insufficient_scope")
    assert_problem(bearer(cast.olga).post(path, {"name": "\x07"}), 400, "malformed")


@pytest.mark.parametrize("sent", ["Jose\u0301", "\u2068José\u2069", "José\u200f", " José\n", "Jo\u200bsé"])
def test_a_name_is_cleaned_at_the_apis_door(cast: Cast, sent: str) -> None:
    answer = bearer(cast.olga, "organise").post(f"{ROOT}/clubs/{cast.club.slug}/players/", {"name": sent})
    assert (answer.status_code, answer.json()["name"]) == (201, "José")


def test_a_players_record_counts_results_and_meetings(cast: Cast) -> None:
    for numbers in ((3, 9), (5, 5), (8, 1)):
        game = cast.game("tally")
        for seat, number in enumerate(numbers):
            move(bearer((cast.paul, cast.petra)[seat]), game, 2 + seat, say(number))
    cast.game("tally")
    shown = get(f"/players/{cast.paul_plays.pk}/")
    assert [(row["rank"], row["score"]) for row in shown["results"]] == [(1, 8), (1, 5), (2, 3)]
    (meetings,) = shown["head_to_head"]
    assert (meetings["met"], meetings["ahead"], meetings["level"], meetings["behind"]) == (3, 1, 1, 1)
    assert meetings["opponent"]["name"] == "Petra Plum"


def test_ratings_follow_the_results_of_competitions(cast: Cast) -> None:
    desk = Desk(cast)
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    desk.plays(cast)
    shown = get(f"/players/{cast.petra_plays.pk}/")
    (rating,) = shown["ratings"]
    (after,) = rating["history"]
    assert (rating["ruleset"], rating["games"]) == ("tally", 1)
    assert rating["points"] == after["points"] == 1500 + after["gained"] > 1500
    assert rating["sure_points"] == rating["points"] - 3 * rating["uncertainty"]
    assert get(f"/players/{cast.petra_plays.pk}/ratings/?ruleset=tally")["results"] == [after]
    rows = get(f"/clubs/{cast.club.slug}/ratings/?ruleset=tally")["results"]
    assert [row["player"]["name"] for row in rows] == ["Petra Plum", "Paul Pike"]
    assert get(f"/clubs/{cast.club.slug}/ratings/?ruleset=scoops")["results"] == []


@pytest.mark.parametrize("query", ["", "?ruleset=", "?ruleset=%00", "?ruleset=tally@1"])
def test_a_rating_list_has_the_ratings_of_one_game(cast: Cast, query: str) -> None:
    for path in (f"/clubs/{cast.club.slug}/ratings/", f"/players/{cast.paul_plays.pk}/ratings/"):
        shown = assert_problem(EVERYBODY.get(f"{ROOT}{path}{query}"), 400, "malformed")
        assert "ruleset" in shown["errors"]


@pytest.mark.parametrize(
    "path", [f"/players/{NOBODY}/", "/clubs/nowhere/", "/clubs/nowhere/players/", "/clubs/%00/"]
)
@pytest.mark.django_db
def test_unknown_players_and_clubs_are_not_found(path: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}{path}"), 404, "not_found")
