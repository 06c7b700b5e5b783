"""Codes of seats: how they are written and hashed, and which are good now."""

from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY
from league.models import Round, SeatCode, Table
from league.queries.details import details_of

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter looks like a digit, so that each of eight characters holds five bits."""
LENGTH: Final = 8
HALF: Final = LENGTH // 2

_READ_AS: Final = str.maketrans("OIL", "011")


def read_code(typed: str) -> str:
    """Return a code as it was made from what a person typed; raises `Malformed` where it can't be one."""
    code = "".join(typed.split()).replace("-", "").upper().translate(_READ_AS)
    if len(code) != LENGTH or not {*code} <= {*ALPHABET}:
        raise Malformed({"code": [text("A code has eight letters and digits, for example K7QD-2M9X.")]})
    return code


def shown(code: str) -> str:
    """Return a code in two halves, as it is printed."""
    return f"{code[:HALF]}-{code[HALF:]}"


def digest(code: str) -> str:
    """Return the keyed hash by which a code is stored; without the site's secret it says nothing."""
    return salted_hmac("league.seat_code", code, algorithm="sha256").hexdigest()


def start_digest(code: str) -> str:
    """Return the keyed hash of a code's first half."""
    return salted_hmac("league.seat_code.start", code[:HALF], algorithm="sha256").hexdigest()


def open_tables() -> QuerySet[Table]:
    """Return the tables whose scores are still to be entered: undecided, in a round that is being played.

    A table that is put off stays open when its round closes.
    """
    return Table.objects.filter(
        Q(round__status=Round.Status.PUBLISHED) | ~Q(postponed_reason=""),
        status__in=UNDECIDED_TABLE,
        round__stage__competition__status__in=UNDER_WAY,
    )


def good_code(pk: UUID | str, table: UUID | None = None) -> SeatCode | None:
    """Return a code by its id, None once its table is decided or its round has ended; two queries.

    With ``table`` only a code of that table.
    """
    code = SeatCode.objects.filter(pk=pk).first()
    if code is None or table not in (None, code.table):
        return None
    return code if open_tables().filter(pk=code.table).exists() else None


def ended(table: UUID | None) -> Illegal:
    """Return the refusal of what comes for a table for which no scores are entered any more.

    It says what happened, and whom to ask.
    """
    found = (
        Table.objects.select_related("round__stage__competition").filter(pk=table).first() if table else None
    )
    if found is None:
        return Illegal(text("The round of this table was withdrawn. Ask an organiser where you sit now."))
    competition = found.round.stage.competition
    whom = details_of(competition).contact or text("an organiser or a scorekeeper")
    table_number, number = found.number, found.round.number
    if found.status == Table.Status.VOID:
        sentence = text(
            "Table %(table)s of round %(round)s is void: it does not count. Ask: %(whom)s.",
            table=table_number,
            round=number,
            whom=whom,
        )
    elif found.status not in UNDECIDED_TABLE:
        sentence = text(
            "Table %(table)s of round %(round)s is decided. If its result is wrong, ask: %(whom)s.",
            table=table_number,
            round=number,
            whom=whom,
        )
    elif found.round.status == Round.Status.CLOSED:
        sentence = text(
            "Round %(round)s is closed: no scores are entered for table %(table)s any more. Ask: %(whom)s.",
            table=table_number,
            round=number,
            whom=whom,
        )
    else:
        sentence = text(
            "No scores can be entered for table %(table)s now. Ask: %(whom)s.", table=table_number, whom=whom
        )
    return Illegal(sentence)
