"""Whose desk it is: which clubs the caller directs, and who sees every club."""

from collections.abc import Sequence
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from league.models import Account, Club
from league.queries import permissions
from league.queries.clubs import clubs_of


def sees_all(request: HttpRequest) -> bool:
    """Return whether the caller owns the platform and so sees every club."""
    return isinstance(request.user, Account) and request.user.is_superuser


def directed_ids(request: HttpRequest) -> frozenset[UUID]:
    """Return the ids of the clubs that the caller directs."""
    return frozenset(club.pk for club in directed_clubs(request))


def directed_clubs(request: HttpRequest) -> Sequence[Club]:
    """Return the clubs that the caller directs, queried once per request."""
    known: Sequence[Club] | None = getattr(request, "directed_clubs", None)
    if known is None:
        account = request.user
        known = list(clubs_of(account, *permissions.DIRECTORS)) if isinstance(account, Account) else []
        request.directed_clubs = known  # type: ignore[attr-defined]
    return known


def may_enter(request: HttpRequest) -> bool:
    """Return whether the desk is open to the caller."""
    return sees_all(request) or bool(directed_clubs(request))


def zone_of(request: HttpRequest) -> ZoneInfo:
    """Return the time zone of the caller's clubs, or UTC where they have several."""
    zones = {club.timezone for club in directed_clubs(request)}
    return ZoneInfo(zones.pop()) if len(zones) == 1 else ZoneInfo("UTC")
