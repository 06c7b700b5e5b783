"""Fixtures of the league's tests: a quick game, and the cast."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

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
def own_folder(tmp_path: Path) -> Iterator[Path]:
    """Return a data folder that no other test uses."""
    with override_settings(DATA_DIR=tmp_path):
        yield tmp_path


@pytest.fixture
def cast(db: None) -> factories.Cast:
    return factories.cast()
