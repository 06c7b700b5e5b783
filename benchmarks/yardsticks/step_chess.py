"""Python-chess in an environment of its own: random games, whose moves are tested and pushed again."""

import random

import chess
from answering import answer

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
    answer(sum(map(len, games)), lambda: pushed(games))


if __name__ == "__main__":
    main()
