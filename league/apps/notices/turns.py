"""Notices to those who keep others waiting: computed from the games as they are, so that none is lost."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from games import database_time
from games.engine.chain import stamp
from games.models import Game
from league.models import Account, Notice
from league.queries import reminders
from league.queries.games import seated_at
from league.queries.invited_games import invited
from league.queries.notices import wanting
from league.queries.reminders import Reminder
from league.services.notices import notice, write

GRACE: Final = timedelta(minutes=10)
"""A player who moves within this time is at the table and needs no email."""
_A_DAY: Final = timedelta(days=1)
_RECENT: Final = timedelta(days=2)
"""How long after the last entry a game is looked at: longer than any worker is down."""


def write_turns() -> None:
    """Write a notice for each seat that has kept a table waiting for `GRACE`, one until it has moved."""
    now = database_time.now()
    games = Game.objects.filter(
        status=Game.Status.ACTIVE, club_game__isnull=False, awaited__len__gt=0, moved_at__gt=now - _RECENT
    )
    _write_missing(list(_turns(games, now - GRACE)))


def _turns(games: QuerySet[Game], before: datetime) -> Iterator[Notice]:
    """Yield notices for the seats that are awaited since before a moment, of accounts that want them."""
    awaited = list(games.select_related("club_game__club").order_by("moved_at", "pk"))
    seats = seated_at(awaited)
    playing = [seat.account for game in awaited for seat in seats[game.pk] if seat.account]
    accounts = wanting(Notice.Kind.YOUR_TURN).in_bulk(playing)
    for game in awaited:
        for number in game.awaited:
            playing_it, since = seats[game.pk][number].account, game.since[number]
            account = accounts.get(playing_it) if playing_it else None
            if account and since and since <= before:
                key = f"{game.pk}:{number}:{stamp(since)}"
                about = {"game": str(game.pk), "seat": number, "since": stamp(since)}
                yield notice(Notice.Kind.YOUR_TURN, game.club_game.club, key, account, about)


def write_reminders() -> None:
    """Write a notice for each reminder that is due, before a round's deadline or a player's own."""
    due = reminders.due(database_time.now())
    accounts = wanting(Notice.Kind.REMINDER).in_bulk([each.account for each in due])
    _write_missing(list(_reminders(due, accounts)))


def _reminders(due: Sequence[Reminder], accounts: Mapping[UUID, Account]) -> Iterator[Notice]:
    # If several are due at once, only the nearest deadline is told, and of its reminders the last one.
    ordered = sorted(due, key=lambda each: (-each.deadline.timestamp(), each.due))
    nearest = {(each.club_game.pk, each.player.pk): each for each in ordered}
    for each in nearest.values():
        account = accounts.get(each.account) if each.account else None
        if account:
            about = {
                "game": str(each.club_game.pk),
                "of": each.kind,
                "deadline": stamp(each.deadline),
                "player": str(each.player.pk),
            }
            # It is due outside quiet hours, or at their beginning: in the morning it would be too late.
            yield notice(Notice.Kind.REMINDER, each.club_game.club, each.key, account, about, wakes=True)


def write_game_invitations() -> None:
    """Write a notice for each account that is invited to new games of a club, at most one a day for a club.

    It names all games that still wait for the account when it is sent.
    """
    now = database_time.now()
    asked = {
        (account, club_game.club): club_game.game.opened_at for account, club_game in invited(now - GRACE)
    }
    lately = Notice.objects.filter(kind=Notice.Kind.GAME_INVITATIONS, made_at__gt=now - _A_DAY)
    told = {*lately.filter(account__in=[account for account, _club in asked]).values_list("account", "club")}
    _write_missing(
        [
            notice(
                Notice.Kind.GAME_INVITATIONS,
                club,
                f"{club.pk}:{stamp(newest)}",
                account,
                {"club": str(club.pk)},
            )
            for (account, club), newest in asked.items()
            if (account.pk, club.pk) not in told
        ]
    )


def _write_missing(notices: Sequence[Notice]) -> None:
    """Write those notices that are not written yet; of one key the last."""
    by_key = {each.key: each for each in notices}
    written = {*Notice.objects.filter(key__in=by_key).values_list("key", flat=True)}
    write(each for key, each in by_key.items() if key not in written)
