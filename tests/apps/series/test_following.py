"""Who counts in a series follows what its club knows of people."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from games.engine.values import replace
from league.apps.evenings.services import run_again
from league.apps.people.membership import add_period, keep_category, keep_facts, remove_category
from league.apps.people.models import Category, Standing
from league.apps.people.models import Rule as Known
from league.apps.people.queries import Facts, facts_of
from league.apps.series import queries, services, tasks
from league.apps.series.core.events import EveningAdded
from league.apps.series.core.rule import Rule
from league.apps.series.models import Series, SeriesEvent
from league.apps.series.projections import differences
from league.models import Competition, Player
from league.services.competitions import change_details
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast, PlayerFactory
from tests.league.test_admin_scope import logged_in

pytestmark = pytest.mark.usefixtures("locks_in_order")


def followed(cast: Cast) -> Series:
    """Return a series that counts members, of an evening of Paul and Petra."""
    series = year(cast, ranked="counted", follows="member")
    return say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3"), on="2026-09-03"))


def join(cast: Cast, *players: Player, since: date = date(2026, 1, 1)) -> None:
    """Make players members."""
    add_period(by=cast.olga, club=cast.club, players=players, what=Standing.MEMBER, since=since, until=None)


def test_who_becomes_a_member_counts_by_themselves_and_without_why(cast: Cast) -> None:
    series = followed(cast)
    join(cast, cast.paul_plays)
    assert set(totals(series)) == {cast.paul_plays.pk}
    entry = SeriesEvent.objects.filter(series=series).latest("seq")
    assert (entry.role, entry.account) == ("system", None)
    counted = {"type": "counted", "players": [str(cast.paul_plays.pk)], "since": "1900-01-01"}
    assert entry.event == counted
    assert not [*differences(stopped=True)]


def test_who_has_left_counts_until_that_day(cast: Cast) -> None:
    series = followed(cast)
    say(cast, series, typed((cast.petra_plays, "9"), on="2026-09-01"))
    join(cast, cast.paul_plays, cast.petra_plays)
    (facts,) = facts_of([cast.petra_plays.pk]).values()
    keep_facts(
        by=cast.olga, club=cast.club, facts={cast.petra_plays: replace(facts, left_on=date(2026, 9, 2))}
    )
    assert totals(series) == {cast.petra_plays.pk: "9", cast.paul_plays.pk: "5"}
    spans = dict(queries.state_of(series).counted)
    assert spans[str(cast.petra_plays.pk)].until == date(2026, 9, 2)


def test_nothing_is_followed_twice_and_nothing_for_closed_series(cast: Cast) -> None:
    join(cast, cast.paul_plays)
    series = followed(cast)
    assert set(totals(series)) == {cast.paul_plays.pk}
    head = series.head
    tasks.follow_known()
    Series.objects.update(closed=True)
    join(cast, cast.petra_plays)
    series.refresh_from_db()
    assert series.head == head


# ---- Nobody's business ---------------------------------------------------------------------------


def written(series: Series) -> list[dict[str, Any]]:
    """Return what the log says of who counts."""
    entries = SeriesEvent.objects.filter(series=series).order_by("seq").values_list("event", flat=True)
    return [each for each in entries if each["type"].startswith("count")]


def category(cast: Cast, rule: Known, **given: Any) -> Category:
    values = {"name": "Some", "least": None, "most": None, "since": None, **given}
    return keep_category(by=cast.olga, club=cast.club, category=None, rule=rule, **values)


def born(cast: Cast, player: Player, year: int) -> None:
    keep_facts(by=cast.olga, club=cast.club, facts={player: Facts(born=year)})


def on(year: int, month: int, day: int) -> Any:
    return time_machine.travel(datetime(year, month, day, 12, tzinfo=UTC), tick=False)


def test_no_year_of_birth_can_be_read_from_the_log(cast: Cast) -> None:
    juniors = category(cast, Known.AGE, least=12, most=18)
    for player, year_ in [(cast.paul_plays, 2008), (cast.petra_plays, 2009), (cast.people(3)[2], 1960)]:
        born(cast, player, year_)
    born(cast, PlayerFactory.create(club=cast.club), 2017)
    series = year(cast, ranked="counted", follows=str(juniors.pk))
    with on(2026, 12, 30):
        say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3")))
        tasks.follow_known()
    both = sorted(str(each.pk) for each in (cast.paul_plays, cast.petra_plays))
    assert [sorted(each["players"]) for each in written(series)] == [both]
    assert {(each["since"], each.get("until")) for each in written(series)} == {("1900-01-01", None)}
    with on(2027, 1, 2):
        tasks.follow_known()
        say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3"), on="2027-01-02"))
    (ended,) = written(series)[1:]
    assert (ended["players"], ended["until"]) == ([str(cast.paul_plays.pk)], "2026-12-31")
    assert totals(series) == {cast.petra_plays.pk: "6", cast.paul_plays.pk: "5"}


def test_newcomers_count_on_their_first_evenings_alone(cast: Cast) -> None:
    newcomers = category(cast, Known.FIRST, most=1)
    with on(2026, 9, 3):
        played = evening(cast)
        series = year(cast, Rule(), played, ranked="counted", follows=str(newcomers.pk))
        tasks.follow_known()
    with on(2026, 9, 10):
        say(cast, series, typed((cast.paul_plays, "500"), on="2026-09-10"))
        tasks.follow_known()
    ended = written(series)[-1]
    assert (ended["since"], ended["until"]) == ("1900-01-01", "2026-09-03")
    assert "500" not in totals(series)[cast.paul_plays.pk]


def test_who_counts_is_known_up_to_the_last_evening_with_results_though_it_is_to_come(cast: Cast) -> None:
    juniors = category(cast, Known.AGE, least=12, most=18)
    for player, year_ in [(cast.paul_plays, 2008), (cast.petra_plays, 2009)]:
        born(cast, player, year_)
    with on(2026, 9, 1):
        series = year(cast, ranked="counted", follows=str(juniors.pk))
        say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3"), on="2026-09-03"))
        assert {(each["since"], each.get("until")) for each in written(series)} == {("1900-01-01", None)}
        assert totals(series) == {cast.paul_plays.pk: "5", cast.petra_plays.pk: "3"}
        said = say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3"), on="2027-01-02"))
        assert totals(series) == {cast.petra_plays.pk: "6", cast.paul_plays.pk: "5"}
        assert written(series)[-1]["until"] == "2026-12-31"
        tasks.follow_known()
        assert Series.objects.get(pk=series.pk).head == said.head


def test_newcomers_of_evenings_to_come_that_were_played_count(cast: Cast) -> None:
    newcomers = category(cast, Known.FIRST, most=1)
    with on(2026, 8, 1):
        played = evening(cast)
        change_details(by=cast.olga, competition=played, values={"begins_on": date(2026, 9, 10)})
        series = year(cast, Rule(), played, ranked="counted", follows=str(newcomers.pk))
        tasks.follow_known()
        assert totals(series)


def test_who_counts_is_the_same_where_an_earlier_evening_is_added_late(cast: Cast) -> None:
    series = followed(cast)
    join(cast, cast.paul_plays)
    join(cast, cast.petra_plays, since=date(2026, 9, 2))
    say(cast, series, typed((cast.paul_plays, "1"), (cast.petra_plays, "1"), on="2026-09-01"))
    assert totals(series) == {cast.paul_plays.pk: "6", cast.petra_plays.pk: "3"}


@pytest.mark.parametrize("joins", ["typed in", "by itself"])
def test_the_list_of_who_counts_says_no_day_before_the_first_evening_until_there_is_one(
    cast: Cast, joins: str
) -> None:
    join(cast, cast.paul_plays)
    series, olga = followed(cast), logged_in(cast.olga)
    page = reverse("admin:series_series_change", args=[series.pk])
    shown = olga.get(page).content.decode()
    assert f"{cast.paul_plays.name}, from the first evening on" in shown and 'id="left-out"' not in shown
    if joins == "typed in":
        say(cast, series, typed((cast.paul_plays, "9"), on="2025-12-11"))
    else:
        say(cast, series, EveningAdded(competition=str(evening(cast).pk), on="2026-09-10"))
        played = Competition.objects.get()
        services.choose_gathering(by=cast.olga, series=series, gathers=True)
        run_again(by=cast.olga, like=played, name="Again", day=date(2025, 12, 11), at=None)
    assert f"{cast.paul_plays.name}, since 1 Jan 2026" in olga.get(page).content.decode()
    assert "9" not in totals(series)[cast.paul_plays.pk]


def test_nobody_counts_as_what_nobody_is_any_more(cast: Cast) -> None:
    series = followed(cast)
    join(cast, cast.paul_plays)
    keep_facts(by=cast.olga, club=cast.club, facts={cast.paul_plays: Facts()})
    assert not totals(series)
    ticked = category(cast, Known.BORN, least=1900)
    born(cast, cast.petra_plays, 1990)
    Series.objects.update(follows=str(ticked.pk))
    tasks.follow_known()
    assert set(totals(series)) == {cast.petra_plays.pk}
    olga, people = logged_in(cast.olga), reverse("admin:league_club_people", args=[cast.club.pk])
    asked = olga.post(f"{people}?category={ticked.pk}", {"remove": "yes"}).content.decode()
    assert f"Nobody counts any more in the series that ranks it: {series.name}." in asked
    assert totals(series)
    remove_category(by=cast.olga, category=ticked)
    assert not totals(series)
    shown = olga.get(reverse("admin:series_series_change", args=[series.pk]))
    assert "a category that was removed" in shown.content.decode()
