"""Messages of the engine and the core, and names, as readers see them in their language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext as _

from games.engine.messages import Alternatives, Message, Param, Seat, filled
from games.engine.refusals import Refusal
from league.core.state.entries import seat_names
from league.hooks import HOUSE_BOTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from games.engine.messages import Message
    from league.models import Entry, Player, TableSeat


# ---- Names ---------------------------------------------------------------------------------------


@cache
def _by_name() -> Mapping[str, Message]:
    return {bot.name: bot.name for bot in HOUSE_BOTS.values()}


def shown_name(name: str) -> str:
    """Return the name of a player or an entry as it is shown and written for a reader.

    Rows and logs have the English name of a house bot, which is translated here; every other name, one that
    a club gave a house bot too, is as it is.
    """
    bot = _by_name().get(name)
    return _(bot.id) % bot.params if bot else name


def name_at_table(seat: TableSeat) -> str:
    """Return the name of a player at a table, as `league.core.state.entries` tells players apart."""
    return shown_name(seat_names(seat.player.called, seat.entry.called)[0])


def team_at_table(seat: TableSeat) -> str:
    """Return the name of a seat's entry where it says more than `name_at_table`; else an empty text."""
    return shown_name(seat_names(seat.player.called, seat.entry.called)[1])


def told_apart(player: Player, last: Mapping[UUID, Entry | tuple[int, int]]) -> str:
    """Return a player's name, with the last entry where another player of the club has the same name.

    ``last`` is what `league.queries.competitions.last_entries_of_namesakes` returns.
    """
    if player.pk not in last or not player.is_named:
        return shown_name(player.called)
    entry = last[player.pk]
    if isinstance(entry, tuple):
        never = {"name": player.called, "number": entry[0], "count": entry[1]}
        if entry[1] == 1:
            return _("%(name)s (never entered)") % never
        return _("%(name)s (never entered, added as number %(number)d of %(count)d)") % never
    told = {"name": player.called, "entry": entry.called, "competition": entry.competition.name}
    return _("%(name)s (last: %(entry)s in %(competition)s)") % told


# ---- Messages ------------------------------------------------------------------------------------

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


def in_one_text(refusal: Refusal) -> str:
    """Return all that a refusal says, its errors or its sentence, in the active language."""
    told = [each for sentences in errors_in_words(refusal.errors).values() for each in sentences]
    return " ".join(told) or translated(refusal.sentence)


def errors_in_words(errors: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a refusal's errors by path, in the active language."""
    return {path: [translated(sentence) for sentence in sentences] for path, sentences in errors.items()}
