"""A series on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Model

from league.apps.series.core.rule import Count, Rule
from league.apps.series.desk import ACTS
from league.apps.series.models import Series
from tests.apps.series.year import say, typed, year
from tests.factories import Cast

KNOWN: Final = {"act": [*ACTS]}


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return a series of Olga's club with an evening, whose rule counts some people alone."""
    series = year(cast, Rule(count=Count(declared=2)), ranked="counted")
    return {Series: say(cast, series, typed((cast.paul_plays, "3")))}
