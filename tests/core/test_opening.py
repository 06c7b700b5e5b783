"""Opening a competition: what is recorded about the game, and which plans are refused."""

from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.state.plan import Intake, Opening, StagePlan
from league.core.verbs.start import Opened, opening_of
from tests.core.crosstable import plan


def opened(*plans: StagePlan, **changes: Any) -> Opened:
    usual: dict[str, Any] = {"name": "Cup", "ruleset": "scoops", "options": {}, "root": "0" * 64, "clock": {}}
    announced = {"seats": (), "low_wins": False, **usual, **changes}
    return opening_of(Opening(**announced, stages=plans or (plan(),)))


def test_the_opening_records_version_options_and_seats() -> None:
    event = opened()
    assert event.ruleset == "scoops@1"
    assert event.options
    assert event.seats == tuple(range(2, 10))


def test_only_numbers_of_players_that_the_options_allow_are_recorded() -> None:
    assert opened(plan(table_size=2), ruleset="scram", lineup="partners", team_size=2).seats == (3, 4, 6)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"ruleset": "tarot"}, "ruleset"),
        ({"options": {"mood": "sad"}}, "options.mood"),
        ({"root": "short"}, "root"),
        ({"entropy": "dice"}, "entropy"),
        ({"name": ""}, "name"),
        ({"lineup": "partners", "team_size": 10}, "team_size"),
    ],
)
def test_options_that_do_not_fit_the_game_are_malformed(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        opened(**changes)
    assert path in refusal.value.errors


BEST = {"intake": Intake("best")}
DIVISIONS = {"intake": Intake("promotion", promoted=1, relegated=1), "groups": 3}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"format": "pyramid"}, "format"),
        ({"rounds": 0}, "rounds"),
        ({"tie_breaks": ("wins", "charm")}, "tie_breaks"),
        ({"params": {"reach": 3}}, "params.reach"),
        ({"format": "ladder", "rounds": 1, "params": {"reach": -1}}, "params.reach"),
        ({"table_size": 11}, "table_size"),
        ({"intake": Intake("best", best=2)}, "intake.source"),
    ],
)
def test_a_plan_that_does_not_fit_its_format_is_malformed(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        opened(plan(**changes))
    assert f"stages.0.{path}" in refusal.value.errors


@pytest.mark.parametrize(("changes", "path"), [(BEST, "intake.best"), (DIVISIONS, "groups")])
def test_a_plan_that_does_not_fit_the_previous_stage_is_malformed(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(Malformed) as refusal:
        opened(plan(groups=2), plan(**changes))
    assert [*refusal.value.errors] == [f"stages.1.{path}"]


@pytest.mark.parametrize("size", [2, 9])
def test_a_table_size_that_the_game_does_not_have_is_refused_with_those_it_has(size: int) -> None:
    with pytest.raises(Malformed) as refusal:
        opened(plan(table_size=size), ruleset="scram")
    (sentence,) = refusal.value.errors["stages.0.table_size"]
    assert str(sentence) == f"The game has no table for {size} entries; choose 3, 4 or 6."


def test_single_players_are_teams_of_one() -> None:
    with pytest.raises(Illegal, match="team size of 1"):
        opened(team_size=2)
