"""What a seat is offered without aid is the same whatever its hand makes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from games.engine import replay
from games.engine.choosing import Choice
from games.engine.replay import Position
from tests.rules.recording import replayed, with_state

HERE = Path(__file__).parent
OF_THE_HAND = {"card", "discard"}
MELDS = {"groups", "melds", "cards"}


def told(choices: Sequence[Choice]) -> list[Any]:
    """Return the choices without the lists of the cards in hand."""
    return [(each.type, {k: v for k, v in each.fields.items() if k not in OF_THE_HAND}) for each in choices]


def with_other_cards(position: Position, seat: int) -> Position:
    """Return the position with other cards in the hand of a seat, as its neighbour may imagine them."""
    other = (seat + 1) % position.seats
    ruleset, state = position.ruleset, position.state
    return with_state(position, ruleset.with_hidden(state, other, ruleset.hidden(state, other)[::-1]))


LOGS = [
    "scoops/logs/float-chocolate-last-float.jsonl",
    "scoops/logs/coffee-for-the-knocker.jsonl",
    "scoops/logs/cone-banana.jsonl",
    "scamper/logs/wild-cards-change-hands.jsonl",
]


@pytest.mark.parametrize("log", LOGS)
def test_without_aid_nothing_tells_what_the_hand_makes(log: str) -> None:
    before, laid = None, 0
    for entry, position in replayed(HERE / log):
        if before and entry["role"] == "seat" and not before.joining:
            seat, made = entry["seat"], entry["move"]
            offered = replay.choices(before, seat, aided=False)
            assert made["type"] in {each.type for each in offered}
            assert not any(
                each.fields[name].values for each in offered for name in MELDS & each.fields.keys()
            )
            assert told(offered) == told(replay.choices(with_other_cards(before, seat), seat, aided=False))
            laid += bool(MELDS & made.keys())
        before = position
    assert laid
