"""A competition with all its games as one file (docs/log.md): what anybody may read of it, and no more."""

from collections.abc import Iterator, Mapping

from games import log as games
from games.models import Game
from league import log, portable
from league.competition import events
from league.competition.games import games_of
from league.models import Competition, Player
from league.portable import Header
from league.verify import players_of


def lines(competition: Competition) -> Iterator[str]:
    """Yield the file's lines, the same bytes for the same logs.

    A game that still runs is there without its seed; its moves say what a player may say aloud. Games are
    read one by one, and may be further than the competition's log, which is read first. The log ends before a
    draw that is not published yet.
    """
    told = log.public_entries(competition)
    happened = [events.read(entry.event) for entry in told]
    return portable.written(
        Header(str(competition.pk), competition.slug, competition.club.name),
        _names({*players_of(happened)}),
        map(log.line, told),
        {game: _lines_of(game) for _, game in games_of(happened)},
    )


def _names(players: set[str]) -> Mapping[str, str]:
    named = Player.objects.filter(pk__in=players).values_list("pk", "name")
    return {str(player): name for player, name in named}


def _lines_of(game: str) -> Iterator[str]:
    yield from games.lines(Game.objects.get(pk=game))
