"""A knockout so far: who is still in, who went out in which round, and how each match ended."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, takewhile
from typing import Final, Literal, TypeAlias

from league.core import scoring
from league.core.drawing.draw import entry_sizes, table_sizes
from league.core.drawing.gone_on import as_gone_on
from league.core.lines import Line, line_at
from league.core.records import ZERO
from league.core.state.competition import Competition, Outcome, Round, Stage, Table
from league.core.state.values import Decider

FINAL: Final = "final"
THIRD_PLACE: Final = "third place"
BESIDE: Final = (THIRD_PLACE, "place ", "places ", "consolation")
"""How the labels begin of matches beside a bracket: those of entries that can't win it any more."""
OUTCOMES: Final[Mapping[Outcome | None, int]] = {"walkover": 0, None: 1, "forfeit": 2, "no_show": 3}
"""The order in which entries of a match advance, before their points count."""
TieRule: TypeAlias = Literal["seed", "play_off", "all"]
"""What decides a tie on the last advancing place of a table."""


@dataclass(frozen=True)
class Match:
    """A table, or the boards of two teams; ``order`` are its entries, best first.

    ``line`` divides those that advance from the others; at the final it comes after the winner. ``played`` is
    whether all came and it is not void.
    """

    label: str
    line: Line
    played: bool = True

    @property
    def order(self) -> tuple[str, ...]:
        """Return the entries, best first."""
        return (*self.line.through, *self.line.out)


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


@dataclass(frozen=True)
class Heats:
    """How many entries of a match advance (0: half of them), and what decides a tie on the last place.

    ``usual``: so many come to a final table, where numbers allow; 0 for as many as are left. ``allowed`` are
    the sizes of tables. ``all_may_stay``: with the rule ``all`` a tie can let everybody at a table advance.
    ``as_corrected``: a correction changes who went on, though others have played since (the first editions).
    """

    advance: int
    ties: TieRule
    usual: int = 0
    allowed: tuple[int, ...] = ()
    all_may_stay: bool = False
    as_corrected: bool = False

    def through(self, sizes: Sequence[int], byes: int) -> int:
        """Return how many entries of a round advance, apart from ties: half of each table, or as asked.

        Those who would be left for one table, or for none, are as many as a final usually has: all winners,
        and the best of the others.
        """
        count = byes + sum(advancing(size, self.advance) for size in sizes)
        most = byes + sum(size - 1 for size in sizes)
        final = self.usual and table_sizes(count, self.allowed, self.usual) in ((count,), ())
        return self.usual if final and byes + len(sizes) <= self.usual <= most else count


@dataclass(frozen=True)
class PlayOff:
    """Level entries of a group that have to play off for the last place, best seed first."""

    group: int
    entries: tuple[str, ...]


def beside(label: str) -> bool:
    """Return whether a table with a label is beside a bracket: the better seed wins it from a tie."""
    return label.startswith(BESIDE)


def played_rounds(state: Competition, stage: Stage, group: int, heats: Heats, through: int) -> list[Played]:
    """Return a group's closed rounds up to ``through``, apart from play-offs."""
    stage = stage if heats.as_corrected else as_gone_on(stage)
    return [
        _played(state, stage, group, heats, each)
        for each in stage.rounds[:through]
        if each.status == "closed" and not each.play_off
    ]


def _played(state: Competition, stage: Stage, group: int, heats: Heats, each: Round) -> Played:
    seeds = stage.groups[group - 1]
    byes = [entry for entry in each.byes if entry in seeds]
    matches = tuple(_matches(state, stage, group, heats, each, len(byes)))
    best = [entry for match in matches if match.label != THIRD_PLACE for entry in match.line.through]
    return Played(each.number, matches, frozenset([*best, *byes]))


def advancing(size: int, advance: int) -> int:
    """Return how many entries of a table advance: as many as asked or, for 0, half; never all."""
    return min(advance or size // 2, size - 1)


def _matches(
    state: Competition, stage: Stage, group: int, heats: Heats, each: Round, byes: int
) -> Iterator[Match]:
    seeds = stage.groups[group - 1]
    play_offs = play_off_ranks(state, stage, each.number)
    matches = by_match([table for table in each.tables if table.group == group])
    for boards, places in zip(matches, _places(state, stage, seeds, heats, matches, byes), strict=True):
        label, classes = boards[0].label, finishing_classes(state, stage, seeds, boards)
        ties = tie_rule(heats, label, classes, places)
        held = any({*boards[0].entries} & {*ranks} for ranks in play_offs)
        to_come = ties == "play_off" and not held and _is_last(state, stage, each)
        otherwise: Decider = "" if to_come else "seed"
        line = line_at(classes, places, ties, seeds=seeds, play_offs=play_offs, otherwise=otherwise)
        yield Match(label, line, any(map(_was_played, boards)))


def _is_last(state: Competition, stage: Stage, each: Round) -> bool:
    """Return whether play-offs of a round can still come: no other round follows it, nor another stage."""
    later = any(other.number > each.number and not other.play_off for other in stage.rounds)
    return not (later or state.over or state.stages[-1].number > stage.number)


def decided_now(state: Competition, stage: Stage, group: int, heats: Heats) -> Mapping[frozenset[str], str]:
    """Return who won those matches of two of the round being played that are over, by who met."""
    each, seeds = stage.current_round, stage.groups[group - 1]
    won: dict[frozenset[str], str] = {}
    for boards in by_match([table for table in each.tables if table.group == group] if each else []):
        classes = finishing_classes(state, stage, seeds, boards)
        level = len(classes[0]) > 1 and tie_rule(heats, boards[0].label, classes, 1) == "play_off"
        if all(table.decided and table.void is None for table in boards) and not level:
            won[frozenset(boards[0].entries)] = classes[0][0]
    return won


def _was_played(table: Table) -> bool:
    return table.status == "played" and "no_show" not in table.outcome_of.values()


def tie_rule(heats: Heats, label: str, classes: Sequence[Sequence[str]], places: int) -> TieRule:
    """Return what decides a tie on the last place of a match, of which somebody has to be out."""
    last = label == FINAL or beside(label)
    all_level = len(classes) == 1 if heats.all_may_stay else places > sum(map(len, classes[:-1]))
    return "seed" if beside(label) or (heats.ties == "all" and (last or all_level)) else heats.ties


def _places(
    state: Competition,
    stage: Stage,
    seeds: Sequence[str],
    heats: Heats,
    matches: Sequence[Sequence[Table]],
    byes: int,
) -> list[int]:
    """Return how many entries of each match advance; of a final the winner."""
    sizes = [len(boards[0].entries) for boards in matches]
    wanted = heats.through(sizes, byes) - byes
    if any(boards[0].label in (FINAL, THIRD_PLACE) for boards in matches):
        return [1] * len(sizes)
    places = [advancing(size, heats.advance) for size in sizes]
    if sum(places) == wanted:
        return places
    places = [1] * len(sizes)
    while (missing := wanted - sum(places)) > 0:
        # The second of each table, or as many of them as are missing, the best first; then the third …
        fits = [at for at, size in enumerate(sizes) if places[at] < size - 1]
        marks = {at: finishing_marks(state, stage, seeds, matches[at])[places[at]] for at in fits}
        for at in sorted(fits, key=marks.__getitem__)[:missing]:
            places[at] += 1
    return places


def by_match(tables: Sequence[Table]) -> list[list[Table]]:
    """Return the tables, the boards of two teams together."""
    matches: dict[frozenset[str], list[Table]] = {}
    for table in tables:
        matches.setdefault(frozenset(table.entries), []).append(table)
    return list(matches.values())


# ---- How a match ends ----------------------------------------------------------------------------


def finishing(
    state: Competition, stage: Stage, seeds: Sequence[str], tables: Sequence[Table]
) -> tuple[str, ...]:
    """Return the entries of a match, best first.

    Entries with a walkover come first, then those that played, forfeited, and did not come; within these
    points decide, then score difference, then the better seed.
    """
    classes = finishing_classes(state, stage, seeds, tables)
    return tuple(entry for level in classes for entry in level)


def finishing_classes(
    state: Competition, stage: Stage, seeds: Sequence[str], tables: Sequence[Table]
) -> tuple[tuple[str, ...], ...]:
    """Return the entries of a match, best first, level ones together with the better seed first."""
    marks = finishing_marks(state, stage, seeds, tables)
    return tuple(
        tuple(seeds[seed] for *_, seed in level) for _, level in groupby(marks, key=lambda mark: mark[:-1])
    )


def finishing_marks(
    state: Competition, stage: Stage, seeds: Sequence[str], tables: Sequence[Table]
) -> list[tuple[int, Fraction, Fraction, int]]:
    """Return what orders the entries of a match, best first: outcome, points, difference and seed."""
    rate = scoring.rate_of(state, stage).of_boards
    results = [(table, result) for table in tables for result in table.results]
    lines = [line for table, result in results for line in scoring.game_lines(0, table, result, rate)]
    outcomes = {entry: outcome for table in tables for entry, outcome in table.outcomes}
    sign = 1 if rate.low_points_win else -1

    def mark(entry: str) -> tuple[int, Fraction, Fraction, int]:
        own = [line for line in lines if line.entry == entry]
        return (
            OUTCOMES[outcomes.get(entry)],
            # Who wins a match is told by games, whatever points the stage adds.
            sum((-line.wins if line.games else sign * line.points for line in own), ZERO),
            -sum((line.difference for line in own), ZERO),
            seeds.index(entry),
        )

    return sorted(map(mark, tables[0].entries))


# ---- Play-offs -----------------------------------------------------------------------------------


def play_off_ranks(state: Competition, stage: Stage, after: int) -> tuple[Mapping[str, int], ...]:
    """Return how each closed play-off ended that followed a round, the latest first: ranks by entry.

    Whom the other one left alone after the draw has won it.
    """
    following = takewhile(lambda each: each.play_off, stage.rounds[after:])
    found: list[Mapping[str, int]] = []
    for each in following:
        if each.status == "closed":
            found += [_left_alone(each, table) for table in each.proposed if not each.tables.get(table.id)]
            found += [_ranks(state, stage, boards) for boards in by_match(each.tables)]
    return tuple(reversed(found))


def _ranks(state: Competition, stage: Stage, boards: Sequence[Table]) -> dict[str, int]:
    classes = finishing_classes(state, stage, stage.entries, boards)
    return {entry: rank for rank, level in enumerate(classes, 1) for entry in level}


def _left_alone(play_off: Round, table: Table) -> dict[str, int]:
    return {entry: 1 if entry in play_off.byes else 2 for entry in table.entries}


def due_play_offs(
    state: Competition, stage: Stage, ties: Sequence[PlayOff], after: int
) -> tuple[PlayOff, ...]:
    """Return those of the ties after a round that still need a play-off, and for which there is a table."""
    sizes = entry_sizes(state.opening)
    held = [
        {*table.entries}
        for each in takewhile(lambda each: each.play_off, stage.rounds[after:])
        if each.status != "drawn"
        for table in each.tables
    ]
    return tuple(
        tie
        for tie in ties
        if len(tie.entries) in sizes and not any({*tie.entries} <= entries for entries in held)
    )


def due_in_heats(state: Competition, stage: Stage, heats: Heats) -> tuple[PlayOff, ...]:
    """Return the play-offs that the last round still needs, of entries that can play."""
    after = max((each.number for each in stage.rounds if not each.play_off), default=0)
    if heats.ties != "play_off" or not after or stage.rounds[after - 1].status != "closed":
        return ()
    fields = state.field(stage, state.next_round)
    ties = [
        PlayOff(tie.group, tuple(entry for entry in tie.entries if entry in fields[tie.group - 1]))
        for group in range(1, len(stage.groups) + 1)
        for tie in _tied_in_heats(played_rounds(state, stage, group, heats, after), group)
    ]
    return due_play_offs(state, stage, ties, after)


def _tied_in_heats(rounds: Sequence[Played], group: int) -> tuple[PlayOff, ...]:
    """Return the ties on the last advancing place in the last of a group's rounds."""
    matches = rounds[-1].matches if rounds else ()
    tied = [match.line.level for match in matches if match.line.level and not beside(match.label)]
    return tuple(PlayOff(group, level) for level in tied)


# ---- Brackets ------------------------------------------------------------------------------------


def seeded(count: int) -> tuple[int | None, ...]:
    """Return the slots of a bracket for so many seeds (0 is the best), None where a seed has a bye.

    Any two seeds meet as late as possible: the first and the second only in the final.
    """
    slots = [0]
    while len(slots) < count:
        last = 2 * len(slots) - 1
        slots = [seed for each in slots for seed in (each, last - each)]
    return tuple(seed if seed < count else None for seed in slots)
