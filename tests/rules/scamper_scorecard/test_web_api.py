"""Score cards over the API: who may write on one, what each is offered, and which field cannot be."""

from typing import Any

import pytest

from games.models import Game
from league.models import Account, Member
from tests.api.web import assert_problem, bearer, get, move
from tests.factories import Cast, MemberFactory


@pytest.fixture
def game(cast: Cast) -> Game:
    return cast.game("scamper-scorecard", {"rounds": 1})


def keeper(cast: Cast, role: str) -> Account:
    """Return a member who plays nowhere."""
    account: Account = MemberFactory.create(club=cast.club, role=role).account
    return account


def entry(*cards: int, **called: Any) -> dict[str, Any]:
    return {"type": "round", "round": 1, "seats": [{"cards": points, **called} for points in cards]}


CONFIRM = {"type": "confirm", "round": 1}


def offered(game: Game, account: Account) -> list[str]:
    return [choice["type"] for choice in get(f"/games/{game.pk}/", bearer(account))["choices"]]


@pytest.mark.parametrize(
    ("role", "before", "after"),
    [
        (Member.Role.SCOREKEEPER, ["round"], ["confirm", "correct"]),
        (Member.Role.ORGANISER, ["round"], ["confirm", "correct"]),
        (Member.Role.PLAYER, [], []),
    ],
)
def test_a_member_without_a_seat_is_offered_what_the_role_may_do(
    cast: Cast, game: Game, role: str, before: list[str], after: list[str]
) -> None:
    account = keeper(cast, role)
    assert offered(game, account) == before
    move(bearer(cast.paul), game, 2, entry(0, 35))
    assert offered(game, account) == after


def test_what_a_scorekeeper_enters_counts_at_once(cast: Cast, game: Game) -> None:
    scorekeeper = bearer(keeper(cast, Member.Role.SCOREKEEPER))
    for _ in "ab":
        answer = move(scorekeeper, game, 2, entry(0, 35))
    assert (answer.status_code, answer.json()["you"]) == (200, None)
    assert answer.json()["status"] == "finished"
    assert_problem(move(bearer(cast.petra), game, 3, CONFIRM), 422, "illegal")


def test_a_scorekeeper_confirms_what_a_player_entered(cast: Cast, game: Game) -> None:
    move(bearer(cast.paul), game, 2, entry(0, 35))
    confirmed = move(bearer(keeper(cast, Member.Role.SCOREKEEPER)), game, 3, CONFIRM)
    assert confirmed.json()["status"] == "finished"


def test_a_member_of_another_club_writes_nothing(cast: Cast, game: Game) -> None:
    assert offered(game, cast.nora) == []
    assert_problem(move(bearer(cast.nora), game, 2, entry(0, 35)), 403, "not_allowed")


@pytest.mark.parametrize(
    ("made", "status", "code", "fields"),
    [
        (entry(0, 37), 422, "illegal", ["move.seats.1.cards"]),
        (entry(0, 35, adjustments=["misdeal"]), 422, "illegal", ["move.seats.1.adjustments"]),
        (entry(-5, 10**6), 400, "malformed", ["move.seats.0.cards", "move.seats.1.cards"]),
    ],
)
def test_a_refusal_names_every_field_that_is_to_blame(
    cast: Cast, game: Game, made: object, status: int, code: str, fields: list[str]
) -> None:
    answer = assert_problem(move(bearer(cast.paul), game, 2, made), status, code)
    assert [*answer["errors"]] == fields


def test_a_correction_is_drafted_as_the_round_stands(cast: Cast, game: Game) -> None:
    answer = move(bearer(cast.paul), game, 2, entry(0, 35)).json()
    (correct,) = answer["choices"]
    lines = correct["fields"]["seats"]["by_seat"]
    assert [line["cards"]["draft"] for line in lines] == [0, 35]
    assert "misdeal" in lines[0]["adjustments"]["values"]
    assert "misdeal" not in lines[1]["adjustments"]["values"]
