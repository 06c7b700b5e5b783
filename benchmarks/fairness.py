"""Whether tables of any size treat equal players evenly: ``python -m benchmarks.fairness [MOST] [PRESET]``.

Simulates the presets with equal players: 7 to 40 entries, tables of mixed sizes (short tables) or of one size
(byes), absences, no-shows and walkovers. Of two entries of a group that are level on points, the one that had
more short tables, or more byes, should stand ahead in half of the cases. Prints that share in per cent with
its 95 % interval over all sizes together, and the same among entries with at least the points of the last of
the top third; a mark where an interval is not within 48 to 52 %. Ends with exit code 1 where a row of short
tables has a mark. Takes 10 to 20 minutes of processor time; MOST limits the tournaments of a row.

The intervals are bootstraps by tournament; a pair that only a lot separates counts half. A row ends when both
intervals are narrow enough, or after the most tournaments. Standings, and who has byes and short tables, are
those of `league.core`; the rest of the seating is by lot, in Swiss by points. Formats without draws are left
out, and those where byes and table sizes follow from the seeds alone play their own draws.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from random import Random
from statistics import quantiles
from time import process_time
from typing import Final, TypeAlias
from uuid import NAMESPACE_OID, uuid5

from games.engine.chance import Chance
from league.core import formats
from league.core.drawing.cost import history_of
from league.core.drawing.draw import Draw, DrawnTable, stage_sizes, table_sizes
from league.core.drawing.drawing import allotted
from league.core.plans import with_editions
from league.core.presets import PRESETS
from league.core.standings import ranking
from league.core.standings.rows import Placed
from league.core.state.competition import (
    Competition,
    Entries,
    Entry,
    Outcome,
    Result,
    Round,
    Seat,
    Stage,
    Table,
    TableGame,
    Tables,
)
from league.core.state.plan import Opening, Placing, StagePlan

MOST: Final = 9000
MOST_FOR_BYES: Final = 1000
BATCH: Final = 340
NARROW: Final = 0.9
"""Half of the width of an interval, in per cent, at which a row ends."""
FEWEST: Final = 200
"""Pairs below which a row shows no figures."""
RESAMPLES: Final = 400
ENTRIES: Final = range(7, 41)
ABSENT: Final = 0.03
NO_SHOW: Final = 0.02
WALKOVER: Final = 0.02
MIXED: Final = (2, 3, 4, 5, 6)

Tally: TypeAlias = tuple[float, int]
"""Over the pairs of a tournament: how often the one with more stood ahead, and the number of pairs."""


def uid(number: int) -> str:
    return str(uuid5(NAMESPACE_OID, f"entry {number}"))


# ---- Playing -------------------------------------------------------------------------------------


class Played:
    """A stage as it is played by equal players."""

    def __init__(self, plan: StagePlan, entries: int, seats: Sequence[int], dice: Random) -> None:
        plan = with_editions(plan)
        self.dice, self.plan = dice, plan
        self.byes, self.short_tables = Counter[str](), Counter[str]()
        ids = [uid(number) for number in range(entries)]
        dice.shuffle(ids)
        groups = tuple(tuple(ids[number :: plan.groups]) for number in range(plan.groups))
        self.stage = Stage(1, plan, tuple(group for group in groups if len(group) > 1))
        opening = Opening("Fair", "scoops@1", {}, tuple(seats), False, (plan,), "00" * 32, {})
        members = Entries(Entry(each, each, (((0, 0), (each,)),), "entered") for each in ids)
        self.state = Competition(1, opening, "running", (plan,), members, (self.stage,), started=True)
        while len(self.stage.rounds) < formats.of(plan).rounds(self.state, self.stage):
            self.play(len(self.stage.rounds) + 1)

    def play(self, number: int) -> None:
        """Add a round, drawn and played."""
        out = {each.id for each in self.state.entries if self.dice.random() < ABSENT}
        members = Entries(
            replace(each, absences=(*each.absences, (1, number))) if each.id in out else each
            for each in self.state.entries
        )
        self.state = replace(self.state, entries=members)
        drawn = self.draw(number)
        tables = tuple(self.table(f"{number} {at}", each) for at, each in enumerate(drawn.tables))
        round_ = Round(
            number,
            "closed",
            Tables(tables),
            drawn.byes,
            drawn.idle,
            tables,
            drawn.byes,
            tables,
            drawn.byes,
            {},
            (),
        )
        alone = history_of(replace(self.stage, rounds=(round_,)))
        self.byes.update(alone.byes)
        self.short_tables.update(alone.short_tables)
        self.stage = replace(self.stage, rounds=(*self.stage.rounds, round_))
        self.state = replace(self.state, stages=(self.stage,))

    def draw(self, number: int) -> Draw:
        if self.plan.format not in ("rounds", "swiss"):
            chance = Chance(self.dice.randbytes(32))
            return formats.of(self.plan).propose(self.state, self.stage, number, chance)
        levels = formats.of(self.plan).levels(self.state, self.stage) or {}
        (playing,) = self.state.field(self.stage, number)
        allowed = stage_sizes(self.state.opening, self.plan)
        sizes = table_sizes(len(playing), allowed, self.plan.table_size)
        byes = allotted(self.lots(playing), len(playing) - sum(sizes), self.byes)
        seated = [entry for entry in playing if entry not in byes]
        places = sum(size for size in sizes if size < max(sizes))
        short = {*allotted(self.lots(seated), places, self.short_tables)}
        order = sorted(self.lots(seated), key=lambda entry: -levels.get(entry, 0))
        usual = iter([entry for entry in order if entry not in short])
        few = iter([entry for entry in order if entry in short])
        tables = [tuple(next(few if size < max(sizes) else usual) for _ in range(size)) for size in sizes]
        return Draw(tuple(map(DrawnTable, tables)), byes)

    def lots(self, entries: Sequence[str]) -> list[str]:
        return self.dice.sample(entries, len(entries))

    def table(self, name: str, drawn: DrawnTable) -> Table:
        """Return a table with its result: equal players, so every order is as likely."""
        seats = tuple(Seat(entry, entry) for entry in drawn.entries)
        scores = [self.dice.randrange(8 if len(seats) == 2 else 40) for _ in seats]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        result = Result(tuple(map(Placing, range(len(seats)), ranks, scores)), 1)
        table = Table(name, seats, drawn.group, 1, drawn.label, (TableGame(name, result=result),))
        luck = self.dice.random()
        if luck < WALKOVER:
            came = self.dice.choice(drawn.entries)
            outcomes: list[tuple[str, Outcome]] = [
                (entry, "walkover" if entry == came else "no_show") for entry in drawn.entries
            ]
            return replace(table, games=(TableGame(name),), outcomes=tuple(outcomes), walked_over=True)
        if luck < WALKOVER + NO_SHOW:
            return replace(table, outcomes=((self.dice.choice(drawn.entries), "no_show"),))
        return table


# ---- Counting ------------------------------------------------------------------------------------


def tallies(played: Played, what: str) -> tuple[Tally, Tally]:
    """Return the tallies of a tournament for all entries and for the top third."""
    had = played.byes if what == "byes" else played.short_tables
    accounts = ranking.accounts_of(played.state, played.stage, len(played.stage.rounds))
    everybody: list[float] = []
    top: list[float] = []
    for group in played.stage.groups:
        placed = ranking.ordered(accounts, group, ranking.criteria(played.stage))
        points = [accounts.points_key(accounts.records[each.entry].points) for each in placed]
        for upper, lower, by_lot in level_pairs(placed):
            more = had[placed[upper].entry] - had[placed[lower].entry]
            if more:
                everybody.append(0.5 if by_lot else float(more > 0))
                if points[upper] >= points[(len(placed) - 1) // 3]:
                    top.append(everybody[-1])
    return (sum(everybody), len(everybody)), (sum(top), len(top))


def level_pairs(placed: Sequence[Placed]) -> Iterator[tuple[int, int, bool]]:
    """Yield the places of every two entries level on points, and whether only a lot separates them."""
    for upper, lower in combinations(range(len(placed)), 2):
        between = {each.divide.criterion.key for each in placed[upper + 1 : lower + 1] if each.divide}
        if not between & {"placement", "points"}:
            yield upper, lower, between <= {"lot"}


def share(found: Sequence[Tally]) -> float:
    return 100 * sum(ahead for ahead, _ in found) / sum(pairs for _, pairs in found)


def half_width(found: Sequence[Tally]) -> float:
    """Return half of the width of the interval by the linear approximation of a ratio, in per cent."""
    pairs = sum(each for _, each in found)
    if pairs < FEWEST:
        return 100.0
    middle = share(found) / 100
    return 196 * sqrt(sum((ahead - middle * each) ** 2 for ahead, each in found)) / pairs


@dataclass(frozen=True)
class Figures:
    """A share with its interval by a bootstrap of tournaments, in per cent, and the number of pairs."""

    share: float
    low: float
    high: float
    pairs: int

    @property
    def inside(self) -> bool:
        """Return whether the interval is within 48 to 52 per cent."""
        return self.low >= 48 and self.high <= 52

    def __str__(self) -> str:
        if self.pairs < FEWEST:
            return f"{'too few pairs':>21}  {self.pairs:8}"
        mark = " " if self.inside else "!"
        return f"{self.share:6.1f} ({self.low:.1f} to {self.high:.1f}){mark} {self.pairs:8}"


def figures(found: Sequence[Tally], dice: Random) -> Figures:
    kept = [each for each in found if each[1]]
    pairs = sum(each for _, each in kept)
    if pairs < FEWEST:
        return Figures(50, 0, 100, pairs)
    cuts = quantiles([share(dice.choices(kept, k=len(kept))) for _ in range(RESAMPLES)], n=40)
    return Figures(share(kept), cuts[0], cuts[-1], pairs)


# ---- The table -----------------------------------------------------------------------------------


def rows() -> Iterator[tuple[str, StagePlan, str, Sequence[int]]]:
    """Yield a preset's name, a stage, what is counted, and the sizes that its game allows."""
    for preset in PRESETS.values():
        for plan in preset.stages:
            if formats.of(plan).open_tables:
                continue
            name = f"{preset.key}, {plan.name}"
            if plan.table_size > 2:
                yield name, plan, "short tables", MIXED
            # In heats byes go to seeds, and too few entries for a table of one size would never end.
            if plan.format != "knockout" or plan.table_size == 2:
                yield name, plan, "byes", (plan.table_size,)


def measured(plan: StagePlan, what: str, seats: Sequence[int], most: int) -> tuple[Figures, Figures, int]:
    """Return the figures for all level pairs and for the top third, and the number of tournaments."""
    dice = Random(f"{plan.name} {what}")
    everybody: list[Tally] = []
    top: list[Tally] = []
    while len(everybody) < most and max(half_width(everybody), half_width(top)) > NARROW:
        for _ in range(min(BATCH, most - len(everybody))):
            entries = ENTRIES[len(everybody) % len(ENTRIES)]
            one, other = tallies(Played(plan, entries, seats, dice), what)
            everybody.append(one)
            top.append(other)
    return figures(everybody, dice), figures(top, dice), len(everybody)


def main(most: int, only: str) -> bool:
    """Print the table, and return whether all intervals for short tables are within 48 to 52 per cent."""
    inside = True
    sys.stdout.write(f"{'':36}{'all level pairs':>30} {'top third':>30} {'runs':>6}\n")
    for name, plan, what, seats in rows():
        if name.startswith(only):
            began = process_time()
            limit = most if what == "short tables" else min(most, MOST_FOR_BYES)
            everybody, top, runs = measured(plan, what, seats, limit)
            sys.stdout.write(f"{name + ', ' + what:36} {everybody} {top} {runs:6}")
            sys.stdout.write(f" {process_time() - began:6.0f} s\n")
            sys.stdout.flush()
            inside = inside and (what == "byes" or (everybody.inside and top.inside))
    return inside


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(not main(int(asked[0]) if asked else MOST, asked[1] if len(asked) > 1 else ""))
