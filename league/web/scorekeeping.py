"""The scorekeeper's home: what is to be entered, decided and seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.queries import permissions, score_cards
from league.queries.clubs import clubs_of
from league.queries.rounds import DECIDED
from league.requests import account_in
from league.words.values import on_paper

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Round, Table

MOST: Final = 30
"""The most rounds and cards that the home lists."""


@dataclass(frozen=True)
class RoundShown:
    """A round that is being played, its undecided tables, and whether its games are on paper."""

    round: Round
    tables: int
    missing: tuple[Table, ...]
    on_paper: bool


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what a scorekeeper has to do: rounds to enter, disputed and missing cards."""
    clubs = clubs_of(account_in(request), *permissions.SCOREKEEPERS)
    if not clubs:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)
    context = {
        "clubs": clubs,
        "rounds": list(_rounds(score_cards.rounds_played(clubs)[:MOST])),
        "disputed": score_cards.unconfirmed_score_cards(clubs, disputed=True)[:MOST],
        "unconfirmed": score_cards.unconfirmed_score_cards(clubs, disputed=False)[:MOST],
    }
    return render(request, "scores/home.html", context)


def _rounds(rounds: QuerySet[Round]) -> Iterator[RoundShown]:
    found = list(rounds)
    tables = score_cards.tables_of_rounds(found)
    for each in found:
        its_tables = tables[each.pk]
        missing = tuple(table for table in its_tables if table.status not in DECIDED)
        yield RoundShown(each, len(its_tables), missing, on_paper(each.stage.competition.ruleset))
