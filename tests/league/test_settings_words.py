"""What changed of a competition's settings is said in the words of the form that changes them."""

from typing import Any

import pytest
from django.utils.translation import override

from games.engine import shapes
from games.engine.clocks import Clock
from games.engine.kinds import OneOf
from league.core import formats
from league.core.state.plan import Entering, Scoring, Waits
from league.core.verbs.settings import OF_OPENING, OF_STAGE
from league.words.settings import TITLES, VALUES, changed_settings

RECORDS: dict[str, type] = {"entering": Entering, "waits": Waits, "scoring": Scoring, "clock": Clock}


def leaves(*names: str) -> list[str]:
    found = []
    for name in names:
        parts = shapes.record(RECORDS[name]).fields if name in RECORDS else ()
        found += [f"{name}.{each.name}" for each in parts] or [name]
    return found


def said(was: Any, now: Any, ruleset: str = "scamper@1", **stages: str) -> list[str]:
    names = {name.removeprefix("at"): title for name, title in stages.items()}
    return list(changed_settings(was, now, ruleset, names))


def of_stage(was: Any, now: Any, **stages: str) -> list[str]:
    return said({"stages": {"1": was}}, {"stages": {"1": now}}, **stages)


def test_every_setting_that_can_change_has_a_title_of_its_own_in_german_too() -> None:
    asked = [each for each in leaves(*OF_OPENING, *OF_STAGE) if each not in ("options", "params")]
    assert [each for each in asked if each not in TITLES] == []
    english = {name: str(title) for name, title in TITLES.items()}
    with override("de"):
        same = [name for name in english if str(TITLES[name]) == english[name]]
    assert same == ["name"]


def test_every_value_of_a_choice_has_words() -> None:
    bare = {f"scoring.{each.name}": each.shape.bare for each in shapes.record(Scoring).fields}
    choices = {name: {*shape.values} for name, shape in bare.items() if isinstance(shape, OneOf)}
    assert choices == {name: {*words} for name, words in VALUES.items() if name.startswith("scoring.")}


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ({"options": {"rounds": 3}}, {"options": {"rounds": 4}}, "Deals in a game: 3 → 4"),
        ({"options": {}}, {"options": {"rounds": 4}}, "Deals in a game: as the game has it → 4"),
        ({"entering": {"places": 0}}, {"entering": {"places": 24}}, "Limit of entries: no limit → 24"),
        (
            {"clock": {"move": 0}},
            {"clock": {"move": 5400}},
            "For each move: none → 1 hour 30 minutes",
        ),
        ({"clock": {"quiet": ""}}, {"clock": {"quiet": "22:00-07:00"}}, "Quiet hours: none → 22:00-07:00"),
        ({"waits": {"finish": 60}}, {"waits": {"finish": 0}}, None),
        ({"open_hands": None}, {"open_hands": 0}, None),
        ({"aided": False}, {"aided": True}, "Offer players what their hands make: no → yes"),
    ],
)
def test_a_change_says_what_a_secretary_chose(was: Any, now: Any, told: str | None) -> None:
    (sentence,) = said(was, now)
    assert sentence == told or (told is None and sentence.endswith("→ 0"))


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ({"rounds": 3}, {"rounds": 0}, "Rounds: 3 → as many as the format needs"),
        ({"hours": 0}, {"hours": 36}, "Time for each round: none → 1 day 12 hours"),
        (
            {"scoring": {"best": 0}},
            {"scoring": {"best": 3}},
            "Number of best rounds that count: all of them → 3",
        ),
        (
            {"scoring": {"place_points": []}},
            {"scoring": {"place_points": ["3", "3/2"]}},
            "Points for each rank: one for each entry beaten → 3, 1½",
        ),
        (
            {"params": {}},
            {"params": {"by_standing_from": 3}},
            "Seated by standing from round: as the format has it → 3",
        ),
        ({"params": {"third_place": False}}, {"params": {"third_place": True}}, "Third place: no → yes"),
        ({"tie_breaks": []}, {"tie_breaks": ["wins"]}, "Tie-breaks: none → Wins"),
        (
            {"line": "lots"},
            {"line": "seed"},
            "A tie on the last place: lots are drawn → the best seed advances",
        ),
    ],
)
def test_a_change_of_a_stage_names_it_only_where_there_are_several(was: Any, now: Any, told: str) -> None:
    assert of_stage(was, now) == [told]
    assert of_stage(was, now, at1="Final") == [f"Final, {told}"]


def test_every_parameter_of_a_format_is_called_by_its_title() -> None:
    for format_ in formats.BY_KEY.values():
        for field in shapes.record(format_.params).fields:
            values: Any = {"flag": [True, False], "choice": getattr(field.shape.bare, "values", ())}
            new = next(each for each in values.get(field.shape.bare.kind, [5]) if each != field.usual)
            (told,) = of_stage({"params": {}}, {"params": {field.name: new}})
            assert told.startswith(f"{field.title}: ")


def test_of_a_game_without_rules_on_this_server_only_that_its_options_changed() -> None:
    assert said({"options": {"a": {}}}, {"options": {"a": {"b": 1}}}, "gone@1") == ["Options of the game"]
