"""What the table of a club's year costs: ``python -m benchmarks.series``, 60 evenings of 40 people.

For each preset the table is made of all evenings, with what would help each person, in processor time of this
process, by turns with canonical JSON and SHA-256 of a thousand entries, which shows how quick the machine was
meanwhile. Medians.
"""

import statistics
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Final

from benchmarks.machine import HASHED, described, hash_entries, spent
from league.apps.series.core.counting import Facts, Span
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.presets import PRESETS
from league.apps.series.core.ranking import table

EVENINGS: Final = 60
PEOPLE: Final = 40
LOOKS: Final = 15


def year() -> Sequence[Part]:
    """Return the evenings of a year, to each of which nine of ten people came."""
    random, first = Random(1), date(2026, 1, 1)
    people = [str(number) for number in range(PEOPLE)]
    parts = []
    for number in range(1, EVENINGS + 1):
        came = [(random.randint(300, 1500), person) for person in people if random.random() < 0.9]
        shares = [
            Share(person, Fraction(points), rank, 0, 48, 2, frozenset(random.sample(people, 2)))
            for rank, (points, person) in enumerate(sorted(came, reverse=True), 1)
        ]
        on = first + timedelta(days=6 * number)
        parts.append(Part(str(number), number, "", on, tuple(shares), 1, len(shares), len(shares) // 4))
    return parts


def main() -> None:
    """Measure and print."""
    sys.stdout.write(f"{described()}\n")
    parts, facts = year(), Facts({str(number): (Span(),) for number in range(PEOPLE)})
    found = []
    for key, preset in PRESETS.items():
        costs = [
            (spent(lambda: table(preset.rule, parts, facts)), spent(hash_entries))  # noqa: B023
            for _ in range(LOOKS)
        ]
        made, hashed = (statistics.median(each) for each in zip(*costs, strict=True))
        found.append((made, made / hashed))
        sys.stdout.write(f"{key}: {made:.1f} ms, {made / hashed:.1f} times {HASHED} hashed entries\n")
        sys.stdout.flush()
    slowest, ratio = max(found)
    sys.stdout.write(f"slowest of all presets: {slowest:.1f} ms, {ratio:.1f} times\n")


if __name__ == "__main__":
    main()
