"""Bots: programs that play by themselves, and where a club lets them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from games.prepared import all_rows
from league.choices import BotsPlay
from league.models import Club, Competition, Player


def kept_out(club: Club, where: BotsPlay, players: Iterable[UUID]) -> Collection[UUID]:
    """Return those of the players who are bots, if the club does not let bots play there."""
    if where in club.bots:
        return ()
    bots = Player.objects.filter(club=club, bot=True, pk__in=[*players]).order_by("pk")
    return {*bots.values_list("pk", flat=True)}


_ENTRANTS: Final = """
SELECT entry.id::text, entry.name, coalesce(bool_and(player.bot), false),
    CASE WHEN count(player.id) = 1 THEN min(player.id::text) END
FROM league_entry AS entry
LEFT JOIN league_entryplayer AS member ON member.entry_id = entry.id
LEFT JOIN league_player AS player ON player.id = member.player_id
WHERE entry.competition_id = %(competition)s::text::uuid GROUP BY entry.id
"""


@dataclass(frozen=True)
class Entrants:
    """Who enters a competition, by entry as text: those of bots alone, names, and players but of teams."""

    bots: Collection[str]
    names: Mapping[str, str]
    players: Mapping[str, str]


def entrants_of(competition: Competition) -> Entrants:
    """Return who enters a competition; one statement."""
    rows = all_rows(_ENTRANTS, {"competition": str(competition.pk)})
    return Entrants(
        {entry for entry, _name, bot, _player in rows if bot},
        {entry: name for entry, name, _bot, _player in rows},
        {entry: player for entry, _name, _bot, player in rows if player},
    )


def entries_of_bots(competition: Competition) -> Collection[str]:
    """Return the ids of a competition's entries all of whose players are bots."""
    return entrants_of(competition).bots
