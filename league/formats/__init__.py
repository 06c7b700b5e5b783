"""The registry: every format that a stage can have, by its key."""

from typing import Final

from games.engine.refusals import Malformed
from league.formats.base import Draw, DrawnTable, Format
from league.formats.knockout import Knockout
from league.formats.ladder import Ladder
from league.formats.open_play import OpenPlay
from league.formats.round_robin import RoundRobin
from league.formats.rounds import Rounds
from league.formats.swiss import Swiss

__all__ = ["FORMATS", "Draw", "DrawnTable", "Format", "find"]

FORMATS: Final[tuple[Format, ...]] = (Rounds(), RoundRobin(), Swiss(), Knockout(), OpenPlay(), Ladder())

BY_KEY: Final = {each.key: each for each in FORMATS}


def find(key: str) -> Format:
    """Return the format of a key; raise `Malformed` where there is none."""
    if key not in BY_KEY:
        raise Malformed({"format": [f"This must be one of {', '.join(BY_KEY)}."]})
    return BY_KEY[key]
