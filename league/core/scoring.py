"""From results to points: game, table, round, stage. Exact fractions throughout.

Every entry has a line for each round that it belongs to: its result there, or the outcome that replaces a
result, and what it earned. A stage's points are those of lines that count, those carried in, and adjustments.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Final

from games.engine.values import replace
from league.core.agreed import Kind, without_table
from league.core.match_scores import games_of, with_points
from league.core.records import HALVES, ZERO, Line, Meeting, Rate, Record, total
from league.core.state.competition import Adjustment, Competition, Result, Round, Stage, Table
from league.core.state.plan import Opening, Placing, Scoring, StagePlan
from league.core.state.values import Policy
from league.core.team_matches import lines_of_matches, team_matches


def rate_of(state: Competition, stage: Stage) -> Rate:
    """Return how a stage awards points."""
    return rate_in(state.opening, stage.plan)


def rate_in(opening: Opening, plan: StagePlan) -> Rate:
    """Return how a stage of a plan awards points."""
    edition = plan.editions.scoring
    sides = opening.sides if edition >= SIDES_COUNT else ()
    own_last = edition >= OWN_LAST and plan.scoring.by == "score"
    rate = Rate(plan.scoring, plan.table_size, opening.low_wins, edition >= BEST_OF_PARTNERS, sides, own_last)
    return replace(rate, size=rate.parties(plan.table_size))


def boards(state: Competition, stage: Stage) -> int:
    """Return how many results an entry has in a round: one for each board, or that of the match of teams."""
    many = state.opening.lineup == "boards" and not stage.plan.scoring.match_points
    return state.opening.team_size if many else 1


# ---- A game --------------------------------------------------------------------------------------


def by_entry(table: Table, result: Result, rate: Rate) -> tuple[tuple[str, Placing], ...]:
    """Return each entry's placing: that of its best seat, with ranks counted among the entries.

    Where nobody won (no rank 1) every entry is last.
    """
    best: dict[str, Placing] = {}
    for seat, placing in zip(table.seats, result.placings, strict=True):
        best[seat.entry] = min(best.get(seat.entry, placing), placing, key=rate.worth)
    ranks = [placing.rank for placing in best.values()]
    last = len(best) if min(ranks) > 1 else 0
    return tuple(
        (entry, replace(each, rank=last or 1 + sum(other < each.rank for other in ranks)))
        for entry, each in best.items()
    )


def game_lines(number: int, table: Table, result: Result, rate: Rate) -> Iterator[Line]:
    """Yield the line of each entry for one game, without those who did not come.

    The others keep their points, but a no-show has no part in what tie-breaks count. An entry alone at its
    table has a walkover.
    """
    placings = by_entry(table, with_points(result), rate)
    side_of = dict(zip((entry for entry, _ in placings), rate.sides_at(len(placings)), strict=True))
    present = [each for each in placings if table.outcome_of.get(each[0]) != "no_show"]
    sides, came = (_by_side(each, side_of, rate) for each in (placings, present))
    if len(came) == 1 < len(sides):
        for entry, _ in present:
            yield _without_result(number, table, entry, "walkover")
        return
    ranks, shown = _ranks(sides), _ranks(came)
    nobody_won = min(ranks) > 1
    for entry, placing in present:
        own = side_of[entry]
        paid = _difference(own, sides, rate.low_wins)
        yield Line(
            entry=entry,
            round=number,
            kind="played",
            points=_points(rate, _places(sides[own].rank, ranks, nobody_won), placing.score, paid),
            table=table.id,
            places=_places(sides[own].rank, shown, nobody_won),
            score=placing.score,
            difference=_difference(own, came, rate.low_wins),
            meetings=_meetings(own, present, side_of),
            games=games_of(table, result, entry),
        )


def _by_side(
    placings: Sequence[tuple[str, Placing]], side_of: Mapping[str, int], rate: Rate
) -> Mapping[int, Placing]:
    """Return the placing of each side: the best of its entries."""
    found: dict[int, Placing] = {}
    for entry, placing in placings:
        side = side_of[entry]
        found[side] = min(found.get(side, placing), placing, key=rate.worth)
    return found


def _ranks(sides: Mapping[int, Placing]) -> tuple[int, ...]:
    return tuple(placing.rank for placing in sides.values())


def _without_result(number: int, table: Table, entry: str, kind: Kind) -> Line:
    others = tuple(other for other in table.entries if other != entry)
    return Line(entry, number, kind, table=table.id, against=others)


# Most tables end as others did, and fractions take long to make.
@lru_cache(maxsize=4096)
def _places(rank: int, ranks: tuple[int, ...], nobody_won: bool) -> tuple[Fraction, ...]:
    """Return a rank's part of each place: entries of one rank share its places evenly.

    Where nobody won each entry has the whole last place.
    """
    if nobody_won:
        return (*(ZERO for _ in ranks[1:]), Fraction(1))
    first = 1 + sum(other < rank for other in ranks)
    sharing = ranks.count(rank)
    part = Fraction(1, sharing)
    return tuple(part if first <= place < first + sharing else ZERO for place in range(1, len(ranks) + 1))


def _difference(own: int, sides: Mapping[int, Placing], low_wins: bool) -> Fraction:
    """Return by how much a side's score beats the average of the others at the table."""
    if len(sides) < 2:
        return ZERO
    scores = [placing.score for placing in sides.values()]
    ahead = Fraction(sides[own].score * len(scores) - sum(scores), len(scores) - 1)
    return -ahead if low_wins else ahead


def _meetings(
    side: int, placings: Sequence[tuple[str, Placing]], side_of: Mapping[str, int]
) -> tuple[Meeting, ...]:
    """Return the results of a side's entries against those of others."""
    own = next(placing.rank for each, placing in placings if side_of[each] == side)
    return tuple(
        Meeting(other, HALVES[(own < placing.rank) + (own <= placing.rank)])
        for other, placing in placings
        if side_of[other] != side
    )


def _points(rate: Rate, places: Sequence[Fraction], score: int, difference: Fraction) -> Fraction:
    size = len(places)
    match rate.scoring.by:
        case "place":
            values = place_values(rate, size)
            return sum((part * value for part, value in zip(places, values, strict=True) if part), ZERO)
        case "win":
            return places[0] * win_value(rate, size)
        case "score":
            # The difference from the average of the whole table: they add up to 0.
            return difference * Fraction(size - 1, size) if rate.scoring.fair else Fraction(score)


def win_value(rate: Rate, size: int) -> Fraction:
    """Return the points for a win at a table of a size; a fair one is worth what it takes."""
    return Fraction(size, rate.size) if rate.scoring.fair else Fraction(1)


@lru_cache(maxsize=256)
def place_values(rate: Rate, size: int) -> tuple[Fraction, ...]:
    """Return the points for first, second, … place at a table of a size.

    Fair values stretch those of the usual table over this one: first and last place earn the same at any
    table, and the places between have evenly spaced values.
    """
    listed = tuple(map(Fraction, rate.scoring.place_points))
    if not rate.scoring.fair:
        return (*listed, *[ZERO] * size)[:size] if listed else _one_for_each_beaten(size)
    usual = listed or _one_for_each_beaten(rate.size)
    if size == 1:
        return usual[:1]
    return tuple(_interpolated(usual, Fraction(index * (len(usual) - 1), size - 1)) for index in range(size))


def _one_for_each_beaten(size: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(size - place) for place in range(1, size + 1))


def _interpolated(values: Sequence[Fraction], index: Fraction) -> Fraction:
    low = int(index)
    if low == index:
        return values[low]
    return values[low] + (values[low + 1] - values[low]) * (index - low)


# ---- A round -------------------------------------------------------------------------------------


def round_lines(state: Competition, stage: Stage, each: Round) -> Iterator[Line]:
    """Yield the lines of a published round; lines with points by a policy have none yet."""
    rate = rate_of(state, stage).of_boards
    for table in each.tables:
        yield from _table_lines(each.number, table, rate)
    for entry, kind in without_table(state, stage, each):
        yield Line(entry, each.number, kind)


def board_lines(each: Round, table: Table, rate: Rate) -> Sequence[Line]:
    """Return the lines of a board with all points, as far as it is decided."""
    return _by_policy(_table_lines(each.number, table, rate), rate, 1)


def _table_lines(number: int, table: Table, rate: Rate) -> Sequence[Line]:
    """Return the lines of a table as far as it is decided, which are computed once."""
    kept: tuple[int, Rate, Sequence[Line]] | None = table.derived.get("lines")
    if kept is None or kept[:2] != (number, rate):
        kept = table.derived["lines"] = number, rate, tuple(_new_lines(number, table, rate))
    return kept[2]


def _new_lines(number: int, table: Table, rate: Rate) -> Iterator[Line]:
    """Yield the lines of a table; an outcome replaces an entry's result."""
    if table.void is not None:
        return
    own: dict[str, Fraction] = {}
    for result in table.results:
        for line in game_lines(number, table, result, rate):
            if line.entry not in table.outcome_of:
                yield line
            elif rate.own_last and line.kind == "played" and table.ruling is None:
                own[line.entry] = own.get(line.entry, ZERO) + line.points
    for entry, outcome in table.outcomes:
        yield replace(_without_result(number, table, entry, outcome), own=own.get(entry))


# ---- A stage -------------------------------------------------------------------------------------


def records(state: Competition, stage: Stage, through: int | None = None) -> Mapping[str, Record]:
    """Return each entry's record in the published rounds, or in those up to ``through``; not in play-offs."""
    return EDITIONS[stage.plan.editions.scoring](state, stage, through)


def _records(state: Competition, stage: Stage, through: int | None) -> Mapping[str, Record]:
    shown = [each for each in stage.shown_rounds if through is None or each.number <= through]
    rounds = [each for each in shown if not each.play_off]
    lines = [line for each in rounds for line in round_lines(state, stage, each)]
    lines = _paid(state, stage, rounds, lines)
    rate = rate_of(state, stage)
    open_rounds = {each.number for each in rounds if each.open}
    carried = dict(stage.carried)
    adjustments: dict[str, list[Adjustment]] = {}
    for each in stage.adjustments:
        if through is None or each.round <= through:
            adjustments.setdefault(each.entry, []).append(each)
    shown_last = [(each.number, _present(each)) for each in reversed(rounds)]
    of_entry: dict[str, list[Line]] = {entry: [] for entry in stage.entries}
    for line in lines:
        of_entry[line.entry].append(line)
    return {
        entry: Record(
            entry,
            _best(own, rate, open_rounds),
            carried.get(entry, ZERO),
            tuple(adjustments.get(entry, ())),
            _missed(entry, shown_last),
            open_rounds=open_rounds,
            average=rate.scoring.average,
        )
        for entry, own in of_entry.items()
    }


def _with_voided(state: Competition, stage: Stage, through: int | None) -> Mapping[str, Record]:
    """Return the records with the void tables of drawn rounds, unless only the best rounds count."""
    found = _records(state, stage, through)
    drawn = [each for each in stage.shown_rounds if not (each.open or each.play_off)]
    voided: dict[str, list[Line]] = {}
    for each in drawn:
        for table in _void_tables(each, stage) if through is None or each.number <= through else ():
            for entry in table.entries:
                voided.setdefault(entry, []).append(Line(entry, each.number, "void", table=table.id))
    if not voided or stage.plan.scoring.best:
        return found
    return {entry: replace(record, voided=tuple(voided.get(entry, ()))) for entry, record in found.items()}


def _void_tables(each: Round, stage: Stage) -> list[Table]:
    """Return the void tables of a round; where matches of teams earn points, the first of each void one."""
    if stage.plan.scoring.match_points:
        return [match.boards[0] for match in team_matches(each.tables) if match.void]
    return [table for table in each.tables if table.void is not None]


def _missed(entry: str, last_first: Sequence[tuple[int, Container[str]]]) -> tuple[int, ...]:
    """Return the last rounds for which the entry was not available, the last first; given are who was."""
    return tuple(number for number, _ in takewhile(lambda each: entry not in each[1], last_first))


def _present(each: Round) -> frozenset[str]:
    """Return the entries that were available for a round: at a table, with a bye, or idle."""
    came = (
        entry for table in each.tables for entry in table.entries if table.outcome_of.get(entry) != "no_show"
    )
    return frozenset((*each.byes, *each.idle, *came))


def _paid(state: Competition, stage: Stage, rounds: Sequence[Round], lines: Sequence[Line]) -> list[Line]:
    """Return the lines with all points.

    Those of the boards of a match of teams that earns match points are one.
    """
    rate = rate_of(state, stage)
    if not rate.match_points:
        return _by_policy(lines, rate, boards(state, stage))
    on_boards = _by_policy([line for line in lines if line.table], rate.of_boards, 1)
    others = [line for line in lines if not line.table]
    together = [*lines_of_matches(rounds, on_boards, rate), *_by_policy(others, rate, 1)]
    return sorted(together, key=lambda line: line.round)


def _by_policy(lines: Sequence[Line], rate: Rate, times: int) -> list[Line]:
    """Return the lines with all points filled in by policies; the policy ``none`` removes a line.

    A round without a table counts as so many ``times`` as a table.
    """
    if all(line.kind == "played" for line in lines):
        return list(lines)
    played: dict[str, list[Line]] = {}
    rounds: dict[int, list[Line]] = {}
    for line in lines:
        if line.kind == "played":
            played.setdefault(line.entry, []).append(line)
            rounds.setdefault(line.round, []).append(line)
    paid: list[Line] = []
    for line in lines:
        policy = _policy(rate.scoring, line.kind)
        if policy is None:
            paid.append(line)
        elif policy != "none":
            value = _worth(policy, rate, played.get(line.entry, []), rounds.get(line.round, []))
            if policy == "last" and line.own is not None:
                value = max(value, line.own) if rate.low_points_win else min(value, line.own)
            paid.append(replace(line, points=value * (1 if line.table else times)))
    return paid


def fixed_points(rate: Rate, policy: Policy) -> Fraction | None:
    """Return what a policy is worth at one table, None where that depends on results."""
    if policy == "none":
        return ZERO
    by_result = policy == "average" or (rate.scoring.by == "score" and not rate.match_points)
    return None if by_result else _worth(policy, rate, (), ())


def _policy(scoring: Scoring, kind: Kind) -> Policy | None:
    """Return the policy that gives a line its points, None for the line of a result."""
    policies: Mapping[str, Policy] = vars(scoring)
    return None if kind == "played" else policies[kind]


def _worth(policy: Policy, rate: Rate, own: Sequence[Line], in_round: Sequence[Line]) -> Fraction:
    """Return a policy's points for one table; ``own`` and ``in_round`` are lines that were played."""
    if policy == "average" and own:
        return _mean([line.points for line in own])
    best, middle, worst = _scale(rate, in_round)
    match policy:
        case "win":
            return best
        case "last":
            return worst
        case _:
            return middle


def _scale(rate: Rate, in_round: Sequence[Line]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the best, the average and the worst points of a usual table, or of a match that earns some.

    Where scores are added these are the best, the average and the worst of the round.
    """
    if rate.match_points:
        won, drawn, lost = rate.match_points
        return won, drawn, lost
    match rate.scoring.by:
        case "place":
            values = place_values(rate, rate.size)
            return max(values), _mean(values), min(values)
        case "win":
            return Fraction(1), Fraction(1, rate.size), ZERO
        case "score":
            earned = [line.points for line in in_round] or [ZERO]
            best, worst = max(earned), min(earned)
            return (worst, _mean(earned), best) if rate.low_points_win else (best, _mean(earned), worst)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return total(values) / len(values)


def _best(lines: Sequence[Line], rate: Rate, open_rounds: Container[int]) -> tuple[Line, ...]:
    """Return an entry's lines; where only the best n rounds count, the others are marked.

    In open play each table counts as a round.
    """
    if not rate.scoring.best:
        return tuple(lines)
    keys = [(line.round, index if line.round in open_rounds else 0) for index, line in enumerate(lines)]
    sums: dict[tuple[int, int], Fraction] = {}
    for key, line in zip(keys, lines, strict=True):
        sums[key] = sums.get(key, ZERO) + line.points
    sign = 1 if rate.low_points_win else -1
    best = sorted(sums, key=lambda key: (sign * sums[key], key))[: rate.scoring.best]
    return tuple(replace(line, counts=key in best) for key, line in zip(keys, lines, strict=True))


EDITIONS: Final[Mapping[int, Callable[[Competition, Stage, int | None], Mapping[str, Record]]]] = (
    dict.fromkeys((1, 2), _records) | dict.fromkeys(range(3, 10), _with_voided)
)
"""What gives points. What one gives never changes: other points, tie-breaks or ranks are another edition.

Since the second, an entry without a game has the game score that goes with its points, before it had 0.
Since the third, a void table counts in tie-breaks as the average of the own results, in duels as an absence
without points; before it was none.
Since the fourth, who was expelled is last at once, not only when the competition is over.
Since the fifth, who never came is last in the standings too, when the competition is over.
Since the sixth, who has left and never came is last at once. Who holds a rung of a ladder keeps it, whether
it played or not; who has left a ladder is ranked by the rung that it left, before by points; and a walkover
wins a rung. Partners level in rank have the best of their scores, before that of their first seat.
Since the seventh, where points are averages, who has not played yet comes after all who have.
Since the eighth, partners that change are a side: they win, draw or lose together against the others.
Since the ninth, where scores are added, who leaves a table and counts as the last of the round has the own
score if that is worse: nobody gains by leaving.
"""
EXPELLED_LAST: Final = 4
NEVER_CAME_LAST: Final = 5
LEFT_LAST: Final = 6
NOT_YET_LAST: Final = 7
BEST_OF_PARTNERS: Final = 6
SIDES_COUNT: Final = 8
OWN_LAST: Final = 9
