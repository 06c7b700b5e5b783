"""Names as readers see them: those of the house bots in the reader's language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.core.state.entries import seat_names
from league.hooks import HOUSE_BOTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from games.engine.messages import Message
    from league.models import Entry, Player, TableSeat


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
    return shown_name(seat_names(seat.player.name, seat.entry.name)[0])


def team_at_table(seat: TableSeat) -> str:
    """Return the name of a seat's entry where it says more than `name_at_table`; else an empty text."""
    return shown_name(seat_names(seat.player.name, seat.entry.name)[1])


def told_apart(player: Player, last: Mapping[UUID, Entry | tuple[int, int]]) -> str:
    """Return a player's name, with the last entry where another player of the club has the same name.

    ``last`` is what `league.queries.competitions.last_entries_of_namesakes` returns.
    """
    if player.pk not in last:
        return shown_name(player.name)
    entry = last[player.pk]
    if isinstance(entry, tuple):
        never = {"name": player.name, "number": entry[0], "count": entry[1]}
        if entry[1] == 1:
            return _("%(name)s (never entered)") % never
        return _("%(name)s (never entered, added as number %(number)d of %(count)d)") % never
    told = {"name": player.name, "entry": entry.name, "competition": entry.competition.name}
    return _("%(name)s (last: %(entry)s in %(competition)s)") % told
