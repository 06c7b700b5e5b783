"""Permissions of accounts in clubs, by their memberships; of its token an account knows by itself."""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games.engine.messages import text
from games.engine.replay import AnyRuleset
from league.choices import Audience, NamesShown, TokenScope
from league.models import Account, Member, Player
from league.models.accounts import ScopeMissing as ScopeMissing
from league.models.names import search_key

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
    account.require_scope(TokenScope.CLUB_ORGANISE)
    if role_in(club, account) != Member.Role.OWNER:
        raise PermissionDenied(text("Only an owner of the club may do this."))


def require_organiser(club: UUID, account: Account, scope: str = TokenScope.CLUB_ORGANISE) -> None:
    """Raise PermissionDenied unless the account directs the club, and calls with the scope."""
    account.require_scope(scope)
    if role_in(club, account) not in DIRECTORS:
        raise PermissionDenied(ORGANISERS_ONLY)


def require_scorekeeper(club: UUID, account: Account) -> None:
    """Raise PermissionDenied unless the account may enter results of the club's games."""
    account.require_scope(TokenScope.CLUB_RULE)
    if role_in(club, account) not in SCOREKEEPERS:
        raise PermissionDenied(SCOREKEEPERS_ONLY)


def require_member(club: UUID, account: Account, *scopes: str) -> None:
    """Raise PermissionDenied unless the account is a member of the club, and calls with one of the scopes."""
    account.require_scope(*scopes)
    if role_in(club, account) is None:
        raise PermissionDenied(text("Only a member of the club may do this."))


def player_in(club: UUID, account: Account) -> Player | None:
    """Return the account's own player in the club, None unless it is a member with an active one."""
    membership = Member.objects.filter(club=club, account=account)
    return Player.objects.filter(Exists(membership), club=club, account=account, active=True).first()


def guest_in(club: UUID, account: Account) -> Player | None:
    """Return the account's active player in a club of which it is no member, such as another club's team has.

    It reads what is its own there; whatever it does, its own club's desk does for it.
    """
    members = Member.objects.filter(club=club, account=account)
    return Player.objects.filter(~Exists(members), club=club, account=account, active=True).first()


def require_player(club: UUID, account: Account, *scopes: str) -> Player:
    """Return the account's own player in the club.

    Raises PermissionDenied unless the account is a member with a player, and calls with one of the scopes.
    """
    require_member(club, account, *scopes)
    player = player_in(club, account)
    if player is None:
        raise PermissionDenied(text("Your account is not linked to a player of the club. Ask an organiser."))
    return player


# ---- What players let others see -----------------------------------------------------------------
#
# Competitions are public: their tables, standings and logs name whoever plays. What a player can keep to the
# club, or to themselves, is their row in lists of players and their record: results, ratings, meetings.

SEES_MORE: Final = (
    TokenScope.READ_PRIVATE,
    TokenScope.PLAY_ENTER,
    TokenScope.CLUB_RULE,
    TokenScope.CLUB_ORGANISE,
)
"""With one of them, a token sees more than the public."""


_NAMELESS: Final = Q(bot=False, anonymous=False) & (
    Q(names=NamesShown.MEMBERS) | Q(names="", club__names=NamesShown.MEMBERS)
)
"""Whose names are for the club's people alone."""


def shown_to(viewer: Account | None, players: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of the players who let the viewer see them; a viewer without account is None.

    Who never played, and whose name is for them, is shown to the club's people alone.
    """
    public = Q(audience=Audience.EVERYBODY, appeared=True) & ~_NAMELESS
    if viewer is None or not viewer.has_scope(*SEES_MORE):
        return players.filter(public)
    mine = Member.objects.filter(account=viewer, club=OuterRef("club"))
    of_club = Q(Exists(mine), ~Q(audience=Audience.NOBODY))
    return players.filter(
        public | Q(account=viewer) | of_club | Q(Exists(mine.filter(role__in=SCOREKEEPERS)))
    )


def is_shown(player: Player, viewer: Account | None) -> bool:
    """Return whether the player lets the viewer see the record; a query unless everybody sees it."""
    everybody = player.audience == Audience.EVERYBODY and player.appeared
    everybody = everybody and player.public_name == player.name
    return everybody or shown_to(viewer, Player.objects.filter(pk=player.pk)).exists()


def ids_shown(player_id: UUID, viewer: Account | None) -> QuerySet[Player, UUID]:
    """Return the id if its player lets the viewer see the record, for a condition of a query."""
    return shown_to(viewer, Player.objects.filter(pk=player_id)).order_by().values_list("pk", flat=True)


def ids_of_shown(players: Iterable[UUID], viewer: Account | None) -> QuerySet[Player, UUID]:
    """Return the ids of those of the players who let the viewer see the record."""
    return shown_to(viewer, Player.objects.filter(pk__in=[*players])).order_by().values_list("pk", flat=True)


def record_of(player: Player, viewer: Account | None) -> Player:
    """Return the player; raises Player.DoesNotExist where the viewer may not see the record."""
    if not is_shown(player, viewer):
        raise Player.DoesNotExist
    return player


def players_told() -> QuerySet[Player]:
    """Return the players of whom search engines are told, by name: who agreed to be found by everybody."""
    agreed = shown_to(
        None, Player.objects.filter(findable=True, active=True, anonymous=False, merged_into=None)
    )
    return agreed.order_by("sort_name", "pk")


def findable_players(name: str) -> QuerySet[Player]:
    """Return the active players of all clubs who agreed to be found and have each word of a name, by name."""
    agreed = Player.objects.filter(
        findable=True,
        active=True,
        anonymous=False,
        merged_into=None,
        appeared=True,
        public_name=F("name"),
    )
    words = search_key(name).split()
    found = agreed.filter(*(Q(search_name__contains=word) for word in words)) if words else agreed.none()
    return found.select_related("club").order_by("sort_name", "club__name", "pk")
