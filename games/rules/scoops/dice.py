"""The dice in words: what each can be, and what an assignment of them gives (C3 to C6, C16)."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.cards import ranks
from games.engine.gestures import Meaning, Note, numbers_in
from games.engine.messages import Message, all_of, text
from games.rules.scoops.contract import GOALS, RULES, Goal, Rule, contract, special_rank
from games.rules.scoops.moves import Assign

DICE: Final = 4
ASSIGN: Final = text(
    "You have the lowest score, so you assign the dice: tap two for the special, then the one of the rule. "
    "The last is the goal."
)
NO_SPECIAL: Final = text("none")


def special(rank: str | None) -> Message:
    """Return a special rank in words: ``7s``, or that there is none (C5)."""
    return NO_SPECIAL if rank is None else ranks(rank)


def rule_in_words(rule: Rule) -> Message:
    """Return a rule and what it means (C6)."""
    return text("%(name)s: %(means)s", name=rule.name, means=rule.means)


def goal_in_words(goal: Goal) -> Message:
    """Return a goal and what it asks for (C16)."""
    return text("%(name)s: %(means)s", name=goal.name, means=goal.asks)


def in_words(dice: Sequence[int], move: Assign) -> Message:
    """Return what an assignment gives, in short."""
    one, other = move.special
    made = contract(dice[one] + dice[other], dice[move.rule], dice[move.goal])
    return text(
        "Special %(special)s, rule %(rule)s, goal %(goal)s",
        special=special(made.special),
        rule=made.rule.name,
        goal=made.goal.name,
    )


def meaning(dice: Sequence[int], picked: Sequence[str]) -> Meaning:
    """Return what dice picked as special, special and rule give (C4), in notes."""
    chosen = [number for (number,) in numbers_in(picked, "die") if number < DICE]
    if len({*chosen}) != len(chosen):
        return Meaning(hint=ASSIGN)
    return Meaning(tuple(_assignments(chosen)), hint=ASSIGN, notes=tuple(_notes(dice, chosen)))


def _assignments(chosen: Sequence[int]) -> Iterator[Assign]:
    """Yield the assignments that begin with the chosen dice, once the special is chosen."""
    left = [number for number in range(DICE) if number not in chosen]
    match chosen:
        case [first, second]:
            yield from (Assign((first, second), rule, goal) for rule, goal in (left, left[::-1]))
        case [first, second, rule]:
            yield Assign((first, second), rule, left[0])
        case [first, second, rule, goal]:
            yield Assign((first, second), rule, goal)
        case _:
            return


def _notes(dice: Sequence[int], chosen: Sequence[int]) -> Iterator[Note]:
    left = [number for number in range(DICE) if number not in chosen]
    pips = [dice[number] for number in chosen]
    match chosen:
        case [one]:
            yield _half(dice[one], [dice[number] for number in left])
        case [_, _, *rest]:
            yield Note(text("Special: %(special)s.", special=special(special_rank(pips[0] + pips[1]))), "C5")
            if not rest:
                yield from (_either(dice[rule], dice[goal]) for rule, goal in (left, left[::-1]))
            else:
                yield Note(text("Rule %(rule)s.", rule=rule_in_words(RULES[pips[2] - 1])), "C6")
                (goal,) = left or chosen[3:]
                yield Note(text("Goal %(goal)s.", goal=goal_in_words(GOALS[dice[goal] - 1])), "C16")
        case _:
            return


def _half(die: int, others: Sequence[int]) -> Note:
    """Return the specials that a die can make with another."""
    made = [
        text("with %(die)s %(special)s", die=other, special=special(special_rank(die + other)))
        for other in sorted({*others})
    ]
    return Note(text("Special: %(made)s.", made=all_of(made)), "C5")


def _either(rule: int, goal: int) -> Note:
    """Return what two dice give as the rule and the goal."""
    of_rule, of_goal = rule_in_words(RULES[rule - 1]), goal_in_words(GOALS[goal - 1])
    return Note(text("Rule %(rule)s; goal %(goal)s.", rule=of_rule, goal=of_goal), "C16")


def legend(pips: int) -> Message:
    """Return what a die that nobody has assigned can be."""
    of_rule, of_goal = rule_in_words(RULES[pips - 1]), goal_in_words(GOALS[pips - 1])
    return text("Rule %(rule)s. Goal %(goal)s.", rule=of_rule, goal=of_goal)
