"""The report on a draw in sentences, for players and organisers alike.

The figures are those of `league.formats.cost.report`; one that a draw does not give is not spoken of.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Report = Mapping[str, Any]


def sentences(report: Report) -> tuple[str, ...]:
    """Return what there is to say of a draw: tables, who rests, repeats, equals, and who begins."""
    return tuple(sentence(report) for name, sentence in _SENTENCES.items() if name in report)


def _tables(report: Report) -> str:
    sizes: Sequence[tuple[int, int]] = sorted(
        ((int(size), count) for size, count in report["sizes"].items()), reverse=True
    )
    told = [
        ngettext("%(count)d table of %(size)d", "%(count)d tables of %(size)d", count)
        % {"count": count, "size": size}
        for size, count in sizes
    ]
    return _("%(tables)s.") % {"tables": ", ".join(told) or _("No table")}


def _byes(report: Report) -> str:
    if not report["byes"]:
        return _("Nobody has a bye.")
    told = ngettext("%(count)d entry has a bye.", "%(count)d entries have a bye.", report["byes"])
    return told % {"count": report["byes"]}


def _repeats(report: Report) -> str:
    if not report["repeats"]:
        return _("Nobody meets the same opponent again.")
    told = ngettext(
        "%(count)d pair meets again; no two will have met more than %(most)d times.",
        "%(count)d pairs meet again; no two will have met more than %(most)d times.",
        report["repeats"],
    )
    return told % {"count": report["repeats"], "most": report["most_meetings"]}


def _spread(report: Report) -> str:
    if not report["spread"]:
        return _("At every table sit equals in points.")
    return _("The widest table spans %(part)d %% of the points between the first and the last.") % {
        "part": report["spread"]
    }


def _first_seats(report: Report) -> str:
    most, fewest = report["first_seats"]
    if most == fewest:
        return _("All at a table will have sat first equally often.")
    return _("Those at a table will have sat first between %(fewest)d and %(most)d times.") % {
        "fewest": fewest,
        "most": most,
    }


_SENTENCES: Final[Mapping[str, Callable[[Report], str]]] = {
    "sizes": _tables,
    "byes": _byes,
    "repeats": _repeats,
    "spread": _spread,
    "first_seats": _first_seats,
}
