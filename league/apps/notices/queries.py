"""Who wants which emails, and who is to be told of a turn, a deadline or an invitation now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from django.core import signing
from django.db.models import Prefetch, Q, QuerySet

from games.engine import clocks
from games.engine.clocks import NOTHING, Clock, Times
from games.engine.refusals import Illegal, Malformed
from games.models import Game, Seat
from league.apps.notices.models import Kind, NoticeChoices, PushSubscription
from league.models import Account, Club, ClubGame, Competition, Notice, Player, Round, Table, TableSeat
from league.queries.games import all_games, seated_at

BEFORE_ROUND: Final = (timedelta(hours=24), timedelta(hours=2))
_LONGEST_NIGHT: Final = timedelta(minutes=clocks.MOST_QUIET)
_STOP: Final = "league.notices.stop"


def wanting(kind: str) -> QuerySet[Account]:
    """Return the accounts with an email address that want notices of a kind."""
    chosen = Q(**{f"notice_choices__{kind}": True})
    if getattr(NoticeChoices(), kind):
        chosen |= Q(notice_choices=None)
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
            found.setdefault(seat.table_id, []).append(seat.player.name)
    return found


def tables_told(notice: Notice) -> Sequence[str]:
    """Return the ids of the tables whose results a notice tells; before 28 November 2026 it told one."""
    about = notice.about
    told: Sequence[str] = about["tables"] if "tables" in about else [about["table"]]
    return told


def awake(club: Club, at: datetime) -> datetime:
    """Return the first moment from ``at`` on outside the club's quiet hours."""
    return clocks.after(Clock(quiet=club.quiet, zone=club.timezone), at, NOTHING)


def is_subscribed(account: Account, session_key: str) -> bool:
    """Return whether the browser of a session is told that it is the account's turn."""
    return PushSubscription.objects.filter(account=account, session=session_key).exists()


def token_to_stop(account: Account, kind: str) -> str:
    """Return the token that stops one kind of email to the account, and does nothing else."""
    return signing.dumps([str(account.pk), kind], salt=_STOP)


def read_token_to_stop(*, token: str) -> tuple[Account, str]:
    """Return the account and kind of a token that stops emails; raises `Illegal` for an invalid one."""
    try:
        pk, kind = signing.loads(token, salt=_STOP)
        return Account.objects.get(pk=pk), kind
    except (signing.BadSignature, Account.DoesNotExist):
        raise Illegal("This link is invalid, or its account no longer exists.") from None


# ---- Invitations to games ------------------------------------------------------------------------


def invited(before: datetime) -> Iterator[tuple[Account, ClubGame]]:
    """Yield the accounts that are to be told of a game opened before a moment, the oldest game first."""
    games = all_games().filter(game__status=Game.Status.INVITED, game__opened_at__lte=before)
    waiting = list(games.order_by("game__opened_at", "game"))
    seats = seated_at([each.game for each in waiting])
    playing = [seat.account for each in waiting for seat in seats[each.game_id] if seat.account]
    accounts = wanting(Kind.GAME_INVITATIONS).in_bulk(playing)
    for club_game in waiting:
        for number in club_game.game.unanswered:
            playing_it = seats[club_game.game_id][number].account
            account = accounts.get(playing_it) if playing_it else None
            if account:
                yield account, club_game


# ---- Reminders before a deadline -----------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """A reminder for a player: of kind ``round`` before the round's deadline, ``move`` before their own.

    ``account`` is the id of the account that plays the seat. ``due`` is the time to send it, outside the
    quiet hours of the game's clock, or of the club. The key changes when the deadline is moved or the player
    moves.
    """

    kind: Literal["round", "move"]
    key: str
    player: Player
    account: UUID | None
    club_game: ClubGame
    due: datetime
    deadline: datetime


def reminders_due(now: datetime) -> Sequence[Reminder]:
    """Return the reminders that are due at a time and not too late, the nearest deadline first.

    A reminder due before the game or turn began is left out, because the players were notified then. The
    number of queries does not depend on the number of games.
    """
    club_games = [*_before_rounds(now), *_before_moves(now)]
    seated = {seat.player for club_game in club_games for seat in club_game.game.seats.all()}
    players = Player.objects.select_related("account").in_bulk(list(filter(None, seated)))
    by_key = {each.key: each for club_game in club_games for each in _of(club_game, players)}
    current = [each for each in by_key.values() if each.due <= now < each.deadline]
    return sorted(current, key=lambda each: (each.deadline, each.key))


def _before_rounds(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games with a deadline of their round, or of their table if it is put off, soon."""
    soon = (now, now + BEFORE_ROUND[0] + _LONGEST_NIGHT)
    return _running().filter(
        Q(
            table__round__status=Round.Status.PUBLISHED,
            table__round__deadline__range=soon,
            table__status=Table.Status.PLAYING,
        )
        | Q(table__postponed_until__range=soon),
        competition__status=Competition.Status.RUNNING,
    )


def _before_moves(now: datetime) -> QuerySet[ClubGame]:
    """Return the running games whose clock has reminders."""
    return _running().filter(game__deadline__gt=now, game__clock__reminder__gt=0)


def _running() -> QuerySet[ClubGame]:
    seats = Prefetch("game__seats", Seat.objects.order_by("number"))
    active = ClubGame.objects.filter(game__status=Game.Status.ACTIVE)
    return active.select_related("game", "club", "competition", "table__round").prefetch_related(seats)


def _of(club_game: ClubGame, players: Mapping[UUID, Player]) -> Iterator[Reminder]:
    try:
        clock = clocks.read(club_game.game.clock)
    except Malformed:
        # One stored row that nobody can read keeps no reminder of others back.
        return
    if not clock.quiet:
        clock = replace(clock, quiet=club_game.club.quiet, zone=club_game.club.timezone)
    for seat in club_game.game.seats.all():
        player = players.get(seat.player) if seat.player else None
        if player:
            yield from _of_round(club_game, clock, player, seat)
            yield from _of_move(club_game, clock, player, seat)


def _of_round(club_game: ClubGame, clock: Clock, player: Player, seat: Seat) -> Iterator[Reminder]:
    deadline = _round_ends(club_game)
    if deadline is None:
        return
    for before in BEFORE_ROUND:
        due = clocks.waking(clock, deadline - before, deadline)
        if due >= club_game.game.opened_at:
            key = f"round {club_game.pk} {deadline.isoformat()} {before} {player.pk}"
            yield Reminder("round", key, player, seat.account, club_game, due, deadline)


def _round_ends(club_game: ClubGame) -> datetime | None:
    """Return the deadline of the game's table, None without one or if it is not being played."""
    if club_game.table is None or club_game.competition is None:
        return None
    running = club_game.competition.status == Competition.Status.RUNNING
    return club_game.table.deadline if running else None


def _of_move(club_game: ClubGame, clock: Clock, player: Player, seat: Seat) -> Iterator[Reminder]:
    game = club_game.game
    times = Times(tuple(game.since), tuple(game.used))
    since, deadline = times.since[seat.number], clocks.deadlines(clocks.read(game.clock), times)[seat.number]
    if since is None or deadline is None or not clock.reminder:
        return
    due = clocks.waking(clock, deadline - timedelta(seconds=clock.reminder), deadline)
    if due >= since:
        key = f"move {club_game.pk} {since.isoformat()} {player.pk}"
        yield Reminder("move", key, player, seat.account, club_game, due, deadline)
