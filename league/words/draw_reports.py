"""The report on a draw in sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.engine.messages import filled
from league.core.state.cut_offs import CutOff
from league.models import TableSeat
from league.queries.rounds import SeatShown
from league.words.messages import translated
from league.words.values import exact

Report = Mapping[str, Any]
"""The figures of `league.core.drawing.cost.report`; some draws do not have all of them."""


def sentences(
    report: Report, *, teams: bool = False, apart: Fraction | None = None, filled_by: CutOff | None = None
) -> tuple[str, ...]:
    """Return sentences about tables, byes, repeats, points and first seats; ``teams`` share tables.

    ``apart`` is by how many points two at a table differ at most; nothing is said of it where it is None.
    ``filled_by`` is the cut-off of tables that were filled by an order, None where they were drawn.
    """
    told = [_tables(report, teams=teams)] if "sizes" in report else []
    told += [_order(filled_by, fixed=bool(report.get("tables", (0, 0))[0]))] if filled_by else []
    report = {**report, "seating": bool(filled_by)}
    told += [sentence(report) for name, sentence in _SENTENCES.items() if name in report]
    return (*told, *([] if apart is None else [_apart(apart)]))


_ORDERS: Final = {
    "evening": gettext_noop("by the last evening"),
    "series": gettext_noop("by the year’s table"),
    "rating": gettext_noop("by the ratings"),
    "entered": gettext_noop("in the order of entering"),
    "": gettext_noop("by another order"),
}


def _order(cut_off: CutOff, *, fixed: bool) -> str:
    """Return by which order tables were filled, and which one of its kind; ``fixed``: some have numbers."""
    by = cut_off.by
    how = translated(_ORDERS.get(by.kind, _ORDERS[""]))
    if cut_off.seating == "standing":
        how = _("by the standings")
    elif by.name:
        how = filled(_("%(how)s (%(name)s)"), {"how": how, "name": by.name})
    if fixed:
        told = _(
            "The tables are filled %(how)s. A table at which somebody always sits has that number, so the "
            "best may sit at another one than table 1."
        )
        return filled(told, {"how": how})
    return filled(_("The tables are filled %(how)s, the best at table 1."), {"how": how})


def sized(size: int, *, teams: bool) -> str:
    """Return the size of a table for a sentence, as `Opening.sized` does."""
    return ngettext("%(count)d team", "%(count)d teams", size) % {"count": size} if teams else str(size)


def have_partners(tables: Iterable[Iterable[TableSeat | SeatShown]]) -> bool:
    """Return whether partners share one of the tables, each given by its seats."""
    entries = ([seat.entry_id for seat in seats] for seats in tables)
    return any(len({*each}) < len(each) for each in entries)


def _tables(report: Report, *, teams: bool) -> str:
    sizes = {int(size): count for size, count in report["sizes"].items()}
    return filled(_("%(tables)s."), {"tables": tables_in_words(sizes, teams=teams)})


def tables_in_words(sizes: Mapping[int, int], *, teams: bool) -> str:
    """Return how many tables there are of each size, the biggest first: "2 tables of 4, 1 table of 3"."""
    tables = [
        ngettext("%(count)d table of %(size)s", "%(count)d tables of %(size)s", count)
        % {"count": count, "size": sized(size, teams=teams)}
        for size, count in sorted(sizes.items(), reverse=True)
    ]
    return ", ".join(tables) or _("No table")


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
    return " ".join((said, *_why_again(report)))


def _why_again(report: Report) -> Iterator[str]:
    if report["seating"]:
        yield _("The tables were filled by an order, and whoever met before may meet again then.")
        return
    if report.get("wishes", (0, 0))[0]:
        yield _("Wishes come first; without them fewer might have met again.")
    if len(report.get("sizes", ())) > 1:
        yield _allotted()


def _allotted() -> str:
    return _(
        "Who plays at a shorter table is chosen first, among those who did so least often; "
        "another choice may have allowed fewer."
    )


def _partners(report: Report) -> str:
    again, most = report["partners"]
    if not again:
        return _("Nobody has the same partner again.")
    sentence = ngettext(
        "%(count)d pair plays together again; no two will have been partners more than %(most)d times.",
        "%(count)d pairs play together again; no two will have been partners more than %(most)d times.",
        again,
    )
    return sentence % {"count": again, "most": most}


def _apart(points: Fraction) -> str:
    if not points:
        return _("At each table all entries have equal points.")
    return _("Two entries at one table are at most %(points)s apart in points.") % {"points": exact(points)}


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


def _wishes(report: Report) -> str:
    kept, broken = report["wishes"]
    if not broken:
        sentence = ngettext(
            "The wish of %(count)d pair for this draw is kept.",
            "The wishes of all %(count)d pairs for this draw are kept.",
            kept,
        )
        return sentence % {"count": kept}
    sentence = ngettext(
        "The wish of %(count)d pair is not kept. Where not all can be, those low in the standings go "
        "without.",
        "The wishes of %(count)d pairs are not kept. Where not all can be, those low in the standings go "
        "without.",
        broken,
    )
    return sentence % {"count": broken}


def _fixed_tables(report: Report) -> str:
    kept, missed = report["tables"]
    if not missed:
        sentence = ngettext(
            "%(count)d entry sits at its fixed table.", "%(count)d entries sit at their fixed tables.", kept
        )
        return sentence % {"count": kept}
    sentence = ngettext(
        "%(count)d entry does not sit at its fixed table: somebody else at it has a lower number, or it is "
        "not set up.",
        "%(count)d entries do not sit at their fixed tables: somebody else at them has a lower number, or "
        "they are not set up.",
        missed,
    )
    return sentence % {"count": missed}


_SENTENCES: Final[Mapping[str, Callable[[Report], str]]] = {
    "byes": _byes,
    "partners": _partners,
    "repeats": _repeats,
    "first_seats": _first_seats,
    "wishes": _wishes,
    "tables": _fixed_tables,
}
