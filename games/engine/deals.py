"""The end of a deal, before the next one is dealt."""

from games.engine.replay import Position
from games.engine.values import replace


def at_end_of_deal(position: Position) -> Position | None:
    """Return the position before the next deal, if the last entry has ended a deal, otherwise None.

    It is as everybody saw the table then: scored, with what the rules reveal.
    """
    if not position.ends or position.ends[-1][0] != position.entries:
        return None
    return replace(position, state=position.ended)
