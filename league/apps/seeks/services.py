"""Seeks: a member looks for players, others join, and the game begins with the last of them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time, rules
from games.engine import clocks
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, below
from league.apps.seeks.models import Seek, SeekInvitation, SeekSeat
from league.apps.seeks.queries import ONLY_ONES_OWN, bots_fill, read_seek_invitation
from league.choices import BotsPlay, TokenScope
from league.hooks import bots_of
from league.models import Account, Club, Player
from league.queries import permissions
from league.queries.clubs import kept_apart, kept_out
from league.services import account_events
from league.services.account_events import Kind
from league.services.casual_games import NO_BOTS, in_zone_of, open_agreed_game
from league.services.channel import tell, topic
from league.services.players import player_of_bot

USED: Final = text("This link was used already. Ask for another one.")
MOST_OPEN: Final = 5
"""How many open seeks an account can have joined, its own included."""
MOST_A_DAY: Final = 50
MINUTES: Final = 60


# ---- Looking for players -------------------------------------------------------------------------


@transaction.atomic
def create_seek(
    *,
    by: Account,
    club: Club,
    ruleset: str,
    seats: int,
    options: object = None,
    clock: Clock = NO_CLOCK,
    minutes: int = MINUTES,
    private: bool = False,
) -> Seek:
    """Return a new seek of the account, which has joined it; it lapses after so many minutes.

    A private one has a link for each of the others, and nobody joins it without one.
    Raises `Malformed`, `Illegal` for an account with too many seeks, and PermissionDenied.
    """
    player = permissions.require_player(club.pk, by, TokenScope.PLAY_ENTER)
    name, filled = _settings(ruleset, options or {}, seats)
    with below("clock"):
        timing = in_zone_of(club, clock)
        clocks.read(timing)
    _check_pace(by)
    until = database_time.now() + timedelta(minutes=minutes)
    settings = {"ruleset": name, "options": filled, "clock": timing, "seats": seats, "private": private}
    seek = Seek(club=club, made_by=by, until=until, **settings)
    seek.save(force_insert=True)
    _take(seek, by, player)
    if private:
        SeekInvitation.objects.bulk_create(SeekInvitation(seek=seek) for _other in range(seats - 1))
    return seek


def _settings(ruleset: str, options: object, seats: int) -> tuple[str, JsonObject]:
    """Return the name of a ruleset with its version, and all of its options."""
    try:
        found = rules.find(ruleset)
        return found.name, found.write_options(found.read_options(options, seats))
    except KeyError:
        raise Malformed({"ruleset": [text("There is no such game here.")]}) from None
    except Malformed as refusal:
        errors = {"seats" if path == "players" else path: each for path, each in refusal.errors.items()}
        raise Malformed(errors) from None


def _check_pace(by: Account) -> None:
    """Raise `Illegal` for an account with too many seeks; it is locked, so that two do not pass together."""
    Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    if SeekSeat.objects.filter(account=by, seek__status=Seek.Status.OPEN).count() >= MOST_OPEN:
        raise Illegal(
            "You look for players in %(most)s games already. Wait, or withdraw from one of them.",
            most=MOST_OPEN,
        )
    lately = database_time.now() - timedelta(days=1)
    if Seek.objects.filter(made_by=by, made_at__gt=lately).count() >= MOST_A_DAY:
        raise Illegal("You can look for players %(most)s times in 24 hours.", most=MOST_A_DAY)


# ---- Joining and leaving -------------------------------------------------------------------------


@transaction.atomic
def join_seek(*, by: Account, seek_id: UUID) -> Seek:
    """Join a seek; the game begins when its seats are taken. Joining again changes nothing.

    Raises `Illegal`, PermissionDenied and Seek.DoesNotExist.
    """
    seek = _locked(seek_id)
    player = permissions.require_player(seek.club_id, by, TokenScope.PLAY_ENTER)
    if seek.taken.filter(account=by).exists():
        return seek
    if seek.private:
        raise Seek.DoesNotExist
    _join(seek, by, player)
    return seek


def _join(seek: Seek, by: Account, player: Player) -> None:
    """Take a seat, and begin the game with the last one."""
    _check_open(seek)
    if seek.taken.filter(account__in=kept_apart(by.pk)).exists():
        raise Illegal("You can’t join this table.")
    _check_pace(by)
    _take(seek, by, player)
    _drop_former_players(seek)
    if seek.taken.count() == seek.seats:
        _begin(seek)


# ---- Links ---------------------------------------------------------------------------------------


@transaction.atomic
def invite_to_seek(*, by: Account, seek_id: UUID) -> SeekInvitation:
    """Return a new link to the account's own seek, for one person.

    Raises `Illegal` where every empty seat has an unanswered link already, PermissionDenied and
    Seek.DoesNotExist.
    """
    seek = _own(by, seek_id, ONLY_ONES_OWN)
    _check_open(seek)
    if seek.invitations.filter(accepted=None).count() >= seek.seats - seek.taken.count():
        raise Illegal("There is a link for every empty seat already.")
    return SeekInvitation.objects.create(seek=seek)


@transaction.atomic
def withdraw_seat_link(*, by: Account, seek_id: UUID, invitation_id: UUID) -> None:
    """Withdraw a link of the account's own seek, which leads nowhere from then on.

    Raises `Illegal` where it was answered, PermissionDenied, and DoesNotExist of Seek and SeekInvitation.
    """
    invitation = _own(by, seek_id, ONLY_ONES_OWN).invitations.get(pk=invitation_id)
    if invitation.accepted is not None:
        raise Illegal(USED)
    invitation.delete()


@transaction.atomic
def accept_seat(*, by: Account, invitation_id: UUID, token: str) -> Seek:
    """Join the seek of a link, which works once; the same account is answered as before.

    A seat that was declined can be taken after all while it is free. Raises `Illegal` and PermissionDenied.
    """
    seek, invitation = _invited(invitation_id, token)
    player = permissions.require_player(seek.club_id, by, TokenScope.PLAY_ENTER)
    if invitation.accepted and invitation.answered_by_id == by.pk:
        return seek
    _check_unused(invitation)
    if seek.taken.filter(account=by).exists():
        raise Illegal("You have a seat at this table: the link is for somebody else.")
    invitation.accepted, invitation.answered_by = True, by
    invitation.save(update_fields=["accepted", "answered_by"])
    _join(seek, by, player)
    return seek


@transaction.atomic
def decline_seat(*, invitation_id: UUID, token: str) -> Seek:
    """Decline the seat of a link, which needs no account; again changes nothing. Raises `Illegal`."""
    seek, invitation = _invited(invitation_id, token)
    if invitation.accepted is not False:
        _check_unused(invitation)
        _check_open(seek)
        invitation.accepted = False
        invitation.save(update_fields=["accepted"])
        _tell(seek, Kind.SEEK_ANSWERED)
    return seek


def _invited(invitation_id: UUID, token: str) -> tuple[Seek, SeekInvitation]:
    """Return the seek of a link, locked, and the invitation as it is then; raises `Illegal`."""
    seek = _locked(read_seek_invitation(invitation_id=invitation_id, token=token).seek_id)
    return seek, SeekInvitation.objects.get(pk=invitation_id)


def _check_unused(invitation: SeekInvitation) -> None:
    if invitation.accepted:
        raise Illegal(USED)


# ---- Bots ----------------------------------------------------------------------------------------


@transaction.atomic
def fill_seek(*, by: Account, seek_id: UUID, level: str) -> Seek:
    """Let house bots take the empty seats of the account's own seek, so that the game begins.

    Again changes nothing. Raises `Malformed`, `Illegal`, PermissionDenied and Seek.DoesNotExist.
    """
    seek = _own(by, seek_id, text("Only the player who looks for others can let bots play."))
    if seek.status == Seek.Status.BEGUN:
        return seek
    _check_open(seek)
    if not bots_fill(seek):
        raise Illegal(NO_BOTS)
    _drop_former_players(seek)
    for bot in bots_of(level)[: seek.seats - seek.taken.count()]:
        SeekSeat.objects.create(seek=seek, account_id=bot.id, player=player_of_bot(club=seek.club, bot=bot))
    _begin(seek)
    return seek


# ---- Both ----------------------------------------------------------------------------------------


def _own(by: Account, seek_id: UUID, refusal: Message) -> Seek:
    """Return the seek of a player of its club, locked; raise PermissionDenied for anybody else's."""
    seek = _locked(seek_id)
    permissions.require_player(seek.club_id, by, TokenScope.PLAY_ENTER)
    if seek.made_by_id != by.pk:
        raise PermissionDenied(refusal)
    return seek


def _check_open(seek: Seek) -> None:
    if seek.status != Seek.Status.OPEN or seek.until <= database_time.now():
        raise Illegal("Nobody can join this any more: it has begun, or was withdrawn.")


def _take(seek: Seek, by: Account, player: Player) -> None:
    if kept_out(seek.club, BotsPlay.CASUAL, [player.pk]):
        raise Illegal(NO_BOTS)
    SeekSeat.objects.create(seek=seek, account=by, player=player)
    _tell(seek, Kind.SEEK_ANSWERED, but=by)


def _drop_former_players(seek: Seek) -> None:
    """Free the seats of players who have left the club since they joined."""
    for seat in seek.taken.select_related("account"):
        now = permissions.player_in(seek.club_id, seat.account)
        if now is None or now.pk != seat.player_id:
            seat.delete()


def _begin(seek: Seek) -> None:
    players = list(seek.taken.order_by("joined_at", "pk").values_list("player", flat=True))
    game = open_agreed_game(
        by=seek.made_by,
        club=seek.club,
        ruleset=seek.ruleset,
        options=seek.options,
        players=players,
        clock=seek.clock,
    )
    seek.game = game
    _close(seek, Seek.Status.BEGUN)


@transaction.atomic
def withdraw_seek(*, by: Account, seek_id: UUID) -> Seek:
    """Withdraw the account's own seek, or leave that of somebody else; doing so again changes nothing.

    Raises `Illegal` for one that has begun, PermissionDenied and Seek.DoesNotExist.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    seek = _locked(seek_id)
    if seek.status == Seek.Status.BEGUN:
        raise Illegal("The game has begun.")
    if seek.made_by_id == by.pk:
        if seek.status == Seek.Status.OPEN:
            _close(seek, Seek.Status.WITHDRAWN)
        return seek
    permissions.require_member(seek.club_id, by, TokenScope.PLAY_ENTER)
    left, _rows = seek.taken.filter(account=by).delete()
    if left:
        _tell(seek, Kind.SEEK_ANSWERED, but=by)
    return seek


@transaction.atomic
def lapse_seek(*, seek_id: UUID) -> Seek:
    """Close a seek whose time is over; one that is closed already stays as it is."""
    seek = _locked(seek_id)
    if seek.status == Seek.Status.OPEN and seek.until <= database_time.asked():
        _close(seek, Seek.Status.LAPSED)
    return seek


def _close(seek: Seek, status: Seek.Status) -> None:
    seek.status = status
    seek.save(update_fields=["status", "game"])
    _tell(seek, Kind.SEEK_CLOSED)


def _tell(seek: Seek, kind: Kind, but: Account | None = None) -> None:
    """Tell those who have joined, but for one of them, and whoever watches the club."""
    accounts = seek.taken.order_by("pk").values_list("account", flat=True)
    others = [account for account in accounts if but is None or account != but.pk]
    account_events.write(others, kind, _about(seek))
    tell([topic("club", seek.club_id)])


def _about(seek: Seek) -> Mapping[str, Any]:
    return {
        "seek": str(seek.pk),
        "club": seek.club.slug,
        "status": seek.status,
        "game": str(seek.game_id) if seek.game_id else None,
    }


def _locked(seek_id: UUID) -> Seek:
    seeks = Seek.objects.select_related("club", "made_by").select_for_update(of=("self",))
    return seeks.get(pk=seek_id)
