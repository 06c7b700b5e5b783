"""What a move of a house bot costs with the most seats: deciding, checking and writing it.

    python -m benchmarks.bot_moves [--moves 100] [--write]

It starts a throw-away PostgreSQL and opens practice games of each ruleset with the most seats, against bots
of each level. The first seat is a visitor's and makes the moves that the clock would, which are not counted.
The processor time of this process is counted, not the database's. ``--write`` replaces the rows of the table
in docs/bots.md.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from benchmarks.bots import tell
from benchmarks.machine import described, hush, server, spent
from games import rules
from games.engine import replay
from games.engine.policy import LEVELS, Level
from games.engine.replay import AnyRuleset
from games.packages import has_bot

SECTION: Final = "## What a move costs"
"""The heading above the table that is written."""
VISITOR: Final = 0
"""The visitor's seat."""


@dataclass(frozen=True)
class Costs:
    """The processor times of moves in milliseconds, the shortest first."""

    ruleset: AnyRuleset
    level: Level
    times: tuple[float, ...]

    def __str__(self) -> str:
        most = len(self.times) - 1
        chosen = (self.times[most * part // 100] for part in (50, 95, 100))
        cells = (
            self.ruleset.title,
            max(self.ruleset.seats),
            self.level,
            *(f"{each:.0f} ms" for each in chosen),
        )
        return f"| {' | '.join(map(str, cells))} |"


def measured(ruleset: AnyRuleset, level: Level, moves: int) -> Costs:
    """Play games until the bots have made so many moves, and return what these cost."""
    times = [cost for cost, _move in zip(_costs(ruleset, level), range(moves), strict=False)]
    return Costs(ruleset, level, tuple(sorted(times)))


def _costs(ruleset: AnyRuleset, level: Level) -> Iterator[float]:
    """Yield the processor time of each move of the bots, in one game after another."""
    from games import log
    from league.apps.practice.bots import move_bot
    from league.apps.practice.services import open_practice
    from league.callers import ByVisitor
    from league.hooks import Visitor
    from league.services.play import make_move

    while True:
        visitor, seats = Visitor(uuid4()), max(ruleset.seats)
        address = str(visitor.guest)
        game = open_practice(visitor=visitor, address=address, ruleset=ruleset.key, level=level, seats=seats)
        while not game.is_over:
            position = log.latest(game)
            if replay.awaited(position)[0] != VISITOR:
                yield spent(lambda pk=game.pk: move_bot(game_id=pk))  # type: ignore[misc]
            else:
                move = replay.write_move(ruleset, ruleset.default_move(position.state, VISITOR))
                make_move(ByVisitor(visitor), game_id=game.pk, seq=game.seq + 1, move=move)
            game.refresh_from_db()


def everything(moves: int) -> Iterator[Costs]:
    """Yield the costs of each level's moves in each ruleset that has a bot."""
    for level in LEVELS:
        for ruleset in filter(has_bot, rules.NEWEST.values()):
            yield measured(ruleset, level, moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    sys.stderr.write(f"{described()}\n")
    with server():
        hush()
        rows = list(map(str, everything(chosen.moves)))
    tell(SECTION, rows, write=chosen.write)


if __name__ == "__main__":
    main()
