"""Permissions of accounts in clubs: by their memberships, and the scopes of the token that they call by."""

from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists
from django.utils.translation import gettext as _

from games.engine.messages import filled, text
from games.engine.replay import AnyRuleset
from league.choices import TokenScope
from league.models import Account, Member, Player

DIRECTORS: Final = (Member.Role.OWNER, Member.Role.ORGANISER)
"""The roles that direct a club's competitions and decide tables."""

SCOREKEEPERS: Final = (*DIRECTORS, Member.Role.SCOREKEEPER)
"""The roles that may enter results."""

ORGANISERS_ONLY: Final = text("Only an organiser of the club may do this.")
SCOREKEEPERS_ONLY: Final = text("Only a scorekeeper or an organiser of the club may do this.")


SEES_ITS_SEAT: Final = (TokenScope.READ_PRIVATE, TokenScope.PLAY_MOVE)
"""With either, an account sees what its seat sees: who plays must look."""


READS_AS_MEMBER: Final = (TokenScope.READ_PRIVATE, TokenScope.PLAY_ENTER)
"""With either, a member sees who of the club looks for players."""


class ScopeMissing(PermissionDenied):
    """The token by which the account calls has none of the needed ``scopes``."""

    def __init__(self, scopes: tuple[str, ...]) -> None:
        names = _(" or ").join(scopes)
        super().__init__(filled(_("This needs a token with the scope %(scopes)s."), {"scopes": names}))
        self.scopes = scopes


def require_scope(account: Account, *scopes: str) -> None:
    """Raise `ScopeMissing` where the account calls by a token that has none of the scopes."""
    if not account.has_scope(*scopes):
        raise ScopeMissing(scopes)


def require_person(account: Account) -> None:
    """Raise PermissionDenied where the account calls by a token: only the person may do this."""
    if account.token is not None:
        raise PermissionDenied(
            text("Log in on the web to do this. A token can’t create or revoke other tokens.")
        )


def role_in(club: UUID, account: Account) -> str | None:
    """Return the account's role in the club, None where it is no member."""
    return Member.objects.filter(club=club, account=account).values_list("role", flat=True).first()


def reads_as_member(club: UUID, account: Account | None) -> bool:
    """Return whether the account sees what a club shows to its members alone."""
    return account is not None and account.has_scope(*READS_AS_MEMBER) and role_in(club, account) is not None


def is_organiser(club: UUID, account: Account) -> bool:
    """Return whether the account directs the club, as owner or organiser."""
    return account.has_scope(TokenScope.CLUB_ORGANISE) and role_in(club, account) in DIRECTORS


def keeps_scores(club: UUID, account: Account) -> bool:
    """Return whether the account may enter results of the club's games."""
    return account.has_scope(TokenScope.CLUB_RULE) and role_in(club, account) in SCOREKEEPERS


def ruling_moves(club: UUID, account: Account, ruleset: AnyRuleset) -> tuple[str, ...]:
    """Return the ruleset's moves without a seat that the account's role in the club allows.

    Its token must have the scope ``club:rule``, too.
    """
    if not ruleset.arbiter_moves:
        return ()
    match role_in(club, account):
        case Member.Role.OWNER | Member.Role.ORGANISER:
            return ruleset.arbiter_moves
        case Member.Role.SCOREKEEPER:
            return ruleset.scorekeeper_moves
        case _:
            return ()


def require_owner(club: UUID, account: Account) -> None:
    """Raise PermissionDenied unless the account owns the club."""
    require_scope(account, TokenScope.CLUB_ORGANISE)
    if role_in(club, account) != Member.Role.OWNER:
        raise PermissionDenied(text("Only an owner of the club may do this."))


def require_organiser(club: UUID, account: Account, scope: str = TokenScope.CLUB_ORGANISE) -> None:
    """Raise PermissionDenied unless the account directs the club, and calls with the scope."""
    require_scope(account, scope)
    if role_in(club, account) not in DIRECTORS:
        raise PermissionDenied(ORGANISERS_ONLY)


def require_scorekeeper(club: UUID, account: Account) -> None:
    """Raise PermissionDenied unless the account may enter results of the club's games."""
    require_scope(account, TokenScope.CLUB_RULE)
    if role_in(club, account) not in SCOREKEEPERS:
        raise PermissionDenied(SCOREKEEPERS_ONLY)


def require_member(club: UUID, account: Account, *scopes: str) -> None:
    """Raise PermissionDenied unless the account is a member of the club, and calls with one of the scopes."""
    require_scope(account, *scopes)
    if role_in(club, account) is None:
        raise PermissionDenied(text("Only a member of the club may do this."))


def player_in(club: UUID, account: Account) -> Player | None:
    """Return the account's own player in the club, None unless it is a member with an active one."""
    membership = Member.objects.filter(club=club, account=account)
    return Player.objects.filter(Exists(membership), club=club, account=account, active=True).first()


def require_player(club: UUID, account: Account, *scopes: str) -> Player:
    """Return the account's own player in the club.

    Raises PermissionDenied unless the account is a member with a player, and calls with one of the scopes.
    """
    require_member(club, account, *scopes)
    player = player_in(club, account)
    if player is None:
        raise PermissionDenied(text("Your account is not linked to a player of the club. Ask an organiser."))
    return player
