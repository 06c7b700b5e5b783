"""How strong the house bots are: their wins against random play and against each other, by seats.

    python -m benchmarks.bots [--games 60] [--write]

A win is a first rank; seats that share it share the win. Against random play one seat, or one team, is played
by bots, and another one in each game; the other seats make random legal moves of those that `choices` lists.
Among bots each seat's share of wins is counted. Every game has its own seed, so that two runs give the same
table. ``--write`` replaces the rows of the table in docs/bots.md.
"""

import argparse
import math
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from games import rules
from games.engine import replay
from games.engine.policy import Policy, Rememberer, decided, remembered
from games.engine.replay import Actor, AnyRuleset, Position
from games.packages import has_bot, policy_of
from tests.rules.randomplay import opened, some_move

PAGE: Final = Path(__file__).parent.parent / "docs" / "bots.md"
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {"scamper": {"rounds": 3}}
"""Shorter games where whole ones take long: three of Scamper's ten rounds."""
MOST_MOVES: Final = 5_000
SECTION: Final = "## The bots of this server"
"""The heading above the table that is written."""


@dataclass(frozen=True)
class Strength:
    """What was counted at a number of seats: wins against random play, and wins by seat among bots."""

    game: str
    seats: int
    expected: Fraction
    games: int
    against_random: Fraction
    by_seat: tuple[Fraction, ...]


def bounds(won: Fraction, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the share of games won."""
    share, z = float(won / n), 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half


def measured(ruleset: AnyRuleset, seats: int, games: int) -> Strength:
    """Play two series at a number of seats and return what was counted."""
    teams = ruleset.teams(seats)
    sides = sorted({*teams})
    beaten, by_seat = Fraction(0), [Fraction(0)] * seats
    policy, options = policy_of(ruleset), OPTIONS.get(ruleset.key, {})
    for number in range(games):
        side = sides[number % len(sides)]
        bots = [seat for seat in range(seats) if teams[seat] == side]
        own, all_seats = dict.fromkeys(bots, policy), dict.fromkeys(range(seats), policy)
        beaten += wins(played(ruleset, seats, own, number, options))[bots[0]]
        everybody = wins(played(ruleset, seats, all_seats, games + number, options))
        by_seat = [sum_ + own for sum_, own in zip(by_seat, everybody, strict=True)]
    return Strength(ruleset.key, seats, Fraction(1, len(sides)), games, beaten, tuple(by_seat))


def wins(position: Position) -> Sequence[Fraction]:
    """Return each seat's part of the win: 1 for its team alone, less where teams share the first rank."""
    result = replay.result(position)
    assert result is not None
    first = {position.teams[placing.seat] for placing in result.seats if placing.rank == 1}
    return [Fraction(team in first, len(first) or 1) for team in position.teams]


def played(
    ruleset: AnyRuleset,
    seats: int,
    bots: Mapping[int, Policy],
    seed: int,
    options: Mapping[str, Any],
    times: list[float] | None = None,
) -> Position:
    """Return a finished game in which some seats are played by bots and the others at random.

    ``times`` gets the processor time of each decision of a bot, in seconds.
    """
    dice = random.Random(f"{ruleset.key} {seats} {seed}")
    policies = {**bots}
    position = opened(ruleset, seats, seed, dict(options))
    for _ in range(MOST_MOVES):
        if position.status != "active":
            return position
        seat = replay.to_act(position)[0]
        began = time.process_time()
        move = decided(policies[seat], position, seat) if seat in policies else _any(position, seat, dice)
        if times is not None and seat in policies:
            times.append(time.process_time() - began)
        position = replay.played(position, Actor("seat", seat), replay.read_move(ruleset, move))
        for viewer, policy in policies.items():
            if isinstance(policy, Rememberer):
                entry = {"seq": 0, "role": "seat", "seat": seat, "move": move}
                policies[viewer] = remembered(policy, position, viewer, entry)
    raise AssertionError(f"{ruleset.name}: no end after {MOST_MOVES} moves with {seats} seats, seed {seed}")


def _any(position: Position, seat: int, dice: random.Random) -> Any:
    return some_move(dice.choice(replay.choices(position, seat)), dice)


def tell(section: str, rows: Sequence[str], *, write: bool) -> None:
    """Write rows into the table of a section of docs/bots.md, or print them."""
    if write:
        PAGE.write_text(rewritten(PAGE.read_text("utf-8"), section, rows), "utf-8")
    else:
        sys.stdout.writelines(f"{row}\n" for row in rows)


def rewritten(text: str, section: str, rows: Iterable[str]) -> str:
    """Return a page on which the first table after a heading has these rows; all else stays.

    Raises ValueError where there is no such heading, or no table in its section.
    """
    before, title, after = text.partition(f"{section}\n")
    rule = re.search(r"^\|(?:---\|)+\n", after.partition("\n## ")[0] + "\n", re.MULTILINE)
    if not title or not rule:
        raise ValueError(f"no table after {section!r}")
    rest = re.sub(r"\A(?:\|.*\n)*", "", after[rule.end() :])
    return "".join((before, title, after[: rule.end()], *(f"{row}\n" for row in rows), rest))


def _line(row: Strength) -> str:
    low, high = bounds(row.against_random, row.games)
    seats = " · ".join(f"{float(own / row.games):.0%}" for own in row.by_seat)
    share = float(row.against_random / row.games)
    return (
        f"| {rules.find(row.game).title} | {row.seats} | {row.games} | {share:.0%} | {low:.0%} to {high:.0%} "
        f"| {float(row.expected):.0%} | {seats} |"
    )


def everything(games: int) -> Iterator[Strength]:
    """Yield the strengths of all bots, game by game and from the fewest seats on."""
    todo = [(each, seats) for each in rules.RULESETS if has_bot(each) for seats in each.seats]
    for ruleset, seats in tqdm(todo, file=sys.stderr):
        yield measured(ruleset, seats, games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    tell(SECTION, list(map(_line, everything(chosen.games))), write=chosen.write)


if __name__ == "__main__":
    main()
