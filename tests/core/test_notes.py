"""Notes beside a rank: points at tables of another size, and what stands for rounds without a result."""

import pytest

from games.engine.values import replace
from league.core.standings import rows
from league.core.standings.ranking import order
from league.core.state.competition import Competition
from league.core.state.plan import Editions, Scoring
from league.core.verbs.presence import Absent
from tests.core.crosstable import after, plan, played, row_of, started
from tests.core.ids import uid

SEVEN = "Ann Ben Cem Dana Eva Finn Gus"
TWO_SIZES = "Ann 9 > Ben 6 > Cem 5 > Dana 2; Eva 8 > Finn 4 > Gus 1"


def notes(state: Competition, name: str) -> list[str]:
    return [*row_of(state, name).notes]


def without(name: str, *rounds: str, scoring: int = 2, low_wins: bool = True) -> Competition:
    """A competition in which somebody was absent in round 1."""
    keys = ("head_to_head", "game_score", "score_difference", "wins")
    stage = plan(table_size=3, tie_breaks=keys, editions=Editions(1, 1, scoring))
    state = started("Ann Ben Cem Dana", stage, low_wins=low_wins)
    return played(after(state, Absent(uid(name), 1, "")), *rounds)


def test_points_at_a_table_of_another_size_are_explained() -> None:
    state = played(started(SEVEN, plan(table_size=4)), TWO_SIZES)
    assert notes(state, "Ann") == []
    assert notes(state, "Finn") == [
        "Round 1, at a table of 3: places earned 3, 3/2 and 0, so that first and last place are worth "
        "as much as at a table of 4."
    ]


def test_sizes_are_told_in_teams_where_partners_play() -> None:
    pairs = replace(started(SEVEN, plan(table_size=4)).opening, lineup="partners")
    state = replace(played(started(SEVEN, plan(table_size=4)), TWO_SIZES), opening=pairs)
    assert [told.split(": places")[0] for told in notes(state, "Finn")] == ["Round 1, at a table of 3 teams"]


def test_a_win_at_a_table_of_another_size_is_explained() -> None:
    state = played(started(SEVEN, plan(table_size=4, scoring=Scoring(by="win"))), TWO_SIZES)
    assert notes(state, "Eva") == ["Round 1, at a table of 3: a win earned 3/4 instead of 1."]


@pytest.mark.parametrize("scoring", [Scoring(fair=False), Scoring(by="score")])
def test_points_that_are_not_scaled_have_no_note(scoring: Scoring) -> None:
    state = played(started(SEVEN, plan(table_size=4, scoring=scoring)), TWO_SIZES)
    assert notes(state, "Finn") == []


def test_a_missed_round_says_what_stands_for_it() -> None:
    state = without("Dana", "Ann 30 > Ben 40 > Cem 50", "Dana 20 > Ann 30 > Ben 40 > Cem 50")
    assert notes(state, "Dana")[1:] == [
        "Round 1, without a result: for score difference and wins it counts as results of others do on "
        "average that earned as many points (0)."
    ]
    assert not any("without a result" in note for note in notes(state, "Ann"))


def test_without_a_game_the_average_score_is_what_goes_with_the_points_and_not_the_best() -> None:
    state = without("Dana", "Ann 30 > Ben 40 > Cem 50")
    assert row_of(state, "Dana").tiebreaks["game_score"] == "50"
    assert row_of(state, "Dana").decided_by == "wins"
    assert "for average score, score difference and wins" in notes(state, "Dana")[0]


def test_the_first_edition_keeps_its_average_score_of_0() -> None:
    state = without("Dana", "Ann 30 > Ben 40 > Cem 50", scoring=1)
    assert row_of(state, "Dana").tiebreaks["game_score"] == "0"
    assert row_of(state, "Dana").decided_by == "game_score"
    assert "for score difference and wins" in notes(state, "Dana")[0]


def test_notes_are_stored_with_the_order() -> None:
    state = without("Dana", "Ann 30 > Ben 40 > Cem 50")
    stored = order(state, 1)
    assert rows.read(stored.as_json()) == stored
    assert any(each.notes for each in stored.groups[0])
