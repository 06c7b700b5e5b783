"""The report on a draw as sentences, for players and organisers.

The figures are those of `league.core.drawing.cost.report`; some draws do not have all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled

if TYPE_CHECKING:
    from league.models import TableSeat
    from league.queries.rounds import SeatShown

Report = Mapping[str, Any]


def sentences(report: Report, *, teams: bool = False) -> tuple[str, ...]:
    """Return sentences about tables, byes, repeats, points and first seats; ``teams`` share tables."""
    told = [_tables(report, teams=teams)] if "sizes" in report else []
    return (*told, *(sentence(report) for name, sentence in _SENTENCES.items() if name in report))


def sized(size: int, *, teams: bool) -> str:
    """Return the size of a table for a sentence, as `Opening.sized` does."""
    return ngettext("%(count)d team", "%(count)d teams", size) % {"count": size} if teams else str(size)


def have_partners(tables: Iterable[Iterable[TableSeat | SeatShown]]) -> bool:
    """Return whether partners share one of the tables, each given by its seats."""
    entries = ([seat.entry_id for seat in seats] for seats in tables)
    return any(len({*each}) < len(each) for each in entries)


def _tables(report: Report, *, teams: bool) -> str:
    sizes: Sequence[tuple[int, int]] = sorted(
        ((int(size), count) for size, count in report["sizes"].items()), reverse=True
    )
    tables = [
        ngettext("%(count)d table of %(size)s", "%(count)d tables of %(size)s", count)
        % {"count": count, "size": sized(size, teams=teams)}
        for size, count in sizes
    ]
    return filled(_("%(tables)s."), {"tables": ", ".join(tables) or _("No table")})


def _byes(report: Report) -> str:
    if not report["byes"]:
        return _("Nobody has a bye.")
    sentence = ngettext("%(count)d entry has a bye.", "%(count)d entries have a bye.", report["byes"])
    return sentence % {"count": report["byes"]}


def _repeats(report: Report) -> str:
    if not report["repeats"]:
        return _("Nobody meets the same opponent again.")
    sentence = ngettext(
        "%(count)d pair meets again; no two entries will have met more than %(most)d times.",
        "%(count)d pairs meet again; no two entries will have met more than %(most)d times.",
        report["repeats"],
    )
    said = sentence % {"count": report["repeats"], "most": report["most_meetings"]}
    return said if len(report.get("sizes", ())) < 2 else f"{said} {_allotted()}"


def _allotted() -> str:
    return _(
        "Who plays at a shorter table is chosen first, among those who did so least often; "
        "another choice may have allowed fewer."
    )


def _spread(report: Report) -> str:
    if not report["spread"]:
        return _("At each table all entries have equal points.")
    return _(
        "Points within a table differ by at most %(part)d %% of the difference between first and last."
    ) % {"part": report["spread"]}


def _first_seats(report: Report) -> str:
    most, fewest = report["first_seats"]
    if most == fewest:
        return _("All entries have gone first equally often.")
    if most == 1:
        return _("Nobody has gone first more than once.")
    return _("Entries have gone first between %(fewest)d and %(most)d times.") % {
        "fewest": fewest,
        "most": most,
    }


_SENTENCES: Final[Mapping[str, Callable[[Report], str]]] = {
    "byes": _byes,
    "repeats": _repeats,
    "spread": _spread,
    "first_seats": _first_seats,
}
