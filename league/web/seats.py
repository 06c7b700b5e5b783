"""The seats of a table as a page shows them: who sits where, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from games.engine import replay, turning_points
from league.choices import Outcome
from league.words.moves import seat_name

if TYPE_CHECKING:
    from league.models import Player
    from league.queries.seen import SeenGame

TINTS: Final = 10
"""How many colours of players the style sheet has: as many as the most seats of a game."""


@dataclass(frozen=True)
class SeatShown:
    """A seat at the table: ``rank`` once the game is over, ``mine`` where it is the reader's.

    ``out`` says why it plays no more, ``""`` where it does. ``asked`` is true where it may act although it is
    another seat's turn. ``place`` is where it sits around the table (`places`), ``""`` where no
    table is shown. ``gone``: it has withdrawn from the competition of the game, which runs. ``tint`` is the
    number of the colour that marks the player and what that player lays. ``leads``: the game runs, nobody has
    a better score, and somebody a worse one.
    """

    number: int
    name: str
    player: Player | None
    score: int
    rank: int | None
    to_act: bool
    out: str
    mine: bool
    asked: bool = False
    place: str = ""
    gone: bool = False
    tint: int = 0
    leads: bool = False

    @property
    def initials(self) -> str:
        """Return the first letters of the first and the last word of the name."""
        words = self.name.split()
        return "".join(word[0] for word in (*words[:1], *words[1:][-1:])).upper()


def tints_of(people: Sequence[int]) -> list[int]:
    """Return a colour for each seat by the number of its player, whose own it is wherever it is free."""
    taken: list[int] = []
    for number in people:
        free = [tint for tint in range(TINTS) if tint not in taken] or range(TINTS)
        taken.append(min(free, key=lambda tint: (tint - number) % TINTS))
    return taken


def places(seats: int, near: int) -> tuple[str, ...]:
    """Return the place of each seat: ``near``, or an edge with its number and how many sit there.

    ``left-1-3`` is the farthest of three at the left edge; at the far edge, ``far``, and at the right one
    numbers go on clockwise, so that ``right-3-3`` plays before ``near``.
    """
    others = seats - 1
    beside = (others + 1) // 3
    left = [f"left-{beside - at}-{beside}" for at in range(beside)]
    far = [f"far-{at + 1}-{others - 2 * beside}" for at in range(others - 2 * beside)]
    right = [f"right-{at + 1}-{beside}" for at in range(beside)]
    clockwise = ("near", *left, *far, *right)
    return tuple(clockwise[(seat - near) % seats] for seat in range(seats))


def seats_of(seen: SeenGame) -> tuple[SeatShown, ...]:
    """Return the seats at the table, in order."""
    position = seen.position
    acting = replay.to_act(position)
    scores = (0,) * position.seats if position.joining else position.ruleset.scores(position.state)
    turn = replay.view(position, None)["turn"] if acting and not position.joining else None
    result = replay.result(position)
    around = places(position.seats, seen.you or 0)
    tints = tints_of([seat.player.pk.int if seat.player else seat.seat for seat in seen.seats])
    leading = () if result else turning_points.leaders(scores, low_wins=position.ruleset.low_wins)
    gone = {seat: Outcome.LATE.label if seat in seen.late else _("left the game") for seat in position.out}
    return tuple(
        SeatShown(
            number=seat.seat,
            name=seat_name(seat),
            player=seat.player,
            score=scores[seat.seat],
            rank=result.seats[seat.seat].rank if result else None,
            to_act=seat.seat in acting,
            out=str(gone.get(seat.seat, "")),
            mine=seat.seat == seen.you,
            asked=seat.seat in acting and turn not in (None, seat.seat),
            place=around[seat.seat],
            gone=seat.gone,
            tint=tints[seat.seat],
            leads=seat.seat in leading,
        )
        for seat in seen.seats
    )
