"""Who appears: the people whom a log of their club names. Nobody else is shown in public."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast

from games.models import Seat
from league import hooks, log
from league.models import Player


def appear(players: Iterable[UUID | str]) -> None:
    """Note that players, or those who were merged into them, are named by a log."""
    ids = {str(each) for each in players}
    Player.objects.filter(Q(pk__in=ids) | Q(merged__in=ids), appeared=False).update(appeared=True)


def appeared_in(club: UUID) -> set[UUID]:
    """Return the ids of a club's players whom a log names: of a competition, a game or an app's."""
    people = list(Player.objects.filter(club=club).select_related("merged_into"))
    named = _named(club)
    named |= {each.pk for each in people if each.pk not in named and any(of(each) for of in hooks.NAMED)}
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
