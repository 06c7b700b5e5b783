"""What an exchange of seats would change about a draw, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import draw_reports
from league.formats.weighing import Weighed


@dataclass(frozen=True)
class Compared:
    """What a seating costs before and after an exchange, as numbers and in words.

    ``worse`` are the sentences about what becomes worse; none where nothing does.
    """

    before: int
    after: int
    worse: tuple[str, ...]
    sentences: tuple[str, ...]


def compared(before: Weighed, after: Weighed, names: Mapping[str, str]) -> Compared:
    """Return an exchange's costs; ``names`` are those of the entries, by id."""
    worse = [*_worse(before.report, after.report)]
    again = [names[entry] for entry in after.resting_again if entry not in before.resting_again]
    if again:
        worse.append(_("Without a table once more: %(names)s.") % {"names": ", ".join(again)})
    if after.cost > before.cost and not worse:
        worse.append(_("Those at the tables fit each other less well."))
    return Compared(before.cost, after.cost, tuple(worse), draw_reports.sentences(after.report))


def _worse(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    more = after["repeats"] - before["repeats"]
    if more > 0:
        told = ngettext("%(more)d pair more meets again.", "%(more)d pairs more meet again.", more)
        yield told % {"more": more}
    if after["most_meetings"] > before["most_meetings"]:
        yield _("Some two will have met %(times)d times.") % {"times": after["most_meetings"]}
    if after.get("spread", 0) > before.get("spread", 0):
        yield _("At one table the points lie further apart.")
    if after["first_seats"][0] > before["first_seats"][0]:
        yield _("Somebody will have begun %(times)d times.") % {"times": after["first_seats"][0]}
