"""The registry: every ruleset that a game can be opened with, by key and version."""

from typing import Final

from games.engine.replay import AnyRuleset
from games.rules.scamper import Scamper
from games.rules.scamper_scorecard import ScamperScorecard
from games.rules.scoops import Scoops
from games.rules.scram import Scram

RULESETS: Final[tuple[AnyRuleset, ...]] = (Scamper(), Scoops(), Scram(), ScamperScorecard())

BY_NAME: Final = {ruleset.name: ruleset for ruleset in RULESETS}
NEWEST: Final = {ruleset.key: ruleset for ruleset in sorted(RULESETS, key=lambda ruleset: ruleset.version)}


def find(name: str) -> AnyRuleset:
    """Return the ruleset of a name (``"scoops@1"``) or key (``"scoops"``: the newest); raises KeyError."""
    return BY_NAME[name] if "@" in name else NEWEST[name]
