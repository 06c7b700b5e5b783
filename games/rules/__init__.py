"""The registry of rulesets, by key and version. Each ruleset is a package; `RULESETS` lists them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from games.engine.replay import AnyRuleset
from games.rules.scamper import Scamper
from games.rules.scamper_scorecard import ScamperScorecard
from games.rules.scoops import Scoops
from games.rules.scoops_scorecard import ScoopsScorecard
from games.rules.scram import Scram
from games.rules.scram_scorecard import ScramScorecard

RULESETS: Final[tuple[AnyRuleset, ...]] = (
    Scamper(),
    Scoops(),
    Scram(),
    ScamperScorecard(),
    ScoopsScorecard(),
    ScramScorecard(),
)

BY_NAME: Final = {ruleset.name: ruleset for ruleset in RULESETS}
NEWEST: Final = {ruleset.key: ruleset for ruleset in sorted(RULESETS, key=lambda ruleset: ruleset.version)}


def find(name: str) -> AnyRuleset:
    """Return the ruleset of a name (``"rummy@1"``), or the newest of a key (``"rummy"``); raise KeyError."""
    return BY_NAME[name] if "@" in name else NEWEST[name]


@contextmanager
def registered(*rulesets: AnyRuleset) -> Iterator[None]:
    """Register more rulesets within a context, each as the newest of its key."""
    by_name, newest = {**BY_NAME}, {**NEWEST}
    BY_NAME.update((ruleset.name, ruleset) for ruleset in rulesets)
    NEWEST.update((ruleset.key, ruleset) for ruleset in rulesets)
    try:
        yield
    finally:
        for known, before in ((BY_NAME, by_name), (NEWEST, newest)):
            known.clear()
            known.update(before)
