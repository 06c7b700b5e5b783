"""Fixtures of the apps' tests."""

import league.tasks  # noqa: F401 - only a task that is known is done at once
from tests.league.conftest import cast, own_folder, tally

__all__ = ["cast", "own_folder", "tally"]
