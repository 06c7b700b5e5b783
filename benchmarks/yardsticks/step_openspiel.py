"""OpenSpiel in an environment of its own: random games of gin rummy, their actions applied again.

The cards are dealt by actions of chance, which are moves as well.
"""

import random

import pyspiel
from answering import answer

GAMES = 20


def played(game: pyspiel.Game, dice: random.Random) -> list[int]:
    """Return the actions of a random game."""
    state, actions = game.new_initial_state(), []
    while not state.is_terminal():
        actions.append(dice.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


def main() -> None:
    """Answer until the input ends."""
    game, dice = pyspiel.load_game("gin_rummy"), random.Random(1)
    games = [played(game, dice) for _ in range(GAMES)]

    def again() -> None:
        for actions in games:
            state = game.new_initial_state()
            for action in actions:
                if action not in state.legal_actions():
                    raise AssertionError(action)
                state.apply_action(action)

    answer(sum(map(len, games)), again)


if __name__ == "__main__":
    main()
