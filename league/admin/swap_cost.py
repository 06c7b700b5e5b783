"""What an exchange of seats changes about a draw, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled
from league.core.state.competition import Competition as State
from league.core.weighing import Weighed
from league.words import draw_reports


@dataclass(frozen=True)
class SwapCost:
    """The cost of a draw before and after an exchange, in numbers and in words.

    ``worse`` are sentences about what becomes worse; none where nothing does.
    """

    before: int
    after: int
    worse: tuple[str, ...]
    sentences: tuple[str, ...]


def swap_cost(state: State, before: Weighed, after: Weighed) -> SwapCost:
    """Return the cost of an exchange in a competition."""
    worse = what_is_worse(before, after, {entry.id: entry.name for entry in state.entries})
    told = draw_reports.sentences(after.report, teams=state.opening.lineup == "partners")
    return SwapCost(before.cost, after.cost, worse, told)


def what_is_worse(before: Weighed, after: Weighed, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return sentences about what an exchange makes worse; ``names`` are the entries' names by id."""
    worse = [*_worse(before.report, after.report)]
    again = [names[entry] for entry in after.resting_again if entry not in before.resting_again]
    if again:
        worse.append(filled(_("Another bye for: %(names)s."), {"names": ", ".join(again)}))
    if after.cost > before.cost and not worse:
        worse.append(_("The opponents at a table match less well."))
    return tuple(worse)


def _worse(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    more = after["repeats"] - before["repeats"]
    if more > 0:
        sentence = ngettext("%(more)d more pair meets again.", "%(more)d more pairs meet again.", more)
        yield sentence % {"more": more}
    if after["most_meetings"] > before["most_meetings"]:
        yield _("Two of them will have met %(times)d times.") % {"times": after["most_meetings"]}
    if after.get("spread", 0) > before.get("spread", 0):
        yield _("At one table the points are further apart.")
    if after["first_seats"][0] > before["first_seats"][0]:
        yield _("Somebody will have gone first %(times)d times.") % {"times": after["first_seats"][0]}
