"""The reader's own tables, which the head of every page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.queries.own_tables import practice_tables, running_tables
from league.requests import spectator_or_account
from league.web.holders import guest_in
from league.words.moves import seat_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest, HttpResponse

    from league.queries.games import SeatedPlayer


@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the running tables of the account that is logged in, or of a guest, as a part of a page."""
    account = spectator_or_account(request)
    running = running_tables(account) if account else practice_tables(guest_in(request))
    context = {
        "tables": [(table, _names(table.others), _names(table.to_move)) for table in running],
        "waiting": sum(table.waits for table in running),
    }
    return render(request, "games/own_tables.html", context)


def _names(seats: Iterable[SeatedPlayer]) -> str:
    return ", ".join(map(seat_name, seats))
