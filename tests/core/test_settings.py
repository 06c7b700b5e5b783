"""Settings that can change until the first draw: what changes, what never does, and what the log says."""

from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.events import read, write
from league.core.state.competition import Competition
from league.core.state.plan import Entering, Intake
from league.core.verb import Given
from league.core.verbs.settings import ChangeSettings, SettingsChanged
from tests.core.crosstable import after, entered, plan, played, published, started
from tests.core.deciding import NOW, decide
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def change(state: Competition, **settings: Any) -> Competition:
    given = Given(uid("competition"), NOW, zone="Europe/Dublin")
    return after(state, *decide(state, ChangeSettings(settings), given))


def test_each_setting_that_nothing_depends_on_changes() -> None:
    state = change(
        entered(FOUR),
        name="Spring",
        pace="automatic",
        overdue="forfeit",
        aided=True,
        open_hands=5,
        waits={"finish": 2},
        entering={"places": 9, "approval": True},
        clock={"move": 60, "quiet": "22:00-07:00"},
        stages=[{"name": "Night", "rounds": 4, "hours": 2, "scoring": {"best": 3}, "tie_breaks": ["wins"]}],
    )
    opening, (stage,) = state.opening, state.plans
    assert (opening.name, opening.pace, opening.overdue, opening.open_hands) == (
        "Spring",
        "automatic",
        "forfeit",
        5,
    )
    assert (opening.waits.finish, opening.waits.close_round) == (2, 60)
    assert opening.clock == {"move": 60, "quiet": "22:00-07:00", "zone": "Europe/Dublin"}
    assert (stage.name, stage.rounds, stage.hours, stage.scoring.best, stage.tie_breaks) == (
        "Night",
        4,
        2,
        3,
        ("wins",),
    )
    assert state.opening.stages == state.plans


def test_the_log_says_what_it_was_and_what_it_is_and_nothing_else() -> None:
    verb = ChangeSettings({"name": "Spring", "pace": "manual", "stages": [{"rounds": 5}]})
    (event,) = decide(entered(FOUR), verb, Given(uid("competition"), NOW))
    assert write(event) == {
        "type": "settings_changed",
        "was": {"name": "Club night", "stages": {"1": {"rounds": 3}}},
        "now": {"name": "Spring", "stages": {"1": {"rounds": 5}}},
    }


def test_nothing_is_written_where_nothing_changes() -> None:
    assert decide(entered(FOUR), ChangeSettings({"name": "Club night"}), Given(uid("competition"), NOW)) == ()


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"ruleset": "scamper"}, "settings.ruleset"),
        ({"seats": [4]}, "settings.seats"),
        ({"team_size": 2}, "settings.team_size"),
        ({"entropy": "beacon"}, "settings.entropy"),
        ({"stages": [{"table_size": 3}]}, "settings.stages.0.table_size"),
        ({"stages": [{"format": "swiss"}]}, "settings.stages.0.format"),
        ({"stages": [{}, {}]}, "settings.stages"),
        ({"stages": [{"tie_breaks": ["luck"]}]}, "settings.stages.0.tie_breaks"),
        ({"waits": 3}, "settings.waits"),
        ({"waits": {"finish": -1}}, "settings.waits.finish"),
        ({"name": ""}, "settings.name"),
        ({"options": {"colour": 1}}, "settings.options.colour"),
        ({"pace": "slow"}, "settings.pace"),
    ],
)
def test_what_can_not_change_is_refused_at_its_path(settings: dict[str, Any], wrong: str) -> None:
    with pytest.raises(Malformed) as refused:
        change(entered(FOUR), **settings)
    assert [*refused.value.errors] == [wrong]


def test_after_the_first_draw_nothing_changes() -> None:
    for state in (published(started(FOUR), FOUR), played(started(FOUR), "Ann > Ben > Cem > Dana")):
        with pytest.raises(Illegal, match="A draw was made"):
            change(state, name="Spring")
        assert not ChangeSettings.offered(state, ChangeSettings.buttons[0])


def test_the_limit_of_entries_is_not_below_who_has_entered() -> None:
    with pytest.raises(Illegal, match="2 entries take part already"):
        change(entered("Ann Ben", entering=Entering(places=2)), entering={"places": 1})


def test_a_higher_limit_lets_in_who_waits() -> None:
    state = entered("Ann Ben Cem Dana", entering=Entering(places=2))
    more = change(state, entering={"places": 3})
    assert [entry.status for entry in more.entries] == ["entered", "entered", "entered", "waiting"]


def test_a_check_in_that_is_asked_for_later_makes_those_who_entered_come_to_it() -> None:
    state = change(entered(FOUR), entering={"check_in": True})
    assert all(entry.here_from is None for entry in state.entries)
    back = change(state, entering={"check_in": False})
    assert back.entries == entered(FOUR).entries


def test_a_log_with_other_settings_than_it_says_is_refused() -> None:
    event = read({"type": "settings_changed", "was": {"name": "Autumn"}, "now": {"name": "Spring"}})
    with pytest.raises(Illegal, match="The settings were others"):
        event.apply(entered(FOUR))
    assert isinstance(event, SettingsChanged)
    wrong = read({"type": "settings_changed", "was": {"low_wins": False}, "now": {"low_wins": True}})
    with pytest.raises(Illegal):
        wrong.apply(entered(FOUR))


def test_a_stage_that_began_without_a_draw_has_the_new_settings_too() -> None:
    state = started(FOUR, plan(intake=Intake(seeding="order")))
    assert change(state, stages=[{"rounds": 4}]).stages[0].plan.rounds == 4
    with pytest.raises(Illegal, match="has started"):
        change(state, entering={"check_in": True})
