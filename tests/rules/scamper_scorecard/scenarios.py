"""The golden score cards as code.

`python -m tests.rules.scamper_scorecard.scenarios` records them all again.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"

EVENING: Final = (
    "0 35 20 60", "15 0 40 25", "50 20 0 95", "0 70 30 30", "45 55 10 0",
    "20 0 65 35", "0 85 25 110", "35 15 0 50", "130 45 0 60", "5 10 20 15",
)  # fmt: skip
"""Points of four hands in ten rounds; in the last one nobody went out."""


def opened(number: int, seats: int, *, entropy: bool = False, **options: Any) -> Recorder:
    """Return a new card; its secret is never used but recorded like any game's."""
    return Recorder("scamper-scorecard", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def held(cards: str, names: Mapping[int, Sequence[str]] | None = None) -> list[dict[str, Any]]:
    """Return what each seat has to show: points as written, adjustments by seat."""
    called = names or {}
    return [
        {"cards": int(points), **({"adjustments": [*called[seat]]} if seat in called else {})}
        for seat, points in enumerate(cards.split())
    ]


def a_club_night() -> Recorder:
    """Return a card of ten rounds, entered by one player, confirmed by another, with every adjustment."""
    game = opened(1, 4)
    named: dict[int, Mapping[int, Sequence[str]]] = {
        1: {0: ["first_dealer", "exact_deal"], 2: ["undeclared"]},
        2: {1: ["misdeal"], 3: ["wrong_meld"]},
        3: {0: ["too_many_wilds", "advice"], 2: ["exact_deal"]},
        4: {1: ["wrong_challenge", "wrong_challenge"]},
    }
    for number, cards in enumerate(EVENING, 1):
        game.seat(0, {"type": "round", "round": number, "seats": held(cards, named.get(number))})
        if number == 3:
            wrong = held(cards.replace("95", "90"), named[3])
            game.seat(1, {"type": "correct", "replaces": 3, "seats": wrong})
            game.seat(2, {"type": "correct", "replaces": 3, "seats": held(cards, named[3])})
        game.seat(3, {"type": "confirm", "round": number})
    return game


def the_scorekeeper_writes() -> Recorder:
    """Return a card of which a scorekeeper confirms a round, enters the others, corrects one at the end."""
    game = opened(2, 4, rounds=3, first_dealer=2, first_dealer_bonus=-10)
    game.arbiter({"type": "penalty", "seat": 1, "points": 20, "reason": "advice"})
    game.seat(0, {"type": "round", "round": 1, "seats": held(EVENING[0], {2: ["first_dealer"]})})
    game.arbiter({"type": "confirm", "round": 1})
    for number, cards in enumerate(EVENING[1:3], 2):
        game.arbiter({"type": "round", "round": number, "seats": held(cards)})
    game.arbiter({"type": "correct", "replaces": 2, "seats": held("15 0 40 30")})
    return game


def short(number: int, seats: int, *rounds: str, **options: Any) -> Recorder:
    """Return a card whose rounds seat 0 enters and the last seat confirms."""
    game = opened(number, seats, rounds=len(rounds), **options)
    for place, cards in enumerate(rounds, 1):
        game.seat(0, {"type": "round", "round": place, "seats": held(cards)})
        game.seat(seats - 1, {"type": "confirm", "round": place})
    return game


def a_player_goes_home() -> Recorder:
    """Return a card that goes on without a seat that resigned, and ends with one seat left."""
    game = opened(6, 3)
    game.seat(0, {"type": "round", "round": 1, "seats": held("0 10 20")})
    game.seat(1, {"type": "resign"})
    game.seat(2, {"type": "confirm", "round": 1})
    game.arbiter({"type": "forfeit", "seat": 2, "reason": "Did not come back."})
    return game


def the_cards_were_lost() -> Recorder:
    """Return a card that is abandoned."""
    game = opened(7, 2)
    game.arbiter({"type": "abandon", "reason": "The card was lost."})
    return game


def all_are_ready() -> Recorder:
    """Return a card that began when both seats had said so."""
    game = opened(8, 2, entropy=True, rounds=1)
    for seat in (1, 0):
        game.seat(seat, {"type": "ready"})
    game.seat(1, {"type": "round", "round": 1, "seats": held("25 0")})
    game.seat(0, {"type": "confirm", "round": 1})
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "a-club-night": a_club_night,
    "the-scorekeeper-writes": the_scorekeeper_writes,
    "two-seats": lambda: short(3, 2, "0 20", "35 0", wild_cards="none", packs=2),
    "three-share": lambda: short(4, 3, "0 15 20", "15 0 10", "15 15 0", stock_out="add_pack"),
    "ten-seats": lambda: short(
        5,
        10,
        "0 5 10 15 20 25 30 35 40 45",
        contracts=[{"sets": [4], "runs": []}],
        wild_cards="jokers",
    ),
    "six-seats": lambda: short(9, 6, "0 5 10 15 20 25", "30 0 5 55 10 90", first_dealer=5),
    "without-advanced-points": lambda: short(10, 3, "0 15 20", advanced_points=False),
    "a-player-goes-home": a_player_goes_home,
    "the-card-was-lost": the_cards_were_lost,
    "all-are-ready": all_are_ready,
}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
