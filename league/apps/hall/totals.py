"""Totals of a table that somebody at it types: they wait with its call until an organiser takes them.

Nothing of it belongs to the log until then: the result is that of the organiser or scorekeeper who takes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league import log
from league.apps.hall.models import Call
from league.apps.hall.services import call_organiser, see_call
from league.callers import ByAccount
from league.core.verb import Given
from league.core.verbs.rulings import RuledSeat, SetResult
from league.models import Account, Table, TableSeat
from league.services.verbs import perform
from league.words.messages import name_at_table


def seats_of(table: UUID) -> Sequence[TableSeat]:
    """Return the seats of a table in order."""
    return [*TableSeat.objects.filter(table=table).select_related("player", "entry").order_by("number")]


def in_words(calls: Iterable[Call]) -> Mapping[UUID, str]:
    """Return the totals that came with calls, with names, by call; a query."""
    typed = {call.table: call for call in calls if call.totals}
    told: dict[UUID, list[str]] = {}
    found = TableSeat.objects.filter(table__in=typed).select_related("player", "entry")
    for seat in found.order_by("table", "number"):
        call = typed[seat.table_id]
        score = call.totals[seat.number] if seat.number < len(call.totals) else None
        told.setdefault(call.pk, []).append(f"{name_at_table(seat)} {'–' if score is None else score}")
    return {call: ", ".join(each) for call, each in told.items()}


@transaction.atomic
def enter_totals(
    *, table: Table, seat: int | None, account: Account | None, totals: Sequence[int | None]
) -> Call:
    """Call the organiser to a table with its totals, in the order of its seats, instead of those before.

    Raises what setting them as the result would, `Illegal` for a table that is not open.
    """
    call = call_organiser(table=table, seat=seat, account=account)
    given = Given(str(call.competition_id), database_time.now(), "scorekeeper")
    try:
        _result(call.table, totals).decide(log.latest(call.competition), given)
    except Illegal as refusal:
        if "reason" not in refusal.errors:
            raise
        raise Illegal(text("No game comes to these totals. Compare them with the sheet.")) from None
    (call.caller,) = [each.player.name for each in seats_of(table.pk) if each.number == seat] or [""]
    call.totals = [*totals]
    call.save(update_fields=["caller", "totals"])
    return call


@transaction.atomic
def take_totals(*, by: Account, call: Call, typed: str) -> None:
    """Set the totals that came with a call as the table's result, and close the call.

    ``typed`` are those that the caller has read (`Call.typed`). Raises `Illegal` where others were entered
    meanwhile, and what `perform` does.
    """
    stored = Call.objects.select_for_update(of=("self",)).select_related("competition").get(pk=call.pk)
    if stored.typed != typed:
        raise Illegal(text("Other totals were entered meanwhile. Look again."))
    perform(ByAccount(by), competition=stored.competition, verb=_result(stored.table, stored.totals))
    see_call(by=by, call=stored)


def _result(table: UUID, totals: Sequence[int | None]) -> SetResult:
    return SetResult(str(table), tuple(RuledSeat(seat, score) for seat, score in enumerate(totals)))
