"""What organisers or a rule decided of a rank is told with it."""

import pytest

from league.core.standings.settled import Settled, settled
from league.core.state.competition import Competition
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.results import AwardWalkover
from league.core.verbs.rulings import RuledSeat, SetResult
from tests.core import deciding as commands
from tests.core.crosstable import after, plan, played, published, started, table_at
from tests.core.formats.played import stage_of
from tests.core.ids import uid

DUELS = plan(table_size=2)


def told(state: Competition) -> dict[str, Settled]:
    """Return what was decided, by the entries' names."""
    found = settled(state, stage_of(state), len(stage_of(state).shown_rounds))
    return {name: found[uid(name)] for name in ["Ann", "Ben", "Cem", "Dana"] if uid(name) in found}


def test_results_and_points_that_organisers_decided_are_told() -> None:
    state = played(started("Ann Ben Cem Dana", DUELS), "Ann 3 > Ben 1; Cem 2 > Dana 1")
    ruling = SetResult(table_at(state, "Ann").id, (RuledSeat(0, 1), RuledSeat(1, 3)), "wrong sheet")
    state = after(state, *commands.decide(state, ruling))
    state = after(state, *commands.decide(state, AdjustPoints(uid("Cem"), "-1/2", "came late")))
    decided = told(state)
    assert [*map(str, decided["Ann"].by_organiser)] == ["Round 1: an organiser set the result."]
    assert decided["Ben"] == decided["Ann"]
    assert [*map(str, decided["Cem"].by_organiser)] == ["An organiser changed the points by -1/2: came late."]
    assert "Dana" not in decided


@pytest.mark.parametrize(("reason", "decided"), [("", []), ("wrong sheet", ["Ann", "Ben"])])
def test_a_result_with_real_cards_that_was_typed_in_is_no_decision(reason: str, decided: list[str]) -> None:
    state = published(started("Ann Ben", DUELS, ruleset="scoops-scorecard@1"), "Ann - Ben")
    ruling = SetResult(table_at(state, "Ann").id, (RuledSeat(0, 3), RuledSeat(1, 1)), reason)
    assert [*told(after(state, *commands.decide(state, ruling)))] == decided


def test_a_walkover_that_an_organiser_awarded_is_told_until_it_is_over() -> None:
    state = published(started("Ann Ben", DUELS), "Ann - Ben")
    state = after(
        state, *commands.decide(state, AwardWalkover(table_at(state, "Ann").id, (uid("Ann"),), "ill"))
    )
    assert [*told(state)] == ["Ann", "Ben"]
    assert settled(state, stage_of(state), 0) == {}


def test_who_was_level_in_a_bracket_and_lost_by_the_seeds_is_told() -> None:
    cup = plan(format="knockout", rounds=0, table_size=2)
    state = played(started("Ann Ben Cem Dana", cup), "Ann 2 = Dana 2; Ben 3 > Cem 1")
    decided = told(state)
    (out,) = (name for name in decided if decided[name].by_rule)
    assert uid(out) == max(uid("Ann"), uid("Dana"), key=stage_of(state).groups[0].index)
    assert decided[out].by_organiser == ()
