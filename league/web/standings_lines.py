"""The rows of standings as the page of a competition shows them, each made in one step."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby, repeat
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.templatetags.trefoil import bot_mark, ordinal, player_address
from league.words.messages import translated
from league.words.names import shown_name
from league.words.values import LOT, against_average, column, exact, numbers_within, short, tie_break

if TYPE_CHECKING:
    from league.models import Competition
    from league.queries.bots import Entrants
    from league.queries.standings import Standing

TieBreaks: TypeAlias = Sequence[tuple[str, str]]
"""The key of each tie-break, and what its value is."""

_ROW: Final = """<tr id="row-{id}">
<td class="number nowrap">{rank}{lot} {movement}</td>
<th scope="row"><a href="{address}">{name}</a>{bot}{gone}</th>
<td class="ask"><details id="why-{id}">
<summary aria-controls="reasons-{id}"><span class="spoken">{ask}</span></summary>
</details></td>
<td class="number nowrap" title="{exact}"><strong>{points}</strong></td>
<td class="number roomy">{played}</td>
{possible_cell}{cells}
</tr>
<tr class="reasons" id="reasons-{id}"><td colspan="{columns}"><div>
<p class="why">{why}{to_come}</p>
{next_why}{notes}<dl class="tight">
<dt>{played_title}</dt><dd>{played}</dd>
{possible}{values}
</dl>
</div></td></tr>
"""
_COLUMNS: Final = 5
"""Those of every table: rank, entry, arrow, points, rounds played."""


class Lines:
    """Writes rows of the standings of a competition as HTML.

    ``near`` is the tie-break that has a column on a phone, too; ``undecided`` is whether possible ranks are
    shown, ``duels`` whether all tables are tables of two.
    """

    def __init__(
        self,
        competition: Competition,
        entrants: Entrants,
        tie_breaks: TieBreaks,
        *,
        near: str,
        undecided: bool,
        duels: bool,
    ) -> None:
        self._entrants, self._near, self._undecided, self._duels = entrants, near, undecided, duels
        self._titles = {key: escape(tie_break(key)) for key, _about in tie_breaks}
        self._entries = reverse("competition_entries", args=[competition.slug])
        self._bot = bot_mark()
        self._lot = f'<abbr class="lot" title="{escape(_("by lot"))}">{LOT}</abbr>'
        self._ask = _("Why %(name)s has this rank")
        self._played, self._possible = escape(_("Played")), escape(_("Possible ranks"))

    def of(self, rows: Sequence[Standing]) -> list[tuple[int, SafeString]]:
        """Return the number of each group with its rows."""
        columns = [column([row.tiebreaks.get(key) for row in rows]) for key in self._titles]
        texts = zip(*columns, strict=True) if columns else repeat(())
        return [
            (group, mark_safe("".join(self._line(row, shown) for row, shown in inside)))
            for group, inside in groupby(zip(rows, texts, strict=False), key=lambda each: each[0].group)
        ]

    def _line(self, row: Standing, texts: Sequence[str]) -> str:
        entry, name, possible = str(row.entry_id), shown_name(row.entry.name), _possible(row)
        return _ROW.format(
            id=entry,
            rank=row.rank,
            lot=self._lot if row.by_lot else "",
            movement=_movement(row.movement),
            address=self._address(entry, row.entry.name),
            name=escape(name),
            bot=self._bot if entry in self._entrants.bots else "",
            gone=f' <span class="soft small">{escape(row.gone)}</span>' if row.gone else "",
            columns=_COLUMNS + self._undecided + len(self._titles),
            ask=escape(self._ask % {"name": name}),
            why=escape(numbers_within(translated(row.explanation))),
            to_come=_to_come(row.to_come),
            next_why=f'<p class="why">{escape(translated(row.next_why))}</p>\n' if row.next_why else "",
            notes="".join(
                f'<p class="why">{escape(numbers_within(translated(note)))}</p>\n' for note in row.notes
            ),
            played_title=self._played,
            played=row.played,
            possible=f"<dt>{self._possible}</dt><dd>{possible}</dd>\n" if self._undecided else "",
            values="".join(
                f"<dt>{title}</dt><dd>{self._value(row.tiebreaks.get(key), key)}</dd>"
                for key, title in self._titles.items()
            ),
            exact=escape(exact(row.points)),
            points=escape(short(row.points)),
            possible_cell=f'<td class="number nowrap roomy">{possible}</td>\n' if self._undecided else "",
            cells="".join(
                _cell(row, key, shown, near=key == self._near)
                for key, shown in zip(self._titles, texts, strict=True)
            ),
        )

    def _address(self, entry: str, name: str) -> str:
        """Return the address of a player; for a team that of its place among the entries."""
        player = self._entrants.players.get(entry)
        return player_address(player) if player else f"{self._entries}?name={quote(name)}"

    def _value(self, value: str | None, key: str) -> str:
        if value is None:
            return "–"
        differs = key == "wins" and not self._duels
        return escape(against_average(value) if differs else short(value))


def _possible(row: Standing) -> str:
    best, worst = ordinal(row.best_rank or row.rank), ordinal(row.worst_rank or row.rank)
    return escape(best if best == worst else f"{best}–{worst}")


def _movement(ranks: int | None) -> str:
    if not ranks:
        return ""
    if ranks > 0:
        told, shown, way = _("up %(ranks)s") % {"ranks": ranks}, f"▲{ranks}", "up"
    else:
        told, shown, way = _("down %(ranks)s") % {"ranks": -ranks}, f"▼{-ranks}", "down"
    return f'<span class="{way}" role="img" aria-label="{escape(told)}">{shown}</span>'


def _to_come(tables: int) -> str:
    if not tables:
        return ""
    told = ngettext("One table to come.", "%(tables)s tables to come.", tables) % {"tables": tables}
    return f" {escape(told)}"


def _cell(row: Standing, key: str, shown: str, *, near: bool) -> str:
    across = "several" if " " in shown else "nowrap"
    kinds = f"number {across}{'' if near else ' roomy value'}{' decided' if row.decided_by == key else ''}"
    title = f' title="{escape(numbers_within(value))}"' if (value := row.tiebreaks.get(key)) else ""
    return f'<td class="{kinds}"{title}>{escape(shown)}</td>'
