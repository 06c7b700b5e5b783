"""Names as readers see them: those of the house bots in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from league.core.house_bots import HOUSE_BOTS, HouseBot
from league.core.seat_names import seat_names

if TYPE_CHECKING:
    from uuid import UUID

    from league.models import Entry, Player, TableSeat

_BY_NAME: Final[Mapping[str, HouseBot]] = {bot.name: bot for bot in HOUSE_BOTS.values()}


def shown_name(name: str) -> str:
    """Return the name of a player or an entry as it is shown and written for a reader.

    Rows and logs have the English name of a house bot, which is translated here; every other name, one that
    a club gave a house bot too, is as it is.
    """
    bot = _BY_NAME.get(name)
    return _of(bot) if bot else name


def name_at_table(seat: TableSeat) -> str:
    """Return the name of a player at a table, as `league.core.seat_names` tells players apart."""
    return shown_name(seat_names(seat.player.name, seat.entry.name)[0])


def team_at_table(seat: TableSeat) -> str:
    """Return the name of a seat's entry where it says more than `name_at_table`; else an empty text."""
    return shown_name(seat_names(seat.player.name, seat.entry.name)[1])


def told_apart(player: Player, last: Mapping[UUID, Entry | None]) -> str:
    """Return a player's name, with the last entry where another player of the club has the same name.

    ``last`` is what `league.queries.competitions.last_entries_of_namesakes` returns.
    """
    if player.pk not in last:
        return shown_name(player.name)
    entry = last[player.pk]
    if entry is None:
        return _("%(name)s (never entered)") % {"name": player.name}
    told = {"name": player.name, "entry": entry.name, "competition": entry.competition.name}
    return _("%(name)s (last: %(entry)s in %(competition)s)") % told


def _of(bot: HouseBot) -> str:
    match bot.level:
        case "easy":
            return _("Easy bot %(number)d") % {"number": bot.number}
        case "medium":
            return _("Medium bot %(number)d") % {"number": bot.number}
        case "strong":
            return _("Strong bot %(number)d") % {"number": bot.number}
