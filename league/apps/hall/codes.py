"""Codes of seats: made to be printed or shown, tried by whoever has one, ended with their round."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias
from uuid import UUID

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Case, F, Sum, Value, When

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.replay import Actor
from league.callers import Caller
from league.models import Account, Competition, Round, SeatCode, Table
from league.queries import permissions
from league.queries.games import club_game_of
from league.queries.seat_codes import (
    ALPHABET,
    LENGTH,
    digest,
    ended,
    good_code,
    open_tables,
    read_code,
    start_digest,
)
from league.words.values import on_paper

Codes: TypeAlias = Mapping[tuple[UUID, int], str]
"""Codes by table and seat."""

KEPT: Final = 5
"""How many codes of a seat are good at a time: the last ones made."""
WINDOW: Final = timedelta(minutes=10)
"""For how long wrong tries count."""
MOST_AT_TABLE: Final = 10
"""Wrong second halves at a table after which its tried codes are refused."""
MOST_OF_CLIENT: Final = 30
"""Wrong codes from an address after which it is told to stop."""


class TooManyTries(Illegal):
    """Too many wrong codes were tried; ``seconds`` says when the next try makes sense."""

    seconds: Final = int(WINDOW.total_seconds())

    def __init__(self) -> None:
        super().__init__(
            text(
                "Too many wrong codes were tried. Wait ten minutes, or ask a scorekeeper to enter the scores."
            )
        )


# ---- Making --------------------------------------------------------------------------------------


@transaction.atomic
def make_codes(*, by: Account, competition: Competition, tables: Iterable[Table]) -> Codes:
    """Return a new code for each seat of those tables that are open, to be printed or shown once.

    ``tables`` are the competition's, with their seats. The last `KEPT` codes of a seat are good, so that
    sheets printed before still work. Raises PermissionDenied.
    """
    permissions.require_scorekeeper(competition.club_id, by)
    wanted = {table.pk: table for table in tables} if on_paper(competition.ruleset) else {}
    of_competition = open_tables().filter(round__stage__competition=competition)
    playing = of_competition.filter(pk__in=wanted).values_list("pk", flat=True)
    seats = [(table, seat.number) for table in playing for seat in wanted[table].seats.all()]
    codes = {seat: "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)) for seat in seats}
    _forget_oldest(codes)
    SeatCode.objects.bulk_create(
        SeatCode(
            competition=competition,
            table=table,
            seat=seat,
            start_digest=start_digest(code),
            digest=digest(code),
            made_by=by,
        )
        for (table, seat), code in codes.items()
    )
    return codes


def _forget_oldest(codes: Codes) -> None:
    """Delete those codes of the seats for which there is no room beside a new one."""
    made: dict[tuple[UUID, int], list[UUID]] = {seat: [] for seat in codes}
    stored = SeatCode.objects.filter(table__in={table for table, _ in codes})
    for table, seat, pk in stored.order_by("-made_at", "pk").values_list("table", "seat", "pk"):
        made.setdefault((table, seat), []).append(pk)
    gone = [pk for pks in made.values() for pk in pks[KEPT - 1 :]]
    SeatCode.objects.filter(pk__in=gone).delete()


@transaction.atomic
def withdraw_codes(*, by: Account, competition: Competition) -> int:
    """End all codes of a competition, for example because a sheet was lost; return how many there were."""
    permissions.require_scorekeeper(competition.club_id, by)
    count, _ = SeatCode.objects.filter(competition=competition).delete()
    return count


def end_codes(competition: UUID) -> None:
    """Delete the codes of tables whose round was withdrawn.

    Those of tables that are decided, or whose round is closed, stay, so that whoever types one is told why it
    isn't good; where the table is reopened, the printed sheets are good again.
    """
    published = Table.objects.filter(round__stage__competition=competition).exclude(
        round__status=Round.Status.DRAWN
    )
    SeatCode.objects.filter(competition=competition).exclude(table__in=published.values("pk")).delete()


# ---- Writing with a code -------------------------------------------------------------------------


@dataclass(frozen=True)
class ByCode(Caller):
    """Whoever has the code of a seat, as that seat; ``person`` is the account that is logged in, if any."""

    code: SeatCode
    person: Account | None = None

    @property
    def account(self) -> str | None:
        return str(self.person.pk) if self.person else None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied where the code is not good for the game's table now."""
        table = club_game_of(game_id).table_id
        held = good_code(self.code.pk, table) if table else None
        if held is None:
            raise PermissionDenied(
                text("This code is not good any more: its round is over, or its table decided.")
            )
        return Actor("code", held.seat)


# ---- Trying --------------------------------------------------------------------------------------


def try_code(*, typed: str, client: str) -> SeatCode:
    """Return the code that somebody typed; raises `Malformed`, `Illegal` and `TooManyTries`.

    ``client`` is an address: after `MOST_OF_CLIENT` wrong codes from it, further ones are told to stop.

    A wrong second half counts at the table of the first half's code. From `MOST_AT_TABLE` on, codes at that
    table whose second half was tried wrongly are refused for the rest of `WINDOW`, right or not; others are
    good. So nobody can guess a second half, and to have a code refused one must know half of it.
    """
    code = read_code(typed)
    held = SeatCode.objects.filter(digest=digest(code)).first()
    if held is None:
        _count_miss(code, client)
        raise _wrong(code, client)
    if _refused([held]):
        raise TooManyTries
    found = good_code(held.pk)
    if found is None:
        raise ended(held.table)
    return found


def _count_miss(code: str, client: str) -> None:
    now = database_time.now()
    SeatCode.objects.filter(start_digest=start_digest(code)).update(
        misses=Case(When(missed_at__gt=now - WINDOW, then=F("misses") + 1), default=Value(1)), missed_at=now
    )
    cache.add(_key(client), 0, WINDOW.total_seconds())
    with suppress(ValueError):  # the window has ended just now
        cache.incr(_key(client))


def _key(client: str) -> str:
    return f"wrong-codes:{client}"


def _wrong(code: str, client: str) -> Illegal:
    """Return the refusal of a wrong code that has been counted."""
    tried = list(SeatCode.objects.filter(start_digest=start_digest(code)))
    if _refused(tried) or cache.get(_key(client), 0) > MOST_OF_CLIENT:
        return TooManyTries()
    return Illegal(
        text("No seat has this code now. Check each character; a code ends when its round is closed.")
    )


def _refused(codes: Sequence[SeatCode]) -> bool:
    """Return whether one of the codes was tried with a wrong second half, and its table too often."""
    since = database_time.now() - WINDOW
    tables = [code.table for code in codes if code.missed_at and code.missed_at > since]
    lately = SeatCode.objects.filter(table__in=tables, missed_at__gt=since)
    counted = lately.values("table").annotate(total=Sum("misses")) if tables else ()
    return any(each["total"] >= MOST_AT_TABLE for each in counted)
