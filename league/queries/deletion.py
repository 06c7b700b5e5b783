"""What the deletion of an account would do, told beforehand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet

from games.engine.messages import Message, text
from games.models import Game, Seat
from league.models import Account, Club, Competition, Entry, Member
from league.queries.clubs import clubs_of

_OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


@dataclass(frozen=True)
class Deletion:
    """What the deletion of an account would do: ``refusals`` say why it can't be done.

    Of ``games``, the running ones, it resigns its seats; ``entries`` of its own are withdrawn. ``teams`` go
    on without it.
    """

    games: int
    entries: Sequence[Entry]
    teams: Sequence[Entry]
    refusals: Sequence[Message]


def deletion_of(account: Account) -> Deletion:
    """Return what the deletion of the account would do now."""
    entries = list(own_entries(account))
    owned = ", ".join(club.name for club in _owned_alone(account))
    refusal = text("You are the only owner of %(clubs)s: make somebody else an owner first.", clubs=owned)
    return Deletion(
        running_seats(account).count(),
        [entry for entry in entries if entry.size == 1],
        [entry for entry in entries if entry.size > 1],
        [refusal] if owned else [],
    )


def running_seats(account: Account) -> QuerySet[Seat]:
    """Return the account's seats in games that are not over, invitations included."""
    running = (Game.Status.ACTIVE, Game.Status.INVITED)
    mine = Seat.objects.filter(account=account.pk, game__status__in=running)
    return mine.select_related("game").order_by("game__opened_at", "game")


def own_entries(account: Account) -> QuerySet[Any]:
    """Return the entries of the account's players in competitions that are not over, with their ``size``."""
    live = (Entry.Status.APPLIED, Entry.Status.WAITING, Entry.Status.ENTERED)
    mine = Entry.objects.filter(members__player__account=account, status__in=live).values("pk")
    running = Entry.objects.filter(pk__in=mine).exclude(competition__status__in=_OVER)
    counted = running.annotate(size=Count("members")).select_related("competition")
    return counted.order_by("competition__name", "name", "pk")


def _owned_alone(account: Account) -> QuerySet[Club]:
    others = Member.objects.filter(role=Member.Role.OWNER).exclude(account=account)
    return clubs_of(account, Member.Role.OWNER).exclude(pk__in=others.values("club"))
