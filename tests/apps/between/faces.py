"""Matches between clubs, for the tests of all faces of a game: no other club takes part there."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ()
"""No pages of its own but on the desk."""

REFUSED: Final = ("competitions/{id}/clubs/{slug}/matches/",)
"""Operations for the desks of clubs with teams in a league."""


def made(_cast: Cast, _ruleset: AnyRuleset) -> None:
    """Make nothing."""


def ids() -> Mapping[str, Sequence[Any]]:
    """Return no ids: those of clubs and competitions are known."""
    return {}
