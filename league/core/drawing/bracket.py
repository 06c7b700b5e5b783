"""A knockout so far: who is still in, who went out in which round, and how each match ended."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league.core import scoring
from league.core.scoring import ZERO
from league.core.state.competition import Competition, Outcome, Round, Stage, Table

FINAL: Final = "final"
THIRD_PLACE: Final = "third place"
OUTCOMES: Final[Mapping[Outcome | None, int]] = {"walkover": 0, None: 1, "forfeit": 2, "no_show": 3}
"""The order in which entries of a match advance, before their points count."""


@dataclass(frozen=True)
class Match:
    """A table, or the boards of two teams; ``order`` are its entries, best first."""

    label: str
    order: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A closed round of a knockout: its matches, and the entries that advance, byes included."""

    number: int
    matches: tuple[Match, ...]
    advancing: frozenset[str]

    @property
    def out(self) -> tuple[str, ...]:
        """Return the entries that can no longer win the knockout."""
        entries = [entry for match in self.matches for entry in match.order]
        return tuple(entry for entry in entries if entry not in self.advancing)


def played_rounds(state: Competition, stage: Stage, group: int, advance: int, through: int) -> list[Played]:
    """Return a group's closed rounds up to ``through``; ``advance`` entries of each match go on."""
    return [
        _played(state, stage, group, advance, each)
        for each in stage.rounds[:through]
        if each.status == "closed"
    ]


def _played(state: Competition, stage: Stage, group: int, advance: int, each: Round) -> Played:
    seeds = stage.groups[group - 1]
    matches = tuple(_matches(state, stage, seeds, group, each))
    best = [
        entry
        for match in matches
        if match.label != THIRD_PLACE
        for entry in match.order[: advancing(len(match.order), advance)]
    ]
    byes = [entry for entry in each.byes if entry in seeds]
    return Played(each.number, matches, frozenset([*best, *byes]))


def advancing(size: int, advance: int) -> int:
    """Return how many entries of a table advance: as many as asked or, for 0, half; never all."""
    return min(advance or size // 2, size - 1)


def _matches(
    state: Competition, stage: Stage, seeds: Sequence[str], group: int, each: Round
) -> Iterator[Match]:
    boards: dict[frozenset[str], list[Table]] = {}
    for table in each.tables:
        if table.group == group:
            boards.setdefault(frozenset(table.entries), []).append(table)
    for tables in boards.values():
        yield Match(tables[0].label, finishing(state, stage, seeds, tables))


def finishing(
    state: Competition, stage: Stage, seeds: Sequence[str], tables: Sequence[Table]
) -> tuple[str, ...]:
    """Return the entries of a match, best first.

    Entries with a walkover come first, then those that played, forfeited, and did not come; within these
    points decide, then score difference, then the better seed.
    """
    rate = scoring.rate_of(state, stage)
    results = [(table, result) for table in tables for result in table.results]
    lines = [line for table, result in results for line in scoring.game_lines(0, table, result, rate)]
    outcomes = {entry: outcome for table in tables for entry, outcome in table.outcomes}
    sign = 1 if rate.low_points_win else -1
    return tuple(
        sorted(
            tables[0].entries,
            key=lambda entry: (
                OUTCOMES[outcomes.get(entry)],
                sign * sum((line.points for line in lines if line.entry == entry), ZERO),
                -sum((line.difference for line in lines if line.entry == entry), ZERO),
                seeds.index(entry),
            ),
        )
    )


def seeded(count: int) -> tuple[int | None, ...]:
    """Return the slots of a bracket for so many seeds (0 is the best), None where a seed has a bye.

    Any two seeds meet as late as possible: the first and the second only in the final.
    """
    slots = [0]
    while len(slots) < count:
        last = 2 * len(slots) - 1
        slots = [seed for each in slots for seed in (each, last - each)]
    return tuple(seed if seed < count else None for seed in slots)


def slots_after(entries: Sequence[str], rounds: Sequence[Played]) -> tuple[str | None, ...]:
    """Return a bracket's slots after rounds: of every two neighbours the one that advanced."""
    slots = tuple(None if seed is None else entries[seed] for seed in seeded(len(entries)))
    for each in rounds:
        pairs = zip(slots[::2], slots[1::2], strict=True)
        slots = tuple(next((entry for entry in pair if entry in each.advancing), None) for pair in pairs)
    return slots
