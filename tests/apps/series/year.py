"""Series for tests: a club's year of evenings of Tally, in which whoever sits further on scores more."""

from typing import Any
from uuid import UUID

from games.engine.values import replace
from league.apps.series import queries, services, trying
from league.apps.series.core.events import EveningTypedIn, Event
from league.apps.series.core.rule import Rule
from league.apps.series.core.state import Evening, TypedTotal
from league.apps.series.models import Series
from league.models import Competition, Player
from tests.factories import Cast
from tests.league.playing import finished

EVENING = {"name": "Evening", "format": "rounds", "rounds": 1, "table_size": 4}


def evening(cast: Cast, players: int = 4, **announced: Any) -> Competition:
    """Return a competition of one round that has been played, of the club's first players."""
    return finished(cast, players, **{"stages": [EVENING], **announced})


def year(cast: Cast, rule: Rule = Rule(), *evenings: Competition, **given: Any) -> Series:  # noqa: B008
    """Return a series with these evenings."""
    series = services.open_series(by=cast.olga, club=cast.club, rule=rule, **{"name": "Year", **given})
    for each in evenings:
        services.add_evening(by=cast.olga, series=series, competition=each)
    series.refresh_from_db()
    return series


def typed(*totals: tuple[Player, str], on: str = "2026-09-03", **more: Any) -> EveningTypedIn:
    """Return the event of an evening with these totals."""
    rows = tuple(TypedTotal(str(player.pk), points) for player, points in totals)
    return EveningTypedIn(on=on, name="Typed in", totals=rows, **more)


def say(cast: Cast, series: Series, *events: Event, seq: int | None = None) -> Series:
    """Write events as an organiser does; return the series as it is then."""
    services.perform(by=cast.olga, series=series, event=events, seq=seq)
    series.refresh_from_db()
    return series


def totals(series: Series, **asked: Any) -> dict[UUID, str]:
    """Return the total of each person in the table, in order."""
    series.refresh_from_db()
    rows = queries.table_of(series, **asked).table.rows
    return {UUID(row.person): str(row.total) for row in rows}


def tried(rule: Rule, *competitions: Competition) -> queries.Counted:
    """Return the table that a rule would give of competitions."""
    rows = enumerate(competitions, 1)
    evenings = [Evening(at, queries.day_of(each).isoformat(), competition=str(each.pk)) for at, each in rows]
    trial = trying.trial(competitions[0].club, evenings)
    return trial.by(replace(trial.state, rule=rule))
