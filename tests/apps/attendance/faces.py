"""Who is coming, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ("answer", "coming", "door")
"""Pages of whoever has a link, and of members where they are asked."""


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Nothing more is needed."""


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path, or the name of a later one."""
    return {}
