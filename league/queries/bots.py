"""Bots: programs that play by themselves, and where a club lets them."""

from collections.abc import Collection, Iterable
from uuid import UUID

from league.choices import BotsPlay
from league.models import Club, Player


def kept_out(club: Club, where: BotsPlay, players: Iterable[UUID]) -> Collection[UUID]:
    """Return those of the players who are bots, if the club does not let bots play there."""
    if where in club.bots:
        return ()
    bots = Player.objects.filter(club=club, bot=True, pk__in=[*players]).order_by("pk")
    return {*bots.values_list("pk", flat=True)}
