"""The golden score cards of Scoops as code.

`python -m tests.rules.scoops_scorecard.scenarios` records them all again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"


def opened(number: int, seats: int, *, entropy: bool = False, **options: Any) -> Recorder:
    """Return a new card; its secret is never used but recorded like any game's."""
    return Recorder("scoops-scorecard", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def result(text: str) -> dict[str, Any]:
    """Return the fields of a result: ``Bowl 2 +1`` is won by seat 2 with a bonus, ``Cone -`` by nobody."""
    goal, winner, *bonus = text.split()
    won = {} if winner == "-" else {"winner": int(winner)}
    return {"goal": goal, **won, **({"bonus": int(bonus[0])} if bonus else {})}


def entry(number: int, text: str) -> dict[str, Any]:
    """Return the move that enters a round."""
    return {"type": "round", "round": number, **result(text)}


def correction(number: int, text: str) -> dict[str, Any]:
    """Return the move that corrects a round."""
    return {"type": "correct", "replaces": number, **result(text)}


def confirmation(number: int) -> dict[str, Any]:
    """Return the move that confirms a round."""
    return {"type": "confirm", "round": number}


def kept(number: int, seats: int, *rounds: str, **options: Any) -> Recorder:
    """Return a card whose rounds seat 0 enters and the last seat confirms."""
    game = opened(number, seats, **options)
    for place, text in enumerate(rounds, 1):
        game.seat(0, entry(place, text))
        game.seat(seats - 1, confirmation(place))
    return game


def a_club_night() -> Recorder:
    """Return a card with every goal, a correction, and a bonus that wins."""
    game = kept(1, 4, "Bowl 1", "Shake -", "Cone 3", "Sandwich 1", "Float 0 +1")
    game.seat(2, correction(3, "Cone 2"))
    game.seat(3, confirmation(3))
    game.seat(1, entry(6, "Coffee 2 +2"))
    game.seat(0, confirmation(6))
    return game


def the_scorekeeper_writes() -> Recorder:
    """Return a card that a scorekeeper fills, and that goes on after a correction at its end."""
    game = opened(2, 3, target=2)
    game.arbiter({"type": "penalty", "seat": 1, "points": 1, "reason": "advice"})
    game.seat(0, entry(1, "Bowl 1 +1"))
    game.arbiter(confirmation(1))
    for number, text in enumerate(("Coffee 0", "Float 1"), 2):
        game.arbiter(entry(number, text))
    game.arbiter(correction(3, "Float 2"))
    game.arbiter(entry(4, "Shake 2"))
    return game


def over_before_the_table_knew() -> Recorder:
    """Return a card whose second round turns out to have won the game; the third counts nothing."""
    game = kept(3, 2, "Bowl 0", "Shake 0", "Cone 1")
    game.seat(1, correction(2, "Shake 0 +1"))
    game.seat(0, confirmation(2))
    return game


def a_win_taken_back() -> Recorder:
    """Return a card that goes on, since a correction took the winning point away."""
    game = opened(4, 2, target=1)
    game.seat(0, entry(1, "Float 1"))
    game.seat(0, correction(1, "Float -"))
    game.seat(1, confirmation(1))
    game.seat(0, entry(2, "Float 0"))
    game.seat(1, confirmation(2))
    return game


def a_player_goes_home() -> Recorder:
    """Return a card that goes on without a seat that resigned, and ends with one seat left."""
    game = opened(5, 3)
    game.seat(0, entry(1, "Bowl 0"))
    game.seat(1, {"type": "resign"})
    game.seat(2, confirmation(1))
    game.arbiter({"type": "forfeit", "seat": 2, "reason": "Did not come back."})
    return game


def the_card_was_lost() -> Recorder:
    """Return a card that is abandoned."""
    game = opened(6, 2)
    game.arbiter({"type": "abandon", "reason": "The card was lost."})
    return game


def all_are_ready() -> Recorder:
    """Return a card that began when both seats had said so."""
    game = opened(7, 2, entropy=True, target=1)
    for seat in (1, 0):
        game.seat(seat, {"type": "ready"})
    game.seat(1, entry(1, "Shake 1"))
    game.seat(0, confirmation(1))
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "a-club-night": a_club_night,
    "the-scorekeeper-writes": the_scorekeeper_writes,
    "over-before-the-table-knew": over_before_the_table_knew,
    "a-win-taken-back": a_win_taken_back,
    "a-player-goes-home": a_player_goes_home,
    "the-card-was-lost": the_card_was_lost,
    "all-are-ready": all_are_ready,
    "two-share": lambda: kept(8, 2, "Bowl 0", "Coffee -", "Cone 1", round_limit=3),
    "five-seats": lambda: kept(9, 5, "Bowl 4 +2"),
    "six-seats": lambda: kept(10, 6, "Shake 5 +2"),
    "seven-seats": lambda: kept(11, 7, "Cone 6 +2"),
    "eight-seats": lambda: kept(12, 8, "Coffee 7 +2"),
    "nine-seats": lambda: kept(13, 9, "Float 8 +3", target=4),
}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
