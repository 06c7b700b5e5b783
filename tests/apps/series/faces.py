"""A series with an evening of a game, for the tests of all faces of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.engine.replay import AnyRuleset
from league.apps.series import queries
from league.apps.series.core.rule import Rule, Value
from league.apps.series.models import Series
from league.apps.series.services import add_evening, open_series
from league.models import Competition
from tests.factories import Cast

NOT_FOR_EVERYBODY: Final = ("series_hand_in",)  # of players


def made(cast: Cast, ruleset: AnyRuleset) -> None:
    """Add the club's competitions of the game to a series."""
    rule = Rule(value=Value(by="beaten"))
    series = open_series(by=cast.olga, club=cast.club, name="Year", rule=rule)
    for competition in Competition.objects.filter(club=cast.club).order_by("pk"):
        add_evening(by=cast.olga, series=series, competition=competition)


def ids() -> Mapping[str, Sequence[Any]]:
    """Return the ids in paths of the API, by the first part of the path."""
    return {"series": [each.pk for each in Series.objects.all()]}


def values(_ruleset: AnyRuleset) -> Mapping[str, Sequence[Any]]:
    """Return what parts of the pages' addresses can stand for, by folder and name."""
    found = list(Series.objects.all())
    people = [row.person for each in found for row in queries.table_of(each).table.rows]
    return {
        "clubs/address": [each.slug for each in found],
        "clubs/player": people,
        "print/name": ["series-table"],
        "print/id": [each.pk for each in found],
    }
