"""Invitations to a club: sent, sent again, revoked, accepted by whoever has the link."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from games.engine.refusals import Illegal, Malformed
from league.models import Account, Club, ClubChange, Invitation, Member, Notice, Player
from league.models.invitations import expiry
from league.models.webhooks import new_salt
from league.services import hints
from league.services.accounts import create_account
from league.services.changes import note_change
from league.services.checking import check
from league.services.clubs import require_say_over
from league.services.derived import derived

_Change: Final = ClubChange.Kind
_MOST_OPEN: Final = 200
_RANKS: Final = (Member.Role.PLAYER, Member.Role.SCOREKEEPER, Member.Role.ORGANISER, Member.Role.OWNER)
"""Roles in the order of their say."""


# ---- An organiser's verbs ------------------------------------------------------------------------


@transaction.atomic
def invite(*, by: Account, club: Club, email: str, role: str, player: Player | None = None) -> Invitation:
    """Return an invitation that is on its way to an address.

    Organisers may invite players and scorekeepers; owners anybody. Raises `Malformed`, `Illegal` where too
    many are open, and PermissionDenied.
    """
    require_say_over(club, by, role)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    made = Invitation(club=club, email=email.strip(), role=role, player=player, made_by=by)
    check(made)
    _check_player(made)
    _check_open(made)
    made.save(force_insert=True)
    _note(by, _Change.INVITED, made, sent=True)
    _send(made)
    return made


def _check_player(invitation: Invitation) -> None:
    player = invitation.player
    if player and (player.club_id != invitation.club_id or player.account_id):
        raise Malformed({"player": [_("This is no player of the club who waits for an account.")]})


def _check_open(invitation: Invitation) -> None:
    """Raise where the address has an open invitation already, or too many are open."""
    now = timezone.now()
    stand = Invitation.objects.filter(
        club=invitation.club, accepted_at=None, revoked_at=None, expires_at__gt=now
    )
    if stand.filter(email__iexact=invitation.email).exists():
        raise Malformed({"email": [_("This address is invited already: send that invitation again.")]})
    if stand.count() >= _MOST_OPEN:
        raise Illegal(_("At most %(most)d invitations can be open at a time.") % {"most": _MOST_OPEN})


@transaction.atomic
def send_invitation_again(*, by: Account, invitation: Invitation) -> Invitation:
    """Send an invitation anew, for as long as the first time; links sent before open nothing any more."""
    require_say_over(invitation.club, by, invitation.role)
    stands = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if stands.accepted_at or stands.revoked_at:
        raise Illegal(_("This invitation is accepted or revoked: make a new one."))
    stands.salt, stands.expires_at = new_salt(), expiry()
    stands.save(update_fields=["salt", "expires_at"])
    _send(stands)
    return stands


@transaction.atomic
def revoke_invitation(*, by: Account, invitation: Invitation) -> Invitation:
    """Make an invitation worthless; a second time, or once it is accepted, changes nothing."""
    require_say_over(invitation.club, by, invitation.role)
    stands = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if not (stands.accepted_at or stands.revoked_at):
        stands.revoked_at = timezone.now()
        stands.save(update_fields=["revoked_at"])
        _note(by, _Change.INVITATION_REVOKED, stands, sent=False)
    return stands


def token_of(invitation: Invitation) -> str:
    """Return what opens the invitation's link. It is written into the mail and nowhere else."""
    return derived("invitation", invitation.pk, invitation.salt)


def _send(invitation: Invitation) -> None:
    Notice.objects.create(
        key=f"invitation:{invitation.pk}:{invitation.salt}",
        kind=Notice.Kind.INVITATION,
        club=invitation.club,
        about={"invitation": str(invitation.pk)},
    )
    hints.after_commit("send_notices")


def _note(by: Account, kind: str, invitation: Invitation, *, sent: bool) -> None:
    """Keep the change without the address, which is not ours to keep for ever."""
    role = {"role": invitation.role}
    note_change(
        by=by,
        club=invitation.club,
        kind=kind,
        subject=masked(invitation.email),
        before={} if sent else role,
        after=role if sent else {},
    )


def masked(email: str) -> str:
    """Return enough of an address to know it again: ``a…@cards.example``."""
    name, _at, host = email.rpartition("@")
    return f"{name[:1]}…@{host}"


# ---- Whoever has the link ------------------------------------------------------------------------


@dataclass(frozen=True)
class Accepted:
    """What came of an invitation: the account, and its membership of the club."""

    account: Account
    member: Member


def read_invitation(*, invitation_id: UUID, token: str) -> Invitation:
    """Return the invitation that a link opens; raises `Illegal` where it opens none, or none any more."""
    found = Invitation.objects.select_related("club", "player").filter(pk=invitation_id).first()
    if found is None or not constant_time_compare(token_of(found), token):
        raise Illegal(_("This link opens no invitation. If you got a newer mail, use the link in that."))
    if not found.is_open:
        raise Illegal(_("This invitation was used, was revoked, or is too old. Ask the club for another."))
    return found


@transaction.atomic
def accept_invitation(*, by: Account, invitation_id: UUID, token: str) -> Accepted:
    """Make the account a member as it was invited, once; a role that says more stays. Raises `Illegal`."""
    Invitation.objects.select_for_update().filter(pk=invitation_id).first()
    invitation = read_invitation(invitation_id=invitation_id, token=token)
    _check_inviter(invitation)
    member = _joined(by, invitation)
    _link_player(by, invitation)
    if not by.email:
        by.email = invitation.email
        by.save(update_fields=["email"])
    invitation.accepted_at, invitation.accepted_by = timezone.now(), by
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    return Accepted(by, member)


@transaction.atomic
def sign_up(*, invitation_id: UUID, token: str, username: str, password: str) -> Accepted:
    """Make an account for whoever was invited, and accept with it; raises `Malformed` and `Illegal`."""
    invitation = read_invitation(invitation_id=invitation_id, token=token)
    account = create_account(username=username, password=password, email=invitation.email)
    return accept_invitation(by=account, invitation_id=invitation_id, token=token)


def _check_inviter(invitation: Invitation) -> None:
    """Raise `Illegal` where who invited may not do so any more."""
    try:
        require_say_over(invitation.club, invitation.made_by, invitation.role)
    except PermissionDenied:
        raise Illegal(_("Who invited you may not do so any more. Ask the club for another.")) from None


def _joined(account: Account, invitation: Invitation) -> Member:
    club = invitation.club
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    member = Member.objects.filter(club=club, account=account).first()
    before = {"role": member.role} if member else {}
    if member is None:
        member = Member(club=club, account=account, role=invitation.role)
    elif _RANKS.index(Member.Role(member.role)) < _RANKS.index(Member.Role(invitation.role)):
        member.role = invitation.role
    member.save()
    note_change(
        by=account,
        club=club,
        kind=_Change.INVITATION_ACCEPTED,
        subject=account.username,
        before=before,
        after={"role": member.role},
    )
    return member


def _link_player(account: Account, invitation: Invitation) -> None:
    """Let the account be the player who was named, unless either is somebody else by now."""
    player = invitation.player
    if player is None or player.account_id or account.players.filter(club=invitation.club).exists():
        return
    Player.objects.filter(pk=player.pk, account=None).update(account=account)
    note_change(
        by=account,
        club=invitation.club,
        kind=_Change.PLAYER_CHANGED,
        subject=player.name,
        before={"account": None},
        after={"account": account.username},
    )
