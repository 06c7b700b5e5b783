"""Calls for the organiser: made at a table, closed by whoever has seen them."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league.models import Account, Call, Table
from league.queries import permissions
from league.queries.seat_codes import open_tables
from league.services import account_events


def call_organiser(*, table: Table, seat: int | None, account: Account | None) -> Call:
    """Return the table's open call, made now unless there is one already.

    ``seat`` is the caller's, None at a kiosk; who calls must have been checked before. Raises `Illegal` for a
    table that is not open.
    """
    found = open_tables().select_related("round__stage__competition").filter(pk=table.pk).first()
    if found is None:
        raise Illegal(text("The table is decided, or its round is over: speak to an organiser."))
    caller = found.seats.select_related("player").filter(number=seat).first() if seat is not None else None
    call = Call(
        competition=found.round.stage.competition,
        table=found.pk,
        round=found.round.number,
        number=found.number,
        caller=caller.player.name if caller else "",
        account=account,
    )
    try:
        with transaction.atomic():
            call.save(force_insert=True)
            account_events.write_call(call.competition.club_id, _told(call))
    except IntegrityError:
        return Call.objects.get(table=found.pk, seen_at=None)
    return call


def _told(call: Call) -> Mapping[str, Any]:
    return {
        "call": str(call.pk),
        "competition": str(call.competition_id),
        "round": call.round,
        "table": str(call.table),
        "number": call.number,
    }


@transaction.atomic
def see_call(*, by: Account, call: Call) -> Call:
    """Close a call for an organiser or scorekeeper; a second time changes nothing."""
    permissions.require_scorekeeper(call.competition.club_id, by)
    stored = Call.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if stored.seen_at is None:
        stored.seen_at, stored.seen_by = database_time.now(), by
        stored.save(update_fields=["seen_at", "seen_by"])
    return stored
