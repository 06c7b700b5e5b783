"""Deals of the games that come with the server, scored without their definitions; and their frames."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import pytest

from games.engine import shapes
from games.engine.paper import Card
from games.engine.refusals import Refusal
from games.rules.card_game.definition import Definition, Options
from games.rules.card_game.formula import worked_out
from games.rules.card_game.score_card import check_result, numbers, result_of, whole
from tests.rules.card_game.scenarios import canasta, jass, lines, shipped, skat, winners

Points = tuple[int, ...] | None


def scored(game: Definition, seats: int, deal: int, written: dict[str, Any]) -> Points:
    """Return what a deal brings each seat, None for one that is refused."""
    card: Card[Options, Any] = Card(Options(game), seats)
    try:
        result: Any = whole(card, shapes.read(result_of(game), written))
        check_result(card, deal, result)
    except Refusal:
        return None
    return worked_out(game, seats, deal, numbers(game, seats, result))[game.score]


Deals = Iterator[tuple[int, int, dict[str, Any], Points]]
"""Deals: how many sit at the table, the number of the deal, what is written, and what it brings."""


def of_skat() -> Deals:
    suits = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12, "grand": 24}
    nulls = {"null": 23, "null hand": 35, "null open": 46, "null open hand": 59}
    for (seats, deal), declarer in product([(3, 1), (4, 1), (4, 3)], (0, 1, 2, 3)):
        for base, worth in (suits | nulls).items():
            most = 1 if base in nulls else 11 if base == "grand" else 18
            for times, bid, won in product((1, 2, 11, 12, 18), (None, 18, 59), (True, False)):
                possible = (base in nulls or times > 1) and times <= most
                reached = -(-max(bid or 0, times * worth) // worth) * worth
                lost = not won or (bid or 0) > times * worth
                own = -2 * reached - 50 if lost else reached + 50
                others = {3: 40, 4: 30}[seats] * lost
                points = tuple(own if seat == declarer else others for seat in range(seats))
                out = seats == 4 and declarer == (deal - 1) % 4
                legal = possible and declarer < seats and not out
                yield seats, deal, skat(declarer, base, times, won=won, bid=bid), points if legal else None
    yield 4, 1, {}, (0, 0, 0, 0)
    yield 3, 1, skat(0, "grand", 2, bid=264), (-578, 40, 40)
    beyond = [skat(0, "clubs", 0), skat(0, "clubs", 19), skat(0, "grand", 2, bid=265)]
    parts: list[dict[str, Any]] = [{"base": "clubs"}, {"multiplier": 2}, {"bid": 18}, {"won": True}]
    for wrong in parts + beyond:
        yield 3, 1, wrong, None


def of_doppelkopf() -> Deals:
    for seats, deal, value in product((4, 5), (1, 2, 4), (-21, -20, -1, 0, 1, 2, 3, 50, 51)):
        out = (deal - 1) % seats if seats == 5 else None
        for ticked in product((False, True), repeat=seats):
            won = [seat for seat in range(seats) if ticked[seat]]
            alone = {1: (3, -1), 2: (1, -1), 3: (1, -3), 0: (0, 0)}.get(len(won))
            legal = alone and out not in won and -20 <= value <= 50 and (won or value == 0)
            points = tuple(
                0 if seat == out or not alone else value * alone[seat not in won] for seat in range(seats)
            )
            yield seats, deal, winners(value, *won, table=seats), points if legal else None
    yield 4, 1, lines("won", True, True, False, False), None
    yield 4, 1, {"value": 1, **lines("won", True, True, False, None)}, None


def of_jass() -> Deals:
    pairs = [
        (0, 157),
        (1, 156),
        (157, 0),
        (100, 57),
        (256, 1),
        (257, 0),
        (0, 257),
        (257, 1),
        (100, 56),
        (258, -1),
    ]
    for times, (first, second), stock, weis in product(
        range(8), pairs, (None, 0, 1), (0, 20, 1000, -1, 1001)
    ):
        own = ((first + weis + 20 * (stock == 0)) * times, (second + 20 * (stock == 1)) * times)
        dealt = first + second == 157 or {first, second} == {0, 257}
        legal = dealt and 1 <= times <= 6 and min(first, second) >= 0 and 0 <= weis <= 1000
        yield 4, 1, jass(times, first, second, stock=stock, weis=weis), own * 2 if legal else None
    both, neither, unknown = (jass(1, 157, 0, stock=0) for _ in range(3))
    both["seats"][1]["stock"] = True
    del neither["seats"][1]["cards"], unknown["times"]
    yield from ((4, 1, wrong, None) for wrong in (both, neither, unknown))


def of_cribbage() -> Deals:
    for first, second in product((-1, 0, 89, 90, 91, 119, 120, 121, 122), repeat=2):
        legal = max(first, second) == 121 > min(first, second) >= 0
        points = tuple((2 + (121 - min(first, second) >= 31)) * (each == 121) for each in (first, second))
        yield 2, 1, lines("pegged", first, second), points if legal else None
    yield 2, 1, lines("pegged", 121, None), None


def of_canasta() -> Deals:
    bounds = ((-1, 0, 5000, 5001), (-1001, -1000, 0, 5000, 5001), (-1, 0, 3000, 3001))
    for seats, melds, bonuses, left in product((2, 4), *bounds):
        own = (melds + bonuses - left, 100 - 20) * (seats // 2)
        legal = 0 <= melds <= 5000 and -1000 <= bonuses <= 5000 and 0 <= left <= 3000
        yield seats, 1, canasta((melds, bonuses, left), (100, 0, 20)), own if legal else None
    for name in ("melds", "bonuses", "left"):
        whole = canasta((100, 0, 20), (100, 0, 20))
        del whole["seats"][1][name]
        yield 2, 1, whole, None


def of_hearts() -> Deals:
    for seats, first, second in product((3, 4, 5, 6), (-1, 0, 1, 13, 25, 26, 27), (0, 1, 13, 26)):
        for rest in {26 - first - second, 25 - first - second}:
            taken = (first, second, *[0] * (seats - 3), rest)
            legal = sum(taken) == 26 and min(taken) >= 0
            points = tuple(26 - each if 26 in taken else each for each in taken)
            yield seats, 1, lines("taken", *taken), points if legal else None
    yield 3, 1, lines("taken", 13, 13, None), None


@pytest.mark.parametrize(
    ("key", "deals"),
    [
        ("skat", of_skat),
        ("doppelkopf", of_doppelkopf),
        ("jass", of_jass),
        ("cribbage", of_cribbage),
        ("canasta", of_canasta),
        ("hearts", of_hearts),
    ],
)
def test_k4_all_kinds_of_deals_score_as_they_do_otherwise(key: str, deals: Any) -> None:
    game = shipped(key)
    wrong = [each for each in deals() if scored(game, *each[:3]) != each[3]]
    assert not wrong, wrong[0]


# How many sit at the table and deals at each, sides, players of a deal, target, and whether the lowest wins.
FRAMES: Final = {
    "skat": ({3: 36, 4: 48}, 0, 3, 0, False),
    "doppelkopf": ({4: 24, 5: 30}, 0, 4, 0, False),
    "jass": ({4: 60}, 2, 0, 2500, False),
    "cribbage": ({2: 9}, 0, 0, 0, False),
    "canasta": ({2: 30, 4: 30}, 2, 0, 5000, False),
    "hearts": ({3: 40, 4: 40, 5: 40, 6: 40}, 0, 0, 100, True),
}


@pytest.mark.parametrize(("key", "frame"), FRAMES.items(), ids=FRAMES)
def test_k5_a_game_has_the_tables_the_length_and_the_end_that_its_source_says(key: str, frame: Any) -> None:
    game = shipped(key)
    dealt = {seats: game.dealt(seats) for seats in game.seats}
    assert (dealt, game.sides, game.players, game.target, game.low_wins) == frame
    assert (game.level_at_target, game.may_end) == ("play_on", False)
