"""Invitations to a club: sent, sent again, revoked, accepted by whoever has the link, and confirmed."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.models import Account, Club, ClubChange, Email, Invitation, Member, Player
from league.models.clubs import expiry
from league.ops.secret import new_salt
from league.queries.links import (
    masked,
    open_invitations,
    read_invitation,
    read_token_for_address,
    stopped_invitations,
    waiting_invitations,
)
from league.services.accounts import create_account
from league.services.audit import note_change, note_changes
from league.services.checking import check
from league.services.clubs import require_say_over
from league.services.emails import new_email, write, write_for

_Change: Final = ClubChange.Kind
_MOST_OPEN: Final = 1000
_RANKS: Final = (Member.Role.PLAYER, Member.Role.SCOREKEEPER, Member.Role.ORGANISER, Member.Role.OWNER)
"""Roles, the one with the fewest rights first."""


# ---- An organiser's verbs ------------------------------------------------------------------------


@transaction.atomic
def invite(*, by: Account, club: Club, email: str, role: str, player: Player | None = None) -> Invitation:
    """Return an invitation that is being sent to an address.

    Organisers may invite players and scorekeepers; owners anybody. Raises `Malformed`, `Illegal` where too
    many are open, and PermissionDenied.
    """
    require_say_over(club, by, role)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    made = Invitation(club=club, email=email.strip(), role=role, player=player, made_by=by)
    check(made)
    if not (made.email or made.player):
        raise Malformed({"email": [text("Enter an address, or choose a player to invite by a link.")]})
    _check_player(made)
    _check_open(made)
    made.save(force_insert=True)
    _note(by, _Change.INVITED, made, sent=True)
    _send(made)
    return made


@transaction.atomic
def invite_players(*, by: Account, club: Club, players: Sequence[Player]) -> Sequence[Invitation]:
    """Return new invitations for players without an account, each to the address in the player's contact.

    Who has no address there, or one that is invited already or wants no more invitations, is invited by the
    link alone. Players who have
    an account or an open invitation, or aren't active, are passed over. Raises `Illegal` where too many are
    open, and PermissionDenied.
    """
    require_say_over(club, by, Member.Role.PLAYER)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    already = open_invitations(club)
    invited = {invitation.player_id for invitation in already}
    addresses = {invitation.email.casefold() for invitation in already}
    wanted = [contact.email for each in players if (contact := getattr(each, "contact", None))]
    addresses |= {each.casefold() for each in stopped_invitations(club, *wanted)}
    made = [
        _for_player(by, player, addresses)
        for player in players
        if player.club_id == club.pk
        and player.account_id is None
        and player.pk not in invited
        and player.active
    ]
    if len(already) + len(made) > _MOST_OPEN:
        raise Illegal("At most %(most)s invitations can be open at a time.", most=_MOST_OPEN)
    Invitation.objects.bulk_create(made)
    roles = {"role": str(Member.Role.PLAYER)}
    note_changes(
        by,
        club,
        _Change.INVITED,
        [(_subject(invitation), roles, invitation.player_id) for invitation in made],
    )
    for invitation in made:
        _send(invitation)
    return made


def _for_player(by: Account, player: Player, addresses: set[str]) -> Invitation:
    """Return an invitation for a player, not saved; an address that it takes is added to the addresses."""
    contact = getattr(player, "contact", None)
    email = contact.email if contact else ""
    if email.casefold() in addresses:
        email = ""
    addresses.add(email.casefold())
    role = Member.Role.PLAYER
    return Invitation(club=player.club, email=email, role=role, player=player, made_by=by)


def _check_player(invitation: Invitation) -> None:
    player = invitation.player
    if player and (player.club_id != invitation.club_id or player.account_id or not player.active):
        raise Malformed({"player": [text("Choose an active player of the club without an account.")]})


def _check_open(invitation: Invitation) -> None:
    """Raise where the address has an open invitation or wants no more, or too many are open."""
    _check_stopped(invitation)
    still_open = open_invitations(invitation.club)
    if invitation.email and still_open.filter(email__iexact=invitation.email).exists():
        raise Malformed({"email": [text("This address is invited already: send that invitation again.")]})
    if still_open.count() >= _MOST_OPEN:
        raise Illegal("At most %(most)s invitations can be open at a time.", most=_MOST_OPEN)


def _check_stopped(invitation: Invitation) -> None:
    if stopped_invitations(invitation.club, invitation.email):
        said = text("Who reads this address has stopped invitations of the club. Invite a player by a link.")
        raise Malformed({"email": [said]})


@transaction.atomic
def send_invitation_again(*, by: Account, invitation: Invitation) -> Invitation:
    """Send an invitation again with a new term; links sent before no longer work, and nobody waits by one."""
    require_say_over(invitation.club, by, invitation.role)
    stored = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if stored.accepted_at or stored.revoked_at:
        raise Illegal("This invitation is accepted or revoked: create a new one.")
    if stored.player and not stored.player.active:
        raise Illegal("%(name)s is not active in the club any more.", name=stored.player.name)
    _check_stopped(stored)
    stored.salt, stored.expires_at, stored.accepted_by = new_salt(), expiry(), None
    stored.save(update_fields=["salt", "expires_at", "accepted_by"])
    _send(stored)
    return stored


@transaction.atomic
def revoke_invitation(*, by: Account, invitation: Invitation) -> Invitation:
    """Revoke an invitation, and refuse who waits; a second time, or once somebody joined, changes nothing."""
    require_say_over(invitation.club, by, invitation.role)
    stored = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if not (stored.accepted_at or stored.revoked_at):
        stored.revoked_at = database_time.now()
        stored.save(update_fields=["revoked_at"])
        _note(by, _Change.INVITATION_REVOKED, stored, sent=False)
    return stored


@transaction.atomic
def confirm_invitation(*, by: Account, invitation: Invitation, account_id: UUID) -> Invitation:
    """Let the account that waits join as invited; a second time changes nothing.

    Raises `Illegal` where another account waits or none does, and PermissionDenied.
    """
    require_say_over(invitation.club, by, invitation.role)
    stored = Invitation.objects.select_for_update(of=("self",)).get(pk=invitation.pk)
    if stored.accepted_by is None or stored.accepted_by.pk != account_id or stored.revoked_at:
        raise Illegal("This account no longer waits for a confirmation.")
    if stored.is_waiting:
        _join(stored, stored.accepted_by, by=by)
    return stored


def _send(invitation: Invitation) -> None:
    """Write the email; whoever has no address gets the link from the organiser."""
    if not invitation.email:
        return
    key, about = f"{invitation.pk}:{invitation.salt}", {"invitation": str(invitation.pk)}
    write([new_email(Email.Kind.INVITATION, key, about, club=invitation.club)])


def _note(by: Account, kind: str, invitation: Invitation, *, sent: bool) -> None:
    """Write the change without the address, which must not be kept for ever."""
    role = {"role": invitation.role}
    note_change(
        by,
        invitation.club,
        kind,
        _subject(invitation),
        before={} if sent else role,
        after=role if sent else {},
        about=invitation.player_id,
    )


def _subject(invitation: Invitation) -> str:
    """Return whom an invitation is for, as the audit record says it."""
    return masked(invitation.email) or "–"


# ---- Whoever has the link ------------------------------------------------------------------------


@dataclass(frozen=True)
class Accepted:
    """What came of an invitation: the account, and its membership of the club, None while it waits."""

    account: Account
    member: Member | None


@transaction.atomic
def accept_invitation(*, by: Account, invitation_id: UUID, token: str) -> Accepted:
    """Make the account a member as invited, once; a higher role is kept. Raises `Illegal`.

    Where the invitation was sent to another address than the account's, the account waits until it has that
    address, for which an email asks, or until an organiser confirms it.
    """
    Invitation.objects.select_for_update().filter(pk=invitation_id).first()
    invitation = read_invitation(invitation_id=invitation_id, token=token, account=by)
    _check_inviter(invitation)
    if invitation.is_for(by):
        return Accepted(by, _join(invitation, by, by=by))
    invitation.accepted_by = by
    invitation.save(update_fields=["accepted_by"])
    _ask_address(by, invitation)
    return Accepted(by, None)


@transaction.atomic
def sign_up(*, invitation_id: UUID, token: str, username: str, password: str, language: str = "") -> Accepted:
    """Create an account for an invited person and accept with it; raises `Malformed` and `Illegal`."""
    read_invitation(invitation_id=invitation_id, token=token)
    account = create_account(username=username, password=password, language=language)
    return accept_invitation(by=account, invitation_id=invitation_id, token=token)


@transaction.atomic
def confirm_address(*, by: Account, token: str) -> Accepted | None:
    """Give the account its confirmed address; return what came of an invitation that waited for it.

    Raises `Illegal` for a link that is no longer valid.
    """
    pk, before, email = read_token_for_address(token)
    account = Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    if (str(account.pk), account.email) not in ((pk, before), (pk, email)):
        raise Illegal("This link is too old, or was made for another account.")
    if account.email.casefold() not in ("", email.casefold()):
        # To the old address: if it was not the person, somebody else has the account now.
        about = {"email": account.email, "new": masked(email)}
        write_for([account], kind=Email.Kind.NEW_ADDRESS, key=str(uuid4()), about=about)
    account.email = email
    account.save(update_fields=["email"])
    return _join_by_address(account)


def _join_by_address(account: Account) -> Accepted | None:
    """Let an account with a confirmed address join where it waits for that; return the last, or None.

    Where who invited may no longer do so, it goes on waiting for an organiser.
    """
    accepted = None
    for each in waiting_invitations(account).select_for_update(of=("self",)):
        if each.is_for(account):
            with suppress(Illegal):
                _check_inviter(each)
                accepted = Accepted(account, _join(each, account, by=account))
    return accepted


def _ask_address(account: Account, invitation: Invitation) -> None:
    """Send the invited address a link that makes it the account's: one for each link of the invitation."""
    key, about = f"{invitation.pk}:{invitation.salt}", {"invitation": str(invitation.pk)}
    write_for([account], kind=Email.Kind.ADDRESS, key=key, about=about)


def _check_inviter(invitation: Invitation) -> None:
    """Raise `Illegal` if the person who invited may no longer do so."""
    try:
        require_say_over(invitation.club, invitation.made_by, invitation.role)
    except PermissionDenied:
        raise Illegal(
            "The person who invited you no longer has the permission. Ask the club for a new invitation."
        ) from None


def _join(invitation: Invitation, account: Account, *, by: Account) -> Member:
    """Make the account the member and the player that the invitation names, and close it."""
    member = _joined(account, invitation, by)
    _link_player(account, invitation, by)
    invitation.accepted_at, invitation.accepted_by = database_time.now(), account
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    return member


def _joined(account: Account, invitation: Invitation, by: Account) -> Member:
    club = invitation.club
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    member = Member.objects.filter(club=club, account=account).first()
    before = {"role": member.role} if member else {}
    if member is None:
        member = Member(club=club, account=account, role=invitation.role)
    elif _RANKS.index(Member.Role(member.role)) < _RANKS.index(Member.Role(invitation.role)):
        member.role = invitation.role
    member.save()
    confirmed = _Change.MEMBER_CHANGED if before else _Change.MEMBER_ADDED
    kind = _Change.INVITATION_ACCEPTED if by == account else confirmed
    note_change(by, club, kind, str(account.pk), before=before, after={"role": member.role}, about=account.pk)
    return member


def _link_player(account: Account, invitation: Invitation, by: Account) -> None:
    """Link the account to the player who was named, unless either has another link by now."""
    player = invitation.player
    if player is None or player.account_id or account.players.filter(club=invitation.club).exists():
        return
    Player.objects.filter(pk=player.pk, account=None).update(account=account, bot=player.bot or account.bot)
    note_change(
        by,
        invitation.club,
        _Change.PLAYER_CHANGED,
        player.name,
        before={"account": None},
        after={"account": str(account.pk)},
        about=player.pk,
    )
