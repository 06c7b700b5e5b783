"""What every test of the league has: a game that takes no time, and the cast."""

import pytest

from games import rules
from tests import factories
from tests.league.tally import Tally


@pytest.fixture(autouse=True)
def tally(monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Register the smallest game there is."""
    ruleset = Tally()
    monkeypatch.setitem(rules.BY_NAME, ruleset.name, ruleset)
    monkeypatch.setitem(rules.NEWEST, ruleset.key, ruleset)
    return ruleset


@pytest.fixture
def cast(db: None) -> factories.Cast:
    return factories.cast()
