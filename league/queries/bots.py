"""Bots: programs that play by themselves, and where a club lets them."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.contrib.postgres.aggregates import BoolAnd

from league.choices import BotsPlay
from league.models import Club, Competition, EntryPlayer, Player


def kept_out(club: Club, where: BotsPlay, players: Iterable[UUID]) -> Collection[UUID]:
    """Return those of the players who are bots, if the club does not let bots play there."""
    if where in club.bots:
        return ()
    bots = Player.objects.filter(club=club, bot=True, pk__in=[*players]).order_by("pk")
    return {*bots.values_list("pk", flat=True)}


def entries_of_bots(competition: Competition) -> Collection[str]:
    """Return the ids of a competition's entries all of whose players are bots."""
    players = EntryPlayer.objects.filter(entry__competition=competition).order_by().values_list("entry")
    only = players.annotate(only=BoolAnd("player__bot")).filter(only=True)
    return {str(entry) for entry, _only in only}
