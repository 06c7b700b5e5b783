"""Codes of seats: how they are written and hashed, and which are good now."""

from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac

from games.engine.messages import text
from games.engine.refusals import Malformed
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY
from league.models import Round, SeatCode, Table

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
