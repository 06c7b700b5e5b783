"""Who enters what on a score card of a club's game."""

from typing import Any

import pytest

from games.engine import replay
from games.engine.refusals import Illegal, Malformed
from games.engine.values import replace
from games.rules.card_game.checking import check
from games.rules.card_game.definition import JUST_POINTS, Adds, Definition, Term, Written
from tests.rules.card_game.scenarios import entry, lines, opened, points
from tests.rules.recording import Recorder

POINTS = replace(JUST_POINTS.fields[0], by="dealer")
BY_THE_DEALER = replace(JUST_POINTS, title="Dealers write", fields=(POINTS,))
BONUS = Written("bonus", "Bonus", most=50, optional=True, by="scorekeepers")
SPECIAL = Written("special", "Special round", per="deal", kind="tick", optional=True, by="scorekeepers")
WITH_A_BONUS = Definition(
    title="A bonus by the scorekeeper",
    fields=(JUST_POINTS.fields[0], BONUS, SPECIAL),
    steps=(Adds("total", (Term(1, "points"), Term(1, "bonus"), Term(5, "special"))),),
    score="total",
)
CONFIRM = {"type": "confirm", "round": 1}


def with_bonus(bonus: int, *values: int) -> dict[str, Any]:
    """Return a result of points, with a bonus for seat 0."""
    result = lines("points", *values)
    result["seats"][0]["bonus"] = bonus
    return result


def offered(game: Recorder, seat: int) -> dict[str, Any]:
    """Return the fields that a seat may enter now, by the type of the move."""
    return {each.type: each.fields for each in replay.choices(game.position, seat)}


def test_k2_who_deals_enters_the_deal_and_another_confirms_it() -> None:
    game = opened(1, 3, BY_THE_DEALER)
    assert replay.to_act(game.position) == (0,)
    with pytest.raises(Illegal):
        game.seat(1, entry(1, **points(1, 2, 3)))
    game.seat(0, entry(1, **points(1, 2, 3)))
    assert {*offered(game, 2)} == {"confirm"}
    game.seat(2, CONFIRM)
    assert replay.to_act(game.position)[:2] == (0, 1)
    assert "round" in offered(game, 1) and "round" not in offered(game, 0)


def test_k2_for_a_dealer_who_has_left_everybody_enters() -> None:
    game = opened(1, 3, BY_THE_DEALER)
    game.seat(0, {"type": "resign"})
    assert replay.to_act(game.position) == (1, 2)
    game.seat(1, entry(1, **lines("points", None, 2, 3)))


def test_k2_what_only_a_scorekeeper_enters_is_offered_to_no_player_and_stays_when_one_corrects() -> None:
    game = opened(1, 3, WITH_A_BONUS)
    fields = offered(game, 0)["round"]
    assert "special" not in fields and not fields["seats"].by_seat[0]["bonus"].offered
    with pytest.raises(Illegal) as caught:
        game.seat(0, entry(1, **with_bonus(10, 1, 2, 3)))
    assert [*caught.value.errors] == ["seats.0.bonus"]
    game.arbiter(entry(1, **with_bonus(10, 1, 2, 3), special=True))
    assert offered(game, 1)["correct"]["special"].values == (True,)
    correction = {"type": "correct", "replaces": 1}
    for wrong in (points(1, 2, 4), with_bonus(20, 1, 2, 4)):
        with pytest.raises(Illegal):
            game.seat(1, {**correction, **wrong, "special": True})
    game.seat(1, {**correction, **with_bonus(10, 1, 2, 4), "special": True})
    assert game.position.ruleset.scores(game.position.state) == (16, 7, 9)


@pytest.mark.parametrize(("low_wins", "winner"), [(False, 2), (True, 0)])
def test_k2_who_wins_the_deal_enters_it_and_corrects_it(low_wins: bool, winner: int) -> None:
    won = replace(BY_THE_DEALER, fields=(replace(POINTS, by="winner"),), low_wins=low_wins)
    game = opened(1, 3, won)
    assert replay.to_act(game.position) == (0, 1, 2) and not offered(game, 0)["round"]["seats"].values
    for other in {0, 1, 2} - {winner}:
        with pytest.raises(Illegal, match="only who wins the deal enters this"):
            game.seat(other, entry(1, **points(1, 2, 3)))
    game.seat(winner, entry(1, **points(1, 2, 3)))
    game.seat(1, CONFIRM)
    game.arbiter(entry(2, **points(1, 2, 3)))


def test_k2_where_the_winner_has_left_everybody_enters() -> None:
    game = opened(1, 3, replace(BY_THE_DEALER, fields=(replace(POINTS, by="winner"),)))
    game.seat(0, {"type": "resign"})
    game.seat(2, entry(1, **lines("points", None, -2, -3)))


@pytest.mark.parametrize("optional", [False, True])
def test_a_game_in_which_no_player_could_enter_a_deal_is_refused(optional: bool) -> None:
    with pytest.raises(Malformed) as caught:
        check(replace(JUST_POINTS, fields=(replace(POINTS, by="scorekeepers", optional=optional),)))
    assert [*caught.value.errors] == ["fields.0.by"]
