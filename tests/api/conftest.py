"""What every test of the API has: the cast, a game that takes no time, and clients that speak for people."""

import league.tasks  # noqa: F401 - only a task that is known is done at once
from tests.league.conftest import cast, tally

__all__ = ["cast", "tally"]
