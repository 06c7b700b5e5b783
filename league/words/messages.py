"""Messages of the engine and the core in the reader's language."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language, gettext, ngettext

from games.engine.messages import Alternatives, Message, Param, Seat, filled
from league.words.names import shown_name

SeatName = Callable[[int], str | None]

_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_ISOLATE: Final = "\u2068"
_END: Final = "\u2069"


def translated(message: str, seat_name: SeatName = lambda seat: None) -> str:
    """Return a message in the active language; a plain text is a message id.

    ``seat_name`` returns what to show for a seat, None for its number, which people count from 1. Of
    alternatives, null is left out.
    """
    if not isinstance(message, Message):
        return _one(get_language(), message) if message else ""
    if isinstance(message, Alternatives) and message.told is not message:
        return translated(message.told, seat_name)
    if isinstance(message, Seat):
        name = seat_name(message.number)
        return filled(_wording(message), {"number": message.number + 1}) if name is None else name
    params = {name: _param(value, seat_name) for name, value in message.params.items()}
    return filled(_wording(message), params)


def _wording(message: Message) -> str:
    if message.plural:
        return _several(get_language(), message.id, message.plural, message.quantity)
    return _one(get_language(), message.id)


# In the language of the sources a text is looked for in the catalogues of all packages.
@lru_cache(maxsize=5000)
def _one(_language: str | None, wording: str) -> str:
    return gettext(wording)


@lru_cache(maxsize=5000)
def _several(_language: str | None, one: str, many: str, count: int) -> str:
    return ngettext(one, many, count)


def forget_wordings() -> None:
    """Look texts up again, because the catalogues have changed."""
    _one.cache_clear()
    _several.cache_clear()


def _param(value: Param, seat_name: SeatName) -> Param:
    """Return a param as text to fill in; codes and numbers do not change."""
    if isinstance(value, Message):
        return translated(value, seat_name)
    return isolated(shown_name(value)) if isinstance(value, str) else value


def isolated(name: str) -> str:
    """Return a name for a sentence: one that is read from the right keeps its order to itself.

    Without that, a number after the name would be shown before it: "4 ليلىth". Source: Unicode Standard Annex
    9, section 6.3 (first strong isolates).
    """
    if _ISOLATE in name or not _RIGHT_TO_LEFT.search(name):
        return name
    return f"{_ISOLATE}{name}{_END}"


def errors_in_words(errors: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a refusal's errors by path, in the active language."""
    return {path: [translated(sentence) for sentence in sentences] for path, sentences in errors.items()}
