"""The registry: every format that a stage can have, by its key."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine.messages import all_of, text
from games.engine.refusals import Malformed
from league.core.formats.base import Bracket, Format, Match, Slot
from league.core.formats.double_elimination import DoubleElimination
from league.core.formats.drop_in import DropIn, WithoutWishes
from league.core.formats.earlier_knockouts import AnyFinal, SharedThird
from league.core.formats.knockout import Knockout
from league.core.formats.ladder import KeptRungs, Ladder, LastCorrected
from league.core.formats.parts import parts
from league.core.formats.picture import BYE
from league.core.formats.round_robin import RoundRobin
from league.core.formats.rounds import InDrawnOrder, NewHaveByes, OpenPlay, Rounds, Swiss
from league.core.state.plan import StagePlan

__all__ = [
    "BYE",
    "BY_KEY",
    "EARLIER",
    "Bracket",
    "Format",
    "Match",
    "Slot",
    "editions",
    "find",
    "of",
    "parts",
]

BY_KEY: Final[Mapping[str, Format]] = {
    each.key: each
    for each in (
        Rounds(),
        RoundRobin(),
        Swiss(),
        Knockout(),
        DoubleElimination(),
        OpenPlay(),
        DropIn(),
        Ladder(),
    )
}
"""The newest edition of each, in the order in which organisers and docs list them."""
EARLIER: Final[Mapping[tuple[str, int], Format]] = {
    (each.key, each.edition): each
    for each in (
        *(InDrawnOrder(), NewHaveByes(), AnyFinal(), SharedThird(), KeptRungs(), LastCorrected()),
        WithoutWishes(),
    )
}
"""The editions before the newest, by key and number: stages that were announced with them keep them."""


def find(key: str) -> Format:
    """Return the format of a key; raise `Malformed` where there is none."""
    if key not in BY_KEY:
        raise Malformed({"format": [text("This must be one of %(values)s.", values=all_of([*BY_KEY]))]})
    return BY_KEY[key]


def editions(key: str) -> Sequence[int]:
    """Return the numbers of a format's editions, the newest last; raise `Malformed` for an unknown key."""
    return sorted([find(key).edition, *(number for earlier, number in EARLIER if earlier == key)])


def of(plan: StagePlan) -> Format:
    """Return the format of a stage in the edition that its plan names; raise `Malformed`."""
    newest = find(plan.format)
    if plan.editions.format in (0, newest.edition):
        return newest
    return EARLIER[plan.format, plan.editions.format]
