"""A club's own game on the desk, for the tests that walk over all its addresses."""

from collections.abc import Mapping
from typing import Final

from django.db.models import Model

from games.engine.values import replace
from games.rules.card_game.shipped import HEARTS
from league.apps.own_games.models import OwnGame
from league.apps.own_games.services import keep_game
from tests.factories import Cast

KNOWN: Final[Mapping[str, list[str]]] = {}


def rows_of(cast: Cast) -> Mapping[type[Model], Model]:
    """Return a game that Olga's club has made."""
    game = replace(HEARTS, title="Black Maria")
    return {OwnGame: keep_game(by=cast.olga, club=cast.club, game=game)}
