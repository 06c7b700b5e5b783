"""A tie-break is one file and a line in the registry: the example decides, and the docs list it."""

from league.core.plans import check_plans
from league.core.state.plan import Scoring
from league.words.reference import tie_breaks_table
from tests.core.crosstable import opening, plan, played, row_of, standings, started
from tests.examples.pages import code_on

BY_SCORE = Scoring(by="score", fair=False)
PLAN = plan(rounds=2, table_size=2, scoring=BY_SCORE, tie_breaks=("best_round",))
LEVEL = ("Ann 5 > Ben 3", "Ben 4 > Ann 2")


def test_it_decides_between_two_tied_entries() -> None:
    state = played(started("Ann Ben", PLAN), *LEVEL)
    assert standings(state) == ["Ann 7", "Ben 7"]
    first = row_of(state, "Ann")
    assert (first.decided_by, first.tiebreaks) == ("best_round", {"best_round": "5"})
    assert first.explanation == "Level with Ben on 7 points; ahead of Ben by the best round (5 to 4)."


def test_the_fewest_points_are_best_where_the_lowest_score_wins() -> None:
    state = played(started("Ann Ben", PLAN, low_wins=True), *LEVEL)
    assert standings(state) == ["Ann 7", "Ben 7"]
    assert row_of(state, "Ann").tiebreaks == {"best_round": "2"}


def test_a_stage_can_use_it() -> None:
    check_plans(opening(PLAN))


def test_the_docs_list_it() -> None:
    assert "| `best_round` | the points of the entry's best round |\n" in tie_breaks_table()


def test_the_page_shows_the_code_that_runs_here() -> None:
    assert code_on("adding-a-tie-break.md") == ["best_round.py"]
