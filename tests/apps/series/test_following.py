"""Who counts in a series follows what its club knows of people."""

from datetime import date

from games.engine.values import replace
from league.apps.people.membership import add_period, keep_facts
from league.apps.people.models import Standing
from league.apps.people.queries import facts_of
from league.apps.series import queries, tasks
from league.apps.series.models import Series, SeriesEvent
from league.apps.series.projections import differences
from league.models import Player
from tests.apps.series.year import say, totals, typed, year
from tests.factories import Cast


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
    written = {"type": "counted", "players": [str(cast.paul_plays.pk)], "since": "2026-01-01"}
    assert entry.event == written
    assert not [*differences(stopped=True)]


def test_who_has_left_counts_until_that_day(cast: Cast) -> None:
    series = followed(cast)
    join(cast, cast.paul_plays, cast.petra_plays)
    (facts,) = facts_of([cast.petra_plays.pk]).values()
    keep_facts(
        by=cast.olga, club=cast.club, facts={cast.petra_plays: replace(facts, left_on=date(2026, 9, 2))}
    )
    assert set(totals(series)) == {cast.paul_plays.pk}
    spans = dict(queries.state_of(series).counted)
    assert spans[str(cast.petra_plays.pk)].until == date(2026, 9, 2)


def test_the_worker_follows_once_and_nothing_follows_for_closed_series(cast: Cast) -> None:
    join(cast, cast.paul_plays)
    series = followed(cast)
    assert not totals(series)
    tasks.follow_known()
    assert set(totals(series)) == {cast.paul_plays.pk}
    head = series.head
    tasks.follow_known()
    Series.objects.update(closed=True)
    join(cast, cast.petra_plays)
    series.refresh_from_db()
    assert series.head == head
