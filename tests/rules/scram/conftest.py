"""What the tests of the game over the API have: the cast."""

from tests.league.conftest import cast

__all__ = ["cast"]
