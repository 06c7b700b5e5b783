"""Who is away when."""

from collections.abc import Collection, Mapping
from datetime import date
from uuid import UUID

from django.db.models import Max, QuerySet

from games import database_time
from league.apps.away.models import Away
from league.models import Account, Club, Player
from league.queries import permissions
from league.queries.verbs import SEES_ITS_PART


def away_of(players: QuerySet[Player]) -> QuerySet[Away]:
    """Return when players are away, as far as it is not over, the next time first."""
    found = Away.objects.filter(player__in=players, until__gte=database_time.now().date())
    return found.select_related("player__club").order_by("since", "until", "player__sort_name", "pk")


def players_of(account: Account) -> QuerySet[Player]:
    """Return the players of an account, by the names of their clubs."""
    return Player.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


def away_in(club: Club, by: Account) -> QuerySet[Away]:
    """Return when the club's people are away, for its organisers; for others when they are themselves.

    Raises PermissionDenied for who is neither an organiser nor a player of the club.
    """
    players = Player.objects.filter(club=club, merged_into=None)
    if not permissions.is_organiser(club.pk, by):
        players = players.filter(pk=permissions.require_player(club.pk, by, *SEES_ITS_PART).pk)
    return away_of(players)


def away_on(players: Collection[UUID], day: date) -> Mapping[UUID, date]:
    """Return until when each of the players is away who is away on a day."""
    found = Away.objects.filter(player__in=players, since__lte=day, until__gte=day).order_by()
    return dict(found.values_list("player").annotate(last=Max("until")))
