"""The hall of a competition, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from league.apps.hall.models import Announcement
from league.apps.hall.services import announce
from league.models import Competition
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = (
    "call",
    "leave_seat",
    "see_call",
    "take_totals",
    "table_totals",
    "kiosk",
    "kiosk_table",
)
"""Pages of devices and of whoever sits at a table."""


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Announce something in the hall."""
    announce(by=cast.olga, competition=Competition.objects.get(), words="Tea is ready")


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path, or the name of a later one."""
    return {"announcement": [each.pk for each in Announcement.objects.all()]}
