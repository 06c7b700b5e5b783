"""Clubs, their members and their players."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid4

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.hooks import HouseBot
from league.models import Account, Club, ClubChange, Contact, FormerAddress, Member, Player
from league.models.names import address_of, search_key
from league.queries import permissions
from league.services.audit import Values, note_change, note_changes
from league.services.checking import check
from league.services.jobs import forget_read_files

CONTACT_FIELDS: Final = ("email", "phone", "note")
_Kind: Final = ClubChange.Kind
TAKEN: Final = text("There is already a club with this address.")
_KEPT: Final = ("name", "slug", "timezone", "quiet", "mail_note", "bots", "embed_on")
STEM: Final = 50
"""How much of a name an address begins with."""


def create_club(*, by: Account, name: str, slug: str = "", timezone: str = "UTC") -> Club:
    """Return a new club, owned by the account; its address is made from the name unless one is given.

    Raises `Malformed`.
    """
    club = Club(name=name, slug=slug or _free_address(address_of(name)[:STEM] or "club"), timezone=timezone)
    check(club)
    if FormerAddress.objects.filter(slug=club.slug).exists():
        raise Malformed({"slug": [TAKEN]})
    try:
        with transaction.atomic():
            club.save(force_insert=True)
            Member.objects.create(club=club, account=by, role=Member.Role.OWNER)
            note_change(by, club, _Kind.CLUB_MADE, club.name, after=_of_club(club))
    except IntegrityError:
        raise Malformed({"slug": [TAKEN]}) from None
    return club


@transaction.atomic
def change_club(
    *,
    by: Account,
    club: Club,
    name: str,
    timezone: str,
    quiet: str | None = None,
    mail_note: str | None = None,
    bots: Sequence[str] | None = None,
    embed_on: Sequence[str] | None = None,
) -> Club:
    """Return the club with these values (None keeps one); raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    stored = _locked(club)
    before = _of_club(stored)
    club.name, club.timezone = name, timezone
    club.quiet = stored.quiet if quiet is None else quiet
    club.mail_note = stored.mail_note if mail_note is None else mail_note
    club.bots = stored.bots if bots is None else sorted({*bots})
    club.embed_on = stored.embed_on if embed_on is None else _origins(embed_on)
    if name != stored.name:
        _follow_name(club)
    check(club)
    club.save(update_fields=[*_KEPT])
    note_change(by, club, _Kind.CLUB_CHANGED, club.name, before=before, after=_of_club(club))
    return club


def _of_club(club: Club) -> Values:
    return {field: getattr(club, field) for field in _KEPT}


def _origins(sites: Sequence[str]) -> list[str]:
    """Return the addresses of websites as browsers compare them, each once."""
    return [*dict.fromkeys(site.strip().rstrip("/").lower() for site in sites)]


def _follow_name(club: Club) -> None:
    """Give a club the address of its new name; the earlier one still leads to it."""
    stem = address_of(club.name)[:STEM]
    if not stem or re.fullmatch(rf"{re.escape(stem)}(-\d+)?", club.slug):
        return
    earlier, club.slug = club.slug, _free_address(stem, club)
    club.former_addresses.filter(slug=club.slug).delete()
    FormerAddress.objects.get_or_create(slug=earlier, club=club)


def _free_address(stem: str, club: Club | None = None) -> str:
    """Return an address that no other club has or had."""
    others = Club.objects.filter(slug__startswith=stem), FormerAddress.objects.filter(slug__startswith=stem)
    if club is not None:
        others = others[0].exclude(pk=club.pk), others[1].exclude(club=club)
    taken = {slug for rows in others for slug in rows.values_list("slug", flat=True)}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (stem, *numbered) if slug not in taken)


def _locked(club: Club) -> Club:
    """Return the club as it is now, and lock it and its members against other changes."""
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


# ---- Members -------------------------------------------------------------------------------------


@transaction.atomic
def change_role(*, by: Account, member: Member, role: str) -> Member:
    """Return a membership with another role; new members are invited (`league.services.invitations`).

    Organisers may make players and scorekeepers; owners anything. Raises `Malformed`, `Illegal` if the club
    would be left without an owner, PermissionDenied, and Member.DoesNotExist.
    """
    _locked(member.club)
    return _with_role(by, Member.objects.get(pk=member.pk), role)


@transaction.atomic
def add_member(*, by: Account, club: Club, account: Account, role: str) -> Member:
    """Return the membership of an account that belongs to the club, such as an app's; as `change_role` does.

    A person is asked first: see `league.services.invitations`.
    """
    _locked(club)
    member = Member.objects.filter(club=club, account=account).first() or Member(club=club, account=account)
    return _with_role(by, member, role)


def _with_role(by: Account, member: Member, role: str) -> Member:
    club, account = member.club, member.account
    require_say_over(club, by, member.role, role)
    _keep_an_owner(club, member, role)
    before = _of_member(member)
    member.role = role
    check(member)
    member.save()
    kind = _Kind.MEMBER_CHANGED if before else _Kind.MEMBER_ADDED
    note_change(by, club, kind, str(account.pk), before=before, after=_of_member(member), about=account.pk)
    return member


def _of_member(member: Member) -> Values:
    return {"role": member.role} if member.role else {}


@transaction.atomic
def remove_member(*, by: Account, club: Club, account: Account) -> None:
    """End the account's membership, if it has one; raises as `add_member` does."""
    _locked(club)
    member = Member.objects.filter(club=club, account=account).first()
    if member is None:
        permissions.require_organiser(club.pk, by)
        return
    if account != by:
        require_say_over(club, by, member.role)
    _keep_an_owner(club, member, None)
    before = _of_member(member)
    note_change(by, club, _Kind.MEMBER_REMOVED, str(account.pk), before=before, about=account.pk)
    member.delete()


def require_say_over(club: Club, account: Account, *roles: str) -> None:
    """Raise PermissionDenied unless the account may give and take these roles in the club."""
    if set(roles) & {*permissions.DIRECTORS}:
        permissions.require_owner(club.pk, account)
    else:
        permissions.require_organiser(club.pk, account)


def _keep_an_owner(club: Club, member: Member, role: str | None) -> None:
    """Raise `Illegal` if the member is the last owner and would no longer be one."""
    owner = Member.Role.OWNER
    others = Member.objects.filter(club=club, role=owner).exclude(pk=member.pk)
    if member.role == owner != role and not others.exists():
        raise Illegal("A club has at least one owner: make somebody else an owner first.")


# ---- Players -------------------------------------------------------------------------------------


@transaction.atomic
def create_player(
    *,
    by: Account,
    club: Club,
    name: str,
    account: Account | None = None,
    active: bool = True,
    player_id: UUID | None = None,
) -> Player:
    """Return a new player of the club, of the id if one is given; raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    player = _saved(Player(pk=player_id or uuid4(), club=club, name=name, account=account, active=active))
    note_change(by, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@dataclass(frozen=True)
class NewPlayer:
    """A player without an account who is to be made."""

    name: str
    active: bool = True
    id: UUID = field(default_factory=uuid4)


@transaction.atomic
def create_players(*, by: Account, club: Club, new: Sequence[NewPlayer]) -> Sequence[Player]:
    """Return new players of the club, in order; raises `Malformed` and PermissionDenied.

    They are written with two statements, however many there are.
    """
    permissions.require_organiser(club.pk, by)
    players = [
        Player(
            pk=each.id,
            club=club,
            name=each.name.strip(),
            search_name=search_key(each.name),
            active=each.active,
        )
        for each in new
    ]
    for player in players:
        # All are new and without an account, so nothing in the database can contradict their fields.
        check(player, against_others=False)
    Player.objects.bulk_create(players)
    made = [(player.name, _of_player(player), player.pk) for player in players]
    note_changes(by, club, _Kind.PLAYER_MADE, made)
    return players


@transaction.atomic
def take_in_player(*, club: Club, player_id: UUID, name: str) -> Player:
    """Return a new player who has an id already, from another server; raises `Malformed`."""
    player = _saved(Player(id=player_id, club=club, name=name))
    note_change(None, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@transaction.atomic
def player_of_bot(*, club: Club, bot: HouseBot) -> Player:
    """Return the player of a house bot in a club, made when it first sits down there; raises `Malformed`."""
    if known := Player.objects.filter(club=club, account=bot.id).first():
        return known
    locked_out = {"username": f"house-bot-{bot.id}", "bot": True, "password": make_password(None)}
    account, _made = Account.objects.get_or_create(pk=bot.id, defaults=locked_out)
    player = _saved(Player(club=club, name=str(bot.name), account=account))
    note_change(None, club, _Kind.PLAYER_MADE, player.name, after=_of_player(player), about=player.pk)
    return player


@transaction.atomic
def write_player(*, by: Account, player: Player, name: str, account: Account | None, active: bool) -> str:
    """Give a player these values, and return the name before; raises `Malformed` and PermissionDenied.

    `league.services.players.change_player` does, and lets entries follow.
    """
    permissions.require_organiser(player.club_id, by)
    # Entries follow in the same transaction: two such changes could each wait for a competition of the other.
    _locked(player.club)
    stored = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player.pk)
    before = _of_player(stored)
    player.name, player.account, player.active = name, account, active
    _saved(player)
    after = _of_player(player)
    note_change(
        by, player.club, _Kind.PLAYER_CHANGED, player.name, before=before, after=after, about=player.pk
    )
    return stored.name


@transaction.atomic
def write_contacts(*, by: Account, club: Club, contacts: Mapping[Player, Mapping[str, str]]) -> None:
    """Keep what organisers know about how to reach players of the club; empty fields remove it.

    The audit record says which fields changed, and never what is in them. Raises `Malformed` and
    PermissionDenied.
    """
    permissions.require_organiser(club.pk, by)
    before = {each.pk: each for each in Contact.objects.select_for_update().filter(player__in=contacts)}
    after = {player: Contact(player=player, **fields) for player, fields in contacts.items()}
    for contact in after.values():
        check(contact, against_others=False)
    changed = {
        player: names
        for player, contact in after.items()
        if (names := _changed_fields(before.get(player.pk, Contact()), contact))
    }
    kept = [after[player] for player in changed if any(_of_contact(after[player]).values())]
    erased = [player for player in changed if after[player] not in kept]
    if erased:
        Contact.objects.filter(player__in=erased).delete()
        forget_read_files(club)
    Contact.objects.bulk_create(
        kept, update_conflicts=True, unique_fields=["player"], update_fields=[*CONTACT_FIELDS]
    )
    notes = [(player.name, {"fields": ", ".join(names)}, player.pk) for player, names in changed.items()]
    note_changes(by, club, _Kind.CONTACT_CHANGED, notes)


def _changed_fields(before: Contact, after: Contact) -> list[str]:
    pairs = zip(_of_contact(before).items(), _of_contact(after).values(), strict=True)
    return [name for (name, was), now in pairs if was != now]


def _of_contact(contact: Contact) -> dict[str, str]:
    return {name: getattr(contact, name) for name in CONTACT_FIELDS}


def _of_player(player: Player) -> Values:
    account = str(player.account_id) if player.account_id else None
    return {"name": player.name, "account": account, "active": player.active}


def _saved(player: Player) -> Player:
    player.name = player.name.strip()
    player.search_name = search_key(player.name)
    player.bot = player.bot or (player.account is not None and player.account.bot)
    try:
        with transaction.atomic():
            check(player)
            player.save()
    except IntegrityError:
        raise Malformed({"account": [text("This account is another player of the club already.")]}) from None
    return player
