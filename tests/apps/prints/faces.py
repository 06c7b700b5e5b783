"""Prints, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from league.apps.prints.printing import PRINTS
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ("game_picture",)  # not there before the end
OTHERWISE: Final = {"bracket", "certificates", "matches"}
"""Prints that there are only of a knockout or of matches, or at the end."""


def made(_cast: Cast, _ruleset: AnyRuleset) -> None:
    """Make nothing: prints have no tables."""


def ids() -> Mapping[str, Sequence[Any]]:
    """Return no ids."""
    return {}


def values(ruleset: AnyRuleset) -> Mapping[str, Sequence[Any]]:
    """Return what parts of pages' addresses can stand for, by the page's first folder and their names."""
    kinds = [kind for kind in PRINTS if kind not in OTHERWISE]
    return {"competitions/kind": kinds, "rules/players": ruleset.seats}
