"""The golden games of High card on paper.

`python -m tests.rules.high_card_on_paper.scenarios` records them again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from games import rules
from tests.rules.recording import Recorder
from tests.toys.high_card_on_paper import HighCardOnPaper

LOGS: Final = Path(__file__).parent / "logs"


def lines(*points: int, **more: Any) -> list[dict[str, Any]]:
    """Return a line for each seat with these points."""
    return [{"points": each, **more} for each in points]


def two_rounds(seats: int) -> Recorder:
    """Return a card of two rounds, the second of which was corrected; a scorekeeper has the last word."""
    game = Recorder("high-card-on-paper", seats, {"rounds": 2})
    others = (0,) * (seats - 1)
    game.seat(0, {"type": "round", "round": 1, "lines": lines(1, *others)})
    game.seat(1, {"type": "confirm", "round": 1})
    game.seat(1, {"type": "round", "round": 2, "lines": lines(1, *others)})
    game.seat(
        0, {"type": "correct", "replaces": 2, "lines": lines(0, *(1 for _ in others), remarks=["late"])}
    )
    game.arbiter({"type": "confirm", "round": 2})
    game.arbiter({"type": "correct", "replaces": 1, "lines": lines(0, *(1 for _ in others))})
    return game


def as_usual() -> Recorder:
    """Return a card of the usual length, written by both seats in turn."""
    game = Recorder("high-card-on-paper", 2)
    for number in (1, 2, 3):
        game.seat(number % 2, {"type": "round", "round": number, "lines": lines(0, 1)})
        game.seat(1 - number % 2, {"type": "confirm", "round": number})
    return game


def without_accounts() -> Recorder:
    """Return a card that is written with the codes of seats and at a kiosk."""
    game = Recorder("high-card-on-paper", 3, {"rounds": 2})
    game.without_account("code", 0, {"type": "round", "round": 1, "lines": lines(1, 0, 0)})
    game.without_account("code", 2, {"type": "confirm", "round": 1})
    game.without_account("kiosk", 1, {"type": "round", "round": 2, "lines": lines(1, 0, 0)})
    game.without_account("code", 0, {"type": "correct", "replaces": 2, "lines": lines(0, 1, 0)})
    game.seat(2, {"type": "confirm", "round": 2})
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "as-usual": as_usual,
    "two-seats": lambda: two_rounds(2),
    "four-seats": lambda: two_rounds(4),
    "without-accounts": without_accounts,
}


if __name__ == "__main__":
    with rules.registered(HighCardOnPaper()):
        for name, record in SCENARIOS.items():
            record().save(LOGS / f"{name}.jsonl")
