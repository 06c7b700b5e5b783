"""The course of a knockout so far: who is still in, who went out when, and in what order tables ended."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league import scoring
from league.competition.state import Competition, Outcome, Round, Stage, Table
from league.scoring import ZERO

FINAL: Final = "final"
THIRD_PLACE: Final = "third place"
OUTCOMES: Final[Mapping[Outcome | None, int]] = {"walkover": 0, None: 1, "forfeit": 2, "no_show": 3}


@dataclass(frozen=True)
class Match:
    """What decides who goes on: a table, or the boards of two teams; ``order`` is best first."""

    label: str
    order: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A round of a knockout that is decided: its matches, and everybody who goes on, byes included."""

    number: int
    matches: tuple[Match, ...]
    on: frozenset[str]

    @property
    def out(self) -> tuple[str, ...]:
        """Return who lost and plays no more for the title."""
        entries = [entry for match in self.matches for entry in match.order]
        return tuple(entry for entry in entries if entry not in self.on)


def played_rounds(state: Competition, stage: Stage, group: int, advance: int, through: int) -> list[Played]:
    """Return a group's closed rounds up to one; ``advance`` of each match go on."""
    return [
        _played(state, stage, group, advance, each)
        for each in stage.rounds[:through]
        if each.status == "closed"
    ]


def _played(state: Competition, stage: Stage, group: int, advance: int, each: Round) -> Played:
    seeds = stage.groups[group - 1]
    matches = tuple(_matches(state, stage, seeds, group, each))
    going = [
        entry
        for match in matches
        if match.label != THIRD_PLACE
        for entry in match.order[: going_on(len(match.order), advance)]
    ]
    resting = [entry for entry in each.byes if entry in seeds]
    return Played(each.number, matches, frozenset([*going, *resting]))


def going_on(size: int, advance: int) -> int:
    """Return how many of a table go on: as many as asked, or half of it, but never all."""
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

    Those given a walkover, those who played, those who forfeited and those who did not come; within these by
    points, then score difference, then the better seed.
    """
    pay = scoring.rate(state, stage)
    results = [(table, result) for table in tables for result in table.results]
    lines = [line for table, result in results for line in scoring.game_lines(0, table, result, pay)]
    outcomes = {entry: outcome for table in tables for entry, outcome in table.outcomes}
    sign = 1 if pay.low_points_win else -1
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
    """Return the slots of a bracket for so many seeds (0 the best), None where a seed has a bye.

    Any two seeds meet as late as they can: the first and the second only in the final.
    """
    slots = [0]
    while len(slots) < count:
        last = 2 * len(slots) - 1
        slots = [seed for each in slots for seed in (each, last - each)]
    return tuple(seed if seed < count else None for seed in slots)


def slots_after(entries: Sequence[str], rounds: Sequence[Played]) -> tuple[str | None, ...]:
    """Return a bracket's slots after rounds: of every two neighbours the one who went on."""
    slots = tuple(None if seed is None else entries[seed] for seed in seeded(len(entries)))
    for each in rounds:
        pairs = zip(slots[::2], slots[1::2], strict=True)
        slots = tuple(next((entry for entry in pair if entry in each.on), None) for pair in pairs)
    return slots
