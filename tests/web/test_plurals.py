"""Every text with a number of things has plural forms, in both languages.

What is counted is learned from the texts that have plural forms: the words in which these differ. Without
forms such a word follows a number only where the number is never 1.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from babel.messages.catalog import Message

from league.words.catalogue import ids_of, read, strings_of, texts_in

NUMBER: Final = re.compile(r"%\((\w+)\)[sd]")
WORD: Final = re.compile(r"[A-Za-zÄÖÜäöüß-]+")
COUNTED: Final = re.compile(r"%\((\w+)\)[sd](?:\s[a-zäöüß-]+)??\s([A-Za-zÄÖÜäöüß-]+)")
OF_ALL: Final = re.compile(r"%\(\w+\)[sd] (?:of|von) %\(\w+\)[sd] ([A-Za-zÄÖÜäöüß-]+)")
"""How far something has come: the number before the thing is that of all."""
NOT_THINGS: Final = {"of", "take", "meet", "get", "move", "different", "challenges", "Die", "Alle"}
"""Words in which forms differ and that are no things, or follow a name."""
SAME: Final = {"Mal", "Elemente"}
"""German words that can be of one, too."""
LIMITS: Final = ("most",)
"""Parameters that are limits of ours, all of them more than 1."""
NEVER_ONE: Final[Mapping[str, str]] = {
    "Confirm all %(count)s deals": "one alone has a button of its own",
    "%(name)s deals": "a name",
    "One game of a match is a whole score card, of": "of one deal nothing is said",
    "%(count)d of %(all)d tables": "of one table a glance at the list says it",
    "%(taken)s of %(seats)s players": "a table has at least two",
    "%(count)d entries are level on ranks": "who are level are at least two",
    "%(count)d stages would be lost.": "one alone is not lost",
    "%(entries)d entries play %(matches)d matches": "a cup has at least two entries",
    "%(game)s is for %(seats)s players.": "a list of numbers",
    "%(seats)s players": "a list of numbers",
    "%(places)s points for first": "a list of numbers",
    "%(players)d players can’t be split": "one player is a team",
    "%(points)s points": "“1 point” is a text of its own",
    "%(seat)s gets %(points)s points": "penalties are multiples of five",
    "A round robin of %(entries)d entries is too big": "it is big",
    "A table needs at least %(fewest)d entries": "a table has at least two",
    "A team has %(size)s players": "one alone is asked by nobody",
    "All %(more_tables)s tables of this round": "there are more than can be shown",
    "A draw seats %(count)d players as the room": "a table has at least two",
    "An entry here has %(size)d different players.": "one player does not differ",
    "Everybody meets everybody in": "the number that has forms comes first",
    "For more than %(rounds)s deals": "a sheet has more rows",
    "In the last %(told)s days": "a number of ours",
    "Proved: the log fits together": "a log that is over has more",
    "The average of at least %(number)s evenings": "a field to fill in",
    "The best %(number)s evenings": "a field to fill in",
    "The table has only %(seats)s seats.": "a table has at least two",
    "These tables have %(seats)d seats": "a table has at least two",
    "With %(entries)d entries": "a final needs more",
    "With %(size)d, %(count)d players sit": "a table has at least two",
    "all %(count)s deals": "a number of ours",
    "from %(games)s games on": "a number of ours",
}
"""Beginnings of texts whose numbers are never 1, and why."""


def texts() -> list[Message]:
    return [*texts_in(read("de"))]


def differing(one: str, many: str) -> set[str]:
    """Return the words of the plural in which two forms differ, where they have as many words."""
    first, second = WORD.findall(NUMBER.sub("", one)), WORD.findall(NUMBER.sub("", many))
    pairs = zip(first, second, strict=True) if len(first) == len(second) else ()
    return {after for before, after in pairs if before != after}


def learned(forms: Iterable[tuple[str, ...]], looks: str) -> set[str]:
    """Return the words for things that these forms count."""
    found = {word for one, many, *_ in forms for word in differing(one, many)}
    return {word for word in found if re.fullmatch(looks, word)} - NOT_THINGS


def things(plurals: Iterable[Message]) -> tuple[set[str], set[str]]:
    """Return the words for several things in English and in German."""
    english = learned(map(ids_of, plurals), r"[a-z-]+s|people")
    german = learned(map(strings_of, plurals), r"[A-ZÄÖÜ].*")
    return english, german


def counting(text: str, things: set[str]) -> Iterator[str]:
    for found in COUNTED.finditer(text):
        if found[2] in things and found[1] not in LIMITS:
            yield found[0]


def test_every_text_that_counts_things_has_plural_forms() -> None:
    english, german = things([each for each in texts() if each.pluralizable])
    assert {"deals", "points", "games", "people"} <= english and {"Punkte", "Runden", "Tage"} <= german
    without = [(ids_of(each)[0], strings_of(each)[0]) for each in texts() if not each.pluralizable]
    wrong = [
        text
        for text, translation in without
        if [*counting(text, english), *counting(translation, german)] and not text.startswith((*NEVER_ONE,))
    ]
    assert wrong == []


def test_each_exception_is_a_text() -> None:
    known = [ids_of(each)[0] for each in texts()]
    assert [start for start in NEVER_ONE if not any(each.startswith(start) for each in known)] == []


def _first(text: str) -> str:
    """Return a text up to its second number: the first is the one that has forms."""
    numbers = [found.start() for found in NUMBER.finditer(text)]
    return text[: numbers[1]] if len(numbers) > 1 else text


def test_the_form_of_one_counts_no_two() -> None:
    plurals = [each for each in texts() if each.pluralizable]
    english, german = things(plurals)
    forms = [(ids_of(each)[0], strings_of(each)[0]) for each in plurals]
    wrong = [
        one
        for one, translation in forms
        if [*counting(_first(one), english), *counting(_first(translation), german - SAME)]
        and not one.startswith((*NEVER_ONE,))
    ]
    assert wrong == []


def test_how_many_of_all_has_the_forms_of_all() -> None:
    """`1 of 1 tables` is said by nobody."""
    english, german = things([each for each in texts() if each.pluralizable])
    wrong = [
        one
        for one, translation in ((ids_of(each)[0], strings_of(each)[0]) for each in texts())
        for told, things_of in ((one, english), (translation, german - SAME))
        if any(found[1] in things_of for found in OF_ALL.finditer(told)) and not told_of_many(one)
    ]
    assert wrong == []


def told_of_many(text: str) -> bool:
    return text.startswith((*NEVER_ONE,))
