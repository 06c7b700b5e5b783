"""The pages of a person's evening, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ("evening_code", "leave_evening", "my_evening")
"""Pages of who has a code, and of who gives one out."""


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Nothing is made: a code shows no game that its person does not see."""


def ids() -> Mapping[str, Sequence[Any]]:
    """Return no ids: the API knows no codes."""
    return {}
