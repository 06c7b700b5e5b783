"""Listings of competitions on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping

from django.db.models import Model

from league.apps.exchange.listings import DOWNLOADS
from tests.factories import Cast

KNOWN: Mapping[str, list[str]] = {"listing": [*DOWNLOADS]}


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return nothing: the app has no rows of its own."""
    return {}
