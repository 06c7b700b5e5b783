"""Company, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from league.apps.company.services import ask_friend, mute
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ("friends", "report_person", "say")
"""Pages of who is logged in."""

FOR_SEATS: Final = ("games/{id}/company/",)
"""Operations that answer only accounts with a seat: no account has one where a game is on paper."""


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Let Petra ask Paul, and mute him."""
    ask_friend(by=cast.petra, player_id=cast.paul_plays.pk)
    mute(by=cast.petra, player_id=cast.paul_plays.pk)


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path."""
    return {}
