"""Packs, contracts, the first dealer and the deal (S1 to S7)."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from games.engine.cards import JOKER, RANKS, pack
from games.engine.chance import Chance
from games.engine.refusals import Malformed
from games.rules.scamper.options import Options
from games.rules.scamper.rounds import dealt, drawings, opened
from games.rules.scamper.scoring import points
from tests.rules.scamper.tables import SCAMPER, table


def chance(number: int) -> Chance:
    return Chance(number.to_bytes(32, "big"))


@pytest.mark.parametrize("seats", [pytest.param(seats, id=f"S1-{seats}-seats") for seats in (2, 10)])
def test_two_to_ten_may_play(seats: int) -> None:
    assert SCAMPER.read_options({}, seats) == Options()


@pytest.mark.parametrize(
    ("seats", "packs"),
    [
        pytest.param(seats, packs, id=f"S2-{seats}-seats-{packs}-packs")
        for seats, packs in {2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 6, 10: 6}.items()
    ],
)
def test_so_many_packs_with_their_jokers_are_in_play(seats: int, packs: int) -> None:
    state = opened(Options(), seats, chance(1))
    assert Counter(SCAMPER.cards(state)) == Counter(pack() * packs)


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        pytest.param("JK", 50, id="S3-joker"),
        pytest.param("2C", 20, id="S3-deuce"),
        pytest.param("AS", 20, id="S3-ace"),
        *(pytest.param(f"{rank}H", 10, id=f"S3-{rank}") for rank in "89TJQK"),
        *(pytest.param(f"{rank}D", 5, id=f"S3-{rank}") for rank in "34567"),
        pytest.param("JK 2H KD 3C", 85, id="S3-a-hand"),
    ],
)
def test_cards_count(cards: str, value: int) -> None:
    assert points(table(cards).round.hand) == value


@pytest.mark.parametrize("number", [pytest.param(number, id=f"S5-draw-{number}") for number in range(40)])
def test_the_highest_card_deals_and_ties_draw_again(number: int) -> None:
    draws = drawings(chance(number), 5)
    for earlier, later in pairwise(draws):
        assert len(best(earlier)) > 1
        assert later.seats == best(earlier)
    assert opened(Options(), 5, chance(number)).round.dealer == best(draws[-1])[0]
    assert len(best(draws[-1])) == 1


def best(draws: Any) -> tuple[int, ...]:
    counted = [RANKS.index(cards[-1][0]) for cards in draws.cards]
    return tuple(seat for seat, each in zip(draws.seats, counted, strict=True) if each == max(counted))


def test_s5_jokers_and_deuces_are_drawn_again() -> None:
    drawn = [cards for number in range(40) for draws in drawings(chance(number), 5) for cards in draws.cards]
    assert any(len(cards) > 1 for cards in drawn)
    for cards in drawn:
        assert all(card == JOKER or card[0] == "2" for card in cards[:-1])
        assert cards[-1] != JOKER
        assert cards[-1][0] != "2"


def test_s5_the_view_tells_the_draws() -> None:
    state = opened(Options(), 3, chance(2))
    view: Any = SCAMPER.view(state, None)
    assert [each["seat"] for each in view["draws"][0]] == [0, 1, 2]
    assert [tuple(each["cards"]) for each in view["draws"][0]] == [*state.draws[0].cards]


@pytest.mark.parametrize("size", [pytest.param(size, id=f"S7-hands-of-{size}") for size in (6, 8, 13)])
def test_each_seat_gets_a_hand_and_one_card_is_turned_up(size: int) -> None:
    state = opened(Options(hand_size=size), 4, chance(4))
    assert [len(each) for each in state.round.hands] == [size] * 4
    assert len(state.round.discards) == 1
    assert len(state.round.stock) == 3 * 54 - 4 * size - 1


def test_each_round_and_attempt_is_dealt_by_chance_of_its_own() -> None:
    fixed: Any = {"options": Options(), "chance": chance(6), "dealer": 0, "seats": 3}
    deals = [dealt(number=number, attempt=attempt, **fixed) for number in (1, 2) for attempt in (0, 1)]
    assert len({each.hands for each in deals}) == 4
    assert dealt(number=1, **fixed) == deals[0]


@pytest.mark.parametrize(
    ("options", "path"),
    [
        pytest.param({"contracts": []}, "contracts", id="no-contract"),
        pytest.param({"contracts": [{"sets": [], "runs": []}]}, "contracts.0", id="nothing-asked"),
        pytest.param({"contracts": [{"sets": [13], "runs": [4]}]}, "contracts.0", id="seventeen-asked"),
        pytest.param({"contracts": [{"sets": [2], "runs": []}]}, "contracts.0.sets.0", id="a-set-of-two"),
        pytest.param({"contracts": [{"sets": [14], "runs": []}]}, "contracts.0.sets.0", id="a-set-of-14"),
        pytest.param({"rounds": 11}, "rounds", id="more-rounds-than-contracts"),
        pytest.param({"packs": 1}, "packs", id="S2-one-pack"),
        pytest.param({"packs": 9}, "packs", id="S2-nine-packs"),
        pytest.param({"hand_size": 5}, "hand_size", id="hands-of-five"),
        pytest.param({"passing": "left"}, "passing", id="passing-nowhere"),
        pytest.param({"aces": "low"}, "aces", id="S13-aces-low-only"),
    ],
)
def test_options_that_make_no_game_are_malformed(options: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as caught:
        SCAMPER.read_options(options, 4)
    assert f"options.{path}" in caught.value.errors


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        pytest.param({"packs": 2, "hand_size": 13, "wild_cards": "none"}, 8, id="S7-just-the-hands"),
        pytest.param({"packs": 2, "hand_size": 12}, 9, id="S7-nothing-to-turn-up"),
        pytest.param({"packs": 2, "hand_size": 11}, 10, id="S7-not-even-the-hands"),
    ],
)
def test_packs_that_do_not_suffice_for_a_card_to_draw_are_malformed(options: Any, seats: int) -> None:
    with pytest.raises(Malformed, match="too few cards") as caught:
        SCAMPER.read_options(options, seats)
    assert [*caught.value.errors] == ["options.packs"]


def test_s7_the_packs_may_just_suffice_for_a_card_to_draw() -> None:
    options = SCAMPER.read_options({"packs": 2, "hand_size": 13}, 8)
    assert len(opened(options, 8, chance(7)).round.stock) == 3
