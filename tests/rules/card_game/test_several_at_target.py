"""Who wins a game to a target that several reach in the same deal."""

from typing import Any

import pytest

from games.engine import replay, shapes
from games.engine.refusals import Malformed
from games.engine.values import replace
from games.rules.card_game import CardGame, totals
from games.rules.card_game.checking import check
from games.rules.card_game.definition import JUST_POINTS, Options
from games.rules.card_game.shipped import CANASTA, HEARTS
from tests.rules.card_game.scenarios import canasta, kept, opened, points
from tests.rules.recording import Recorder

TO_100 = replace(JUST_POINTS, title="To 100", target=100)


def ranks(game: Recorder) -> list[int] | None:
    """Return the rank of each seat, None while the game goes on."""
    result = replay.result(game.position)
    return None if result is None else [seat.rank for seat in result.seats]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        pytest.param([points(80, 0, 60), points(50, 99, 40)], [2, 3, 1], id="the-dealer-of-the-last-deal"),
        pytest.param([points(120, 101, 30)], [2, 1, 3], id="who-follows-the-dealer"),
        pytest.param([points(120, 0, 110)], [2, 3, 1], id="the-dealer-comes-last"),
        pytest.param([points(0, 100, 100)], [3, 1, 2], id="level"),
        pytest.param([points(120, 99, 50)], [1, 2, 3], id="one-alone"),
    ],
)
def test_k5_who_comes_first_after_the_dealer_wins(results: list[dict[str, Any]], expected: list[int]) -> None:
    assert ranks(kept(opened(1, 3, replace(TO_100, several_at_target="in_turn")), *results)) == expected


def test_k5_the_side_wins_of_which_one_comes_first_after_the_dealer() -> None:
    game = replace(CANASTA, several_at_target="in_turn")
    both = canasta((5000, 100, 0), (5000, 0, 0))
    assert ranks(kept(opened(1, 4, game), both)) == [3, 1, 3, 1]
    assert ranks(kept(opened(1, 4, CANASTA), both)) == [1, 3, 1, 3]


def test_k5_one_more_deal_is_played_and_then_the_best_total_wins() -> None:
    game = opened(1, 3, replace(TO_100, several_at_target="play_on"))
    assert ranks(kept(game, points(120, 110, 0))) is None
    game.arbiter({"type": "round", "round": 2, **points(0, 10, 0)})
    assert ranks(game) is None, "the best are level"
    game.arbiter({"type": "round", "round": 3, **points(0, 1, 0)})
    assert ranks(game) == [2, 1, 3]


def test_k5_who_reaches_it_alone_needs_no_other_deal() -> None:
    assert ranks(kept(opened(1, 3, replace(TO_100, several_at_target="play_on")), points(99, 100, 0))) == [
        2,
        1,
        3,
    ]


def test_what_is_usual_stands_in_no_opening_so_that_games_keep_their_keys() -> None:
    assert all("several_at_target" not in str(each) for each in CardGame.shipped.values())
    assert shapes.read(type(CANASTA), shapes.write(CANASTA)).several_at_target == "best"


def test_where_the_lowest_total_wins_nobody_wins_by_turn() -> None:
    with pytest.raises(Malformed) as caught:
        check(replace(HEARTS, several_at_target="in_turn"))
    assert [*caught.value.errors] == ["several_at_target"]


@pytest.mark.parametrize(
    ("several", "given", "said"),
    [
        ("in_turn", (120, 110, 0), "who comes first after the dealer wins"),
        ("in_turn", (120, 90, 0), None),
        ("play_on", (7000, 6000, 0), None),
        ("best", (7000, 6000, 0), "nobody comes to 7000"),
    ],
)
def test_totals_alone_are_doubted_where_they_do_not_say_who_wins(
    several: Any, given: tuple[int, ...], said: str | None
) -> None:
    found = totals.doubt(Options(replace(TO_100, several_at_target=several, level_at_target="share")), given)
    assert (said in str(found)) if said else found is None
