"""Exchanging seats on the page of a drawn round: what each exchange costs, and the one to take back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.messages import filled
from league.admin.base import ClubScopedAdmin
from league.core.course import proposal
from league.core.state.competition import Competition as State
from league.core.state.competition import Round
from league.core.state.cut_offs import filled_by_order
from league.core.weighing import Weighed, weighed_exchanges
from league.models import Competition
from league.queries.competitions import state_of
from league.words import draw_reports

if TYPE_CHECKING:
    from league.models.events import Event


# ---- Swap cost -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class SwapCost:
    """What an exchange makes of a draw: sentences about it, and about what becomes worse; none if nothing."""

    worse: tuple[str, ...]
    sentences: tuple[str, ...]


def swap_cost(state: State, drawn: Round, before: Weighed, after: Weighed) -> SwapCost:
    """Return the cost of an exchange in the drawn round of a competition."""
    worse = what_is_worse(before, after, {entry.id: entry.name for entry in state.entries})
    teams = state.opening.lineup == "partners"
    told = draw_reports.sentences(after.report, teams=teams, filled_by=filled_by_order(drawn.origins))
    return SwapCost(worse, told)


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
    had, have = (each.get("partners", (0, 0))[0] for each in (before, after))
    if have > had:
        sentence = ngettext(
            "%(more)d more pair plays together again.", "%(more)d more pairs play together again.", have - had
        )
        yield sentence % {"more": have - had}
    broken = after.get("wishes", (0, 0))[1] - before.get("wishes", (0, 0))[1]
    if broken > 0:
        sentence = ngettext(
            "%(broken)d more wish is not kept.", "%(broken)d more wishes are not kept.", broken
        )
        yield sentence % {"broken": broken}
    if after["most_meetings"] > before["most_meetings"]:
        times = after["most_meetings"]
        sentence = ngettext(
            "Two of them will have met %(times)d time.", "Two of them will have met %(times)d times.", times
        )
        yield sentence % {"times": times}
    if after.get("spread", 0) > before.get("spread", 0):
        yield _("At one table the points are further apart.")
    if after["first_seats"][0] > before["first_seats"][0]:
        times = after["first_seats"][0]
        sentence = ngettext(
            "Somebody will have gone first %(times)d time.",
            "Somebody will have gone first %(times)d times.",
            times,
        )
        yield sentence % {"times": times}


# ---- Swaps ---------------------------------------------------------------------------------------


class Swaps(ClubScopedAdmin[Competition]):
    """The address that the seats of a drawn round ask for the costs of their exchanges."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of the costs."""
        return [self.page_url("<uuid:pk>/swaps/<uuid:entry>/", self.swaps, "swaps"), *super().get_urls()]

    def swaps(self, request: HttpRequest, pk: UUID, entry: UUID) -> HttpResponse:
        """Return what each exchange of an entry's seat makes worse, by the id of the other entry.

        404 where the entry is not in a drawn round.
        """
        competition = self.directed_row(request, pk)
        state = state_of(competition)
        drawn = proposal(state)
        if drawn is None or str(entry) not in {*drawn[1].byes, *_seated(drawn[1])}:
            raise Http404
        names = {each.id: each.name for each in state.entries}
        before, exchanges = weighed_exchanges(state, *drawn, str(entry))
        answer = {other: _in_words(before, after, names) for other, after in exchanges.items()}
        return JsonResponse({"exchanges": answer}, headers={"Cache-Control": "no-store"})


def last_swap(events: Sequence[Event], competition: Competition) -> tuple[str, str] | None:
    """Return the entries of the exchange that came last in a drawn round, None where none did.

    ``events`` are the last events of the log, the latest first.
    """
    drawn = proposal(state_of(competition))
    latest = next((each.event for each in events if each.event["type"] in ("drawn", "seats_moved")), None)
    if drawn is None or latest is None or latest["type"] != "seats_moved":
        return None
    one, other = latest["swaps"][-1]
    return (one, other) if len(latest["swaps"]) == 1 else None


def _seated(drawn: Round) -> set[str]:
    return {entry for table in drawn.tables for entry in table.entries}


def _in_words(before: Weighed, after: Weighed, names: dict[str, str]) -> dict[str, Any]:
    worse = what_is_worse(before, after, names)
    better = not worse and after.cost < before.cost
    text = _("This makes the draw better.") if better else _("Nothing becomes worse.")
    return {"worse": list(worse), "better": better, "text": " ".join(worse) or text}
