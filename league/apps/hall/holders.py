"""Who acts without an account: by the code of a seat, named at a kiosk, or with an own phone at the door."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games import database_time
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.replay import Actor
from league import hooks
from league.apps.hall.models import Kiosk, SeatCode
from league.apps.hall.queries import ended, good_code, hall_of, is_kiosk_of, kiosk_of, open_tables
from league.apps.hall.services import note_seen
from league.callers import Caller
from league.core.verb import Given, Verb
from league.core.verbs.presence import CheckInEntry
from league.models import Account, ClubGame, Competition
from league.queries.games import club_game_of, seat_of
from league.requests import spectator_or_account
from league.web.holders import Holder

COOKIE: Final = "kiosk"
"""The name of the cookie that makes a device a kiosk."""
CODES: Final = "codes"
"""In the session: by table, the id and seat of a code that was typed, and whether it wrote something."""
AT_KIOSK: Final = "at_kiosk"
"""In the session of a kiosk: the game and the seat that somebody named."""

# ---- Callers -------------------------------------------------------------------------------------


class OnOwnPhone(Caller):
    """Somebody without an account who checks an entry in; the log says that a player did it."""

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the check-in may know; raise PermissionDenied unless an organiser switched it on."""
        if not all(isinstance(verb, CheckInEntry) for verb in verbs):
            raise PermissionDenied
        if not hall_of(competition).self_check_in:
            raise PermissionDenied(
                text("Check-in from your own phone is off. Tell an organiser that you are here.")
            )
        return Given(str(competition.pk), database_time.now(), "player")


@dataclass(frozen=True)
class AtKiosk(Caller):
    """Somebody at a kiosk, for the seat that they named, or with the verbs that anybody may use there.

    The log shows no account.
    """

    kiosk: Kiosk
    seat: int | None = None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied for a kiosk that is not open, `Illegal` for such a table.

        Rounds are confirmed with a code, not at a kiosk: there nobody knows who confirms.
        """
        club_game = club_game_of(game_id)
        here = self.kiosk.is_open and self.kiosk.competition_id == club_game.competition_id
        if self.seat is None or not here:
            raise PermissionDenied(text("This table’s scores can’t be entered at this kiosk."))
        if not open_tables().filter(games=club_game).exists():
            raise ended(club_game.table_id)
        if kind == "confirm":
            raise PermissionDenied(text("To confirm scores at a kiosk, type the code of your seat."))
        return Actor("kiosk", self.seat)

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the verbs may know.

        Raises PermissionDenied for other verbs, another competition, and a kiosk that is not open any more.
        """
        here = self.kiosk.is_open and self.kiosk.competition_id == competition.pk
        if not (here and all(verb.at_kiosk for verb in verbs)):
            raise PermissionDenied(text("This can’t be done at a kiosk."))
        return Given(str(competition.pk), database_time.now(), "kiosk")


@dataclass(frozen=True)
class ByCode(Caller):
    """Whoever has the code of a seat, as that seat; ``person`` is the account that is logged in, if any."""

    code: SeatCode
    person: Account | None = None

    @property
    def account(self) -> str | None:
        return str(self.person.pk) if self.person else None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied where the code is not good for the game's table now."""
        club_game = club_game_of(game_id)
        table = club_game.table_id
        held = good_code(self.code.pk, table) if table else None
        if held is None:
            raise PermissionDenied(
                text("This code is not good any more: its round is over, or its table decided.")
            )
        return Actor("code", held.seat ^ club_game.turn)


# ---- The browser's session -----------------------------------------------------------------------


@dataclass(frozen=True)
class WithCode(Holder):
    """Who writes for a seat by its code, or because they named it at a kiosk.

    Where a code is typed at a kiosk, ``kiosk`` is set, too.
    """

    kiosk: Kiosk | None = None
    of_hall: bool = True

    @property
    def confirms(self) -> bool:
        """Return whether they may confirm what others entered: a seat that is only named may not."""
        return isinstance(self.caller, ByCode)

    def after(self, request: HttpRequest, move: JsonObject) -> HttpResponse | None:
        """Note that a code wrote; at a kiosk lead to its first page: the next person there is another."""
        if isinstance(self.caller, ByCode):
            table = str(self.caller.code.table)
            typed: dict[str, Any] = request.session.get(CODES, {}).get(table, {})
            _keep(request, table, {**typed, "wrote": True})
        if self.kiosk is None:
            return None
        forget_seats(request)
        if move["type"] == "confirm":
            messages.success(request, _("Saved. The deal is confirmed."))
        else:
            messages.success(
                request, _("Saved. An opponent confirms it with their code, or a scorekeeper does.")
            )
        return redirect("kiosk", self.kiosk.competition.slug)


def kiosk_in(request: HttpRequest, competition: Competition) -> Kiosk | None:
    """Return the kiosk that the device is, None for other devices and for kiosks of other competitions."""
    kiosk = kiosk_of(request.COOKIES.get(COOKIE, ""), competition)
    if kiosk:
        note_seen(kiosk)
    return kiosk


def is_of_club(request: HttpRequest, club: UUID) -> bool:
    """Return whether the device is a kiosk of a club: who stands there reads names."""
    return COOKIE in request.COOKIES and is_kiosk_of(request.COOKIES[COOKIE], club)


hooks.OF_CLUB.append(is_of_club)


def holder_here(request: HttpRequest, club_game: ClubGame, account: Account | None) -> Holder | None:
    """Return who writes at this table in the browser's session, None for an account with a seat there."""
    typed, named = _typed(request, club_game), request.session.get(AT_KIOSK)
    if not (typed or named) or (account and seat_of(account, club_game.pk) is not None):
        return None
    kiosk = kiosk_in(request, club_game.competition) if club_game.competition else None
    if typed and (code := good_code(typed["code"], club_game.table_id)):
        return WithCode(code.seat ^ club_game.turn, ByCode(code, account), kiosk)
    if kiosk and named and named["game"] == str(club_game.pk):
        return WithCode(named["seat"], AtKiosk(kiosk, named["seat"]), kiosk)
    return None


def refusal_here(request: HttpRequest, club_game: ClubGame) -> Illegal | None:
    """Return why somebody no longer writes who did at this table, with a code or at a kiosk."""
    named = request.session.get(AT_KIOSK)
    at_kiosk = named is not None and named["game"] == str(club_game.pk)
    wrote = club_game.table_id and (at_kiosk or _typed(request, club_game) is not None)
    return ended(club_game.table_id) if wrote else None


def _typed(request: HttpRequest, club_game: ClubGame) -> dict[str, Any] | None:
    found: dict[str, Any] | None = request.session.get(CODES, {}).get(str(club_game.table_id))
    return found


def use_code(request: HttpRequest, code: SeatCode, club_game: ClubGame) -> None:
    """Let this browser write for the seat of a code; raises `Illegal`.

    Who entered scores for one seat of a table can't go on as another: somebody else confirms.
    """
    account = spectator_or_account(request)
    own = seat_of(account, club_game.pk) if account else None
    if own not in (None, code.seat ^ club_game.turn):
        raise Illegal(text("You are logged in as another player of this table: log out first."))
    before = _typed(request, club_game)
    if before and before["wrote"] and before["seat"] != code.seat:
        raise Illegal(
            text(
                "This browser entered scores for another seat of this table: confirm them on another device."
            )
        )
    wrote = bool(before and before["wrote"])
    _keep(request, str(code.table), {"code": str(code.pk), "seat": code.seat, "wrote": wrote})
    request.session.cycle_key()


def name_seat(request: HttpRequest, club_game: ClubGame, seat: int) -> None:
    """Let a kiosk write for the seat that somebody named."""
    forget_seats(request)
    request.session[AT_KIOSK] = {"game": str(club_game.pk), "seat": seat}


def forget_seats(request: HttpRequest) -> None:
    """Forget all seats for which this browser writes."""
    for name in (CODES, AT_KIOSK):
        request.session.pop(name, None)


def _keep(request: HttpRequest, table: str, typed: dict[str, Any]) -> None:
    request.session[CODES] = {**request.session.get(CODES, {}), table: typed}
