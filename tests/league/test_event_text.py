"""A competition's log in words."""

import pytest

from league.core.verbs import EVENTS
from league.words.event_text import sentence_of

NAMES = {"t": "Round 2, table 3", "e": "Anna"}

SAID = [
    ({"type": "result_recorded", "table": "t", "status": "finished"}, "Round 2, table 3 has finished."),
    (
        {"type": "result_recorded", "table": "t", "status": "abandoned"},
        "Round 2, table 3: the game is abandoned.",
    ),
    ({"type": "withdrawn", "entry": "e", "reason": "moved away"}, "Anna withdraws. (moved away)"),
    ({"type": "substituted", "entry": "e"}, "A substitute plays for Anna from round 1 on."),
]


@pytest.mark.parametrize(("event", "sentence"), SAID)
def test_an_event_has_a_sentence(event: dict[str, object], sentence: str) -> None:
    assert sentence_of(event, NAMES) == sentence


def test_a_round_names_its_stage_where_there_are_several() -> None:
    assert sentence_of({"type": "drawn", "stage": 2, "round": 1}, {}, "Cup") == "Round 1 of Cup is drawn."


def test_every_event_has_a_sentence() -> None:
    assert all(event.text for event in EVENTS.values())
