"""What people and entries are called in public, as their club and they themselves choose.

A pure function of names, choices and the numbers of people in their club; it is in no log (docs/log.md).
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Shows: TypeAlias = Literal["full", "short", "members"]
"""The whole name; the first name and an initial; or the name for the club's people alone."""

NEUTRAL: Final = "Member {}"
"""Who is called by nothing but the number in the club."""
_SHORT_WORD: Final = 3


@dataclass(frozen=True)
class Person:
    """Somebody of a club: the name, what of it is shown, and the number, which never changes."""

    id: str
    name: str
    shows: Shows
    number: int


def public_names(people: Iterable[Person]) -> Mapping[str, str]:
    """Return what each of a club's people is called in public, by id.

    Of several with one short name who has the lowest number keeps it, and the others have their number
    behind it; so has who is called like somebody else is in full.
    """
    known = sorted(people, key=lambda each: (each.number, each.id))
    names = {each.id: each.name for each in known if each.shows == "full"}
    taken = {_plain(name) for name in names.values()}
    for each in known:
        if each.shows == "members":
            names[each.id] = NEUTRAL.format(each.number)
        elif each.shows == "short":
            short = shortened(each.name)
            names[each.id] = f"{short} {each.number}" if _plain(short) in taken else short
            taken.add(_plain(short))
    return names


def shortened(name: str) -> str:
    """Return the first name and the initial of the last word: "Anna Maria Peters" gives "Anna P.".

    "Peters, Anna" gives the same. Titles before the name are left out; a name of one word stays as it is.
    """
    last, comma, first = name.partition(",")
    words = f"{first} {last}".split() if comma else name.split()
    while len(words) > 1 and words[0].endswith("."):
        del words[0]
    return f"{words[0]} {words[-1][0].upper()}." if len(words) > 1 else " ".join(words)


def words_of(names: Iterable[str]) -> frozenset[str]:
    """Return the words of names, as `tells` looks for them."""
    return frozenset(word for name in names for word in _words(_plain(name)))


def hidden_in(names: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the words of names that the public does not read, from each name and what is shown for it."""
    return frozenset(word for name, shown in names for word in words_of([name]) - words_of([shown]))


def tells(text: str, words: Set[str]) -> bool:
    """Return whether a text has words of names in it; those of one or two letters as words alone."""
    plain = _plain(text)
    alone = {*_words(plain)}
    return any(word in (alone if len(word) < _SHORT_WORD else plain) for word in words)


def _words(plain: str) -> Sequence[str]:
    return "".join(each if each.isalnum() else " " for each in plain).split()


def _plain(text: str) -> str:
    """Return a text without capitals and accents."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(each for each in apart if not unicodedata.combining(each))
