"""Reads of a person's evening: whose it is, where the person sits, and what has come of it so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final
from uuid import UUID

import segno
from django.db.models import Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.safestring import mark_safe

from games import database_time
from league.apps.hall.models import Announcement, SeatCode
from league.apps.hall.queries import ALPHABET, announcements_of, code_again, open_tables, table_ends
from league.apps.hall.queries import shown as in_halves
from league.apps.my_evening.models import Pass
from league.core.course import more_to_come
from league.core.formats import Slot
from league.models import Bye, Competition, Entry, Player, Round, Table, TableSeat
from league.queries.competitions import details_of, stages_of, state_of
from league.queries.links import derived
from league.queries.pictures import TableAhead, is_out, next_opponent, next_table
from league.queries.standings import Standing, standings_of
from league.queries.verbs import come
from league.queries.waiting import who_waits
from league.words.messages import shown_name

LENGTH: Final = 12
"""Sixty bits: who guesses is stopped long before."""
NOT_BEGUN: Final = (Competition.Status.PREPARING, Competition.Status.ENTERING)
GOOD_FOR: Final = timedelta(hours=18)
"""How long a pass is good after the beginning of an evening, or of the last day; or after it was made."""


def code_of(held: Pass) -> str:
    """Return the code of a pass."""
    digest = salted_hmac("league.my_evening", f"{held.pk} {held.salt}", algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])


def shown(code: str) -> str:
    """Return a code in three parts, as it is printed."""
    return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4))


@dataclass(frozen=True)
class ShownCode:
    """A person's code as it is shown, with the address where it is typed and a QR code, ``""`` where no
    other device reaches this site.
    """

    name: str
    code: str
    address: str
    qr: str
    until: datetime


def shown_code(site: str, player: Player, held: Pass) -> ShownCode:
    """Return the code of a pass for a page; ``site`` is what addresses begin with, or ``""``."""
    code = code_of(held)
    url = link_of(site, code)
    drawn = segno.make(url, error="m", micro=False) if url else None
    qr = drawn.svg_inline(scale=6, border=2, dark="#000", light="#fff") if drawn else ""
    return ShownCode(player.called, shown(code), typed_at(url), mark_safe(qr), held.expires_at)


def link_of(site: str, code: str) -> str:
    """Return the URL that opens the evening of a code; empty where no other device reaches this site."""
    return f"{site}{reverse('enter')}#{code}" if site else ""


def typed_at(url: str) -> str:
    """Return the part of a link that a person types to get where its code is asked for."""
    return url.partition("://")[2].partition("#")[0]


def digest_of(code: str) -> str:
    """Return the keyed hash by which a code is stored; without the site's secret it says nothing."""
    return derived("my_evening.digest", code)


def good_pass(pk: UUID | str, salt: str) -> Pass | None:
    """Return the pass that a browser was let in with, None once it is not good any more."""
    beside = ("competition", "player__account", "player__contact")
    held = Pass.objects.filter(pk=pk, salt=salt).select_related(*beside).first()
    return held if held and held.is_good else None


def good_until(competition: Competition) -> datetime:
    """Return until when a pass is good that is made now: for the announced days, or for this evening.

    While results are posted it is good until objections end, at least.
    """
    details, now = details_of(competition), database_time.now()
    until, objections = now + GOOD_FOR, competition.objections_until
    if details.begins_on:
        day = details.ends_on or details.begins_on
        wall = datetime.combine(day, details.begins_at or time.max, competition.club.zone)
        until = max(wall.astimezone(UTC) + GOOD_FOR, until)
    return max(until, objections) if objections and competition.takes_objections else until


def is_over(competition: Competition) -> bool:
    """Return whether a competition is over, and no results of it are posted to which anybody may object."""
    over = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
    return competition.status in over and not competition.takes_objections


def people_of(competition: Competition) -> QuerySet[Player]:
    """Return the people who take part, before the start also those who say that they come, by name."""
    entries = Entry.objects.filter(competition=competition, status=Entry.Status.ENTERED)
    here = Q(entered__entry__in=entries)
    if competition.status in NOT_BEGUN:
        here |= Q(club=competition.club_id, active=True, pk__in=come(competition))
    return Player.objects.filter(here, bot=False).distinct().order_by("sort_name", "pk")


def passes_of(competition: Competition) -> dict[UUID, Pass]:
    """Return the good passes of a competition, by player."""
    rows = Pass.objects.filter(competition=competition, revoked_at=None).select_related(
        "player__account", "player__contact"
    )
    return {each.player_id: each for each in rows if each.is_good}


# ---- The code of the seat ------------------------------------------------------------------------


def open_seat(held: Pass) -> TableSeat | None:
    """Return the seat of a pass's person at the table that is played last, None for none."""
    return _seats(held.player, held.competition).filter(table__in=open_tables()).last()


def seat_codes(held: UUID | str) -> QuerySet[SeatCode]:
    """Return the codes of seats that the evening of a pass shows, by its id."""
    return SeatCode.objects.filter(made_from=held).order_by("pk")


def code_of_seat(held: Pass, seat: TableSeat) -> str:
    """Return the code of a seat as the evening of a pass shows it, empty until it is asked for."""
    made = seat_codes(held.pk).filter(table=seat.table_id, seat=seat.number).first()
    return in_halves(code_again(made)) if made and seat_is_theirs(made) else ""


def seat_is_theirs(code: SeatCode) -> bool:
    """Return whether the code of a seat comes from a good pass, of who sits there now."""
    held = (
        Pass.objects.filter(pk__in=[code.made_from])
        .select_related("player__account", "player__contact")
        .first()
    )
    seats = TableSeat.objects.filter(table=code.table, number=code.seat)
    return bool(held and held.is_good and seats.filter(player=held.player_id).exists())


# ---- The page ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evening:
    """What a person sees: the seat of the round that is played, results so far, the rank, announcements.

    ``until`` is when the timer ends for the table, ``waits`` since when the person waits for one. ``bye``:
    instead of a table in this round. ``out``: of a cup, in which the person plays no more. ``next`` is whom
    the person meets next by a bracket, ``ahead`` the next table by a schedule. ``put_off``: the seats at
    tables that are still to be played, but for ``seat``. ``more``: another round follows.
    """

    latest: Round | None
    seat: TableSeat | None
    bye: Bye | None
    out: bool
    next: Slot | None
    ahead: TableAhead | None
    put_off: Sequence[TableSeat]
    entry: Entry | None
    until: datetime | None
    waits: datetime | None
    results: Sequence[TableSeat]
    standing: Standing | None
    announcements: Sequence[Announcement]
    checked_in: bool
    more: bool

    @property
    def playing(self) -> bool:
        """Return whether the round is still played."""
        return self.latest is not None and self.latest.status == Round.Status.PUBLISHED

    @property
    def meets(self) -> str:
        """Return the names of whom the person meets at the next table by a schedule."""
        return ", ".join(map(shown_name, self.ahead.names)) if self.ahead else ""

    @property
    def open(self) -> bool:
        """Return whether the person's table is still played."""
        return bool(self.seat and self.seat.table.status == Table.Status.PLAYING)


def evening_of(player: Player, competition: Competition) -> Evening:
    """Return the evening of a person; never an unpublished round."""
    mine = list(_seats(player, competition))
    rounds = Round.objects.filter(stage__competition=competition).exclude(status=Round.Status.DRAWN)
    latest = rounds.select_related("stage").order_by("-stage__number", "-number").first()
    here = [each for each in reversed(mine) if latest and each.table.round_id == latest.pk]
    seat = next((each for each in here if each.table.status == Table.Status.PLAYING), next(iter(here), None))
    entry = Entry.objects.filter(competition=competition, members__player=player).first()
    playing = latest is not None and latest.status == Round.Status.PUBLISHED
    waits = str(entry.pk) if entry and latest and not (seat and playing) else ""
    meets = next_opponent(competition, waits) if waits else None
    return Evening(
        latest,
        seat,
        Bye.objects.filter(round=latest, entry=entry).first() if latest and entry and not seat else None,
        bool(waits and meets is None and is_out(competition, waits)),
        meets,
        next_table(competition, str(entry.pk)) if entry else None,
        [each for each in mine if each.table.put_off and not (each == seat and playing)],
        entry,
        table_ends(seat.table) if seat else None,
        next((each.since for each in who_waits(latest) if each.entry == entry), None) if latest else None,
        [each for each in mine if each.rank is not None or each.outcome],
        _standing(competition, entry),
        [each for each in announcements_of(competition) if _is_for(each, seat, entry)],
        bool(entry and entry.checked_in),
        more_to_come(state_of(competition)),
    )


def _seats(player: Player, competition: Competition) -> QuerySet[TableSeat]:
    published = TableSeat.objects.exclude(table__round__status=Round.Status.DRAWN)
    mine = published.filter(player=player, table__round__stage__competition=competition)
    beside = TableSeat.objects.select_related("player", "entry").order_by("number")
    rows = mine.select_related("entry", "table__round__stage__competition__club")
    ordered = rows.order_by("table__round__stage__number", "table__round__number", "table")
    return ordered.prefetch_related(Prefetch("table__seats", beside), "table__games")


def _standing(competition: Competition, entry: Entry | None) -> Standing | None:
    stage = stages_of(competition).filter(number=competition.stage).first() if competition.stage else None
    if stage is None or entry is None:
        return None
    return next((each for each in standings_of(stage) if each.entry_id == entry.pk and each.played), None)


def _is_for(each: Announcement, seat: TableSeat | None, entry: Entry | None) -> bool:
    match each.to:
        case Announcement.To.TABLE:
            return seat is not None and seat.table_id == each.table
        case Announcement.To.ROUND:
            return seat is not None
        case Announcement.To.MISSING:
            return entry is not None and not entry.checked_in
        case _:
            return True
