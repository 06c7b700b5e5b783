"""The registry: every format that a stage can have, by its key."""

from collections.abc import Mapping
from typing import Final

from games.engine.messages import all_of, text
from games.engine.refusals import Malformed
from league.core.formats.base import Format
from league.core.formats.knockout import Knockout
from league.core.formats.ladder import Ladder
from league.core.formats.open_play import OpenPlay
from league.core.formats.round_robin import RoundRobin
from league.core.formats.rounds import Rounds
from league.core.formats.swiss import Swiss

__all__ = ["BY_KEY", "Format", "find"]

BY_KEY: Final[Mapping[str, Format]] = {
    each.key: each
    for each in (
        Rounds(),
        RoundRobin(),
        Swiss(),
        Knockout(),
        OpenPlay(),
        Ladder(),
    )
}
"""In the order in which organisers and docs list them."""


def find(key: str) -> Format:
    """Return the format of a key; raise `Malformed` where there is none."""
    if key not in BY_KEY:
        raise Malformed({"format": [text("This must be one of %(values)s.", values=all_of([*BY_KEY]))]})
    return BY_KEY[key]
