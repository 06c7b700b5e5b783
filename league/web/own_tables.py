"""The reader's own tables, which the head of every page shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.queries.own_tables import finished_tables, has_practised, running_tables
from league.requests import spectator_or_account, visitor_in
from league.words.moves import names_by_side

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.queries.own_tables import OwnTable


@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the running tables of the account that is logged in, or of a guest, as a part of a page.

    Where there is none, the last finished ones are there. The game named by ``?behind=`` does not wait for
    the reader.
    """
    visitor = visitor_in(request, spectator_or_account(request))
    shown = request.GET.get("behind")
    running = [replace(table, behind=str(table.game.pk) == shown) for table in running_tables(visitor)]
    finished = () if running else finished_tables(visitor)
    context = {
        "tables": [*map(with_names, running)],
        "finished": [*map(with_names, finished)],
        "practised": has_practised(visitor),
        "waiting": sum(table.waits for table in running),
    }
    return render(request, "games/own_tables.html", context)


def with_names(table: OwnTable) -> tuple[OwnTable, str, str]:
    """Return a table with the names of the other players, and of those for whom it waits."""
    sides = table.sides
    own = [seat for seat in table.others if sides[seat.seat] == sides[table.mine]]
    others = names_by_side([seat for seat in table.others if seat not in own], sides)
    if own:
        told = {"partners": names_by_side(own, sides), "others": others}
        others = _("with %(partners)s against %(others)s") % told
    return table, others, names_by_side(table.to_move, sides)
