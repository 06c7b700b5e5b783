"""The row of a report on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping

from django.db.models import Model

from league.apps.company.models import Report
from league.apps.company.services import report
from tests.factories import Cast


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return a report to Olga's club."""
    return {Report: report(by=cast.paul, player_id=cast.petra_plays.pk, words="She shouts.")}
