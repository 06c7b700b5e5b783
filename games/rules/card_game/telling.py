"""The formula of a club's game in words, for its page of rules."""

from collections.abc import Mapping
from typing import Final, TypeAlias, assert_never

from games.engine.messages import Message, Param, all_of, text
from games.rules.card_game.definition import (
    BUILT_IN,
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

Titles: TypeAlias = Mapping[str, str]
"""What people call each value, by its name in the formula."""

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


_KNOWN: Final = dict(
    zip(
        BUILT_IN,
        (text("players at the table"), text("number of the deal"), text("dealer"), text("sits out")),
        strict=True,
    )
)


def titles(game: Definition) -> Titles:
    """Return what people call the values of a game: what is written by its title, a line by its name."""
    lines = {step.name: title_of(step.name) for step in game.steps}
    return {**_KNOWN, **lines, **{field.name: Message(field.title, {}) for field in game.fields}}


def title_of(name: str) -> str:
    """Return the name of a line as people write it: ``Bid squared`` for ``bid_squared``."""
    return name.replace("_", " ").strip().capitalize()


def told(game: Definition) -> list[Message]:
    """Return a sentence for each step of the formula, in order."""
    called = titles(game)
    return [step_told(step, called) for step in game.steps]


def step_told(step: Step, called: Titles) -> Message:
    """Return a step as a sentence."""
    name = called[step.name]
    match step:
        case Adds():
            return text("%(name)s = %(sum)s", name=name, sum=sum_told(step.sum, called))
        case Multiplies():
            first, second = (called[each] for each in step.product)
            return text("%(name)s = %(first)s × %(second)s", name=name, first=first, second=second)
        case RoundsUp():
            return text(
                "%(name)s = the least multiple of %(unit)s that reaches %(value)s",
                name=name,
                unit=called[step.multiple_of],
                value=called[step.reaching],
            )
        case Decides():
            return text("%(name)s = %(cases)s", name=name, cases=_cases(step, called))
        case Gathers():
            how = GATHERED[step.gather, step.among]
            return text("%(name)s = %(value)s, %(how)s", name=name, value=called[step.of], how=how)
    assert_never(step)


def sum_told(terms: Sum, called: Titles | None = None) -> Message:
    """Return a sum as people write it: ``Counted + 50``, ``−2 × Counted − 50``; ``0`` for nothing.

    Without titles the values have their names in the formula.
    """
    written, values = "", dict[str, Param]()
    for place, term in enumerate(terms):
        sign, size = "−" if term.times < 0 else "+", abs(term.times)
        value = str(size)
        if term.of is not None:
            values[f"of{place}"] = (called or {}).get(term.of, term.of)
            value = f"%(of{place})s" if size == 1 else f"{size} × %(of{place})s"
        written += f" {sign} {value}" if written else f"{'−' if term.times < 0 else ''}{value}"
    return Message(written or "0", values)


def _cases(step: Decides, called: Titles) -> Message:
    parts = [case_told(case, called) for case in step.cases]
    if step.cases[-1].when:
        parts.append(text("%(sum)s otherwise", sum="0"))
    told = parts[0]
    for part in parts[1:]:
        told = text("%(first)s; %(second)s", first=told, second=part)
    return told


def case_told(case: Case, called: Titles) -> Message:
    """Return a case as a part of a sentence: what counts, and if what holds."""
    if not case.when:
        return text("%(sum)s otherwise", sum=sum_told(case.then, called))
    return text(
        "%(sum)s if %(conditions)s",
        sum=sum_told(case.then, called),
        conditions=all_of([condition_told(each, called) for each in case.when]),
    )


def condition_told(condition: Condition, called: Titles | None = None) -> Message:
    """Return a condition as people write it: ``Bid ≥ 18``; without titles with the name in the formula."""
    least, most = (str(each).replace("-", "−") for each in (condition.least, condition.most))
    if condition.least == condition.most:
        wording = f"%(of)s = {least}"
    elif condition.least == -MOST:
        wording = f"%(of)s ≤ {most}"
    elif condition.most == MOST:
        wording = f"%(of)s ≥ {least}"
    else:
        wording = f"{least} ≤ %(of)s ≤ {most}"
    return Message(wording, {"of": (called or {}).get(condition.of, condition.of)})
