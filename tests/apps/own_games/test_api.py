"""The games of a club over the API."""

from typing import Any

from games.engine import shapes
from games.engine.values import replace
from games.rules.card_game.shipped import HEARTS
from tests.api.web import ROOT, assert_problem, bearer
from tests.factories import Cast

OURS = {"definition": shapes.write(replace(HEARTS, title="Black Maria"))}


def address(cast: Cast) -> str:
    return f"{ROOT}/clubs/{cast.club.slug}/own-games/"


def test_a_program_makes_a_game_opens_a_competition_with_it_and_retires_it(cast: Cast) -> None:
    olga = bearer(cast.olga, "organise")
    made = olga.post(address(cast), OURS)
    assert made.status_code == 201, made.content
    game = made.json()
    assert (game["title"], game["definition"], game["retired_at"]) == (
        "Black Maria",
        OURS["definition"],
        None,
    )
    assert olga.get(address(cast)).json()["results"] == [game]
    stage = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4}
    body: dict[str, Any] = {
        "club": cast.club.slug,
        "name": "Autumn",
        "ruleset": game["ruleset"].partition("@")[0],
        "stages": [stage],
    }
    opened = olga.post(f"{ROOT}/competitions/", body)
    assert opened.status_code == 201, opened.content
    retired = olga.post(f"{address(cast)}{game['id']}/retire/", {})
    assert (retired.status_code, retired.json()["retired_at"] is None) == (200, False)


def test_the_same_definition_is_kept_once(cast: Cast) -> None:
    olga = bearer(cast.olga, "organise")
    first, second = (olga.post(address(cast), OURS).json() for _ in range(2))
    assert first == second


def test_what_is_wrong_with_a_definition_is_told_with_its_path(cast: Cast) -> None:
    wrong = {"definition": {**OURS["definition"], "seats": [4, 3]}}
    assert_problem(bearer(cast.olga, "organise").post(address(cast), wrong), 400, "malformed")
    answer = bearer(cast.olga, "organise").post(address(cast), wrong)
    assert [*answer.json()["errors"]] == ["definition.seats"]


def test_only_organisers_read_and_make_games(cast: Cast) -> None:
    for account in (cast.paul, cast.nora):
        caller = bearer(account, "organise")
        assert_problem(caller.get(address(cast)), 403, "not_allowed")
        assert_problem(caller.post(address(cast), OURS), 403, "not_allowed")
