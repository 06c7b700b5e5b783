"""Who appears: whom a competition or game of their club names, or an app's log as a player who played.

Nobody else is shown in public.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast

from games.models import Seat
from league import hooks, log
from league.models import Player


def appear(players: Iterable[UUID | str]) -> None:
    """Note that players, or those who were merged into them, are named by a log as those who play."""
    ids = {str(each) for each in players}
    Player.objects.filter(Q(pk__in=ids) | Q(merged__in=ids), appeared=False).update(appeared=True)


def appeared_in(club: UUID) -> set[UUID]:
    """Return the ids of a club's players whom a competition or game names, or an app's log as who played."""
    people = list(Player.objects.filter(club=club).select_related("merged_into"))
    named = _named(club).union(*(played(club) for played in hooks.PLAYED))
    return named | {each.merged_into_id for each in people if each.merged_into_id and each.pk in named}


def _named(club: UUID) -> set[UUID]:
    events = log.all_rows().filter(competition__club=OuterRef("club"))
    said = events.annotate(said=Cast("event", TextField())).filter(
        said__contains=Cast(OuterRef("pk"), TextField())
    )
    seats = Seat.objects.filter(player=OuterRef("pk"))
    found = Player.objects.filter(Exists(seats) | Exists(said), club=club)
    return {*found.order_by().values_list("pk", flat=True)}


def rebuild(club: UUID) -> None:
    """Say of each player of a club anew whether a log names them."""
    named = appeared_in(club)
    players = Player.objects.filter(club=club)
    players.filter(pk__in=named, appeared=False).update(appeared=True)
    players.filter(appeared=True).exclude(pk__in=named).update(appeared=False)
