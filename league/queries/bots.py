"""Bots: programs that play by themselves, and where a club lets them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg, BoolAnd

from league.choices import BotsPlay
from league.models import Club, Competition, EntryPlayer, Player


def kept_out(club: Club, where: BotsPlay, players: Iterable[UUID]) -> Collection[UUID]:
    """Return those of the players who are bots, if the club does not let bots play there."""
    if where in club.bots:
        return ()
    bots = Player.objects.filter(club=club, bot=True, pk__in=[*players]).order_by("pk")
    return {*bots.values_list("pk", flat=True)}


@dataclass(frozen=True)
class Entrants:
    """Who enters a competition: the ids of entries of bots alone, and the player of each entry but teams."""

    bots: Collection[str]
    players: Mapping[UUID, UUID]


def entrants_of(competition: Competition, among: Collection[UUID] | None = None) -> Entrants:
    """Return who enters a competition, with ``among`` for entries with these ids alone; one query."""
    entered = EntryPlayer.objects.filter(entry__competition=competition)
    if among is not None:
        entered = entered.filter(entry__in=among)
    members = entered.order_by().values_list("entry")
    rows = list(members.annotate(only=BoolAnd("player__bot"), players=ArrayAgg("player")))
    return Entrants(
        {str(entry) for entry, only, _players in rows if only},
        {entry: players[0] for entry, _only, players in rows if len(players) == 1},
    )


def entries_of_bots(competition: Competition) -> Collection[str]:
    """Return the ids of a competition's entries all of whose players are bots."""
    return entrants_of(competition).bots
