"""How strong the three levels of the house bots are against each other and against random play.

    python -m benchmarks.levels [--games 200] [--only scoops] [--first 0] [--write]

Two sides play each other: a game of two where the rules allow that, otherwise the smallest game of two equal
teams, with the options as they are. Each deal is played twice, the second time with the sides in each other's
seats. A win is a first rank; sides that share it share the win. ``--first`` continues a series at a game.
``--write`` replaces the rows of the table in docs/bots.md.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

from tqdm import tqdm

from benchmarks.bots import bounds, played, tell, wins
from benchmarks.machine import described
from games import rules
from games.engine.policy import Level
from games.engine.replay import AnyRuleset
from games.packages import has_bot, policy_of

Side: TypeAlias = Level | None
"""A level of the bots, None for random play."""
PAIRS: Final[Sequence[tuple[Level, Side, int]]] = (
    ("strong", "easy", 80),
    ("strong", "medium", 60),
    ("medium", "easy", 60),
    ("easy", None, 60),
)
"""Who plays whom, and the percentage of games that the first is to win at least."""
SECTION: Final = "## Three levels"
"""The heading above the table that is written."""


@dataclass(frozen=True)
class Series:
    """What was counted of one side against another; ``slow`` is the 99th percentile of a move, in seconds."""

    game: str
    seats: int
    side: Level
    other: Side
    goal: int
    games: int
    won: Fraction
    slow: float

    def __str__(self) -> str:
        low, _high = bounds(self.won, self.games)
        cells = (
            rules.find(self.game).title,
            self.seats,
            self.side,
            self.other or "random play",
            self.games,
            f"{float(self.won / self.games):.1%}",
            f"{low:.1%}",
            f"{self.goal}%",
            f"{1000 * self.slow:.0f} ms",
        )
        return f"| {' | '.join(map(str, cells))} |"


def fewest_equal(ruleset: AnyRuleset) -> int:
    """Return the smallest number of seats at which two sides of the same size play."""

    def equal(seats: int) -> bool:
        teams = ruleset.teams(seats)
        return teams.count(0) == teams.count(1) == seats / 2

    return next(filter(equal, ruleset.seats))


def series(
    ruleset: AnyRuleset, side: Level, other: Side, goal: int, numbers: range, options: Mapping[str, Any]
) -> Series:
    """Play the games of these numbers and return what was counted."""
    seats = fewest_equal(ruleset)
    teams = ruleset.teams(seats)
    won, times = Fraction(0), list[float]()
    for number in numbers:
        own = [seat for seat in range(seats) if teams[seat] == number % 2]
        bots = dict.fromkeys(own, policy_of(ruleset, side))
        if other is not None:
            theirs = [seat for seat in range(seats) if seat not in own]
            bots |= dict.fromkeys(theirs, policy_of(ruleset, other))
        won += wins(played(ruleset, seats, bots, number // 2, options, times))[own[0]]
    times.sort()
    slow = times[len(times) * 99 // 100]
    return Series(ruleset.key, seats, side, other, goal, len(numbers), won, slow)


def everything(only: str | None, numbers: range) -> Iterator[Series]:
    """Yield the series of all bots, or of those of one game."""
    bots = [each for each in rules.RULESETS if has_bot(each) and only in (None, each.key)]
    for ruleset, pair in tqdm([(ruleset, pair) for ruleset in bots for pair in PAIRS], file=sys.stderr):
        yield series(ruleset, *pair, numbers, {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--only", choices=sorted(each.key for each in rules.RULESETS if has_bot(each)))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    sys.stderr.write(f"{described()}\n")
    numbers = range(chosen.first, chosen.first + chosen.games)
    rows = list(map(str, everything(chosen.only, numbers)))
    tell(SECTION, rows, write=chosen.write)


if __name__ == "__main__":
    main()
