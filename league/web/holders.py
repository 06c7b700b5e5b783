"""Who plays a seat that is no account's: whoever practises, and on score cards with a code or at a kiosk."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.callers import ByAccount, ByVisitor
from league.queries.games import GUEST_SEAT, seat_of, table_for
from league.queries.seat_codes import good_code
from league.requests import account_in, kiosk_in, spectator_or_account, visitor_in
from league.services.hall import AtKiosk
from league.services.play import make_move
from league.services.seat_codes import ByCode
from league.services.sessions import change_key

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.engine.jsontypes import JsonObject
    from games.log import Appended
    from league.callers import Caller
    from league.models import ClubGame, Kiosk, SeatCode

CODES: Final = "codes"
"""In the session: by table, the id and seat of a code that was typed, and whether it wrote something."""
AT_KIOSK: Final = "at_kiosk"
"""In the session of a kiosk: the game and the seat that somebody named."""
_SAME_NETWORK: Final = 64


@dataclass(frozen=True)
class Holder:
    """Who writes for a seat that is no account's: by its code, named at a kiosk, or because they practise.

    Where a code is typed at a kiosk, ``kiosk`` is set, too.
    """

    seat: int
    caller: Caller
    kiosk: Kiosk | None = None

    @property
    def code(self) -> SeatCode | None:
        """Return the code; who has one may confirm what others entered, a seat that is only named may not."""
        return self.caller.code if isinstance(self.caller, ByCode) else None

    @property
    def visits(self) -> bool:
        """Return whether they practise."""
        return isinstance(self.caller, ByVisitor)


def holder_in(request: HttpRequest, club_game: ClubGame) -> Holder | None:
    """Return who writes at this table in the browser's session, None for an account with a seat there."""
    account = spectator_or_account(request)
    if club_game.game.practice:
        return Holder(GUEST_SEAT, ByVisitor(visitor_in(request, account)))
    codes, named = request.session.get(CODES, {}), request.session.get(AT_KIOSK)
    typed = codes.get(str(club_game.table_id))
    if not typed and not named:
        return None
    if account and seat_of(account, club_game.pk) is not None:
        return None
    kiosk = kiosk_in(request, club_game.competition) if club_game.competition else None
    if typed and (code := good_code(typed["code"], club_game.table_id)):
        return Holder(code.seat, ByCode(code, account), kiosk)
    if kiosk and named and named["game"] == str(club_game.pk):
        return Holder(named["seat"], AtKiosk(kiosk, named["seat"]), kiosk)
    return None


def held_here(request: HttpRequest, club_game: ClubGame) -> bool:
    """Return whether somebody wrote at this table in the browser's session, with a code or at a kiosk."""
    named = request.session.get(AT_KIOSK)
    at_kiosk = named is not None and named["game"] == str(club_game.pk)
    return at_kiosk or str(club_game.table_id) in request.session.get(CODES, {})


def use_code(request: HttpRequest, code: SeatCode, club_game: ClubGame) -> None:
    """Let this browser write for the seat of a code; raises `Illegal`.

    Who entered scores for one seat of a table can't go on as another: somebody else confirms.
    """
    account = spectator_or_account(request)
    own = seat_of(account, club_game.pk) if account else None
    if own not in (None, code.seat):
        raise Illegal(text("You are logged in as another player of this table: log out first."))
    before = request.session.get(CODES, {}).get(str(code.table))
    if before and before["wrote"] and before["seat"] != code.seat:
        raise Illegal(
            text(
                "This browser entered scores for another seat of this table: confirm them on another device."
            )
        )
    wrote = bool(before and before["wrote"])
    _keep(request, str(code.table), {"code": str(code.pk), "seat": code.seat, "wrote": wrote})
    change_key(request.session)


def name_seat(request: HttpRequest, club_game: ClubGame, seat: int) -> None:
    """Let a kiosk write for the seat that somebody named."""
    forget_seats(request)
    request.session[AT_KIOSK] = {"game": str(club_game.pk), "seat": seat}


def forget_seats(request: HttpRequest) -> None:
    """Forget all seats for which this browser writes."""
    for name in (CODES, AT_KIOSK):
        request.session.pop(name, None)


def write(
    request: HttpRequest, club_game: ClubGame, holder: Holder | None, seq: int, move: JsonObject
) -> Appended:
    """Make a move for the holder of a seat, or for the account that is logged in; as `make_move`."""
    by = holder.caller if holder else ByAccount(account_in(request))
    made = make_move(by, game_id=club_game.pk, seq=seq, move=move)
    if holder and holder.code:
        table = str(holder.code.table)
        typed: dict[str, Any] = request.session.get(CODES, {}).get(table, {})
        _keep(request, table, {**typed, "wrote": True})
    if holder and holder.kiosk:
        # The next person at the kiosk is somebody else.
        forget_seats(request)
    return made


def _keep(request: HttpRequest, table: str, typed: dict[str, Any]) -> None:
    request.session[CODES] = {**request.session.get(CODES, {}), table: typed}


# ---- Practice ------------------------------------------------------------------------------------


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
