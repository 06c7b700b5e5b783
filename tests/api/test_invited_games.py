"""Games by invitation through the API."""

from typing import Any

import pytest

from tests.api.web import ROOT, assert_problem, bearer, get, move, say
from tests.factories import Cast


def opened(cast: Cast, *scopes: str) -> dict[str, Any]:
    players = [str(player.pk) for player in cast.people(2)]
    body = {"club": cast.club.slug, "ruleset": "tally", "players": players}
    answer = bearer(cast.paul, *scopes).post(f"{ROOT}/games/", body)
    assert answer.status_code == 201
    shown: dict[str, Any] = answer.json()
    return shown


def test_a_members_game_is_invited_until_the_other_has_accepted(cast: Cast) -> None:
    shown = opened(cast)
    assert (shown["status"], shown["unanswered"], shown["to_act"], shown["choices"]) == (
        "invited",
        [1],
        [],
        [],
    )
    assert (shown["seq"], len(shown["head"]), shown["seed"]) == (1, 64, None)
    assert {"round", "rounds", "scores", "sheet", "turn", "phase"} <= {*shown["view"]}
    assert get("/games/?status=invited")["results"][0]["unanswered"] == [1]
    address = f"{ROOT}/games/{shown['id']}"
    accepted = bearer(cast.petra, "play").post(f"{address}/accept/", {})
    assert accepted.status_code == 200
    assert (accepted.json()["status"], accepted.json()["to_act"]) == ("active", [0])
    assert [row["move"]["type"] for row in get(f"/games/{shown['id']}/moves/")["results"]] == [
        "open",
        "accept_invitation",
    ]


def test_a_declined_game_is_abandoned(cast: Cast) -> None:
    shown = opened(cast)
    declined = bearer(cast.petra, "play").post(f"{ROOT}/games/{shown['id']}/decline/", {})
    assert (declined.status_code, declined.json()["status"]) == (200, "abandoned")
    again = bearer(cast.petra, "play").post(f"{ROOT}/games/{shown['id']}/accept/", {})
    assert_problem(again, 422, "illegal")


@pytest.mark.parametrize("below", ["moves/", "moves/batch/"])
@pytest.mark.parametrize(("who", "scope", "kind"), [
    ("petra", "play:move", "accept_invitation"),
    ("petra", "play:move", "decline_invitation"),
    ("olga", "club:rule", "begin"),
])  # fmt: skip
def test_an_answer_sent_as_a_move_needs_the_scope_of_an_answer(
    cast: Cast, who: str, scope: str, kind: str, below: str
) -> None:
    shown = opened(cast)
    made = {"moves": [{"type": kind}]} if "batch" in below else {"move": {"type": kind}}
    address = f"{ROOT}/games/{shown['id']}/{below}"
    answer = bearer(getattr(cast, who), scope).post(address, {"seq": 2, **made})
    assert answer.status_code in (403, 422), answer.content
    assert get(f"/games/{shown['id']}/")["status"] == "invited"


@pytest.mark.parametrize(("who", "scope", "kind"), [
    ("petra", "play:enter", "accept_invitation"),
    ("petra", "play:enter", "decline_invitation"),
    ("olga", "club:organise", "begin"),
])  # fmt: skip
def test_an_answer_sent_as_a_move_needs_no_other_scope(cast: Cast, who: str, scope: str, kind: str) -> None:
    game = type("Opened", (), {"pk": opened(cast)["id"]})()
    assert move(bearer(getattr(cast, who), scope), game, 2, {"type": kind}).status_code == 201


def test_no_move_is_made_before_the_game_begins(cast: Cast) -> None:
    game = type("Opened", (), {"pk": opened(cast)["id"]})()
    assert_problem(move(bearer(cast.paul), game, 2, say(3)), 422, "illegal")


@pytest.mark.parametrize(("who", "scopes", "code"), [
    ("nora", (), "not_allowed"),
    ("petra", ("read",), "insufficient_scope"),
    ("olga", ("play",), "not_allowed"),
])  # fmt: skip
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_only_the_invited_answer(
    cast: Cast, who: str, scopes: tuple[str, ...], code: str, answer: str
) -> None:
    client = bearer(getattr(cast, who), *scopes)
    assert_problem(client.post(f"{ROOT}/games/{opened(cast)['id']}/{answer}/", {}), 403, code)


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
