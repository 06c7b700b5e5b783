"""Plain counts: places taken and card points, and when they say as much as what is to be expected."""

from fractions import Fraction
from uuid import UUID

import pytest

from league.core.standings import ranking
from league.core.standings.plain import Plain, plain
from league.core.standings.rows import rows
from league.core.state.competition import Competition
from league.core.state.plan import Scoring
from league.core.verbs.results import VoidTable
from league.words.plain import plain_columns
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, played, started
from tests.core.formats.played import competition, drawn, finished_round, stage_of
from tests.core.ids import uid

FOURS = plan(tie_breaks=("wins", "places"))


def counts(state: Competition) -> Plain:
    stage = stage_of(state)
    return plain(state, stage, len(stage.shown_rounds))


def test_places_and_card_points_are_counted() -> None:
    state = played(
        started("Ann Ben Cem Dana", FOURS),
        "Ann 40 > Ben 30 > Cem 20 > Dana 10",
        "Ben 9 > Ann 8 > Dana 7 > Cem -6",
        "Ann 5 = Ben 5 > Cem 1 > Dana 0",
    )
    told = counts(state)
    assert told.taken[uid("Ann")].score == 53
    assert told.taken[uid("Ann")].places == (2, 1, 0, 0)
    assert told.taken[uid("Cem")].places == (0, 0, 2, 1)
    assert told.taken[uid("Cem")].score == 15
    assert not told.even and told.told("places", uid("Ann")) is None


def test_what_is_told_is_the_count_where_nobody_shares_a_place() -> None:
    told = counts(played(started("Ann Ben Cem Dana", FOURS), "Ann > Ben > Cem > Dana"))
    assert (told.told("wins", uid("Ann")), told.told("places", uid("Ben"))) == ("1", "0, 1, 0, 0")
    assert told.told("score_difference", uid("Ann")) is None


DUELS = plan(table_size=2, tie_breaks=("wins",), scoring=Scoring(bye="win"))


def test_at_tables_of_two_wins_are_told_as_they_are_counted() -> None:
    told = counts(played(started("Ann Ben", DUELS), "Ann 3 > Ben 1", "Ann 5 > Ben 1"))
    assert (told.told("wins", uid("Ann")), told.told("wins", uid("Ben"))) == ("2", "0")
    assert told.taken[uid("Ann")].duels == (2, 0, 0)


def test_a_bye_that_earned_a_win_is_told_as_a_bye() -> None:
    state = played(started("Ann Ben Cem", DUELS), "Ann > Ben", byes="Cem")
    told = counts(played(state, "Ann > Cem", byes="Ben"))
    assert str(told.told("wins", uid("Cem"))) == "0 and 1 bye"
    shown = plain_columns(told, dict.fromkeys(map(UUID, told.taken), "x"))
    cells = {column.title: column.of(UUID(uid("Cem"))) for column in shown}
    assert (cells["Won–drawn–lost"], cells["Byes"]) == ("0–0–1", "1")


def test_who_has_not_played_has_no_card_points() -> None:
    told = counts(played(started("Ann Ben Cem", plan(table_size=2)), "Ann 3 > Ben 1", byes="Cem"))
    assert told.taken[uid("Cem")].score is None
    assert not told.even


def test_counts_are_not_even_where_places_are_worth_different_amounts() -> None:
    state = started("Ann Ben Cem Dana Eva Finn Gus", FOURS)
    assert not counts(played(state, "Ann > Ben > Cem > Dana; Eva > Finn > Gus")).even


def test_a_void_table_makes_them_uneven() -> None:
    state = played(started("Ann Ben Cem Dana", FOURS), "Ann > Ben > Cem > Dana")
    table = stage_of(state).rounds[0].tables[0].id
    assert not counts(after(state, *commands.decide(state, VoidTable(table, "Wrong cards")))).even


@pytest.mark.parametrize("seed", range(6))
def test_where_they_are_even_they_order_as_the_tie_breaks_do(seed: int) -> None:
    state = competition(12, FOURS, seed)
    for _ in range(3):
        state = finished_round(drawn(state))
    told = counts(state)
    assert told.even
    for key in ("wins", "places"):
        shown = [(row.tiebreaks[key], told.told(key, row.entry)) for row in ranking.standings(state, 1)]
        pairs = [(as_numbers(fair), as_numbers(str(count))) for fair, count in shown if fair and count]
        assert len(pairs) > 1
        assert sorted(pairs) == sorted(pairs, key=lambda pair: pair[1])


def as_numbers(value: str) -> list[Fraction]:
    numbers = [Fraction(each) for each in value.split(", ")]
    return [*numbers, *[Fraction(0)] * (10 - len(numbers))]


def test_reasons_are_told_with_plain_counts() -> None:
    state = played(started("Ann Ben Cem Dana", FOURS), "Ann > Ben > Cem > Dana", "Cem > Ben > Ann > Dana")
    order, told = ranking.order(state, 1), counts(state)
    names = {entry.id: entry.name for entry in state.entries}
    ben = next(row for row in rows(order, names, {}, told=told.told) if row.entry == uid("Ben"))
    assert "(0 to 1)" in str(ben.explanation)
