"""What the tests of the score card's pages and of its moves over the API have: the cast, and clients."""

import pytest
from django.core.cache import cache

from tests.league.conftest import cast
from tests.web.conftest import as_account

__all__ = ["as_account", "cast"]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()
