"""Standings of evenings with partners that change: each row is a person, whose side wins, draws or loses."""

from typing import Any, Final
from uuid import UUID

import pytest

from league.core.standings.cross_table import cross_tables
from league.core.standings.outlook import outlook
from league.core.standings.plain import Plain, plain
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Scoring
from league.core.verbs.presence import NoShow
from league.words.plain import plain_columns, title_of
from tests.core.crosstable import after, plan, played, points, published, result, row_of, started, table_at
from tests.core.formats.played import stage_of
from tests.core.ids import uid

PAIRS: Final[dict[str, Any]] = {"seats": (4,), "sides": ((0, 0, 1, 1),)}
"""The first two seats are partners, and the last two."""
ORDER: Final = ("wins", "score_difference")
ROUNDS: Final = (
    "Ann 100 = Ben 100 > Cem 57 = Dana 57",
    "Ann 90 = Cem 90 > Ben 67 = Dana 67",
    "Ann 80 = Dana 80 = Ben 80 = Cem 80",
)


def evening(**changes: Any) -> Competition:
    return played(started("Ann Ben Cem Dana", plan(tie_breaks=ORDER, **changes), **PAIRS), *ROUNDS)


def counts(state: Competition) -> Plain:
    return plain(state, stage_of(state), len(stage_of(state).shown_rounds))


def test_a_win_of_a_side_is_a_win_of_each_partner() -> None:
    found = {name: counts(evening()).taken[uid(name)].duels for name in ("Ann", "Ben", "Cem", "Dana")}
    assert found == {"Ann": (2, 1, 0), "Ben": (1, 1, 1), "Cem": (1, 1, 1), "Dana": (0, 1, 2)}


def test_the_page_has_them_in_one_column_and_compares_no_wins_with_an_average() -> None:
    told = counts(evening())
    shown = plain_columns(told, {UUID(entry): "0" for entry in told.taken})
    assert [column.title for column in shown] == ["Won–drawn–lost", "Total score"]
    assert shown[0].of(UUID(uid("Ann"))) == "2–1–0"
    assert title_of("wins", told) == "Wins"
    assert told.told("wins", uid("Ann")) == "2"


@pytest.mark.parametrize(("by", "earned"), [("place", "5/2"), ("win", "5/2")])
def test_a_side_earns_one_for_a_win_and_half_for_a_draw(by: Any, earned: str) -> None:
    assert points(evening(scoring=Scoring(by=by)), "Ann") == earned


def test_the_score_difference_is_that_against_the_other_side() -> None:
    assert row_of(evening(), "Ann").tiebreaks["score_difference"] == "66"
    assert row_of(evening(), "Dana").tiebreaks["score_difference"] == "-66"


def test_before_the_eighth_edition_partners_stood_against_each_other() -> None:
    ann = row_of(evening(editions=Editions(5, 1, 7)), "Ann")
    assert (str(ann.points), ann.tiebreaks["score_difference"]) == ("13/2", "44")


def test_partners_did_not_meet() -> None:
    ((ann, *_others),) = cross_tables(evening(), 1)
    assert [len(cell or ()) for cell in ann.cells] == [0, 2, 2, 2]


def test_the_ranks_ahead_are_those_of_one_point_a_round() -> None:
    state = played(started("Ann Ben Cem Dana", plan(), **PAIRS), *ROUNDS[:2])
    found = outlook(state, 1)
    assert found and (found[uid("Ann")].worst, found[uid("Dana")].best) == (3, 2)


def test_a_side_that_stayed_away_leaves_both_others_a_walkover() -> None:
    state = published(started("Ann Ben Cem Dana", plan(), **PAIRS), ROUNDS[0])
    table = table_at(state, "Ann")
    away = [NoShow(table.id, uid(name)) for name in ("Cem", "Dana")]
    state = after(state, *away, result(table, ROUNDS[0]))
    found = counts(state).taken
    assert [found[uid(name)].duels for name in ("Ann", "Ben", "Cem")] == [(1, 0, 0), (1, 0, 0), (0, 0, 1)]
