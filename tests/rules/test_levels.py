"""A stronger level of the house bots wins more of a few seeded games than a weaker one."""

from typing import Any

import pytest

from benchmarks.levels import series
from games import rules
from games.engine.policy import Level

GAMES = range(4)
"""Two deals, each with the sides in both seats: equal sides win two games each."""


@pytest.mark.parametrize(("stronger", "weaker"), [("strong", "medium"), ("medium", "easy")])
@pytest.mark.parametrize(
    ("key", "options"), [("scamper", {"rounds": 2}), ("scoops", {}), ("scram", {"rounds": 1})]
)
def test_the_stronger_level_wins_more(key: str, options: Any, stronger: Level, weaker: Level) -> None:
    assert series(rules.find(key), stronger, weaker, 0, GAMES, options).won >= 3
