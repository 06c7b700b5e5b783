"""The rows of standings as a page shows them, put into words once for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from league.templatetags.trefoil import ordinal
from league.words.messages import translated
from league.words.values import exact, exact_within, short, words

if TYPE_CHECKING:
    from uuid import UUID

    from django.utils.safestring import SafeString

    from league.queries.bots import Entrants
    from league.queries.standings import Standing

TieBreaks: TypeAlias = Sequence[tuple[str, str]]
"""The key of each tie-break, and what its value is."""


@dataclass(frozen=True)
class Line:
    """A row of the standings with its words.

    ``possible`` are the ranks that can still be reached. ``player`` is that of an entry that is no team.
    ``cells`` are those of the tie-breaks with a column, ``values`` the terms and values of all tie-breaks.
    """

    row: Standing
    id: str
    name: str
    rank: str
    played: str
    possible: str
    player: UUID | None
    is_bot: bool
    ask: str
    why: str
    points: str
    exact_points: str
    cells: SafeString
    values: SafeString


def lines_of(
    rows: Sequence[Standing], entrants: Entrants, tie_breaks: TieBreaks, columns: TieBreaks
) -> list[tuple[int, list[Line]]]:
    """Return the lines of rows, group by group."""
    titles = {key: words(key) for key, _about in tie_breaks}
    lines = _lines(rows, entrants, titles, [key for key, _about in columns])
    return [(group, list(inside)) for group, inside in groupby(lines, key=lambda line: line.row.group)]


def _lines(
    rows: Sequence[Standing], entrants: Entrants, titles: Mapping[str, str], columns: Sequence[str]
) -> Iterator[Line]:
    ask = _("Why %(name)s has this rank")
    for row in rows:
        yield Line(
            row=row,
            id=str(row.entry_id),
            name=row.entry.name,
            rank=str(row.rank),
            played=str(row.played),
            possible=_possible(row),
            player=entrants.players.get(row.entry_id),
            is_bot=str(row.entry_id) in entrants.bots,
            ask=ask % {"name": row.entry.name},
            why=exact_within(translated(row.explanation)),
            points=short(row.points),
            exact_points=exact(row.points),
            cells=format_html_join("", "{}", ((_cell(row, key),) for key in columns)),
            values=format_html_join(
                "", "<dt>{}</dt><dd>{}</dd>", ((titles[key], _value(row, key)) for key in titles)
            ),
        )


def _possible(row: Standing) -> str:
    best, worst = ordinal(row.best_rank or row.rank), ordinal(row.worst_rank or row.rank)
    return best if best == worst else f"{best}–{worst}"


def _cell(row: Standing, key: str) -> SafeString:
    decided = " decided" if row.decided_by == key else ""
    value = row.tiebreaks.get(key)
    if value is None:
        return format_html('<td class="number nowrap roomy{}">–</td>', decided)
    return format_html(
        '<td class="number nowrap roomy{}" title="{}">{}</td>', decided, exact_within(value), short(value)
    )


def _value(row: Standing, key: str) -> str:
    value = row.tiebreaks.get(key)
    return "–" if value is None else short(value)
