"""Who wants which emails, and who is to be told of a turn, a deadline or an invitation now."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.core import signing
from django.db.models import F, Prefetch, Q, QuerySet

from games.engine import clocks
from games.engine.refusals import Illegal, Malformed
from games.models import Game, Seat
from league.apps.notifications.models import EmailChoices, Kind
from league.models import Account, ClubGame, Competition, Round, Table, TableSeat
from league.queries.links import hash_of

BEFORE_ROUND: Final = (timedelta(hours=24), timedelta(hours=2))
_LONGEST_NIGHT: Final = timedelta(minutes=clocks.MOST_QUIET)
_STOP: Final = "league.notifications.stop"
RECENT: Final = timedelta(days=2)
"""How long after the last entry a game is looked at: longer than any worker is down."""


def wanting(kind: str) -> QuerySet[Account]:
    """Return the accounts with an email address that want emails of a kind."""
    chosen = Q(**{f"email_choices__{kind}": True})
    if getattr(EmailChoices(), kind):
        chosen |= Q(email_choices=None)
    return Account.objects.filter(chosen, is_active=True).exclude(email="")


def unmailed(tables: Collection[UUID]) -> Mapping[UUID, Sequence[str]]:
    """Return the names of people who get no email of their tables: without an address, or by choice.

    Who has opened a table knows of it.
    """
    told = wanting(Kind.ROUND_PUBLISHED)
    seats = TableSeat.objects.filter(table__in=tables, player__bot=False).exclude(player__account__in=told)
    seats = seats.select_related("player").order_by("number")
    of_them = Competition.objects.filter(stages__rounds__tables__seats__in=seats)
    opened = of_them.filter(events__event__type="table_opened").order_by().distinct()
    by = set(opened.values_list("events__event__table", "events__account"))
    found: dict[UUID, list[str]] = {}
    for seat in seats:
        if (str(seat.table_id), str(seat.player.account_id)) not in by:
            found.setdefault(seat.table_id, []).append(seat.player.called)
    return found


def token_to_stop(account: Account, kind: str) -> str:
    """Return the token that stops one kind of email to the account, and does nothing else.

    It ends with another address of the account: whoever reads the former one gets no emails of it.
    """
    return signing.dumps([str(account.pk), kind, hash_of(account.email)], salt=_STOP)


def read_token_to_stop(*, token: str) -> tuple[Account, str]:
    """Return the account and kind of a token that stops emails; raises `Illegal` for an invalid one."""
    try:
        # Those of emails from before the address counted have none.
        pk, kind, *at = signing.loads(token, salt=_STOP)
        account = Account.objects.get(pk=pk)
        if at in ([], [hash_of(account.email)]):
            return account, kind
    except (signing.BadSignature, Account.DoesNotExist):
        pass
    raise Illegal("This link is invalid, or its account no longer exists.")


# ---- Who keeps others waiting --------------------------------------------------------------------


def turns(accounts: Iterable[UUID], now: datetime, grace: timedelta) -> Iterator[tuple[Seat, datetime]]:
    """Yield the seats of accounts for which games of clubs have waited for so long, with since when."""
    seats = Seat.objects.filter(
        account__in=accounts,
        game__status=Game.Status.ACTIVE,
        game__awaited__contains=[F("number")],
        game__moved_at__gt=now - RECENT,
        game__club_game__isnull=False,
    )
    for seat in seats.select_related("game__club_game__club").order_by("game__moved_at", "game", "number"):
        since = seat.game.since[seat.number]
        if since and since <= now - grace:
            yield seat, since


def unanswered(accounts: Iterable[UUID], before: datetime) -> QuerySet[Seat]:
    """Return the seats of accounts that are invited to games opened before a moment, the oldest first."""
    seats = Seat.objects.filter(
        account__in=accounts,
        game__status=Game.Status.INVITED,
        game__unanswered__contains=[F("number")],
        game__opened_at__lte=before,
    )
    return seats.select_related("game__club_game__club").order_by("game__opened_at", "game")


# ---- Reminders before a deadline -----------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """A reminder for a seat: of kind ``round`` before the round's deadline, ``move`` before its own.

    ``due`` is the time to send it, outside the quiet hours of the game's clock, or of the club. The key
    changes when the deadline is moved or the player moves.
    """

    kind: Literal["round", "move"]
    key: str
    seat: Seat
    club_game: ClubGame
    due: datetime
    deadline: datetime


def reminders_due(now: datetime) -> Sequence[Reminder]:
    """Return the reminders that are due at a time and not too late, the nearest deadline first.

    A reminder due before the game or turn began is left out, because the players were notified then. The
    number of queries does not depend on the number of games.
    """
    seats = Prefetch("game__seats", Seat.objects.filter(player__isnull=False).order_by("number"))
    active = ClubGame.objects.filter(game__status=Game.Status.ACTIVE).prefetch_related(seats)
    running = active.select_related("game", "club", "competition", "table__round")
    soon = (now, now + BEFORE_ROUND[0] + _LONGEST_NIGHT)
    ends = running.filter(
        Q(
            table__round__status=Round.Status.PUBLISHED,
            table__round__deadline__range=soon,
            table__status=Table.Status.PLAYING,
        )
        | Q(table__postponed_until__range=soon),
        competition__status=Competition.Status.RUNNING,
    )
    moves = running.filter(game__deadline__gt=now, game__clock__reminder__gt=0)
    by_key = {each.key: each for club_game in (*ends, *moves) for each in _of(club_game)}
    current = [each for each in by_key.values() if each.due <= now < each.deadline]
    return sorted(current, key=lambda each: (each.deadline, each.key))


def _of(club_game: ClubGame) -> Iterator[Reminder]:
    game, table, competition = club_game.game, club_game.table, club_game.competition
    try:
        clock = game.timing
    except Malformed:
        # One stored row that nobody can read keeps no reminder of others back.
        return
    quiet = clock if clock.quiet else replace(clock, quiet=club_game.club.quiet, zone=club_game.club.timezone)
    running = competition is not None and competition.status == Competition.Status.RUNNING
    ends = table.deadline if table and running else None
    own = clocks.deadlines(clock, game.times)
    for seat in game.seats.all():
        since, until = game.since[seat.number], own[seat.number]
        for before in BEFORE_ROUND:
            if ends is None:
                break
            due = clocks.waking(quiet, ends - before, ends)
            if due >= game.opened_at:
                key = f"round {club_game.pk} {ends.isoformat()} {before} {seat.player}"
                yield Reminder("round", key, seat, club_game, due, ends)
        if since and until and clock.reminder:
            due = clocks.waking(quiet, until - timedelta(seconds=clock.reminder), until)
            if due >= since:
                key = f"move {club_game.pk} {since.isoformat()} {seat.player}"
                yield Reminder("move", key, seat, club_game, due, until)
