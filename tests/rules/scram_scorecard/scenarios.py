"""The golden score cards of Scram! as code.

`python -m tests.rules.scram_scorecard.scenarios` records them all again.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.rules.recording import Recorder

LOGS: Final = Path(__file__).parent / "logs"


def opened(number: int, seats: int, *, entropy: bool = False, **options: Any) -> Recorder:
    """Return a new card; its secret is never used but recorded like any game's."""
    return Recorder("scram-scorecard", seats, options, secret=number.to_bytes(32, "big"), entropy=entropy)


def result(text: str) -> dict[str, Any]:
    """Return the fields of a result: ``12 5! 30 7`` are sums, of whom the second declared Scram."""
    sums = text.split()
    declared = [seat for seat, own in enumerate(sums) if own.endswith("!")]
    shown = [{"sum": int(own.rstrip("!"))} for own in sums]
    return {"seats": shown, **({"scram": declared[0]} if declared else {})}


def entry(number: int, text: str) -> dict[str, Any]:
    """Return the move that enters a round."""
    return {"type": "round", "round": number, **result(text)}


def correction(number: int, text: str) -> dict[str, Any]:
    """Return the move that corrects a round."""
    return {"type": "correct", "replaces": number, **result(text)}


def confirmation(number: int) -> dict[str, Any]:
    """Return the move that confirms a round."""
    return {"type": "confirm", "round": number}


def kept(number: int, *rounds: str, **options: Any) -> Recorder:
    """Return a card whose rounds seat 0 enters and the last seat confirms."""
    seats = len(rounds[0].split())
    game = opened(number, seats, **options)
    for place, text in enumerate(rounds, 1):
        game.seat(0, entry(place, text))
        game.seat(seats - 1, confirmation(place))
    return game


def a_club_night() -> Recorder:
    """Return a card of four rounds: Scram won, Scram lost, Scram level, and nobody declared; a correction."""
    game = kept(1, "3! 20 10 15", "12! 5 20 9", "6 8 12 10!")
    game.seat(1, correction(2, "12! 5 21 9"))
    game.seat(2, confirmation(2))
    game.seat(3, entry(4, "30 20 11 25"))
    game.seat(0, confirmation(4))
    return game


def the_scorekeeper_writes() -> Recorder:
    """Return a card of which a scorekeeper confirms a round, enters the other, corrects one at the end."""
    game = opened(2, 3, rounds=2)
    game.arbiter({"type": "penalty", "seat": 1, "points": 7, "reason": "talk about cards"})
    game.seat(0, entry(1, "20 8! 9"))
    game.arbiter(confirmation(1))
    game.arbiter(entry(2, "14! 9 4"))
    game.arbiter(correction(1, "20 8! 11"))
    return game


def a_camper_goes_home() -> Recorder:
    """Return a card that goes on without a camper who resigned, and ends when the team has left."""
    game = opened(3, 4)
    game.seat(0, entry(1, "10 20 30 5"))
    game.seat(1, {"type": "resign"})
    game.seat(2, confirmation(1))
    game.arbiter({"type": "forfeit", "seat": 3, "reason": "Did not come back."})
    return game


def the_card_was_lost() -> Recorder:
    """Return a card that is abandoned."""
    game = opened(4, 3)
    game.arbiter({"type": "abandon", "reason": "The card was lost."})
    return game


def all_are_ready() -> Recorder:
    """Return a card that began when all seats had said so."""
    game = opened(5, 3, entropy=True, rounds=1)
    for seat in (2, 1, 0):
        game.seat(seat, {"type": "ready"})
    game.seat(1, entry(1, "25 10 8"))
    game.seat(0, confirmation(1))
    return game


SCENARIOS: Final[Mapping[str, Callable[[], Recorder]]] = {
    "a-club-night": a_club_night,
    "the-scorekeeper-writes": the_scorekeeper_writes,
    "a-camper-goes-home": a_camper_goes_home,
    "the-card-was-lost": the_card_was_lost,
    "all-are-ready": all_are_ready,
    "three-campers": lambda: kept(6, "20 8 9", "15! 8 8", "12 6! 7"),
    "six-campers": lambda: kept(7, "10 11 12 13 14 15", "3! 5 9 20 8 7", "8 9 10 11 12! 1"),
    "level-but-for-the-last-round": lambda: kept(8, "10 12 10 10", "11 10 11 10", rounds=2),
    "level-for-the-solo": lambda: kept(9, "20 10 10", rounds=1),
    "nobody-wins": lambda: kept(10, "10 12 10 8", "5 3 1 3", rounds=2),
}


if __name__ == "__main__":
    for name, record in SCENARIOS.items():
        record().save(LOGS / f"{name}.jsonl")
