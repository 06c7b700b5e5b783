"""A seek, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from league.apps.seeks.models import Seek
from league.apps.seeks.services import create_seek
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = (
    *("seeks", "join_seek", "fill_seek", "invite_to_seek", "withdraw_seek", "withdraw_seek_link"),
)
"""Pages of members."""


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Let Paul look for players."""
    create_seek(by=cast.paul, club=cast.club, ruleset=ruleset.key, seats=ruleset.seats[0])


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path."""
    return {"seeks": [each.pk for each in Seek.objects.all()]}
