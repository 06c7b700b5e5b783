"""A series with an evening of a game, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.replay import AnyRuleset
from league.apps.series.core.rule import Rule, Value
from league.apps.series.models import Series
from league.apps.series.services import add_evening, open_series
from league.models import Competition
from tests.factories import Cast


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Add the club's competitions of the game to a series."""
    rule = Rule(value=Value(by="beaten"))
    series = open_series(by=cast.olga, club=cast.club, name="Year", rule=rule)
    for competition in Competition.objects.filter(club=cast.club).order_by("pk"):
        add_evening(by=cast.olga, series=series, competition=competition)


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path."""
    return {"series": [each.pk for each in Series.objects.all()]}
