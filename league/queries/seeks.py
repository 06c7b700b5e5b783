"""Seeks: who looks for players."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet

from games import database_time, rules
from games.engine.messages import text
from games.models import Game
from games.packages import has_bot
from league.choices import BotsPlay
from league.models import Account, Club, Member, Seek, SeekSeat

ONLY_ONES_OWN: Final = text("Only the player who looks for others can invite them.")
LATELY: Final = timedelta(minutes=30)


def all_seeks() -> QuerySet[Seek]:
    """Return all seeks with their clubs and the players who have joined, the oldest first."""
    seeks = Seek.objects.select_related("club").prefetch_related("taken__player")
    return seeks.order_by("made_at", "pk")


def seeks_of(account: Account) -> QuerySet[Seek]:
    """Return the seeks of the account's clubs, closed ones too, the oldest first.

    Private ones are those that it has joined.
    """
    clubs = Member.objects.filter(account=account).values("club")
    joined = SeekSeat.objects.filter(account=account).values("seek")
    return all_seeks().filter(Q(private=False) | Q(pk__in=joined), club__in=clubs)


def own_seek(account: Account, seek_id: UUID) -> Seek:
    """Return a seek that the account has made; raises PermissionDenied and Seek.DoesNotExist."""
    seek = seeks_of(account).get(pk=seek_id)
    if seek.made_by_id != account.pk:
        raise PermissionDenied(ONLY_ONES_OWN)
    return seek


def open_seeks(club: Club, account: Account) -> Sequence[Seek]:
    """Return the club's open seeks that an account of the club sees, the oldest first."""
    mine = seeks_of(account).filter(club=club, status=Seek.Status.OPEN, until__gt=database_time.now())
    return list(mine.prefetch_related("invitations__answered_by"))


def begun_seeks(club: Club, account: Account) -> Sequence[Seek]:
    """Return the club's seeks that an account joined and whose games began lately, the last one first."""
    joined = all_seeks().filter(club=club, taken__account=account, game__status=Game.Status.ACTIVE)
    return list(
        joined.filter(game__opened_at__gt=database_time.now() - LATELY).order_by("-game__opened_at", "pk")
    )


def seeks_lapsed() -> Sequence[UUID]:
    """Return the open seeks whose time is over."""
    late = Seek.objects.filter(status=Seek.Status.OPEN, until__lte=database_time.asked())
    return list(late.order_by("until", "pk").values_list("pk", flat=True))


def bots_fill(seek: Seek) -> bool:
    """Return whether house bots can take empty seats of a seek: the club lets them, and play the game."""
    return BotsPlay.CASUAL in seek.club.bots and has_bot(rules.find(seek.ruleset))
