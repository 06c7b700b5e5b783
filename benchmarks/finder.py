"""How fast Scamper's finder is: ``python -m benchmarks.finder [--hands 10000]``.

Random hands of 20 cards out of three packs, contract by contract; then hands rich in wild cards, and hands
that have grown. Times are of the processor, in milliseconds, nothing kept from one hand to the next.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from benchmarks.machine import described
from games.engine.cards import Card, pack
from games.rules.scamper.finder import NOTHING_ASKED, Layout, any_layout, best_layout, forget
from games.rules.scamper.options import CONTRACTS, WILD, Contract, Options

Hand: TypeAlias = tuple[Card, ...]
Find: TypeAlias = Callable[..., Layout | None]

PACKS: Final = 3
WILD_CARDS: Final = WILD["jokers_and_deuces"]
CASES: Final = {f"{number}": contract for number, contract in enumerate(CONTRACTS, 1)} | {"-": NOTHING_ASKED}
HEADING: Final = "contract  found        any: median    p99  worst     best: median    p99  worst"


def random_hands(dice: random.Random, count: int, size: int) -> Iterator[Hand]:
    """Yield hands as they are dealt from the packs."""
    cards = pack() * PACKS
    return (tuple(dice.sample(cards, size)) for _ in range(count))


def wild_hands(dice: random.Random, count: int, size: int, wild: int) -> Iterator[Hand]:
    """Yield hands with exactly so many wild cards."""
    cards = pack() * PACKS
    rich = [card for card in cards if card in WILD_CARDS]
    plain = [card for card in cards if card not in WILD_CARDS]
    return (tuple(dice.sample(rich, wild) + dice.sample(plain, size - wild)) for _ in range(count))


def timed(find: Find, hands: list[Hand], contract: Contract, *, strict: bool) -> tuple[list[float], int]:
    """Return the sorted times of finding in each hand, in milliseconds, and how often there was a layout."""
    times, found = [], 0
    for hand in hands:
        forget()
        begun = time.process_time_ns()
        layout = find(hand, contract, Options(strict_ratio=strict))
        times.append((time.process_time_ns() - begun) / 1e6)
        found += layout is not None
    return sorted(times), found


def figures(times: list[float]) -> str:
    """Return median, 99th percentile and worst of sorted times."""
    return f"{times[len(times) // 2]:6.2f} {times[len(times) * 99 // 100]:6.2f} {times[-1]:6.1f}"


def report(title: str, hands: list[Hand], *, strict: bool = False) -> None:
    """Write a line for each contract."""
    sys.stdout.write(f"\n{title}: {len(hands)} hands{', strict ratio' if strict else ''}\n{HEADING}\n")
    for name, contract in CASES.items():
        some, found = timed(any_layout, hands, contract, strict=strict)
        best, _ = timed(best_layout, hands, contract, strict=strict)
        share = 100 * found / len(hands)
        sys.stdout.write(f"{name:>8} {share:5.1f} %    {figures(some):>24} {figures(best):>27}\n")
        sys.stdout.flush()


def main() -> None:
    """Run all reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    dice = random.Random(asked.seed)
    report("20 random cards", list(random_hands(dice, asked.hands, 20)))
    report("20 random cards", list(random_hands(dice, asked.hands // 10, 20)), strict=True)
    for wild in (3, 4, 5, 6, 8, 10):
        report(f"20 cards, {wild} of them wild", list(wild_hands(dice, asked.hands // 20, 20, wild)))
    for size in (30, 40):
        report(f"{size} random cards", list(random_hands(dice, asked.hands // 50, size)))


if __name__ == "__main__":
    main()
