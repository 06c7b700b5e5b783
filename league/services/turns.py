"""Who keeps others waiting: notices that follow from where games stand, so that none can be lost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from games.engine.chain import stamp
from games.models import Game
from league import selectors
from league.models import Account, Club, Notice
from league.reminders import Reminder
from league.services.notices import notice, wanting, write

GRACE: Final = timedelta(minutes=10)
"""Who moves within this time is at the table and needs no mail."""
_RECENT: Final = timedelta(days=2)
"""How long after the last entry a game is looked at: longer than any worker is down."""


@dataclass(frozen=True)
class _Fact:
    """What an account is told of, by a key that stays."""

    account: Account
    club: Club
    key: str
    about: Mapping[str, object]


def tell_of_turns() -> None:
    """Write a notice for each seat that has kept a table waiting for `GRACE`, one until it has moved."""
    now = timezone.now()
    games = Game.objects.filter(
        status=Game.Status.ACTIVE, place__isnull=False, awaited__len__gt=0, moved_at__gt=now - _RECENT
    )
    _tell(Notice.Kind.YOUR_TURN, list(_turns(games, now - GRACE)))


def _turns(games: QuerySet[Game], before: datetime) -> Iterator[_Fact]:
    """Yield the seats that are awaited since before a moment, of accounts that want to know."""
    found = list(games.select_related("place__club").order_by("moved_at", "pk"))
    seats = selectors.seated_at(found)
    players = [seat.player for game in found for seat in seats[game.pk] if seat.player]
    accounts = wanting(Notice.Kind.YOUR_TURN).in_bulk([player.account_id for player in players])
    for game in found:
        for number in game.awaited:
            player, since = seats[game.pk][number].player, game.since[number]
            account = accounts.get(player.account_id) if player else None
            if account and since and since <= before:
                about = {"game": str(game.pk), "seat": number, "since": stamp(since)}
                yield _Fact(account, game.place.club, f"{game.pk}:{number}:{stamp(since)}", about)


def tell_of_reminders() -> None:
    """Write a notice for each reminder that is due, before a round's deadline or a player's own."""
    due = selectors.reminders_due(timezone.now())
    accounts = wanting(Notice.Kind.REMINDER).in_bulk([each.player.account_id for each in due])
    _tell(Notice.Kind.REMINDER, list(_reminders(due, accounts)))


def _reminders(due: Sequence[Reminder], accounts: Mapping[UUID, Account]) -> Iterator[_Fact]:
    # Where two fall due at once, the nearer says it all.
    ordered = sorted(due, key=lambda each: each.due)
    nearest = {(each.kind, each.place.pk, each.player.pk): each for each in ordered}
    for each in nearest.values():
        account = accounts.get(each.player.account_id) if each.player.account_id else None
        if account:
            about = {
                "game": str(each.place.pk),
                "of": each.kind,
                "deadline": stamp(each.deadline),
                "player": str(each.player.pk),
            }
            yield _Fact(account, each.place.club, each.key, about)


def _tell(kind: str, facts: Sequence[_Fact]) -> None:
    """Write those notices that are not written yet."""
    fresh = {each.key: each for each in (_noticed(kind, fact) for fact in facts)}
    told = {*Notice.objects.filter(key__in=fresh).values_list("key", flat=True)}
    write(each for key, each in fresh.items() if key not in told)


def _noticed(kind: str, fact: _Fact) -> Notice:
    return notice(kind, fact.club, fact.key, fact.account, fact.about)
