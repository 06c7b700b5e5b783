"""Fixtures of the league's tests: a quick game, and the cast."""

from collections.abc import Iterator

import pytest

from games import rules
from tests import factories
from tests.league.tally import Tally


@pytest.fixture(autouse=True)
def tally() -> Iterator[Tally]:
    """Register the smallest game there is."""
    ruleset = Tally()
    with rules.registered(ruleset):
        yield ruleset


@pytest.fixture
def cast(db: None) -> factories.Cast:
    return factories.cast()
