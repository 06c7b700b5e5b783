"""What is going on in a club: its competitions and games that are not over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from games.models import Game
from league.models import Club, ClubGame, Competition

OVER = (Competition.Status.FINISHED, Competition.Status.CANCELLED)


@dataclass(frozen=True)
class GoingOn:
    """Competitions and games, each the oldest first."""

    competitions: Sequence[Competition]
    games: Sequence[ClubGame]


def going_on(club: UUID, *, over: Collection[UUID] = ()) -> GoingOn:
    """Return what is going on in a club, and of what is ``over`` what is named by its id; three queries.

    Raises Club.DoesNotExist.
    """
    its_club = Club.objects.get(pk=club)
    competitions = Competition.objects.filter(~Q(status__in=OVER) | Q(pk__in=over), club=its_club)
    running = Q(game__status__in=(Game.Status.ACTIVE, Game.Status.INVITED))
    games = ClubGame.objects.filter(running | Q(pk__in=over), club=its_club).select_related("game")
    return GoingOn(
        list(competitions.order_by("opened_at", "pk")),
        list(games.order_by("game__opened_at", "pk")),
    )
