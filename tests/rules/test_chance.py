"""What a ruleset leaves to chance: each draw has a purpose of its own, and `chance.md` lists them all."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from games import verifier
from games.engine.chance import Chance
from games.engine.replay import AnyRuleset, read_opening
from games.lines import read
from games.packages import folder_of
from tests.rules.folders import golden_of
from tests.toys import EVERY

pytestmark = pytest.mark.usefixtures("toys")

DEALT = [ruleset for ruleset in EVERY if ruleset.dealt]


@dataclass(frozen=True)
class CountedChance(Chance):
    """Draws whose purposes are counted."""

    purposes: Counter[str] = field(default_factory=Counter)

    def words(self, purpose: str) -> Iterator[int]:
        self.purposes[purpose] += 1
        return super().words(purpose)


def purposes_in(log: Path) -> Counter[str]:
    """Return how often a golden game draws for each purpose."""
    found, drawn = read(log.read_text("utf-8").split("\n")), Counter[str]()
    assert found.end
    opening = read_opening(found.entries[0].move)
    verifier.replayed(opening, found.entries[1:], found.end["seed"], lambda seed: CountedChance(seed, drawn))
    return drawn


@pytest.mark.parametrize("ruleset", DEALT, ids=lambda ruleset: ruleset.key)
def test_each_draw_has_a_purpose_of_its_own_that_is_listed(ruleset: AnyRuleset) -> None:
    text = (folder_of(ruleset) / "chance.md").read_text("utf-8")
    listed = {re.sub(r"\b[A-Z]\b", "1", purpose) for purpose in re.findall(r"^\| `([^`]+)`", text, re.M)}
    for log in golden_of(ruleset):
        drawn = purposes_in(log)
        twice = [purpose for purpose, times in drawn.items() if times > 1]
        assert not twice, f"{log.stem}: give each of these draws a purpose of its own: {twice}"
        unlisted = {re.sub(r"\d+", "1", purpose) for purpose in drawn} - listed
        assert not unlisted, f"{log.stem}: chance.md of {ruleset.key} lacks {sorted(unlisted)}"
