"""Seeks and rematches through the API."""

from typing import Any

from tests.api.web import ROOT, assert_problem, bearer, get, move, say
from tests.factories import Cast


def posted(cast: Cast, **changes: object) -> Any:
    body = {"club": cast.club.slug, "ruleset": "tally", "seats": 2, **changes}
    return bearer(cast.paul, "play").post(f"{ROOT}/seeks/", body)


def test_a_member_looks_for_players_and_another_joins(cast: Cast) -> None:
    answer = posted(cast)
    assert (answer.status_code, answer["Location"]) == (201, f"{ROOT}/seeks/{answer.json()['id']}/")
    petra = bearer(cast.petra, "play")
    (listed,) = get("/seeks/", petra)["results"]
    assert listed == get(f"/seeks/{listed['id']}/", petra) == answer.json()
    assert [player["name"] for player in listed["players"]] == ["Paul Pike"]
    joined = petra.post(f"{ROOT}/seeks/{listed['id']}/join/", {})
    assert (joined.status_code, joined.json()["status"]) == (200, "begun")
    assert get(f"/games/{joined.json()['game']}/", petra)["you"] == 1
    assert get("/seeks/", petra)["results"] == []
    assert len(get("/seeks/?status=begun", petra)["results"]) == 1
    assert_problem(petra.post(f"{ROOT}/seeks/{listed['id']}/withdraw/", {}), 422, "illegal")


def test_seeks_are_for_members_of_the_club(cast: Cast) -> None:
    made = posted(cast).json()
    nora = bearer(cast.nora)
    assert get("/seeks/", nora)["results"] == []
    for verb in ("", "join/", "withdraw/"):
        path = f"{ROOT}/seeks/{made['id']}/{verb}"
        assert_problem(nora.post(path, {}) if verb else nora.get(path), 404, "not_found")


def test_errors_are_at_the_fields(cast: Cast) -> None:
    assert [*assert_problem(posted(cast, seats=1), 400, "malformed")["errors"]] == ["seats"]
    assert [*assert_problem(posted(cast, minutes=1), 400, "malformed")["errors"]] == ["minutes"]


def test_a_rematch_is_asked_for_by_one_and_accepted_by_the_other(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 1})
    paul, petra = bearer(cast.paul), bearer(cast.petra)
    move(paul, game, 2, say(5))
    move(petra, game, 3, say(5))
    asked = paul.post(f"{ROOT}/games/{game.pk}/rematch/", {})
    assert (asked.status_code, asked.json()["status"]) == (201, "invited")
    accepted = petra.post(f"{ROOT}/games/{game.pk}/rematch/", {})
    assert (accepted.status_code, accepted.json()["status"]) == (200, "active")
    assert accepted.json()["id"] == asked.json()["id"]
