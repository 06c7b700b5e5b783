"""What a replay stops at: ends of deals, and turning points: changes of the lead, and the largest gains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from games.engine.replay import Position
from games.engine.values import replace

MOST_SWINGS: Final = 3

Scores: TypeAlias = Sequence[int]
"""The total of each seat after an entry."""


@dataclass(frozen=True)
class TurningPoint:
    """Entry ``seq`` of a log, at which ``gainer`` gained ``points`` on ``loser``.

    ``leaders`` are the seats that have the lead from then on, where that changed; else it is empty.
    """

    seq: int
    leaders: tuple[int, ...]
    gainer: int
    loser: int
    points: int


def turning_points(totals: Sequence[Scores], *, low_wins: bool) -> tuple[TurningPoint, ...]:
    """Return the turning points of a game by its scores after each entry, the opening first; in order.

    These are all entries that changed who leads, and of the others the `MOST_SWINGS` at which one seat
    gained most on another, the earlier one of equals. ``low_wins`` says that the lowest score wins. While
    all seats are level nobody leads.
    """
    gained = [[-score if low_wins else score for score in scores] for scores in totals]
    points = list(_points(gained))
    swings = sorted((each for each in points if not each.leaders), key=lambda each: (-each.points, each.seq))
    chosen = {*swings[:MOST_SWINGS], *(each for each in points if each.leaders)}
    return tuple(each for each in points if each in chosen)


def _points(totals: Sequence[Scores]) -> Iterator[TurningPoint]:
    """Yield each entry that changed a score, where the higher score is the better one."""
    leading = leaders(totals[0]) if totals else ()
    for seq, (before, after) in enumerate(pairwise(totals), 2):
        if before == after:
            continue
        gains = [new - old for old, new in zip(before, after, strict=True)]
        gainer, loser = gains.index(max(gains)), gains.index(min(gains))
        now = leaders(after)
        changed = now if now and now != leading else ()
        leading = now
        if changed or gains[gainer] > gains[loser]:
            yield TurningPoint(seq, changed, gainer, loser, gains[gainer] - gains[loser])


def leaders(scores: Scores, *, low_wins: bool = False) -> tuple[int, ...]:
    """Return the seats with the best score; none where all are level."""
    best = min(scores) if low_wins else max(scores)
    if all(score == best for score in scores):
        return ()
    return tuple(seat for seat, score in enumerate(scores) if score == best)


# ---- Ends of deals -------------------------------------------------------------------------------


def at_end_of_deal(position: Position) -> Position | None:
    """Return the position before the next deal, if the last entry has ended a deal, otherwise None.

    It is as everybody saw the table then: scored, with what the rules reveal.
    """
    if not position.ends or position.ends[-1][0] != position.entries:
        return None
    return replace(position, state=position.ended)
