"""The registry: every tie-break that a stage can have, by its key."""

from collections.abc import Mapping
from typing import Final

from league.core.standings.tie_breaks.base import Accounts, Criterion, Key, Mark
from league.core.standings.tie_breaks.games import BoardPoints, Games
from league.core.standings.tie_breaks.head_to_head import HeadToHead
from league.core.standings.tie_breaks.most_recent import MostRecent
from league.core.standings.tie_breaks.opponents import (
    BeatenPoints,
    OpponentsPoints,
    OpponentsPointsCut,
    OpponentsPointsMedian,
)
from league.core.standings.tie_breaks.order import Expelled, Lot, Placement, Points
from league.core.standings.tie_breaks.places import Places, Wins
from league.core.standings.tie_breaks.scores import GameScore, ScoreDifference

__all__ = ["BY_KEY", "EXPELLED", "LOT", "PLACEMENT", "POINTS", "Accounts", "Criterion", "Key", "Mark"]

EXPELLED: Final = Expelled()
PLACEMENT: Final = Placement()
POINTS: Final = Points()
LOT: Final = Lot()

BY_KEY: Final[Mapping[str, Criterion]] = {
    each.key: each
    for each in (
        HeadToHead(),
        Wins(),
        Places(),
        OpponentsPoints(),
        OpponentsPointsCut(),
        OpponentsPointsMedian(),
        BeatenPoints(),
        Games(),
        BoardPoints(),
        ScoreDifference(),
        GameScore(),
        MostRecent(),
        LOT,
    )
}
"""In the order in which organisers and docs list them."""
