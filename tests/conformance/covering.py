"""The rows of options to record: a covering array by covertable, which only a recording needs."""

from collections.abc import Mapping, Sequence
from typing import Final

from covertable import make

from games.conformance.coverage import fits
from games.engine.replay import AnyRuleset
from tests.conformance.pairs import values

TOGETHER: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "scamper": [("contracts", "rounds"), ("seats", "hand_size", "packs", "wild_cards")],
    "scamper-scorecard": [("contracts", "rounds"), ("seats", "first_dealer")],
}
"""The options that may contradict each other."""


def rows(ruleset: AnyRuleset) -> list[dict[str, str]]:
    """Return rows of options in which every two values meet that can."""
    constraints = [
        {
            "operator": "fn",
            "requires": [*names],
            "evaluate": lambda row, names=names: fits(ruleset, {name: row[name] for name in names}),
        }
        for names in TOGETHER.get(ruleset.key, ())
    ]
    found: list[dict[str, str]] = make(values(ruleset), strength=2, constraints=constraints)
    return found
