"""The ranks that brackets still leave: against every course of small fields, and what lasts of those out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from league.core.course import next_step
from league.core.drawing.bracket import Match, Played
from league.core.drawing.double_bracket import DoubleBracket, Pair
from league.core.drawing.placing import PlacingBracket
from league.core.drawing.possible import possible_in
from league.core.formats.double_elimination import _reached
from league.core.formats.pairs_cup import reached_in_pairs
from league.core.lines import Line
from league.core.standings import outlook as possible_ranks
from league.core.state.competition import Competition
from league.core.state.plan import Intake, Placing, Scoring
from league.core.verbs.results import ResultRecorded
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, after, plan, played, published, result, started, table_at
from tests.core.formats.played import competition, drawn, last_round
from tests.core.ids import uid

Bracket = DoubleBracket | PlacingBracket
Ranks = dict[str, tuple[int, int]]


def double(seeds: Sequence[str], rounds: Sequence[Played]) -> DoubleBracket:
    return DoubleBracket(seeds, rounds, second_final=True)


def once(seeds: Sequence[str], rounds: Sequence[Played]) -> DoubleBracket:
    return DoubleBracket(seeds, rounds, second_final=False)


def placing(most: int) -> Callable[[Sequence[str], Sequence[Played]], PlacingBracket]:
    return lambda seeds, rounds: PlacingBracket(seeds, rounds, most)


def pairs_of(bracket: Bracket) -> Sequence[Pair]:
    if isinstance(bracket, DoubleBracket):
        return bracket.steps[len(bracket.rounds)].pairs
    return [pair for _part, _label, pair in bracket.labelled()]


def length_of(bracket: Bracket) -> int:
    return bracket.length if isinstance(bracket, DoubleBracket) else bracket.depth


def ranks_of(bracket: Bracket) -> Ranks:
    """The first and the last rank of the class of each entry."""
    found = _reached(bracket) if isinstance(bracket, DoubleBracket) else reached_in_pairs(bracket)
    ranks = {entry: each.rank for entry, each in found}
    return {entry: (rank, rank + [*ranks.values()].count(rank) - 1) for entry, rank in ranks.items()}


def a_round(number: int, pairs: Sequence[Pair], course: int) -> Played:
    """A round in which the bits of a number say which of each two wins."""
    matches, going_on = [], set[str]()
    for pair in pairs:
        here = [one for one in pair if one]
        if len(here) == 2:
            course, won = divmod(course, 2)
            matches.append(Match("", Line((here[won],), (here[1 - won],))))
        going_on.update([here[won] if len(here) == 2 else one for one in here[:1]])
    return Played(number, tuple(matches), frozenset(going_on))


def courses(make: Any, seeds: Sequence[str], rounds: tuple[Played, ...]) -> Iterator[tuple[Ranks, Ranks]]:
    """At every moment the bounds of those who play on, and what the courses from there have."""
    bracket = make(seeds, rounds)
    if len(rounds) < length_of(bracket):
        bounds = possible_in(bracket, {})
        assert {*bracket.still_in} <= {*bounds}
        yield dict(bounds), best_and_worst(make, seeds, rounds)
        for course in range(2 ** matches_in(bracket)):
            then = a_round(len(rounds) + 1, pairs_of(bracket), course)
            yield from courses(make, seeds, (*rounds, then))


def matches_in(bracket: Bracket) -> int:
    return sum(None not in pair for pair in pairs_of(bracket))


def best_and_worst(make: Any, seeds: Sequence[str], rounds: tuple[Played, ...]) -> Ranks:
    bracket = make(seeds, rounds)
    if len(rounds) >= length_of(bracket):
        return ranks_of(bracket)
    found: Ranks = {}
    for course in range(2 ** matches_in(bracket)):
        then = (*rounds, a_round(len(rounds) + 1, pairs_of(bracket), course))
        for entry, (best, worst) in best_and_worst(make, seeds, then).items():
            before = found.get(entry, (best, worst))
            found[entry] = min(best, before[0]), max(worst, before[1])
    return found


FIELDS = [
    *((double, count) for count in (2, 3, 4, 5)),
    *((once, count) for count in (3, 4, 5)),
    *((placing(most), count) for most in (0, 4, 8) for count in (2, 3, 5, 6)),
]


@pytest.mark.parametrize(("make", "count"), FIELDS)
def test_they_are_those_of_every_course(make: Any, count: int) -> None:
    seeds = [f"S{number}" for number in range(count)]
    for bounds, found in courses(make, seeds, ()):
        assert {entry: found[entry] for entry in bounds} == bounds


def test_before_a_knockout_of_six_who_has_a_bye_cannot_be_last() -> None:
    bounds = possible_in(placing(4)([f"S{number}" for number in range(6)], ()), {})
    assert bounds["S0"] == (1, 4) and bounds["S5"] == (1, 6)


def ranks(state: Competition) -> Mapping[str, tuple[int, int]]:
    found = possible_ranks.outlook(state, 1)
    assert found is not None
    return {state.entry(entry).name: (each.best, each.worst) for entry, each in found.items()}


NAMES = "Ann Ben Cem Dana"
ORDER = Intake(seeding="order")
CUP = plan(format="knockout", rounds=0, table_size=2, tie_breaks=("score_difference",), intake=ORDER)
DOUBLE = plan(**{**vars(CUP), "format": "double_elimination"})


def test_a_match_that_is_over_tells_before_the_round_is_closed() -> None:
    state = published(started(NAMES, CUP), "Ann > Dana; Ben > Cem")
    state = after(state, result(table_at(state, "Ann"), "Ann > Dana"))
    assert ranks(state) == {"Ann": (1, 2), "Dana": (3, 4), "Ben": (1, 4), "Cem": (1, 4)}


def test_who_is_unbeaten_after_two_rounds_of_a_double_elimination_is_second_at_least() -> None:
    state = played(started(NAMES, DOUBLE), "Ann > Dana; Ben > Cem", "Ann > Ben; Dana > Cem")
    assert ranks(state) == {"Ann": (1, 2), "Ben": (1, 3), "Dana": (1, 3), "Cem": (4, 4)}


def test_those_out_in_one_round_have_the_ranks_that_their_difference_gives() -> None:
    no_third = plan(**{**vars(CUP), "params": {"third_place": False}})
    state = played(started(NAMES, no_third), "Ann 9 > Dana 1; Ben 9 > Cem 7")
    assert ranks(state) == {"Ann": (1, 2), "Ben": (1, 2), "Cem": (3, 3), "Dana": (4, 4)}


def test_they_share_them_where_a_lot_may_decide() -> None:
    no_third = plan(**{**vars(CUP), "params": {"third_place": False}})
    state = played(started(NAMES, no_third), "Ann 9 > Dana 7; Ben 9 > Cem 7")
    assert ranks(state)["Cem"] == ranks(state)["Dana"] == (3, 4)


def test_nothing_lasts_where_an_absence_earns_points() -> None:
    paid = plan(**{**vars(CUP), "params": {"third_place": False}, "scoring": Scoring(absent="middle")})
    state = played(started(NAMES, paid), "Ann 9 > Dana 1; Ben 9 > Cem 7")
    assert ranks(state)["Cem"] == ranks(state)["Dana"] == (3, 4)


# ---- Heats: whatever the tables still undecided bring ---------------------------------------------


def in_heats(count: int, *seats: int, **params: Any) -> Competition:
    heats = plan(format="knockout", rounds=0, table_size=3, params=params)
    return competition(count, heats, seats=seats or tuple(range(2, 11)))


def opened_round(state: Competition) -> Competition:
    state = drawn(state)
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    return after(state, *commands.publish(state, games=games))


def ways(state: Competition) -> Iterator[Competition]:
    """The states after the first undecided table, at which each comes first, second …, or all are level.

    The next round follows the last table.
    """
    table, *more = (table for table in last_round(state).tables if not table.decided)
    ranks = [*range(1, len(table.seats) + 1)]
    for order in (*((*ranks[at:], *ranks[:at]) for at in range(len(ranks))), (1,) * len(ranks)):
        placings = tuple(Placing(seat, rank, 9 - rank) for seat, rank in enumerate(order))
        then = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", placings))
        if not more:
            then = after(then, *commands.close_round(then))
            then = opened_round(then) if next_step(then) == "draw" else then
        yield then


def followed(state: Competition, seen: list[tuple[Ranks, Ranks]]) -> Ranks:
    """The best and the worst rank that each entry has at any end; ``seen`` gets them beside the bounds."""
    bounds = {
        entry: (each.best, each.worst) for entry, each in (possible_ranks.outlook(state, 1) or {}).items()
    }
    if last_round(state).status == "closed":
        return bounds
    found: Ranks = {}
    for then in ways(state):
        for entry, (best, worst) in followed(then, seen).items():
            before = found.get(entry, (best, worst))
            found[entry] = min(best, before[0]), max(worst, before[1])
    seen.append((bounds, found))
    return found


HEATS = [
    in_heats(4),
    in_heats(7, 3),
    in_heats(6, 3, advance=1),
    *(in_heats(5, ties=ties) for ties in ("seed", "play_off", "all")),
]


@pytest.mark.parametrize("begin", HEATS)
def test_in_heats_no_course_leads_beyond_them(begin: Competition) -> None:
    seen: list[tuple[Ranks, Ranks]] = []
    assert followed(opened_round(begin), seen)
    for bounds, found in seen:
        for entry, (best, worst) in found.items():
            assert bounds[entry][0] <= best <= worst <= bounds[entry][1]


def test_in_heats_who_has_a_bye_or_has_come_first_is_among_those_who_go_on() -> None:
    """Seven at tables of three with a bye: the bye and both winners are the final."""
    state = opened_round(in_heats(7, 3))
    first = last_round(state).tables[0]
    bye, winner, second = (uid("P0"), first.entries[0], first.entries[1])
    state = next(ways(state))
    bounds = possible_ranks.outlook(state, 1) or {}
    told = [(bounds[entry].best, bounds[entry].worst) for entry in (bye, winner, second)]
    assert told == [(1, 3), (1, 3), (4, 7)]
