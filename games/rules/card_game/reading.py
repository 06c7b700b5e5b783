"""The formula of a club's game as people type it: ``10 + tricks``, ``tricks ≥ 3 and alone``, ``a × b``.

A value goes by its name in the formula or by its title, and the value of a choice by its own name. Nothing
else is there: no brackets, no division, and a product of two values has a line of its own.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from games.engine.messages import Message, all_of, text
from games.engine.textinput import in_ascii
from games.rules.card_game.definition import MOST, MOST_CONDITIONS, MOST_TERMS, Condition, Sum, Term

Token: TypeAlias = str | int | Term
"""A sign or word, a number, or what a name stands for."""
_SIGNS: Final[Mapping[str, str]] = {
    "<=": "≤",
    ">=": "≥",
    "==": "=",
    "!=": "≠",
    "<>": "≠",
    "*": "×",
    "·": "×",
    "−": "-",
    "&": "and",
    **{each: each for each in "≤≥=≠<>+-×()"},
    ",": "and",
    ";": "and",
}
_SIGN: Final = re.compile("|".join(re.escape(each) for each in sorted(_SIGNS, key=len, reverse=True)))
_WORDS: Final = ("and", "not", "yes", "no", "to", "x")
_FLIPPED: Final[Mapping[str, str]] = {"<": ">", ">": "<", "≤": "≥", "≥": "≤", "=": "=", "≠": "≠"}
_TOLD: Final = 12
"""Of more names, no more are told."""

A_SUM: Final = text("Write a sum, such as 10 + tricks, or 2 × tricks − 5.")
A_CONDITION: Final = text("Write a comparison, such as tricks = bid, tricks ≥ 3 or 3 ≤ tricks ≤ 4.")
A_NAME: Final = text("Write one name.")
_ALONE: Final = text("A product of two values needs a line of its own.")
_BRACKETS: Final = text("Brackets can’t be used: give what is in them a line of its own.")
_DIVISION: Final = text("There is no division here: write a multiple, or rows of cases.")
_WHOLE: Final = text("Write whole numbers, without a point or comma in them.")
_GREAT: Final = text("No number in a formula may be more than %(most)d.", most=MOST)
_LONG: Final = text("This is too long for one line: give a part of it a line of its own.")
_UNEQUAL: Final = text("≠ can’t be used: write a row for = above this one.")


class Unread(Exception):
    """A text that is no formula; ``sentence`` says why."""

    def __init__(self, sentence: Message) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True)
class Vocabulary:
    """What names stand for, in small letters, and words of a language for ``and not yes no to``."""

    known: Mapping[str, Term]
    words: Mapping[str, str] = field(default_factory=dict)
    names: Collection[str] = ()
    """The names that an error tells."""

    def tokens(self, typed: str) -> Iterator[Token]:
        """Yield the parts of a text; raise `Unread` for a word that is no name here."""
        left = in_ascii(typed).replace("−", "-").casefold().strip()
        while left:
            token, length = self._first(left)
            yield token
            left = left[length:].lstrip()

    def _first(self, left: str) -> tuple[Token, int]:
        named = [each for each in self.known if left.startswith(each) and _ends(left, len(each))]
        if named:
            name = max(named, key=len)
            return self.known[name], len(name)
        if found := re.match(r"[0-9]+([.,][0-9])?", left):
            if found[1]:
                raise Unread(_WHOLE)
            return _bounded(int(found[0])), found.end()
        if left[0] in "/÷:":
            raise Unread(_DIVISION)
        if found := _SIGN.match(left):
            return _SIGNS[found[0]], found.end()
        found = re.match(r"[^\W\d]\w*|.", left)
        assert found is not None
        word = self.words.get(found[0], found[0])
        if word in _WORDS:
            return "×" if word == "x" else word, found.end()
        told = all_of([*self.names][:_TOLD])
        raise Unread(text("“%(word)s” is no name here. Names are: %(names)s.", word=found[0], names=told))


def _bounded(number: int) -> int:
    if abs(number) > MOST:
        raise Unread(_GREAT)
    return number


def _ends(left: str, at: int) -> bool:
    """Return whether a name ends there, and is not the beginning of a longer word."""
    return at == len(left) or not (left[at].isalnum() or left[at] == "_")


# ---- Sums ----------------------------------------------------------------------------------------


class _Parts:
    """The tokens of a text, taken from the front."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.left = [*tokens]

    @property
    def next(self) -> Token | None:
        return self.left[0] if self.left else None

    def take(self, *wanted: str) -> bool:
        if self.next in wanted and isinstance(self.next, str):
            del self.left[0]
            return True
        return False

    def sum(self, otherwise: Message) -> Sum:
        if self.next in ("(", ")"):
            raise Unread(_BRACKETS)
        terms = [self._term(-1 if self.take("-") else 1, otherwise)]
        while self.next in ("+", "-"):
            terms.append(self._term(-1 if self.left.pop(0) == "-" else 1, otherwise))
        if len(terms) > MOST_TERMS:
            raise Unread(_LONG)
        return tuple(term for term in terms if term.times)

    def _term(self, sign: int, otherwise: Message) -> Term:
        self.take("+")
        term = self._factor(otherwise)
        if self.take("×") or (isinstance(self.next, Term) and term.of is None):
            other = self._factor(otherwise)
            if term.of is not None and other.of is not None:
                raise Unread(_ALONE)
            term = Term(_bounded(term.times * other.times), term.of or other.of)
        return Term(sign * term.times, term.of)

    def _factor(self, otherwise: Message) -> Term:
        if self.next in ("(", ")"):
            raise Unread(_BRACKETS)
        if self.next is None or isinstance(self.next, str):
            if self.take("yes"):
                return Term(1)
            if self.take("no"):
                return Term(0)
            raise Unread(otherwise)
        token: Any = self.left.pop(0)
        return token if isinstance(token, Term) else Term(token)

    def end(self, otherwise: Message) -> None:
        if self.left:
            raise Unread(_BRACKETS if self.next in ("(", ")") else otherwise)


def sum_read(typed: str, known: Vocabulary) -> Sum:
    """Return the sum that a text says, nothing for an empty one; raise `Unread`."""
    parts = _Parts([*known.tokens(typed)])
    if not parts.left:
        return ()
    found = parts.sum(A_SUM)
    parts.end(A_SUM)
    return found


def product_read(typed: str, known: Vocabulary) -> tuple[str, str] | None:
    """Return the two names of which a text is the product, None for another text; raise `Unread`."""
    match [*known.tokens(typed)]:
        case [Term(1, str(first)), "×", Term(1, str(second))]:
            return first, second
    return None


def name_read(typed: str, known: Vocabulary) -> str:
    """Return the name that a text says; raise `Unread`."""
    match [*known.tokens(typed)]:
        case [Term(1, str(name))]:
            return name
    raise Unread(A_NAME)


# ---- Conditions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """A difference that a condition compares, and its bounds: it needs a step of its own."""

    difference: Sum
    least: int
    most: int

    @property
    def name(self) -> str:
        """Return a name for the difference."""
        signs = ("less" if term.times < 0 else "and" for term in self.difference)
        words = "_".join(f"{sign}_{term.of}" for sign, term in zip(signs, self.difference, strict=True))
        return words.removeprefix("and_").removeprefix("less_")[:24].strip("_")


def conditions_read(typed: str, known: Vocabulary) -> list[Condition | Compared]:
    """Return the conditions that a text says, all of which must hold; raise `Unread`."""
    parts, found = _Parts([*known.tokens(typed)]), list[Condition | Compared]()
    while parts.left:
        found += _condition(parts)
        if parts.left and not parts.take("and"):
            parts.end(A_CONDITION)
    if len(found) > MOST_CONDITIONS:
        raise Unread(_LONG)
    return found


def _condition(parts: _Parts) -> Iterator[Condition | Compared]:
    negated = parts.take("not", "no")
    first = parts.sum(A_CONDITION)
    sign = _comparison(parts)
    if sign is None:
        if len(first) != 1 or first[0].of is None:
            raise Unread(A_CONDITION)
        yield _within(first, "=", Term(0 if negated else 1))
        return
    if negated:
        raise Unread(A_CONDITION)
    second = parts.sum(A_CONDITION)
    if parts.take("to"):
        yield _joined(_within(first, "≥", *second), _within(first, "≤", *parts.sum(A_CONDITION)))
    elif (more := _comparison(parts)) is not None:
        yield _joined(_within(first, sign, *second), _within(second, more, *parts.sum(A_CONDITION)))
    else:
        yield _within(first, sign, *second)


def _comparison(parts: _Parts) -> str | None:
    sign = parts.next
    if isinstance(sign, str) and sign in _FLIPPED:
        del parts.left[0]
        if sign == "≠":
            raise Unread(_UNEQUAL)
        return sign
    return None


def _within(first: Sum, sign: str, *second: Term) -> Condition | Compared:
    """Return what a comparison says of the values of both of its sides, numbers on the right."""
    worth: dict[str, int] = {}
    number = 0
    for term in (*first, *(Term(-each.times, each.of) for each in second)):
        if term.of is None:
            number -= term.times
        else:
            worth[term.of] = worth.get(term.of, 0) + term.times
    named = tuple(Term(times, name) for name, times in worth.items() if times)
    if not named:
        raise Unread(A_CONDITION)
    if len(named) == 1 and named[0].times == -1:
        named, number, sign = (Term(1, named[0].of),), -number, _FLIPPED[sign]
    if len(named) > MOST_TERMS:
        raise Unread(_LONG)
    low = {"=": number, "≥": number, ">": number + 1}.get(sign, -MOST)
    high = {"=": number, "≤": number, "<": number - 1}.get(sign, MOST)
    for bound in (low, high, *worth.values()):
        _bounded(bound)
    if len(named) == 1 and named[0].times == 1:
        return Condition(str(named[0].of), low, high)
    return Compared(named, low, high)


def _joined(one: Condition | Compared, other: Condition | Compared) -> Condition | Compared:
    """Return both bounds of one value as one condition."""
    least, most = max(one.least, other.least), min(one.most, other.most)
    if isinstance(one, Condition) and isinstance(other, Condition) and one.of == other.of:
        return Condition(one.of, least, most)
    if isinstance(one, Compared) and isinstance(other, Compared) and one.difference == other.difference:
        return Compared(one.difference, least, most)
    raise Unread(A_CONDITION)
