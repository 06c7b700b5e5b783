"""Plays Scamper: lays down whatever it can, and throws away the dearest card of which it has no other."""

import os

from trefoil_client import Client, Game, Move, moves

LIKED = ("lay_off", "meld", "discard", "decline", "draw")
COST = "23456789TJQKA"


def choose(game: Game) -> Move:
    """Return the best of the moves that the game lists."""
    ranks = [card[0] for card in game["view"]["hand"]]

    def worth(move: Move) -> tuple[int, int, int]:
        liked = LIKED[::-1].index(move["type"]) + 1 if move["type"] in LIKED else 0
        rank = move.get("card", " ")[0]
        return liked, -ranks.count(rank), COST.find(rank)

    return max((move for choice in game["choices"] for move in moves(choice)), key=worth)


if __name__ == "__main__":
    with Client(os.environ["TREFOIL"], os.environ["TOKEN"]) as client:
        for game in client.turns(os.environ["GAME"]):
            client.move(game, choose(game))
        print(client.game(os.environ["GAME"])["status"])
