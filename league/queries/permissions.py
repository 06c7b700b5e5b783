"""Permissions of accounts in clubs, by their memberships."""

from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists

from games.engine.messages import text
from games.engine.replay import AnyRuleset
from league.models import Account, Member, Player

DIRECTORS: Final = (Member.Role.OWNER, Member.Role.ORGANISER)
"""The roles that direct a club's competitions and decide tables."""

SCOREKEEPERS: Final = (*DIRECTORS, Member.Role.SCOREKEEPER)
"""The roles that may enter results."""

ORGANISERS_ONLY: Final = text("Only an organiser of the club may do this.")
SCOREKEEPERS_ONLY: Final = text("Only a scorekeeper or an organiser of the club may do this.")


def role_in(club: UUID, account: Account) -> str | None:
    """Return the account's role in the club, None where it is no member."""
    return Member.objects.filter(club=club, account=account).values_list("role", flat=True).first()


def is_organiser(club: UUID, account: Account) -> bool:
    """Return whether the account directs the club, as owner or organiser."""
    return role_in(club, account) in DIRECTORS


def keeps_scores(club: UUID, account: Account) -> bool:
    """Return whether the account may enter results of the club's games."""
    return role_in(club, account) in SCOREKEEPERS


def ruling_moves(club: UUID, account: Account, ruleset: AnyRuleset) -> tuple[str, ...]:
    """Return the ruleset's moves without a seat that the account may make as organiser or scorekeeper."""
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
    if role_in(club, account) != Member.Role.OWNER:
        raise PermissionDenied(text("Only an owner of the club may do this."))


def require_organiser(club: UUID, account: Account) -> None:
    """Raise PermissionDenied unless the account directs the club."""
    if role_in(club, account) not in DIRECTORS:
        raise PermissionDenied(ORGANISERS_ONLY)


def require_member(club: UUID, account: Account) -> None:
    """Raise PermissionDenied unless the account has some role in the club."""
    if role_in(club, account) is None:
        raise PermissionDenied(text("Only a member of the club may do this."))


def player_in(club: UUID, account: Account) -> Player | None:
    """Return the account's own player in the club, None unless it is a member with an active one."""
    membership = Member.objects.filter(club=club, account=account)
    return Player.objects.filter(Exists(membership), club=club, account=account, active=True).first()


def require_player(club: UUID, account: Account) -> Player:
    """Return the account's own player in the club; raise PermissionDenied unless it is a member with one."""
    require_member(club, account)
    player = player_in(club, account)
    if player is None:
        raise PermissionDenied(text("Your account is not linked to a player of the club. Ask an organiser."))
    return player
