"""Who plays a seat that is no account's: whoever practises, and whom an app lets in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse

from games.engine.jsontypes import JsonObject
from games.engine.refusals import Refusal
from league.callers import ByVisitor, Caller
from league.queries.games import GUEST_SEAT, table_for
from league.requests import spectator_or_account, visitor_in

if TYPE_CHECKING:
    from league.models import Account, ClubGame

_SAME_NETWORK: Final = 64


@dataclass(frozen=True)
class Holder:
    """Who plays a seat that is no account's: by itself whoever practises."""

    seat: int
    caller: Caller

    @property
    def visits(self) -> bool:
        """Return whether they practise."""
        return isinstance(self.caller, ByVisitor)

    @property
    def confirms(self) -> bool:
        """Return whether they may confirm what others entered."""
        return False

    def after(self, request: HttpRequest, move: JsonObject) -> HttpResponse | None:
        """Return where they go after a move that they made, None for the page of the game."""
        return None


@dataclass(frozen=True)
class WayIn:
    """How an app lets people play without an account: as whom they do, and why who did no longer may."""

    holder: Callable[[HttpRequest, ClubGame, Account | None], Holder | None]
    refusal: Callable[[HttpRequest, ClubGame], Refusal | None]


WAYS_IN: Final[list[WayIn]] = []
"""Those of all apps."""


def holder_in(request: HttpRequest, club_game: ClubGame) -> Holder | None:
    """Return who plays a seat of this table in the browser's session, None where an account does."""
    account = spectator_or_account(request)
    if club_game.game.practice:
        return Holder(GUEST_SEAT, ByVisitor(visitor_in(request, account)))
    found = (each.holder(request, club_game, account) for each in WAYS_IN)
    return next((holder for holder in found if holder), None)


def refusal_in(request: HttpRequest, club_game: ClubGame) -> Refusal | None:
    """Return why somebody without an account who played at this table no longer may, None for all others."""
    found = (each.refusal(request, club_game) for each in WAYS_IN)
    return next((refusal for refusal in found if refusal), None)


def table_of(request: HttpRequest, game_id: UUID) -> ClubGame:
    """Return a club's game, or one of no club that whoever asks plays; raise Http404."""
    try:
        return table_for(visitor_in(request, spectator_or_account(request)), game_id)
    except ObjectDoesNotExist:
        raise Http404 from None


def client_of(request: HttpRequest) -> str:
    """Return the address from which a request comes; of IPv6 its network, all of which is one client's."""
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    return str(ip_network((address, _SAME_NETWORK), strict=False)) if address.version == 6 else str(address)
