"""Every field of the form that changes settings: from what it is unless chosen to another value, and back."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.forms import BoundField
from django.test import Client

from games import rules
from league.admin.fields import DurationField
from league.admin.stage_form import ONLY, preset_of
from league.core import formats
from league.models import Competition
from league.services.competitions import given_by, open_competition
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in
from tests.league.test_changing_settings import page, send

TYPED = {
    "name": "Spring",
    "clock.quiet": "22:00-07:00",
    "scoring.place_points": "9; 5",
    "scoring.match_points": "5; 3; 1",
}
"""What is typed where a text is asked for."""


def fields_of(client: Client, competition: Competition) -> Iterator[BoundField]:
    """Yield the fields that can be changed, of the whole and of its stages."""
    setup = client.get(page(competition)).context["form"].setup
    yield from (each for part in (setup, *setup.stages) for each in part if not each.field.disabled)


def value_of(field: BoundField) -> Any:
    """Return what a browser sends of a field as it is shown, None for nothing."""
    value = field.value()
    if isinstance(field.field, forms.BooleanField):
        return "on" if value else None
    return None if value in (None, "") else str(value)


def another(field: BoundField) -> Any:
    """Return something else than what a field shows."""
    if isinstance(field.field, forms.BooleanField):
        return None if field.value() else "on"
    if isinstance(field.field, forms.ChoiceField):
        choices: Any = field.field.choices
        return [str(key) for key, _title in choices if str(key) != str(field.value() or "")][-1]
    if isinstance(field.field, DurationField):
        return "2 hours"
    return TYPED.get(field.name) or str(int(field.value() or 0) + 2)


def errors(setup: Any) -> dict[str, Any]:
    return {each.html_name: (each.data, each.errors) for each in setup.fields_with_errors}


TEAMS = {"lineup": "boards", "team_size": 2}
"""Only they have match points."""
FOR_TWO = {f"params.{name}" for name in ("ladder.answer_days", "knockout.placing", "knockout.consolation")}
FOR_MORE = {"params.knockout.ties"}
LATER = {f"tie_breaks.{number}" for number in range(1, 5)}
"""The same tie-break is in a list once, so one place of it is tried."""


@pytest.mark.parametrize(
    ("key", "size", "more"),
    [
        *((key, 2, {}) for key in formats.BY_KEY),
        *((key, 4, {}) for key in formats.BY_KEY if key != "double_elimination"),
        ("rounds", 2, TEAMS),
    ],
)
def test_each_setting_of_each_format_can_be_set_and_set_back(
    cast: Cast, key: str, size: int, more: dict[str, Any]
) -> None:
    preset = preset_of(f"{ONLY}{key}", rules.find("tally"))
    assert preset
    given: Any = {**given_by(preset.for_tables((size,)), "Autumn"), "ruleset": "tally", **more}
    competition = open_competition(by=cast.olga, club=cast.club, **given)
    client = logged_in(cast.olga)
    without = {*LATER, *(FOR_MORE if size == 2 else FOR_TWO), *(() if more else ("scoring.match_points",))}
    fields = [each for each in fields_of(client, competition) if each.name not in without]
    before = {each.html_name: value_of(each) for each in fields}
    changed = {each.html_name: another(each) for each in fields}
    for wanted in (changed, before):
        competition.refresh_from_db()
        answer = send(client, competition, **wanted)
        assert answer.status_code == 302, errors(answer.context["form"].setup)
        found = {each.html_name: value_of(each) for each in fields_of(client, competition)}
        assert found == {**found, **wanted}
