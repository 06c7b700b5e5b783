"""Players declare, before an evening, that it shall count for them, where the rule asks for that."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.engine.refusals import Refusal
from league import hooks
from league.apps.series import queries, services
from league.apps.series.models import Series
from league.models import Competition, Player
from league.queries import permissions
from league.queries.competitions import all_competitions
from league.requests import account_in, spectator_or_account
from league.words.messages import in_one_text


@dataclass(frozen=True)
class Declarable:
    """A series in which a person can declare an evening or take that back, and how many more are left."""

    series: Series
    declared: bool
    left: int


def declarable(competition: Competition, player: Player) -> Iterator[Declarable]:
    """Yield the open series in which an evening that has not begun counts just for who declares it."""
    if competition.status not in services.NOT_BEGUN:
        return
    person = str(player.pk)
    for series in queries.series_with(competition).filter(closed=False):
        state = queries.state_of(series)
        evening = state.evening_of(str(competition.pk))
        if not (evening and state.rule.count.declared) or evening.final:
            continue
        facts = state.facts([person])
        if person in facts.people and facts.counts(person, queries.day_of(competition)):
            declared = state.numbers[evening.id] in facts.declared.get(person, ())
            yield Declarable(series, declared, state.declares_left(person))


@require_POST
def declare(request: HttpRequest, slug: str) -> HttpResponse:
    """Declare an evening for the reader, or take that back; lead to the page that it came from."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    rows = queries.series_with(competition)
    number = request.POST.get("series", "")
    series = next((each for each in rows if str(each.pk) == number), None)
    evening = queries.state_of(series).evening_of(str(competition.pk)) if series else None
    if series and evening:
        back = "back" in request.POST
        try:
            services.declare(by=account_in(request), series=series, evening=evening.id, taken_back=back)
        except Refusal as refusal:
            messages.error(request, in_one_text(refusal))
        else:
            messages.success(request, _("Saved."))
    return redirect("my_evening" if "evening" in request.POST else "competition", slug)


def own(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the reader of a page, a player who is logged in, can declare of its competition."""
    account = spectator_or_account(page["request"]) if "request" in page else None
    competition = page["competition"]
    player = permissions.player_in(competition.club_id, account) if account else None
    mine = player and page.get("player", player) == player
    return {"declarable": [*declarable(competition, player)] if player and mine else ()}


def _in_evening(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a person can declare of the own evening; once it is over, what it counts for."""
    over = page["competition"].status == Competition.Status.FINISHED
    counted_in = queries.series_with(page["competition"]).select_related("club") if over else ()
    return {"counted_in": counted_in, **own(page)}


hooks.GIVEN["series/at_my_evening.html"] = _in_evening
