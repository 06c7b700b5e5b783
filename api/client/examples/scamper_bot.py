"""Plays Scamper: lays down whatever it can, and throws away the card that costs most."""

import os

from trefoil_client import Client, Game, Move, moves

LIKED = ("lay_off", "meld", "discard", "decline", "draw")
COST = "23456789TJQKA"


def worth(move: Move) -> tuple[int, int]:
    """Return how good a move is: those that are liked, the first one most; of discards the dearest."""
    liked = LIKED[::-1].index(move["type"]) + 1 if move["type"] in LIKED else 0
    return liked, COST.find(move.get("card", " ")[0])


def choose(game: Game) -> Move:
    """Return the best of the moves that the game lists."""
    return max((move for choice in game["choices"] for move in moves(choice)), key=worth)


if __name__ == "__main__":
    with Client(os.environ["TREFOIL"], os.environ["TOKEN"]) as client:
        for game in client.turns(os.environ["GAME"]):
            client.move(game, choose(game))
        print(client.game(os.environ["GAME"])["status"])
