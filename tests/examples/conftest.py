"""The examples, registered as a release would register them, and the fixtures of the league's tests."""

import pytest

from league.core import formats
from league.core.standings import tie_breaks
from tests.examples.best_round import BestRound
from tests.examples.danish import Danish
from tests.league.conftest import cast, tally

__all__ = ["cast", "tally"]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.BY_KEY, Danish.key, Danish())
    monkeypatch.setitem(tie_breaks.BY_KEY, BestRound.key, BestRound())
