"""Python-chess in an environment of its own: each line of input has random games tested and pushed again.

Writes first the number of moves, then for every line of input the seconds of processor time.
"""

import random
import sys
import time

import chess

GAMES = 20
LONGEST = 150


def played(dice: random.Random) -> list[chess.Move]:
    """Return the moves of a random game."""
    board = chess.Board()
    while len(board.move_stack) < LONGEST and (moves := list(board.legal_moves)):
        board.push(dice.choice(moves))
    return list(board.move_stack)


def pushed(games: list[list[chess.Move]]) -> None:
    """Play the games again, each move tested as a server tests it."""
    for game in games:
        board = chess.Board()
        for move in game:
            if not board.is_legal(move):
                raise AssertionError(move)
            board.push(move)


def main() -> None:
    """Answer until the input ends."""
    dice = random.Random(1)
    games = [played(dice) for _ in range(GAMES)]
    sys.stdout.write(f"{sum(map(len, games))}\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        begun = time.process_time()
        pushed(games)
        sys.stdout.write(f"{time.process_time() - begun}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
