"""Plain counts: places taken and card points, and when they say as much as what is to be expected."""

from fractions import Fraction
from itertools import combinations
from random import Random
from uuid import UUID

import pytest

from league.core.standings import ranking
from league.core.standings.plain import Plain, plain
from league.core.standings.rows import rows
from league.core.standings.tie_breaks import BY_KEY
from league.core.state.competition import Competition
from league.core.state.plan import Scoring
from league.core.verbs.results import VoidTable
from league.words.plain import plain_columns
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, played, started
from tests.core.formats.played import stage_of
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
    assert [*map(str, told.taken[uid("Ann")].parts)] == ["3/2", "3/2", "0", "0"]
    assert told.even and told.told("places", uid("Ann")) == "3/2, 3/2, 0, 0"


def test_what_is_told_is_the_count() -> None:
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


@pytest.mark.parametrize("best", [0, 2])
@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_where_they_are_even_they_order_as_the_tie_breaks_do(seed: int, size: int, best: int) -> None:
    """Whoever shares places, the fair value is the plain one less the same for everybody."""
    stage = plan(table_size=size, tie_breaks=("wins", "places"), scoring=Scoring(best=best))
    state, random = started(" ".join("ABCDEFGHIJKLMNO"[: 3 * size]), stage), Random(seed)
    for _ in range(3):
        state = played(state, with_shared_places(random, [entry.name for entry in state.entries], size))
    told, accounts = counts(state), ranking.accounts_of(state, stage_of(state), 3)
    assert told.even
    for key in ("wins", "places"):
        marks = BY_KEY[key].marks(accounts, stage_of(state).entries)
        assert marks
        pairs = [(marks[each].key, as_numbers(str(told.told(key, each)))) for each in marks]
        assert len({fair for fair, _ in pairs}) > 1
        for (fair, plainly), (other, other_plainly) in combinations(pairs, 2):
            assert (fair > other) - (fair < other) == (plainly > other_plainly) - (plainly < other_plainly)


def with_shared_places(random: Random, names: list[str], size: int) -> str:
    """Return the tables of a round at which some share places, by lot."""
    random.shuffle(names)
    tables = [names[at : at + size] for at in range(0, len(names), size)]
    return "; ".join("".join(f"{name} {random.choice('>>=')} " for name in each)[:-3] for each in tables)


def as_numbers(value: str) -> list[Fraction]:
    return [Fraction(each) for each in value.split(", ")]


def test_reasons_are_told_with_plain_counts() -> None:
    state = played(started("Ann Ben Cem Dana", FOURS), "Ann > Ben > Cem > Dana", "Cem > Ben > Ann > Dana")
    order, told = ranking.order(state, 1), counts(state)
    names = {entry.id: entry.name for entry in state.entries}
    ben = next(row for row in rows(order, names, {}, telling=told) if row.entry == uid("Ben"))
    assert "by wins (0 to 1)" in str(ben.explanation)


def test_reasons_name_the_comparison_with_the_average_where_sizes_differ() -> None:
    state = played(
        started("Ann Ben Cem Dana Eva Finn Gus", FOURS), "Ann > Ben > Cem > Dana; Eva > Finn > Gus"
    )
    names = {entry.id: entry.name for entry in state.entries}
    told = [str(row.explanation) for row in rows(ranking.order(state, 1), names, {}, telling=counts(state))]
    assert any("by wins above average (" in each for each in told)
    assert not any("by wins (" in each for each in told)


def test_of_few_at_a_table_of_four_places_are_counted_too() -> None:
    """Places are compared with the average then: a table is for more than two."""
    told = counts(played(started("Ann Ben", FOURS), "Ann > Ben", "Ann > Ben"))
    (places, *_) = plain_columns(told, dict.fromkeys(map(UUID, told.taken), "x"))
    assert (places.title, places.of(UUID(uid("Ann"))), told.told("wins", uid("Ann"))) == (
        "Places taken",
        "2-0",
        "2",
    )
