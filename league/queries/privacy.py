"""Whom a player lets see what is collected about them.

Competitions are public: their tables, standings and logs name whoever plays. What a player can keep to the
club, or to themselves, is their row in lists of players and their record: results, ratings, meetings.
"""

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.choices import Audience, TokenScope
from league.models import Account, Member, Player
from league.models.names import search_key
from league.queries.permissions import SCOREKEEPERS

_SCOPES: Final = (
    TokenScope.READ_PRIVATE,
    TokenScope.PLAY_ENTER,
    TokenScope.CLUB_RULE,
    TokenScope.CLUB_ORGANISE,
)
"""With one of them, a token sees more than the public."""


def shown_to(viewer: Account | None, players: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of the players who let the viewer see them; a viewer without account is None."""
    public = Q(audience=Audience.EVERYBODY)
    if viewer is None or not viewer.has_scope(*_SCOPES):
        return players.filter(public)
    mine = Member.objects.filter(account=viewer, club=OuterRef("club"))
    of_club = Q(Exists(mine), audience=Audience.CLUB)
    return players.filter(
        public | Q(account=viewer) | of_club | Q(Exists(mine.filter(role__in=SCOREKEEPERS)))
    )


def is_shown(player: Player, viewer: Account | None) -> bool:
    """Return whether the player lets the viewer see the record; a query unless everybody sees it."""
    everybody = player.audience == Audience.EVERYBODY
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
    return agreed.order_by("search_name", "pk")


def findable_players(name: str) -> QuerySet[Player]:
    """Return the active players of all clubs who agreed to be found and have each word of a name, by name."""
    agreed = Player.objects.filter(findable=True, active=True, anonymous=False, merged_into=None)
    words = search_key(name).split()
    found = agreed.filter(*(Q(search_name__contains=word) for word in words)) if words else agreed.none()
    return found.select_related("club").order_by("search_name", "club__name", "pk")
