"""The pages of practice, for the tests of every page."""

from typing import Final

from django.test import Client
from django.urls import reverse

from games import log
from games.engine import replay
from games.models import Game
from league.apps.practice import bots
from tests.web.every_page.kinds import DOCK, STUDIO, Kinds, State, nobody
from tests.web.every_page.world import TABLES, World


def made(world: World) -> None:
    """Let a guest begin a game of each kind, and leave another."""
    guest = world.visitors["guest"] = Client()
    for key, (seats, _) in TABLES.items():
        game = practised(guest, key, seats)
        while replay.to_act(log.latest(game)) != (0,):
            bots.move_bot(game_id=game.pk)
            game.refresh_from_db()
        world.games[f"{key} practised"] = game
    game = practised(guest, "scoops", 2)
    guest.post(reverse("play", args=[game.pk]), {"type": "resign", "seq": game.seq + 1})
    world.games["practice over"] = game


def practised(guest: Client, key: str, seats: int) -> Game:
    chosen = {"ruleset": key, "level": "easy", "seats": seats, "length": "short"}
    begun = guest.post(reverse("practice"), chosen)
    return Game.objects.get(pk=begun["Location"].split("/")[2])


KINDS: Final[Kinds] = {
    "practice": lambda world: [nobody(), State("guest")],
    "game": lambda world: [
        *(State("guest", (world.games[f"{key} practised"].pk,), ready=DOCK) for key in TABLES),
        State("guest", (world.games["practice over"].pk,), ready=STUDIO),
    ],
}
POSTED: Final = ()
