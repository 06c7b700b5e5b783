"""Evenings that join a series by themselves: what is set up like those that it has."""

from datetime import date, time

import pytest

from games.engine.refusals import Illegal
from league import hooks
from league.apps.evenings.services import run_again
from league.apps.series import projections, queries, services
from league.apps.series.core import events as e
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series, SeriesEvent
from league.models import Competition
from league.services.competitions import change_details
from tests.apps.series.year import evening, say, year
from tests.factories import Cast
from tests.league import test_setting_up as setting_up
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask

pytestmark = pytest.mark.usefixtures("locks_in_order")


def test_what_is_run_like_an_evening_of_a_series_joins_it(cast: Cast) -> None:
    series, other = year(cast, Rule(), played := evening(cast)), year(cast, gathers=False)
    services.add_evening(by=cast.olga, series=other, competition=played)
    again = run_again(by=cast.olga, like=played, name="Again", day=date(2027, 1, 7), at=None)
    series.refresh_from_db()
    assert [told.row.competition_id for told in queries.evenings_of(series)] == [played.pk, again.pk]
    assert SeriesEvent.objects.latest("pk").event["on"] == "2027-01-07"
    assert SeriesEvent.objects.latest("pk").role == "system"
    hooks.evening_opened(again, played)
    assert SeriesEvent.objects.filter(role="system").count() == 1


@pytest.mark.parametrize("own_day", [False, True])
def test_an_evening_is_on_the_new_day_of_its_competition_unless_it_has_one_of_its_own(
    cast: Cast, own_day: bool
) -> None:
    played = evening(cast)
    series = year(cast, Rule(), played)
    coming = again(cast, played, 1)
    if own_day:
        number = queries.evenings_of(Series.objects.get())[-1].evening.id
        say(cast, series, e.EveningChanged(evening=number, on="2027-01-01"))
    change_details(by=cast.olga, competition=coming, values={"begins_on": date(2027, 2, 13)})
    series.refresh_from_db()
    assert queries.evenings_of(series)[-1].evening.on == ("2027-01-01" if own_day else "2027-02-13")
    change_details(by=cast.olga, competition=coming, values={"begins_at": time(19, 30), "place": "Inn"})
    say(cast, series, e.Closed())
    change_details(by=cast.olga, competition=coming, values={"begins_on": date(2027, 3, 1)})
    assert SeriesEvent.objects.latest("pk").event["type"] == "closed"
    assert not [*projections.differences(stopped=False)]


def again(cast: Cast, like: Competition, month: int) -> Competition:
    return run_again(by=cast.olga, like=like, name=f"In {month}", day=date(2027, month, 7), at=None)


def evenings_in(series: Series) -> list[str]:
    series.refresh_from_db()
    return [str(each.row.competition_id) for each in queries.evenings_of(series)]


@pytest.mark.parametrize("added", ["first", "later", "reopened", "gathering"])
def test_what_is_to_come_of_its_line_joins_a_series_that_takes_up_an_evening(cast: Cast, added: str) -> None:
    played = evening(cast)
    coming = [second := again(cast, played, 1), again(cast, second, 2)]
    event = e.EveningAdded(competition=str(played.pk), on="2026-09-03")
    series = year(cast, first=[event] if added == "first" else (), gathers=added in ("first", "later"))
    if added != "first":
        say(cast, series, event)
    if added == "gathering":
        services.choose_gathering(by=cast.olga, series=series, gathers=True)
    if added == "reopened":
        say(cast, series, e.Closed())
        services.choose_gathering(by=cast.olga, series=series, gathers=True)
        say(cast, series, e.Reopened(reason="one more"))
    assert evenings_in(series) == [str(each.pk) for each in (played, *coming)]


def test_what_is_run_like_an_evening_whose_forerunner_belongs_joins_what_was_taken_out_stays_out(
    cast: Cast,
) -> None:
    played = evening(cast)
    second = again(cast, played, 1)
    series = year(cast, Rule(), played)
    number = queries.evenings_of(series)[1].evening.id
    say(cast, series, e.EveningRemoved(evening=number, reason="a friendly"))
    third = again(cast, second, 2)
    assert evenings_in(series) == [str(played.pk), str(third.pk)]
    services.choose_gathering(by=cast.olga, series=series, gathers=True)
    say(cast, series, e.EveningAdded(competition=str(evening(cast).pk), on="2026-09-10"))
    assert str(second.pk) not in evenings_in(series)


def test_what_was_played_and_not_taken_up_stays_out(cast: Cast) -> None:
    first = evening(cast)
    other = again(cast, first, 1)
    Competition.objects.filter(pk=other.pk).update(status=Competition.Status.RUNNING)
    assert evenings_in(year(cast, Rule(), first)) == [str(first.pk)]


def test_a_closed_series_gathers_nothing_and_can_be_reopened(cast: Cast) -> None:
    series = say(cast, year(cast, Rule(), played := evening(cast)), e.Closed())
    hooks.evening_opened(opened(cast, 4), played)
    with pytest.raises(Illegal, match="closed"):
        say(cast, series, e.Renamed(name="Other"))
    say(cast, series, e.Reopened(reason="one more"), e.Renamed(name="Other"))
    assert (series.name, series.closed, len(queries.evenings_of(series))) == ("Other", False, 1)


def test_set_up_offers_each_series_of_the_club_where_there_are_several(cast: Cast) -> None:
    olga = logged_in(cast.olga)
    names = ("params.rounds.first_by", "intake.seeding")
    year(cast, name="Year")
    form = olga.get(setting_up.BY_HAND).context["form"].stages[0]
    assert all("series" in dict(form.fields[name].choices) for name in names)
    year(cast, name="Cup")
    form = olga.get(setting_up.BY_HAND).context["form"].stages[0]
    for name in names:
        choices = dict(form.fields[name].choices)
        assert choices["series/year"] == "by the year’s table (Year)" and "series/cup" in choices
        assert "series" not in choices
    setting_up.send(olga, setting_up.BY_HAND, **{form[names[0]].html_name: "series/year"})
    (stage,) = setting_up.opening()["stages"]
    assert stage["params"] == {"first_by": "series/year"}
    Series.objects.update(closed=True)
    asked = ask(olga, Competition.objects.get(), "change-settings").content.decode()
    assert 'value="series/year" selected' in asked
