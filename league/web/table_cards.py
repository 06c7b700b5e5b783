"""The tables of a round as pages show them, put into words once for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from league.choices import Outcome, TableStatus
from league.core.seat_names import seat_names
from league.templatetags.trefoil import bot_mark, ordinal, player_address
from league.words.names import shown_name
from league.words.values import exact, numbers_within

if TYPE_CHECKING:
    from league.queries.rounds import SeatShown, TableShown

_SEAT: Final = (
    '<tr><th scope="row"><a href="{}">{}</a>{}{}{}</th>'
    '<td class="number">{}</td><td class="number">{}</td></tr>'
)


@dataclass(frozen=True)
class TableCard:
    """A table with the rows of its seats, and how and why an organiser set its result, if one did."""

    table: TableShown
    status: str
    seats: SafeString
    ruling: str


def cards_of(tables: Sequence[TableShown], rulings: Mapping[str, str]) -> list[TableCard]:
    """Return the cards of tables; ``rulings`` are sentences by the tables' ids."""
    return [
        TableCard(
            table,
            str(TableStatus(table.status).label),
            mark_safe("".join(map(_row, table.seats))),
            numbers_within(rulings.get(table.id, "")),
        )
        for table in tables
    ]


def _row(seat: SeatShown) -> SafeString:
    name, team = map(shown_name, seat_names(seat.player_name, seat.name))
    return format_html(
        _SEAT,
        player_address(seat.player),
        name,
        bot_mark() if seat.bot else "",
        _why(team) if team else "",
        _why(str(Outcome(seat.outcome).label)) if seat.outcome else "",
        ordinal(seat.rank) if seat.rank else "",
        "" if seat.score is None else exact(seat.score),
    )


def _why(told: str) -> SafeString:
    return mark_safe(f'<span class="why">{conditional_escape(told)}</span>')
