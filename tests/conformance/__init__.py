"""The scenarios of the conformance kit: ``python -m tests.conformance`` records them all again."""

from tests.conformance import (
    made_games,
    scamper,
    scamper_challenges,
    scamper_melds,
    scoops,
    scoops_rulings,
    scoops_sets,
    scoops_turns,
    scorecard,
    scram,
    scram_actions,
    scram_corners,
    scram_rulings,
)
from tests.conformance.recorder import SCENARIOS

__all__ = [
    "SCENARIOS",
    "made_games",
    "scamper",
    "scamper_challenges",
    "scamper_melds",
    "scoops",
    "scoops_rulings",
    "scoops_sets",
    "scoops_turns",
    "scorecard",
    "scram",
    "scram_actions",
    "scram_corners",
    "scram_rulings",
]
