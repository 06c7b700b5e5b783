"""From results to points: game, table, round, stage. Exact fractions throughout.

Every entry has a line for each round it belongs to: what it did there, or the named outcome that stands in
its place, and what that earned. A stage's points are the lines that count, what was carried in, and what was
adjusted.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from league.competition.events import Placing, Scoring
from league.competition.state import Adjustment, Competition, Result, Round, Stage, Table
from league.competition.values import Policy

Kind: TypeAlias = Literal["played", "bye", "absent", "no_show", "forfeit", "walkover"]
ZERO = Fraction(0)


@dataclass(frozen=True)
class Meeting:
    """An entry's result against another at one table: 1 ahead, 1/2 level, 0 behind."""

    opponent: str
    share: Fraction


@dataclass(frozen=True)
class Line:
    """What a round brought an entry at one table, or without one.

    ``places`` are the parts of first, second, … place it took: (1/2, 1/2) is a shared win. ``score`` is the
    game's own; ``difference`` is by how much it beat the average of the others. Lines of a round that best-of
    scoring leaves out do not count.
    """

    entry: str
    round: int
    kind: Kind
    points: Fraction = ZERO
    table: str | None = None
    places: tuple[Fraction, ...] = ()
    score: int = 0
    difference: Fraction = ZERO
    meetings: tuple[Meeting, ...] = ()
    counts: bool = True

    @property
    def wins(self) -> Fraction:
        """Return the part of a first place that was won."""
        return self.places[0] if self.places else ZERO


@dataclass(frozen=True)
class Record:
    """An entry's account of a stage."""

    entry: str
    lines: tuple[Line, ...] = ()
    carried: Fraction = ZERO
    adjustments: tuple[Adjustment, ...] = ()

    # Tie-breaks ask for it many times, and adding fractions is what standings spend their time on.
    @cached_property
    def points(self) -> Fraction:
        """Return the stage's points."""
        earned = sum((line.points for line in self.lines if line.counts), ZERO)
        return earned + self.carried + sum((each.points for each in self.adjustments), ZERO)

    @property
    def played(self) -> int:
        """Return in how many rounds the entry sat at a table that was played."""
        return len({line.round for line in self.lines if line.kind == "played"})


@dataclass(frozen=True)
class Rate:
    """How a stage pays: its scoring, its usual table size, and whether the game's lowest score wins."""

    scoring: Scoring
    size: int
    low_wins: bool

    @property
    def low_points_win(self) -> bool:
        """Return whether the fewest points lead: only where raw scores of such a game are added."""
        return self.scoring.by == "score" and not self.scoring.fair and self.low_wins


@dataclass(frozen=True)
class Reached:
    """The place that a format itself gives an entry, best lowest, and in words how it got there."""

    place: int = 0
    words: str = ""


NOWHERE = Reached()


def rate(state: Competition, stage: Stage) -> Rate:
    """Return how a stage pays."""
    return Rate(stage.plan.scoring, stage.plan.table_size, state.opening.low_wins)


# ---- A game --------------------------------------------------------------------------------------


def by_entry(table: Table, result: Result) -> tuple[tuple[str, Placing], ...]:
    """Return each entry's placing: its best seat's, with ranks counted among the entries.

    Where nobody has won (no rank 1) every entry is last.
    """
    best: dict[str, Placing] = {}
    for seat, placing in zip(table.seats, result.placings, strict=True):
        if seat.entry not in best or placing.rank < best[seat.entry].rank:
            best[seat.entry] = placing
    ranks = [placing.rank for placing in best.values()]
    if min(ranks) > 1:
        return tuple((entry, replace(placing, rank=len(best))) for entry, placing in best.items())
    return tuple(
        (entry, replace(placing, rank=1 + sum(other < placing.rank for other in ranks)))
        for entry, placing in best.items()
    )


def game_lines(number: int, table: Table, result: Result, pay: Rate) -> Iterator[Line]:
    """Yield the line of each entry for one game."""
    placings = by_entry(table, result)
    ranks = [placing.rank for _, placing in placings]
    scores = [placing.score for _, placing in placings]
    for entry, placing in placings:
        places = _places(placing.rank, ranks)
        difference = _difference(placing.score, scores, pay.low_wins)
        yield Line(
            entry=entry,
            round=number,
            kind="played",
            points=_points(pay, places, placing.score, difference),
            table=table.id,
            places=places,
            score=placing.score,
            difference=difference,
            meetings=_meetings(entry, placings),
        )


def _places(rank: int, ranks: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the part of each place that a rank takes: those who share a rank share its places evenly.

    Where nobody has won each takes the whole of the last place, and the others go to nobody.
    """
    if min(ranks) > 1:
        return (*(ZERO for _ in ranks[1:]), Fraction(1))
    sharing = ranks.count(rank)
    part = Fraction(1, sharing)
    return tuple(part if rank - 1 <= at < rank - 1 + sharing else ZERO for at in range(len(ranks)))


def _difference(score: int, scores: Sequence[int], low_wins: bool) -> Fraction:
    """Return by how much a score beats the average of the others at the table."""
    if len(scores) < 2:
        return ZERO
    ahead = Fraction(score * len(scores) - sum(scores), len(scores) - 1)
    return -ahead if low_wins else ahead


def _meetings(entry: str, placings: Sequence[tuple[str, Placing]]) -> tuple[Meeting, ...]:
    own = next(placing.rank for each, placing in placings if each == entry)
    return tuple(
        Meeting(other, Fraction((own < placing.rank) + (own <= placing.rank), 2))
        for other, placing in placings
        if other != entry
    )


def _points(pay: Rate, places: Sequence[Fraction], score: int, difference: Fraction) -> Fraction:
    size = len(places)
    match pay.scoring.by:
        case "place":
            values = place_values(pay, size)
            return sum((part * value for part, value in zip(places, values, strict=True)), ZERO)
        case "win":
            return places[0] * (Fraction(size, pay.size) if pay.scoring.fair else 1)
        case "score":
            # The distance from the average of the whole table: what one gains the others lose.
            return difference * Fraction(size - 1, size) if pay.scoring.fair else Fraction(score)


@lru_cache(maxsize=256)
def place_values(pay: Rate, size: int) -> tuple[Fraction, ...]:
    """Return what first, second, … place earn at a table of a size.

    Fair values stretch those of the usual table over this one: first and last earn the same at any table, and
    places between lie evenly between.
    """
    listed = tuple(map(Fraction, pay.scoring.place_points))
    if not pay.scoring.fair:
        return (*listed, *[ZERO] * size)[:size] if listed else _one_for_each_beaten(size)
    usual = listed or _one_for_each_beaten(pay.size)
    if size == 1:
        return usual[:1]
    return tuple(_between(usual, Fraction(at * (len(usual) - 1), size - 1)) for at in range(size))


def _one_for_each_beaten(size: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(size - place) for place in range(1, size + 1))


def _between(values: Sequence[Fraction], at: Fraction) -> Fraction:
    """Return the value at a place that may lie between two whole ones."""
    low = int(at)
    if low == at:
        return values[low]
    return values[low] + (values[low + 1] - values[low]) * (at - low)


# ---- A round -------------------------------------------------------------------------------------


def round_lines(state: Competition, stage: Stage, each: Round) -> Iterator[Line]:
    """Yield the lines of a published round; those whose points hang on a policy are not paid yet."""
    pay = rate(state, stage)
    for table in each.tables:
        yield from _table_lines(each.number, table, pay)
    for entry in each.byes:
        yield Line(entry, each.number, "bye")
    known = {entry.id: entry for entry in state.entries}
    at = (stage.number, each.number)
    for entry in stage.entries:
        if at in known[entry].absences and known[entry].takes_part(at):
            yield Line(entry, each.number, "absent")


def _table_lines(number: int, table: Table, pay: Rate) -> Iterator[Line]:
    """Yield the lines of a table as far as it is decided; an outcome stands in place of an entry's result."""
    if table.void is not None:
        return
    for result in table.results:
        for line in game_lines(number, table, result, pay):
            if line.entry not in table.outcome_of:
                yield line
    for entry, outcome in table.outcomes:
        yield Line(entry, number, outcome, table=table.id)


# ---- A stage -------------------------------------------------------------------------------------


def records(state: Competition, stage: Stage, through: int | None = None) -> Mapping[str, Record]:
    """Return each entry's record over the published rounds, or those up to ``through``."""
    rounds = [each for each in stage.shown_rounds if through is None or each.number <= through]
    lines = [line for each in rounds for line in round_lines(state, stage, each)]
    lines = _paid(state, stage, lines)
    pay = rate(state, stage)
    open_rounds = {each.number for each in rounds if each.open}
    carried = dict(stage.carried)
    of_entry: dict[str, list[Line]] = {entry: [] for entry in stage.entries}
    for line in lines:
        of_entry[line.entry].append(line)
    return {
        entry: Record(
            entry,
            _best(own, pay, open_rounds),
            carried.get(entry, ZERO),
            tuple(each for each in stage.adjustments if each.entry == entry),
        )
        for entry, own in of_entry.items()
    }


def _paid(state: Competition, stage: Stage, lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the points of those that hang on a policy; policy ``none`` takes a line out."""
    pay = rate(state, stage)
    played: dict[str, list[Line]] = {}
    rounds: dict[int, list[Line]] = {}
    for line in lines:
        if line.kind == "played":
            played.setdefault(line.entry, []).append(line)
            rounds.setdefault(line.round, []).append(line)
    boards = state.opening.team_size if state.opening.lineup == "boards" else 1
    paid: list[Line] = []
    for line in lines:
        policy = _policy(pay.scoring, line.kind)
        if policy is None:
            paid.append(line)
        elif policy != "none":
            value = _worth(policy, pay, played.get(line.entry, []), rounds.get(line.round, []))
            paid.append(replace(line, points=value * (1 if line.table else boards)))
    return paid


def _policy(scoring: Scoring, kind: Kind) -> Policy | None:
    """Return how a line is paid that no result pays."""
    policies: Mapping[Kind, Policy] = {
        "bye": scoring.bye,
        "absent": scoring.absent,
        "no_show": scoring.no_show,
        "forfeit": scoring.forfeit,
        "walkover": scoring.walkover,
    }
    return policies.get(kind)


def _worth(policy: Policy, pay: Rate, own: Sequence[Line], in_round: Sequence[Line]) -> Fraction:
    """Return what a policy pays for one table; ``own`` and ``in_round`` are lines that were played."""
    if policy == "average" and own:
        return _mean([line.points for line in own])
    best, middle, worst = _scale(pay, in_round)
    match policy:
        case "win":
            return best
        case "last":
            return worst
        case _:
            return middle


def _scale(pay: Rate, in_round: Sequence[Line]) -> tuple[Fraction, Fraction, Fraction]:
    """Return what the best, the middle and the worst at a usual table earn.

    Where scores are added that is the best, the average and the worst of the round.
    """
    match pay.scoring.by:
        case "place":
            values = place_values(pay, pay.size)
            return max(values), _mean(values), min(values)
        case "win":
            return Fraction(1), Fraction(1, pay.size), ZERO
        case "score":
            earned = [line.points for line in in_round] or [ZERO]
            best, worst = max(earned), min(earned)
            return (worst, _mean(earned), best) if pay.low_points_win else (best, _mean(earned), worst)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, ZERO) / len(values)


def _best(lines: Sequence[Line], pay: Rate, open_rounds: Container[int]) -> tuple[Line, ...]:
    """Return an entry's lines, those of its worst rounds not counting where only the best n do.

    In a round whose tables are opened at any time each table is one of the n.
    """
    if not pay.scoring.best:
        return tuple(lines)
    turns = [(line.round, at if line.round in open_rounds else 0) for at, line in enumerate(lines)]
    sums: dict[tuple[int, int], Fraction] = {}
    for turn, line in zip(turns, lines, strict=True):
        sums[turn] = sums.get(turn, ZERO) + line.points
    sign = 1 if pay.low_points_win else -1
    kept = sorted(sums, key=lambda turn: (sign * sums[turn], turn))[: pay.scoring.best]
    return tuple(replace(line, counts=turn in kept) for turn, line in zip(turns, lines, strict=True))
