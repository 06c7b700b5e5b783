"""Fixtures of the tests of who is coming: an evening of the cast's club that asks, four days from now."""

from datetime import timedelta
from typing import Any

import pytest

from league.apps.attendance.services import set_asking
from league.core.verbs.start import OpenEntries
from league.models import Competition
from tests.api.conftest import desk
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.web.conftest import _nothing_remembered, as_account

__all__ = ["_nothing_remembered", "as_account", "desk"]


def evening(
    cast: Cast,
    players: int = 0,
    *,
    days: int = 4,
    asks: bool = True,
    enters: bool = False,
    by_mail: int = 0,
    most_visits: int = 0,
    **more: Any,
) -> Competition:
    """Return a competition with a date, open for entries, that asks who is coming."""
    on = cast.club.today + timedelta(days=days)
    announced: dict[str, Any] = {"name": "Club night", "details": {"begins_on": on}, **more}
    found = opened(cast, players, **announced)
    act(cast.olga, found, OpenEntries)
    if asks:
        set_asking(
            by=cast.olga, competition=found, asks=True, enters=enters, days=by_mail, most_visits=most_visits
        )
    return Competition.objects.get(pk=found.pk)


@pytest.fixture
def tonight(cast: Cast) -> Competition:
    return evening(cast)
