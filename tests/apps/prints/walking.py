"""The prints on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Model

from league.apps.prints.printing import PRINTS
from tests.factories import Cast

KNOWN: Final = {"kind": [*PRINTS]}
"""What parts of addresses can stand for, by their names."""


def rows_of(_cast: Cast) -> Mapping[type[Model], Model]:
    """Return no rows: prints have no tables."""
    return {}
