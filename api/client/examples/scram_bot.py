"""Plays Scram!: puts each card that it draws in the place of the first card that it has not seen."""

import asyncio
import os

from trefoil_client import AsyncClient, Game, Move, moves

LIKED = ("replace", "discard", "draw")


def choose(game: Game) -> Move:
    """Return the best of the moves that the game lists, for one card of one's own where there is a choice."""

    def worth(move: Move) -> tuple[int, bool]:
        liked = LIKED[::-1].index(move["type"]) + 1 if move["type"] in LIKED else 0
        return liked, move["type"] == "replace" and [card["seat"] for card in move["cards"]] == [game["you"]]

    return max((move for choice in game["choices"] for move in moves(choice)), key=worth)


async def play(address: str, token: str, game_id: str) -> None:
    """Play a game to its end."""
    async with AsyncClient(address, token) as client:
        async for game in client.turns(game_id):
            await client.move(game, choose(game))
        print((await client.game(game_id))["status"])


if __name__ == "__main__":
    asyncio.run(play(os.environ["TREFOIL"], os.environ["TOKEN"], os.environ["GAME"]))
