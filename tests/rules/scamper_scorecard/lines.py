"""Lines of a score card: a round in a few figures, and what is refused."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import pytest

from games.engine.refusals import Illegal
from games.rules.scamper.state import Called
from games.rules.scamper_scorecard import ScamperScorecard
from tests.rules.recording import Recorder
from tests.rules.scamper_scorecard.scenarios import held

CARD = ScamperScorecard()
NAMES = get_args(Called)


def entry(number: int, cards: str, names: Mapping[int, Sequence[str]] | None = None) -> dict[str, Any]:
    """Return the move that enters a round."""
    return {"type": "round", "round": number, "seats": held(cards, names)}


def refused(game: Recorder, seat: int, move: Mapping[str, Any]) -> str | None:
    """Return the rule that the refusal of a seat's move quotes."""
    with pytest.raises(Illegal) as caught:
        game.seat(seat, move)
    return caught.value.rule
