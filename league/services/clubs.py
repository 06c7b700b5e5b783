"""Clubs, their members, and the apps that act for them."""

import re
from collections.abc import Sequence
from typing import Final
from uuid import uuid4

from django.db import IntegrityError, transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.models import Account, App, Club, ClubChange, FormerAddress, Member, Token
from league.models.names import address_of
from league.projections import public_names
from league.queries import permissions
from league.services.accounts import YEAR, NewToken, create_account, create_token, revoke_token
from league.services.audit import Values, note_change
from league.services.checking import check
from league.services.players import create_player

_Kind: Final = ClubChange.Kind
TAKEN: Final = text("There is already a club with this address.")
_KEPT: Final = ("name", "slug", "timezone", "quiet", "mail_note", "bots", "embed_on", "names", "paper")
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
    names: str | None = None,
    paper: str | None = None,
) -> Club:
    """Return the club with these values (None keeps one); raises `Malformed` and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    stored = _locked(club)
    before = _of_club(stored)
    club.name, club.timezone = name, timezone
    club.quiet = stored.quiet if quiet is None else quiet
    club.mail_note = stored.mail_note if mail_note is None else mail_note
    club.bots = stored.bots if bots is None else sorted({*bots})
    club.names = stored.names if names is None else names
    club.paper = stored.paper if paper is None else paper
    club.embed_on = stored.embed_on if embed_on is None else _origins(embed_on)
    if name != stored.name:
        _follow_name(club)
    check(club)
    club.save(update_fields=[*_KEPT])
    if club.names != stored.names:
        public_names.follow(club.pk)
    elif club.name != stored.name:
        hooks.people_named(club.pk)
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


# ---- Apps -----------------------------------------------------------------------------------------


@transaction.atomic
def create_app(
    *, by: Account, club: Club, name: str, role: str = Member.Role.SCOREKEEPER, plays: bool = False
) -> App:
    """Return a new app of the club with an account that nobody can log in with.

    One that ``plays`` is a bot, and a player of its name is added to the club. Raises `Malformed`, and
    PermissionDenied unless the account may give the role.
    """
    require_say_over(club, by, role)
    made_up = f"{club.slug[:30]}-{address_of(name)[:30] or 'app'}-{uuid4().hex[:6]}"
    app = App(club=club, name=name.strip(), account=create_account(username=made_up, bot=plays))
    check(app)
    app.save(force_insert=True)
    add_member(by=by, club=club, account=app.account, role=role)
    if plays:
        create_player(by=by, club=club, name=app.name, account=app.account)
    note_change(by, club, _Kind.APP_MADE, app.name, after={"account": made_up})
    return app


@transaction.atomic
def create_app_token(
    *, by: Account, app: App, name: str, scopes: Sequence[str], days: int | None = YEAR
) -> NewToken:
    """Return a new token of the app with its secret; it works so many days, or for good with None.

    Raises `Malformed`, `Illegal` and PermissionDenied.
    """
    _require_say(by, app)
    if App.objects.select_for_update().get(pk=app.pk).retired_at:
        raise Illegal("This app is retired: create a new one.")
    made = create_token(by=app.account, name=name, scopes=scopes, days=days)
    after = {"token": name, "scopes": ", ".join(made.token.scopes)}
    note_change(by, app.club, _Kind.APP_TOKEN_MADE, app.name, after=after)
    return made


@transaction.atomic
def revoke_app_token(*, by: Account, app: App, token: Token) -> Token:
    """Revoke a token of the app for good; a second time changes nothing."""
    _require_say(by, app)
    live = token.revoked_at is None
    revoked = revoke_token(by=app.account, token=token)
    if live:
        before = {"token": token.name}
        note_change(by, app.club, _Kind.APP_TOKEN_REVOKED, app.name, before=before)
    return revoked


@transaction.atomic
def retire_app(*, by: Account, app: App) -> App:
    """End an app: its tokens are revoked and its membership removed; its entries in logs stay."""
    _require_say(by, app)
    stored = App.objects.select_for_update(of=("self",)).select_related("account", "club").get(pk=app.pk)
    if stored.retired_at is None:
        now = database_time.now()
        remove_member(by=by, club=stored.club, account=stored.account)
        Token.objects.filter(account=stored.account, revoked_at=None).update(revoked_at=now)
        Account.objects.filter(pk=stored.account_id).update(is_active=False)
        stored.retired_at = now
        stored.save(update_fields=["retired_at"])
        before = {"account": stored.account.username}
        note_change(by, stored.club, _Kind.APP_RETIRED, stored.name, before=before)
    return stored


def _require_say(by: Account, app: App) -> None:
    """Raise PermissionDenied unless the account may give the app the role that it has."""
    permissions.require_organiser(app.club_id, by)
    require_say_over(app.club, by, permissions.role_in(app.club_id, app.account) or Member.Role.PLAYER)
