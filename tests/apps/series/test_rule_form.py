"""The form of a rule: what is typed under *More rules*, presets and prizes come out as they went in."""

from typing import Any

import pytest
from django.test import Client

from games.engine.values import replace
from league.apps.series import queries
from league.apps.series.core.presets import ANSWERS, PRESETS
from league.apps.series.core.rule import NEWEST, Count, Drops, Rule, Value
from league.apps.series.models import Series
from league.apps.series.rule_form import RULE, NewSeriesForm
from tests.apps.series.test_desk import ADD, errors, filled_in, olga, page, send
from tests.apps.series.year import year
from tests.factories import Cast

__all__ = ["olga"]


@pytest.mark.parametrize("key", PRESETS)
def test_a_clubs_rule_is_the_same_after_the_form(olga: Client, cast: Cast, key: str) -> None:
    form = olga.post(ADD, filled_in(olga, ADD, name="2027", start=key, _start=1)).context["form"]
    shown = {name: form[name].value() for name in form.fields}
    olga.post(ADD, {name: value for name, value in shown.items() if value not in (None, False, "")})
    written = queries.state_of(Series.objects.get(name="2027")).rule
    assert written == replace(PRESETS[key].rule, edition=NEWEST)


@pytest.mark.parametrize("key", PRESETS)
def test_another_answer_or_choice_is_not_refused_for_what_belonged_to_the_one_before(
    cast: Cast, key: str
) -> None:
    rule = PRESETS[key].rule
    plain = NewSeriesForm(None, club=cast.club, rule=rule)
    opened_with = {name: plain[name].value() for name in plain.fields} | {"name": "2027"}
    for counts in ANSWERS:
        form = NewSeriesForm({**opened_with, "counts": counts}, club=cast.club, rule=rule)
        assert form.errors.keys() <= {"best"}, (counts, form.errors)
    for name in ("rule.unit", "rule.value.by", "rule.divide", "rule.absence.gives"):
        for chosen, _title in plain.fields[name].choices:  # type: ignore[attr-defined]
            sent = {**opened_with, "counts": "own", name: chosen}
            form = NewSeriesForm(sent, club=cast.club, rule=rule)
            assert form.errors.keys() <= {"rule.value.places", "rule.count.drops.when"}, (chosen, form.errors)


def test_best_evenings_take_the_place_of_drops_unless_these_are_typed_now(olga: Client, cast: Cast) -> None:
    series = year(cast, Rule(count=Count(drops=Drops(every=4, beyond=2, when="earned"))))
    send(olga, series, "rule", counts="best", best=3, reason="as was agreed")
    assert queries.state_of(series).rule.count == Count(best=3)
    typed = {"rule.count.drops.every": "5"}
    answer = send(olga, series, "rule", reason="both", **typed)
    assert "Choose one" in str(errors(answer)) and answer.context["form"].more_is_open


def test_prizes_have_names_of_several_words(olga: Client, cast: Cast) -> None:
    prizes = ("Best newcomer", "First, of the year")
    olga.post(ADD, filled_in(olga, ADD, name="2027", **{"rule.without": "; ".join(prizes)}))
    series = Series.objects.get(name="2027")
    assert queries.state_of(series).rule.without == prizes
    offered = olga.get(page(series, "prize")).context["form"].fields["prize"].choices
    assert [key for key, _title in offered] == [*prizes]


def test_what_is_chosen_under_more_rules_counts_beside_each_answer_or_is_asked_about(cast: Cast) -> None:
    for counts in (*ANSWERS, "own"):
        plain = NewSeriesForm(None, club=cast.club, rule=Rule())
        opened_with = {name: plain[name].value() for name in plain.fields}
        for name in (name for name in plain.fields if name.startswith(RULE)):
            chosen = other_than(plain.fields[name])
            sent = {"name": "2027", "counts": counts, name: chosen}
            form = NewSeriesForm({**opened_with, **sent}, club=cast.club, rule=Rule())
            if form.is_valid():
                counted = form.with_rule(form.rule)[name].value()
                assert counted == plain.fields[name].clean(chosen), (counts, name)
            else:
                assert form.errors.keys() <= {name, *form.fields}, (counts, name)


def other_than(field: Any) -> Any:
    """Return what can be typed into a field of a rule and is not what stands there."""
    if hasattr(field, "choices"):
        return next(key for key, _title in reversed([*field.choices]) if key != field.initial)
    return "on" if isinstance(field.initial, bool) else "7"


def test_a_value_chosen_under_more_rules_counts_with_everything(olga: Client, cast: Cast) -> None:
    chosen = {"rule.value.by": "one_winner", "rule.bonus.points": "2"}
    olga.post(ADD, filled_in(olga, ADD, name="2027", counts="everything", **chosen))
    rule = queries.state_of(Series.objects.get()).rule
    assert (rule.value.by, rule.bonus.points) == ("one_winner", "2")


def test_shares_of_the_field_are_an_answer_and_shown_as_it_again(olga: Client, cast: Cast) -> None:
    series = year(cast)
    send(olga, series, "rule", counts="beaten", reason="evenings of several games")
    assert queries.state_of(series).rule == Rule(value=Value("beaten"), edition=NEWEST)
    form = olga.get(page(series, "rule")).context["form"]
    assert form["counts"].initial == "beaten" and not form.more_is_open


def test_the_best_by_shares_are_said_in_words_or_an_answer_where_low_scores_win(cast: Cast) -> None:
    best = Rule(value=Value("beaten"), count=Count(best=3))
    form = NewSeriesForm(None, club=cast.club, rule=best)
    own = dict(form.fields["counts"].choices)["own"]  # type: ignore[attr-defined]
    assert form["counts"].initial == "own"
    assert own.startswith("As it is under More rules: Each evening counts with the share of the field")
    assert own.endswith("The best 3 are added.")
    assert NewSeriesForm(None, club=cast.club, rule=best, low_wins=True)["counts"].initial == "best"
    average = Rule(value=Value("beaten"), divide="mean", over=12)
    form = NewSeriesForm(None, club=cast.club, rule=average, low_wins=True)
    assert (form["counts"].initial, form["least"].initial) == ("average", 12)
    opened_with = {name: form[name].value() for name in form.fields} | {"name": "2027"}
    sent = NewSeriesForm(opened_with, club=cast.club, rule=average, low_wins=True)
    assert sent.is_valid(), sent.errors
    assert sent.rule == replace(average, edition=NEWEST)


def test_an_answer_and_another_number_under_more_rules_are_asked_about(olga: Client, cast: Cast) -> None:
    sent = {"name": "2027", "counts": "best", "best": 3, "rule.count.best": 5}
    assert "The answer above says 3." in str(errors(olga.post(ADD, filled_in(olga, ADD, **sent))))
    olga.post(ADD, filled_in(olga, ADD, **{**sent, "rule.count.best": 3}))
    assert queries.state_of(Series.objects.get()).rule.count.best == 3


def test_another_answer_replaces_the_switches_of_the_one_before(olga: Client, cast: Cast) -> None:
    series = year(cast, Rule(divide="mean", over=12))
    send(olga, series, "rule", counts="everything", reason="as was agreed")
    assert queries.state_of(series).rule == Rule(edition=NEWEST)
