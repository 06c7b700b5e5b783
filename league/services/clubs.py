"""Clubs, their members and their players."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.engine.refusals import Illegal, Malformed
from league import permissions
from league.models import Account, Club, Member, Player
from league.models.names import search_key
from league.services.checking import check


def create_club(*, by: Account, name: str, slug: str, timezone: str = "UTC") -> Club:
    """Return a new club, owned by the account; raises `Malformed`."""
    club = Club(name=name, slug=slug, timezone=timezone)
    check(club)
    try:
        with transaction.atomic():
            club.save(force_insert=True)
            Member.objects.create(club=club, account=by, role=Member.Role.OWNER)
    except IntegrityError:
        raise Malformed({"slug": [_("There is a club of this address already.")]}) from None
    return club


def change_club(*, by: Account, club: Club, name: str, timezone: str) -> Club:
    """Return the club under another name or in another zone; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    club.name, club.timezone = name, timezone
    check(club)
    club.save(update_fields=["name", "timezone"])
    return club


# ---- Members -------------------------------------------------------------------------------------


@transaction.atomic
def add_member(*, by: Account, club: Club, account: Account, role: str) -> Member:
    """Return the account's membership, made or changed to the role.

    Organisers may add players and scorekeepers; owners anybody. Raises `Malformed`, `Illegal` where the club
    would be left without an owner, and PermissionDenied.
    """
    _lock(club)
    member = Member.objects.filter(club=club, account=account).first() or Member(club=club, account=account)
    _require_say_over(club, by, member.role, role)
    _keep_an_owner(club, member, role)
    member.role = role
    check(member)
    member.save()
    return member


@transaction.atomic
def remove_member(*, by: Account, club: Club, account: Account) -> None:
    """End the account's membership, if it has one; raises as `add_member` does."""
    _lock(club)
    member = Member.objects.filter(club=club, account=account).first()
    if member is None:
        permissions.require_organiser(club.pk, by)
        return
    if account != by:
        _require_say_over(club, by, member.role)
    _keep_an_owner(club, member, None)
    member.delete()


def _lock(club: Club) -> None:
    """Let nobody else change the club's members in the meantime: each counts the owners."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def _require_say_over(club: Club, account: Account, *roles: str) -> None:
    if set(roles) & {*permissions.DIRECTORS}:
        permissions.require_owner(club.pk, account)
    else:
        permissions.require_organiser(club.pk, account)


def _keep_an_owner(club: Club, member: Member, role: str | None) -> None:
    """Raise `Illegal` where the member is the last owner and would be one no more."""
    owner = Member.Role.OWNER
    others = Member.objects.filter(club=club, role=owner).exclude(pk=member.pk)
    if member.role == owner != role and not others.exists():
        raise Illegal(_("A club has at least one owner: make somebody else an owner first."))


# ---- Players -------------------------------------------------------------------------------------


def create_player(*, by: Account, club: Club, name: str, account: Account | None = None) -> Player:
    """Return a new player of the club; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    return _saved(Player(club=club, name=name, account=account))


def change_player(*, by: Account, player: Player, name: str, account: Account | None, active: bool) -> Player:
    """Return the player with these values; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(player.club_id, by)
    player.name, player.account, player.active = name, account, active
    return _saved(player)


def _saved(player: Player) -> Player:
    player.name = player.name.strip()
    player.search_name = search_key(player.name)
    try:
        with transaction.atomic():
            check(player)
            player.save()
    except IntegrityError:
        raise Malformed({"account": [_("This account is another player of the club already.")]}) from None
    return player
