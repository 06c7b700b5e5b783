"""Challenges that wait for an answer, and what became of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.messages import text

Cost: TypeAlias = Literal["nothing", "lost", "drop"]
"""What it costs a challenged entry not to accept: nothing, as if it had lost, or one rung."""
COSTS: Final[tuple[tuple[str, str], ...]] = (
    ("nothing", text("nothing")),
    ("lost", text("as if lost: both change rungs")),
    ("drop", text("one rung")),
)
Unanswered: TypeAlias = Literal["refused", "lapsed"]
"""How a challenge is not accepted: the challenged refuses, or lets its time pass."""
ChallengeStatus: TypeAlias = Literal["open", "accepted", "refused", "lapsed", "withdrawn", "ended"]


@dataclass(frozen=True)
class Challenge:
    """A challenge of entry ``by`` to ``entry`` in a round of a stage, numbered by its event.

    It can be answered before ``until``. ``closed`` is the number of the event that answered or ended it, 0
    while it is open; ``costs`` is what that cost the challenged. ``table`` is the one that opens for it.
    ``left`` is the one of the two who ended it by leaving, empty where it ended with its round.
    """

    number: int
    at: tuple[int, int]
    by: str
    entry: str
    until: str
    status: ChallengeStatus = "open"
    closed: int = 0
    costs: Cost = "nothing"
    table: str = ""
    left: str = ""

    @property
    def stage(self) -> int:
        """Return the number of its stage."""
        return self.at[0]

    @property
    def round(self) -> int:
        """Return the number of its round."""
        return self.at[1]

    @property
    def entries(self) -> tuple[str, str]:
        """Return the challenger and the challenged."""
        return self.by, self.entry


def waiting(challenges: Iterable[Challenge]) -> tuple[Challenge, ...]:
    """Return those that wait for an answer, the one whose time ends first before the others."""
    return tuple(
        sorted(
            (each for each in challenges if each.status == "open"), key=lambda each: (each.until, each.number)
        )
    )
