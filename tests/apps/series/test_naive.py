"""The table of a series is that of a second reckoning that tries every choice of what counts."""

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.engine.refusals import Malformed
from games.engine.values import replace
from league.apps.series.core import ranking
from league.apps.series.core.parts import Part, Share
from league.apps.series.core.ranking import Facts, Prize, Span
from league.apps.series.core.rule import (
    NEWEST,
    Absence,
    Bonus,
    Count,
    Deduction,
    Drops,
    Minimum,
    Rule,
    Value,
    check,
)
from tests.apps.series import naive
from tests.apps.series.years import evenings

PEOPLE = ("Ann", "Ben", "Cem", "Dana")
FIRST = date(2026, 1, 31)
few = st.integers(0, 3)


def number(low: int, high: int) -> st.SearchStrategy[str]:
    return st.builds(
        lambda top, bottom: str(Fraction(top, bottom)), st.integers(low, high), st.integers(1, 3)
    )


@st.composite
def parts_of_a_year(draw: Any, *, low_wins: bool) -> tuple[Part, ...]:
    found = list[Part]()
    day, evening = FIRST, 0
    for at in range(draw(st.integers(1, 5))):
        same = bool(found) and draw(st.booleans())
        evening += not same
        day += timedelta(days=0 if same else draw(st.sampled_from([7, 28, 31])))
        own = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, unique=True))
        points = [Fraction(draw(st.integers(-2, 5)), draw(st.sampled_from([1, 1, 1, 2]))) for _ in own]
        ordered = sorted(points, reverse=not low_wins)
        shares = tuple(
            Share(
                person,
                value,
                1 + ordered.index(value),
                ordered.count(value) - 1,
                deals=draw(few),
                tables=draw(few),
                partners=frozenset(draw(st.sets(st.sampled_from(PEOPLE), max_size=1)) - {person}),
            )
            for person, value in zip(own, points, strict=True)
        )
        found.append(
            Part(
                str(at),
                evening,
                "",
                day,
                shares,
                list=draw(st.integers(1, 2)),
                field=draw(st.sampled_from([0, len(own)])),
                low_wins=low_wins,
                weight=draw(st.sampled_from([1, 2])),
                final=draw(st.sampled_from([False, False, True])),
                running=draw(st.integers(1, 5)) == 1,
            )
        )
    return tuple(found)


@st.composite
def a_rule(draw: Any, *, low_wins: bool) -> Rule:
    by = draw(st.sampled_from(["points", "per_deal", "per_table", "beaten", "places"]))
    best, every = draw(few), draw(few)
    when: Any = draw(st.sampled_from(["end", "earned"])) if every else "end"
    divide = draw(st.sampled_from(["sum", "mean"]))
    return Rule(
        unit="list",
        value=Value(
            by,
            tuple(draw(st.lists(number(-1, 5), min_size=1, max_size=3))) if by == "places" else (),
            rest=draw(number(0, 1)),
            level=draw(st.sampled_from(["mean", "best"])),
            times=draw(number(1, 3)),
            least="1" if by == "points" and not low_wins and draw(st.booleans()) else None,
        ),
        deduction=Deduction(draw(number(0, 2)), draw(st.integers(0, 2))),
        count=Count(
            best,
            declared=draw(st.sampled_from([0, 0, 2, 3])),
            drops=Drops() if best else Drops(every, draw(few), draw(few), when),
            months=draw(few),
            entries=draw(st.integers(0, 2)),
            lists=draw(st.integers(0, 2)),
        ),
        absence=Absence()
        if when == "earned" and not best
        else draw(
            st.sampled_from([Absence(), Absence("average")])
            | st.builds(Absence, st.just("value"), number(-2, 4))
        ),
        divide=divide,
        over=draw(few) if divide == "mean" and not low_wins else 0,
        bonus=Bonus(draw(number(0, 2)), draw(few), draw(few)),
        minimum=Minimum(draw(few), draw(st.integers(0, 2))),
        ties=draw(st.sampled_from(["best", "shared"])),
        without=("Cup",),
        edition=draw(st.integers(1, NEWEST)),
    )


@st.composite
def facts_of_a_year(draw: Any) -> Facts:
    days = st.integers(0, 150).map(lambda after: FIRST + timedelta(days=after))
    spans = st.sampled_from([(Span(),), (Span(),), ()]) | st.tuples(st.builds(Span, days, st.none() | days))
    prizes = st.builds(Prize, st.sampled_from(PEOPLE), days, st.sampled_from(["Cup", "Ham", "Ham"]))
    return Facts(
        {person: draw(spans) for person in PEOPLE},
        {person: draw(st.sets(st.integers(1, 4))) for person in PEOPLE},
        draw(st.lists(prizes, max_size=3)),
        [(person, "Cup") for person in draw(st.sets(st.sampled_from(PEOPLE), max_size=1))],
    )


@st.composite
def a_year(draw: Any) -> tuple[Rule, tuple[Part, ...], Facts]:
    low_wins = draw(st.booleans())
    rule = draw(a_rule(low_wins=low_wins))
    parts = draw(parts_of_a_year(low_wins=low_wins))
    if low_wins and rule.divide == "sum" and rule.value.by in ("points", "per_deal", "per_table"):
        best = rule.count.best or 1
        count = replace(rule.count, best=best, drops=Drops(), declared=0)
        rule = replace(rule, count=count, minimum=replace(rule.minimum, played=best))
    try:
        check(rule)
    except Malformed:
        rule = replace(rule, count=replace(rule.count, declared=0))
        check(rule)
    return rule, parts, draw(facts_of_a_year())


def a_year_of_equal_values() -> tuple[Rule, tuple[Part, ...], Facts]:
    """Return a year in which an absence and a later evening of more weight have the same value."""
    first, heavy, final = evenings("Ann - 0 3; Ben 5 5 5")
    parts = (first, replace(heavy, weight=2), replace(final, final=True))
    rule = Rule(count=Count(best=1), absence=Absence("value"), divide="mean", edition=2)
    return rule, parts, Facts({person: (Span(),) for person in PEOPLE})


@settings(max_examples=100, deadline=None)
@example(a_year_of_equal_values())
@given(a_year())
def test_ranks_and_totals_are_those_of_a_reckoning_that_tries_every_choice(year: Any) -> None:
    rule, parts, facts = year
    found = ranking.table(rule, parts, facts)
    assert {row.person: (row.rank, row.total) for row in found.rows} == naive.ranks(rule, parts, facts)


@settings(max_examples=30, deadline=None)
@given(a_year(), st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_that_of_people_and_shares(year: Any, random: Any) -> None:
    rule, parts, facts = year
    shuffled = [replace(part, shares=tuple(random.sample(part.shares, len(part.shares)))) for part in parts]
    people = {person: facts.people[person] for person in random.sample(PEOPLE, len(PEOPLE))}
    assert ranking.table(rule, shuffled, replace(facts, people=people)) == ranking.table(rule, parts, facts)


FAR = Fraction(10**12)


def possible_values(rule: Rule, parts: Any, drawn: list[Fraction], *, low_wins: bool) -> list[Fraction]:
    """Return values that another evening can have, the worst first: all, or the ends and some between."""
    value, times = rule.value, Fraction(rule.value.times)
    if value.by == "places":
        return sorted({Fraction(each) * times for each in (*value.places, value.rest)})
    if value.by == "beaten":
        return sorted({Fraction(0), 100 * times, *(each for each in drawn if 0 <= each <= 100 * times)})
    below = any(each.points < 0 for part in parts for each in part.shares)
    if low_wins:
        return sorted({FAR, -FAR if below else Fraction(0), *(each for each in drawn if below or each >= 0)})[
            ::-1
        ]
    below = below and value.least is None
    return sorted({-FAR if below else Fraction(0), FAR, *(each for each in drawn if below or each >= 0)})


def a_year_of_absences() -> tuple[Rule, tuple[Part, ...], Facts]:
    """Return a year of whole points in which averages of absences are halves, one that counts, one not."""
    first, second, final, last = evenings("Ann 0 - 3 -; Ben 1 2 - -; Cem 0 0 0 0")
    parts = (first, second, replace(final, final=True), last)
    rule = Rule(count=Count(best=1), absence=Absence("average"), edition=1)
    return rule, parts, Facts({person: (Span(),) for person in PEOPLE})


@settings(max_examples=200, deadline=None)
@example(a_year_of_absences(), [])
@given(a_year(), st.lists(st.builds(Fraction, st.integers(-400, 400), st.integers(1, 3)), max_size=12))
def test_what_is_said_to_help_is_enough_and_nothing_less_is(year: Any, drawn: list[Fraction]) -> None:
    rule, parts, facts = year
    table = ranking.table(rule, parts, facts)
    low_wins, by_rank = naive.low(rule, parts), {row.rank: row.person for row in reversed(table.rows)}
    better = -1 if low_wins else 1
    counted = [part for part in parts if not rule.lists or part.list in rule.lists]
    step = step_of(rule, parts, table)
    for row in table.rows:
        above = max((rank for rank in by_rank if rank and row.rank and rank < row.rank), default=None)
        ended = not facts.counts(row.person, max(part.on for part in parts) + timedelta(days=1))
        if above is None or ended or (row.reach is None and all_declared(rule, facts, row.person)):
            assert row.reach is None
            continue
        target_of = partial(best_from, rule, parts, facts, table, row)
        target = target_of(above)
        taken = naive.taken(rule, facts, row.person, max(part.on for part in parts) + timedelta(days=1))
        least = Fraction(rule.value.least or 0) * Fraction(rule.value.times)

        def enough(value: Fraction, target: tuple[Fraction, list[Fraction]] = target) -> bool:
            worth = Fraction(0) if rule.value.least and value < least else value  # noqa: B023
            more = naive.Result(worth - better * taken)  # noqa: B023
            results = [*naive.results_of(rule, parts, facts, row.person, more)]  # noqa: B023
            return naive.standing(rule, results, low_wins=low_wins) >= target

        told = row.reach.value if row.reach else None
        if told is not None and row.reach:
            assert enough(told)
            reached = [rank for rank in by_rank if rank and rank <= above and enough(told, target_of(rank))]
            assert row.reach.place == min(reached)
        for value in possible_values(rule, counted, drawn, low_wins=low_wins):
            if row.reach is None:
                assert not enough(value)
            elif told is None or better * value >= better * told:
                assert enough(value)
            elif better * (told - value) >= step:
                assert not enough(value)
        if told is not None and rule.value.by != "places":
            assert not enough(told - better * step)


def best_from(
    rule: Rule, parts: tuple[Part, ...], facts: Facts, table: ranking.Table, row: ranking.Row, place: int
) -> tuple[Fraction, list[Fraction]]:
    """Return how the best of all but one stands or can stand who have a place or are behind it."""
    rivals = [each.person for each in table.rows if each is not row and (each.rank or place) >= place]
    return max(stand for rival in rivals for stand in soon(rule, parts, facts, rival))


def soon(
    rule: Rule, parts: tuple[Part, ...], facts: Facts, person: str
) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Yield how a person stands now, and after one more absence that is worth something, if ranked."""
    results = [*naive.results_of(rule, parts, facts, person)]
    stands = [results]
    goes_on = facts.counts(person, max(part.on for part in parts) + timedelta(days=1))
    if goes_on and rule.absence.gives == "value":
        stands.append([*results, naive.Result(Fraction(rule.absence.value), played=False)])
    played = [each for each in results if each.played]
    if goes_on and rule.absence.gives == "average" and played:
        weights = [each.weight if rule.edition > 1 else 1 for each in played]
        sum_ = sum((each.value * by for each, by in zip(played, weights, strict=True)), Fraction(0))
        stands.append([*results, naive.Result(sum_ / sum(weights), played=False)])
    for each in stands:
        if not naive.lacking(rule, parts, facts, person, each):
            yield naive.standing(rule, each, low_wins=naive.low(rule, parts))


def tallied(row: ranking.Row) -> tuple[int, int, int, int]:
    """Return what the cells of a row come to that its tally says."""
    valued = [cell for cell in row.cells if cell.value is not None]
    counts, absent = sum(cell.counts for cell in valued), sum(cell.why == "absent" for cell in valued)
    own = sum(bool(cell.place and cell.place.own) for cell in valued)
    return counts - absent, absent, len(valued) - counts, own


def step_of(rule: Rule, parts: tuple[Part, ...], table: ranking.Table) -> Fraction:
    """Return in which steps values are told: those between two of them nobody is asked for."""
    there = {(part.key, share.person) for part in parts for share in part.shares}
    cells = [(cell, row.person) for row in table.rows for cell in row.cells]
    assert [tallied(row) for row in table.rows] == [row.tally for row in table.rows]
    played = [cell.value for cell, person in cells if cell.value is not None and (cell.part, person) in there]
    fine = lcm(*(value.denominator for value in played))
    awards = {"two_winners": 10, "one_winner": 6, "individual": 6}
    if rule.value.by in awards:
        return awards[rule.value.by] * Fraction(rule.value.times)
    return Fraction(1, fine if fine <= 10 and rule.value.by != "beaten" else 100)


def all_declared(rule: Rule, facts: Facts, person: str) -> bool:
    most = rule.count.declared
    return bool(most) and len(set(facts.declared.get(person, ()))) >= most
