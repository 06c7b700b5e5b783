"""Fixtures of seeks: house bots of an app that the site may have."""

from collections.abc import Iterator
from unittest.mock import patch
from uuid import UUID

import pytest

from games.engine.messages import text
from league.hooks import HOUSE_BOTS, HouseBot


@pytest.fixture
def house_bots() -> Iterator[None]:
    """Two bots of a level, and no others."""
    bots = [HouseBot(UUID(int=at), "easy", text("Robot %(number)s", number=at)) for at in (1, 2)]
    with patch.dict(HOUSE_BOTS, {bot.id: bot for bot in bots}, clear=True):
        yield
