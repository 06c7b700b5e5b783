"""Rows of the hall on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping

from django.db.models import Model

from league.apps.hall.models import Kiosk
from league.apps.hall.services import make_kiosk
from league.models import Competition
from tests.factories import Cast


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return a kiosk of one of Olga's competitions."""
    competition = Competition.objects.filter(club=cast.club).earliest("opened_at")
    return {Kiosk: make_kiosk(by=cast.olga, competition=competition, name="Door")}
