"""The words by which people find the events of competitions' logs."""

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from league.core.events import Event as CoreEvent
from league.core.verbs import EVENTS
from league.models.names import search_key
from league.queries.events import Wanted
from league.words.values import words

MOST_WORDS: Final = 8
"""The words of a search that count."""
SHORTEST_WORD: Final = 2
"""How many letters of a word find an event."""
_PARAM: Final = re.compile(r"%\((\w+)\)s")
_NUMBER: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)?", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?$")


def event_title(kind: str) -> str:
    """Return the title of an event's type."""
    return gettext(EVENTS[kind].title) if kind in EVENTS else words(kind)


def events_by_title() -> list[tuple[str, str]]:
    """Return the types of events with their titles, by title."""
    return sorted(((kind, event_title(kind)) for kind in EVENTS), key=lambda each: search_key(each[1]))


def wanted(term: str) -> Wanted:
    """Return what a search for events asks for: "who set Ada's result in round 2" as words and a round."""
    said = [word.strip("?!.,;:") for word in term.split()]
    round_, said = _number_beside(said, _("Round"), "round")
    table, said = _number_beside(said, _("Table"), "table")
    empty = {*_vocabulary(_("who what when why how did was is the of in at on for"))}
    telling = [word for word in said if word and not {*_vocabulary(word)} & empty] or said
    named = [_POSSESSIVE.sub("", word) for word in telling[:MOST_WORDS]]
    return Wanted([(word, kinds_called(word)) for word in named], round_, table)


def _number_beside(said: Sequence[str], *names: str) -> tuple[int | None, list[str]]:
    """Return the number after one of these names, or before it, and the other words."""
    keys = {search_key(name) for name in names}
    for at, word in enumerate(said):
        for beside in (at + 1, at - 1) if search_key(word) in keys else ():
            if 0 <= beside < len(said) and (number := _NUMBER.fullmatch(said[beside])):
                rest = [each for index, each in enumerate(said) if index not in (at, beside)]
                return int(number[1]), rest
    return None, [*said]


def kinds_called(word: str) -> list[str]:
    """Return the types of events that people mean by a word, in the active language.

    These are those with a word in their title, sentences or further words that begins with it.
    """
    wanted = _vocabulary(word)
    if not wanted or min(map(len, wanted)) < SHORTEST_WORD:
        return []
    return [kind for kind, event in EVENTS.items() if _means(wanted, _vocabulary(_wordings(event)))]


def _means(wanted: Sequence[str], known: Sequence[str]) -> bool:
    return all(any(each.startswith(word) for each in known) for word in wanted)


def _wordings(event: type[CoreEvent]) -> str:
    own = (name for name in dir(event) if name in ("title", "found_by", "text") or name.startswith("text_"))
    said = (str(getattr(event, name)) for name in own)
    return " ".join(_PARAM.sub("", gettext(each)) for each in said if each)


def _vocabulary(text: str) -> list[str]:
    """Return the words of a text without accents, hyphens and signs."""
    return [each for word in text.split() for each in re.findall(r"[^\W_]+", search_key(word))]
