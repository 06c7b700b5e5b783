"""rlcard in an environment of its own: random games of gin rummy, played again through its environment."""

import random

import rlcard
from answering import answer

GAMES = 20


def played(table: rlcard.envs.Env, seed: int) -> list[int]:
    """Return the actions of a random game, whose cards the seed decides."""
    dice = random.Random(seed)
    table.seed(seed)
    state, _ = table.reset()
    actions = []
    while not table.is_over():
        actions.append(dice.choice(list(state["legal_actions"])))
        state, _ = table.step(actions[-1])
    return actions


def main() -> None:
    """Answer until the input ends."""
    table = rlcard.make("gin-rummy")
    games = [(seed, played(table, seed)) for seed in range(GAMES)]

    def again() -> None:
        for seed, actions in games:
            table.seed(seed)
            table.reset()
            for action in actions:
                table.step(action)

    answer(sum(len(actions) for _, actions in games), again)


if __name__ == "__main__":
    main()
