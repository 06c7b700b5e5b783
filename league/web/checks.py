"""A second person checks a result: its scores are typed once more from the sheet, or compared with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Refusal
from league.callers import ByAccount
from league.core.state.competition import Result
from league.core.verbs.checking import CheckResult, unchecked_at
from league.forms import OnceMore
from league.queries import permissions
from league.queries.competitions import all_competitions, state_of
from league.queries.rounds import tables_of_competition
from league.queries.verbs import given_to
from league.requests import account_in
from league.services.verbs import perform
from league.words.messages import in_one_text

if TYPE_CHECKING:
    from league.models import Account, Competition, Table, TableSeat


class CheckForm(OnceMore):
    """The scores of a table, typed once more."""

    def __init__(self, *args: Any, seats: Sequence[TableSeat], result: Result | None) -> None:
        super().__init__(*args)
        self.seats, self.result = seats, result
        self.offer_scores()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest, slug: str, table_id: UUID) -> HttpResponse:
    """Show a scorekeeper a result that waits for a second person; on POST compare and note it."""
    competition, account = get_object_or_404(all_competitions(), slug=slug), account_in(request)
    if permissions.role_in(competition.club_id, account) not in permissions.SCOREKEEPERS:
        raise PermissionDenied(permissions.SCOREKEEPERS_ONLY)
    table = get_object_or_404(tables_of_competition(competition), pk=table_id)
    state = state_of(competition)
    result = next(iter(unchecked_at(state, state.table(str(table.pk))[2])), None)
    form = CheckForm(request.POST or None, seats=list(table.seats.all()), result=result)
    if form.is_valid() and _checked(request, competition, table, form):
        return redirect("scores")
    context = {
        "competition": competition,
        "table": table,
        "form": form,
        "waits": result is not None,
        "own": result is not None and _is_own(account, competition, table, result),
    }
    return render(request, "scores/check.html", context, status=422 if form.errors else 200)


def _checked(request: HttpRequest, competition: Competition, table: Table, form: CheckForm) -> bool:
    """Note that a result is right; say in the form or above it why it is not."""
    verb = CheckResult(table=str(table.pk), **form.values())
    try:
        perform(ByAccount(account_in(request)), competition=competition, verb=verb)
    except Refusal as refusal:
        if refusal.errors:
            form.refuse(refusal.errors)
        else:
            form.add_error(None, in_one_text(refusal))
        return False
    messages.success(request, _("The result is checked."))
    return True


def _is_own(account: Account, competition: Competition, table: Table, result: Result) -> bool:
    """Return whether the account has entered anything of a result, which somebody else checks then."""
    return result.seq in given_to(account, competition, [CheckResult(str(table.pk), result.seq)]).wrote
