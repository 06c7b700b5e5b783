"""The scorekeeper's home: what is to be entered, decided and seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.queries import permissions, score_cards
from league.queries.clubs import clubs_of
from league.queries.competitions import competitions_not_over, state_of
from league.queries.hall import calls_of, open_calls
from league.queries.rounds import DECIDED
from league.requests import account_in
from league.services.hall import see_call
from league.words.values import on_paper

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Competition, Round, Table

MOST: Final = 30
"""The most rounds, cards and competitions that the home lists."""


@dataclass(frozen=True)
class RoundShown:
    """A round that is being played, its undecided tables, and whether its games are on paper."""

    round: Round
    tables: int
    missing: tuple[Table, ...]
    on_paper: bool


@dataclass(frozen=True)
class Arriving:
    """A competition with check-in for which somebody may still come, and how many of its entries are here."""

    competition: Competition
    entries: int
    present: int


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Show what a scorekeeper has to do: rounds to enter, disputed and missing cards, and the check-in.

    A POST closes a call for the organiser.
    """
    clubs = clubs_of(account_in(request), *permissions.SCOREKEEPERS)
    if not clubs:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)
    if request.method == "POST":
        see_call(
            by=account_in(request), call=get_object_or_404(calls_of(clubs), pk=_id(request.POST.get("seen")))
        )
        return redirect("scores")
    open_now = list(open_calls(clubs)[:MOST])
    its_rounds = score_cards.rounds_of_tables(call.table for call in open_now)
    context = {
        "rounds": list(_rounds(score_cards.rounds_played(clubs)[:MOST])),
        "calls": [(call, its_rounds.get(call.table)) for call in open_now],
        "disputed": score_cards.unconfirmed_score_cards(clubs, disputed=True)[:MOST],
        "unconfirmed": score_cards.unconfirmed_score_cards(clubs, disputed=False)[:MOST],
        "arriving": list(_arriving(competitions_not_over(clubs)[:MOST])),
    }
    return render(request, "scores/home.html", context)


def _id(text: str | None) -> UUID:
    try:
        return UUID(text or "")
    except ValueError:
        raise Http404 from None


def _rounds(rounds: QuerySet[Round]) -> Iterator[RoundShown]:
    found = list(rounds)
    tables = score_cards.tables_of_rounds(found)
    for each in found:
        its_tables = tables[each.pk]
        missing = tuple(table for table in its_tables if table.status not in DECIDED)
        yield RoundShown(each, len(its_tables), missing, on_paper(each.stage.competition.ruleset))


def _arriving(competitions: QuerySet[Competition]) -> Iterator[Arriving]:
    for competition in competitions:
        state = state_of(competition)
        if state.opening.entering.check_in and (state.not_checked_in or not state.started):
            entered = [entry for entry in state.entries if entry.status == "entered"]
            present = sum(entry.checked_in for entry in entered)
            yield Arriving(competition, len(entered), present)
