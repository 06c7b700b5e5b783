"""The score card of high card, rule by rule."""

from typing import Any

import pytest

from games import rules
from games.engine.base import OpenRound
from games.engine.refusals import Illegal
from tests.rules.high_card_on_paper.scenarios import LOGS, SCENARIOS, lines
from tests.rules.recording import Recorder
from tests.toys.high_card_on_paper import HighCardOnPaper

RULES = HighCardOnPaper()


def card(*moves: tuple[int, dict[str, Any]]) -> Recorder:
    """Return a card for two on which these seats have written."""
    with rules.registered(RULES):
        game = Recorder("high-card-on-paper", 2)
    for seat, move in moves:
        game.seat(seat, move)
    return game


FIRST = (0, {"type": "round", "round": 1, "lines": lines(1, 0)})
CORRECTED = (1, {"type": "correct", "replaces": 1, "lines": lines(0, 1)})


@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        pytest.param([(0, {**FIRST[1], "round": 2})], "P1", id="P1-the-second-round-first"),
        pytest.param([(0, {"type": "confirm", "round": 1})], "P3", id="P3-nothing-is-entered"),
        pytest.param([(0, {**FIRST[1], "lines": lines(0, 0)})], "P2", id="P2-nobody-has-the-point"),
        pytest.param([(0, {**FIRST[1], "lines": lines(1, 0, 0)})], "P2", id="P2-a-line-too-many"),
        pytest.param([FIRST, (0, {"type": "confirm", "round": 1})], "P3", id="P3-with-oneself"),
        pytest.param([FIRST, *[CORRECTED] * 4], "P4", id="P4-a-fourth-time"),
    ],
)
def test_what_cannot_be_is_refused(moves: list[tuple[int, dict[str, Any]]], rule: str) -> None:
    with pytest.raises(Illegal) as caught:
        card(*moves)
    assert caught.value.rule == rule


def test_rounds_are_open_until_somebody_confirms_them() -> None:
    assert RULES.open_rounds(card(FIRST).position.state) == (OpenRound(1),)
    assert RULES.open_rounds(card(FIRST, CORRECTED).position.state) == (OpenRound(1, disputed=True),)
    assert RULES.open_rounds(card(FIRST, (1, {"type": "confirm", "round": 1})).position.state) == ()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_golden_game_is_recorded_to_the_letter(name: str) -> None:
    with rules.registered(RULES):
        recorded = "\n".join(SCENARIOS[name]().lines()) + "\n"
    assert recorded == (LOGS / f"{name}.jsonl").read_text(encoding="utf-8")
