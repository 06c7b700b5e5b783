"""The golden games of High card: `python -m tests.rules.high_card.scenarios` records them again."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from games import rules
from tests.rules.recording import Recorder
from tests.toys.high_card import HighCard

LOGS: Final = Path(__file__).parent / "logs"


def by_bots(seats: int, **options: int) -> Recorder:
    """Return a game that bots play to its end."""
    game = Recorder("high-card", seats, options)
    game.play()
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "two-seats": lambda: by_bots(2),
    "four-seats-one-round": lambda: by_bots(4, rounds=1),
}


if __name__ == "__main__":
    with rules.registered(HighCard()):
        for name, record in SCENARIOS.items():
            record().save(LOGS / f"{name}.jsonl")
