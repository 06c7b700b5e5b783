"""A club's apps: their accounts and tokens, made and revoked by those who may give them their role."""

from collections.abc import Sequence
from uuid import uuid4

from django.db import transaction

from games import database_time
from games.engine.refusals import Illegal
from league.models import Account, App, Club, ClubChange, Member, Token
from league.models.names import address_of
from league.queries.permissions import require_organiser, role_in
from league.services.accounts import YEAR, NewToken, create_account, create_token, revoke_token
from league.services.audit import note_change
from league.services.checking import check
from league.services.clubs import add_member, create_player, remove_member, require_say_over

_Change = ClubChange.Kind


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
    note_change(by, club, _Change.APP_MADE, app.name, after={"account": made_up})
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
    note_change(by, app.club, _Change.APP_TOKEN_MADE, app.name, after=after)
    return made


@transaction.atomic
def revoke_app_token(*, by: Account, app: App, token: Token) -> Token:
    """Revoke a token of the app for good; a second time changes nothing."""
    _require_say(by, app)
    live = token.revoked_at is None
    revoked = revoke_token(by=app.account, token=token)
    if live:
        before = {"token": token.name}
        note_change(by, app.club, _Change.APP_TOKEN_REVOKED, app.name, before=before)
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
        note_change(by, stored.club, _Change.APP_RETIRED, stored.name, before=before)
    return stored


def _require_say(by: Account, app: App) -> None:
    """Raise PermissionDenied unless the account may give the app the role that it has."""
    require_organiser(app.club_id, by)
    require_say_over(app.club, by, role_in(app.club_id, app.account) or Member.Role.PLAYER)
