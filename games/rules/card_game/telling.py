"""The formula of a club's game in words, for its page of rules."""

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine.messages import Message, all_of, text
from games.rules.card_game.definition import (
    MOST,
    Adds,
    Case,
    Condition,
    Decides,
    Definition,
    Gathers,
    Multiplies,
    RoundsUp,
    Step,
    Sum,
)

GATHERED: Final[Mapping[tuple[str, str], Message]] = {
    ("sum", "everybody"): text("the sum for the table"),
    ("most", "everybody"): text("the most at the table"),
    ("least", "everybody"): text("the least at the table"),
    ("sum", "others"): text("the sum for the others"),
    ("most", "others"): text("the most of the others"),
    ("least", "others"): text("the least of the others"),
    ("sum", "partners"): text("the sum for the own side"),
    ("most", "partners"): text("the most of the own side"),
    ("least", "partners"): text("the least of the own side"),
}


def told(game: Definition) -> list[Message]:
    """Return a sentence for each step of the formula, in order."""
    return [step_told(step) for step in game.steps]


def step_told(step: Step) -> Message:
    """Return a step as a sentence."""
    match step:
        case Adds():
            return text("%(name)s = %(sum)s", name=step.name, sum=sum_told(step.sum))
        case Multiplies():
            first, second = step.product
            return text("%(name)s = %(first)s × %(second)s", name=step.name, first=first, second=second)
        case RoundsUp():
            return text(
                "%(name)s = the least multiple of %(unit)s that reaches %(value)s",
                name=step.name,
                unit=step.multiple_of,
                value=step.reaching,
            )
        case Decides():
            return text("%(name)s = %(cases)s", name=step.name, cases=_cases(step))
        case Gathers():
            how = GATHERED[step.gather, step.among]
            return text("%(name)s = %(value)s, %(how)s", name=step.name, value=step.of, how=how)
    assert_never(step)


def sum_told(terms: Sum) -> str:
    """Return a sum as people write it: ``counted + 50``, ``−2 × counted − 50``; ``0`` for nothing."""
    written = ""
    for term in terms:
        sign, size = "−" if term.times < 0 else "+", abs(term.times)
        value = str(size) if term.of is None else term.of if size == 1 else f"{size} × {term.of}"
        written += f" {sign} {value}" if written else f"{'−' if term.times < 0 else ''}{value}"
    return written or "0"


def _cases(step: Decides) -> Message:
    parts = [case_told(case) for case in step.cases]
    if step.cases[-1].when:
        parts.append(text("%(sum)s otherwise", sum="0"))
    told = parts[0]
    for part in parts[1:]:
        told = text("%(first)s; %(second)s", first=told, second=part)
    return told


def case_told(case: Case) -> Message:
    """Return a case as a part of a sentence: what counts, and if what holds."""
    if not case.when:
        return text("%(sum)s otherwise", sum=sum_told(case.then))
    return text(
        "%(sum)s if %(conditions)s",
        sum=sum_told(case.then),
        conditions=all_of([*map(condition_told, case.when)]),
    )


def condition_told(condition: Condition) -> str:
    """Return a condition as people write it: ``bid ≥ 18``."""
    low, high = condition.least, condition.most
    if low == high:
        return f"{condition.of} = {low}".replace("-", "−")
    if low == -MOST:
        return f"{condition.of} ≤ {high}".replace("-", "−")
    if high == MOST:
        return f"{condition.of} ≥ {low}".replace("-", "−")
    return f"{low} ≤ {condition.of} ≤ {high}".replace("-", "−")
