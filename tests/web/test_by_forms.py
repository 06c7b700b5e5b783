"""Whole games without scripts and without aid: every move is picked or written in a form of the page."""

from types import SimpleNamespace

import pytest
from django.test import Client

from games import log
from games.engine.jsontypes import JsonObject
from games.models import Game, Seat
from tests.factories import Cast
from tests.league.playing import in_play, tables
from tests.web.conftest import Visit
from tests.web.forms import filled_in, forms_of
from tests.web.test_table_browser import chosen, turn_of

ONE_DEAL: dict[str, tuple[int, JsonObject, set[str]]] = {
    "scamper": (2, {"contracts": [{"sets": [3, 3], "runs": []}]}, {"meld"}),
    "scram": (3, {"rounds": 1, "turn_limit": 5}, {"act", "replace"}),
}
"""Games, with the types of moves of which some are written there, not picked."""


@pytest.fixture(autouse=True)
def _a_short_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal cards with which both players of Scamper soon lay their contracts."""
    monkeypatch.setattr("games.log.secrets", SimpleNamespace(token_bytes=lambda size: (1).to_bytes(size)))


def seat_of(game: Game, cast: Cast) -> int:
    """Return Paul's seat."""
    return Seat.objects.get(game=game, account=cast.paul.pk).number


def by_forms(client: Client, game: Game, own: int) -> list[str]:
    """Play a seat by forms, and the others by bots; return the types of the moves that were written."""
    written = []
    while not turn_of(game, own).is_over:
        game.refresh_from_db()
        move, forms = chosen(game, own), forms_of(client.get(f"/games/{game.pk}/"))
        sent = filled_in(forms, move)
        assert client.post(f"/games/{game.pk}/play/", sent).status_code == 302, move
        assert made_of(game)["type"] == move["type"]
        written += [] if sent.get("offer") else [str(move["type"])]
    return written


def made_of(game: Game) -> JsonObject:
    """Return the last move of a game."""
    return {**log.entries(game)[-1].move}


@pytest.mark.django_db
@pytest.mark.parametrize("key", ONE_DEAL)
def test_a_game_of_a_competition_is_played_by_forms_alone(key: str, as_account: Visit, cast: Cast) -> None:
    count, options, kinds = ONE_DEAL[key]
    plan = {"name": "League", "format": "rounds", "rounds": 1, "table_size": count, "tie_breaks": ["wins"]}
    competition = in_play(cast, count, ruleset=key, options=options, stages=[plan])
    assert not competition.aided
    (place,) = tables(competition)[0].games.all()
    written = by_forms(as_account(cast.paul), place.game, seat_of(place.game, cast))
    place.game.refresh_from_db()
    assert place.game.is_over and kinds & {*written}
