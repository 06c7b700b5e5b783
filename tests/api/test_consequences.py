"""The log of a game says what a challenge found, in the API and on the page."""

from typing import Any

from django.test import Client

from games.models import Game
from tests.api.web import bearer, get, move
from tests.factories import Cast

OPTIONS = {
    "contracts": [{"sets": [3], "runs": []}],
    "melds": "challenge",
    "passing": "off",
    "declare_scamper": False,
}


def challenged(cast: Cast) -> Game:
    """Return a game whose first turn laid two cards as a set and was challenged."""
    game = cast.game("scamper", OPTIONS)
    clients = [bearer(cast.paul), bearer(cast.petra)]
    seat: int = get(f"/games/{game.pk}/")["to_act"][0]
    hand: list[str] = move(clients[seat], game, 2, {"type": "draw"}).json()["view"]["hand"]
    kept = next(card for card in hand if card != "JK" and card[0] != "2")
    laid = [card for card in hand if card != kept][:2]
    turn: list[Any] = [{"type": "meld", "melds": [{"kind": "set", "cards": laid}]}]
    turn.append({"type": "discard", "card": kept})
    for seq, each in enumerate(turn, 3):
        assert move(clients[seat], game, seq, each).status_code == 201
    assert move(clients[1 - seat], game, 5, {"type": "challenge"}).status_code == 201
    return game


def test_s30_the_log_says_who_is_fined_for_what(cast: Cast, client: Client) -> None:
    game = challenged(cast)
    row = get(f"/games/{game.pk}/moves/")["results"][-1]
    assert row["text"].startswith(("Paul Pike challenges", "Petra Plum challenges"))
    assert "gets +50 points (S12): " in row["text"] and " challenged the set " in row["text"]
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "gets +50 points (S12): " in page
