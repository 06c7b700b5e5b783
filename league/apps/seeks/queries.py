"""Seeks: who looks for players."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare

from games import database_time, rules
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.models import Game
from games.packages import has_bot
from league.apps.seeks.models import Seek, SeekInvitation, SeekSeat
from league.choices import BotsPlay
from league.hooks import HOUSE_BOTS
from league.models import Account, Club, Member
from league.queries.clubs import kept_apart
from league.queries.links import derived

ONLY_ONES_OWN: Final = text("Only the player who looks for others can invite them.")
LATELY: Final = timedelta(minutes=30)


def all_seeks() -> QuerySet[Seek]:
    """Return all seeks with their clubs and the players who have joined, the oldest first."""
    seeks = Seek.objects.select_related("club").prefetch_related("taken__player")
    return seeks.order_by("made_at", "pk")


def seeks_of(account: Account) -> QuerySet[Seek]:
    """Return the seeks of the account's clubs, closed ones too, the oldest first.

    Private ones are those that it has joined, and so are those of accounts from which it is kept apart.
    """
    clubs = Member.objects.filter(account=account).values("club")
    joined = SeekSeat.objects.filter(account=account).values("seek")
    open_to_it = Q(private=False)
    if apart := kept_apart(account.pk):
        open_to_it &= ~Q(made_by__in=apart)
    return all_seeks().filter(open_to_it | Q(pk__in=joined), club__in=clubs)


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


def seeks_lapsed() -> QuerySet[Seek]:
    """Return the open seeks whose time is over."""
    return Seek.objects.filter(status=Seek.Status.OPEN, until__lte=database_time.asked())


def going_on(club: UUID, closed: Collection[UUID]) -> QuerySet[Seek]:
    """Return a club's open seeks that all its members see, and of closed ones those with these ids."""
    shown = Q(status=Seek.Status.OPEN) | Q(pk__in=closed)
    return all_seeks().filter(shown, club=club, private=False)


def bots_fill(seek: Seek) -> bool:
    """Return whether there are house bots for empty seats of a seek: they play it, and the club lets them."""
    return bool(HOUSE_BOTS) and BotsPlay.CASUAL in seek.club.bots and has_bot(rules.find(seek.ruleset))


def token_to_seat(invitation: SeekInvitation) -> str:
    """Return the token of the link of an invitation to a table, which only its maker sees."""
    return derived("seek", invitation.pk)


def read_seek_invitation(*, invitation_id: UUID, token: str) -> SeekInvitation:
    """Return the invitation to a table of a link; raises `Illegal` for a wrong link."""
    found = SeekInvitation.objects.select_related("seek__club", "seek__made_by").filter(pk=invitation_id)
    invitation = found.first()
    if invitation is None or not constant_time_compare(token_to_seat(invitation), token):
        raise Illegal("This link doesn’t belong to an invitation.")
    return invitation
