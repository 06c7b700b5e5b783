"""Logs as files (docs/log.md): a game's, a competition's, and a competition's with all its games."""

from collections.abc import Iterator, Mapping

from games import log as games
from games.models import Game
from league import log
from league.core import events, portable
from league.core.portable import Header
from league.core.verifier import players_of
from league.models import Competition, Player
from league.queries.details import details_of, told_by


def game_lines(game: Game) -> Iterator[str]:
    """Yield a game's log as JSON Lines, the file that `games.verify` takes."""
    return games.lines(game)


def log_lines(competition: Competition, *, withheld: bool = False) -> Iterator[str]:
    """Yield a competition's public log as JSON Lines; with ``withheld`` all of it."""
    return log.lines(competition, withheld=withheld)


def lines(competition: Competition) -> Iterator[str]:
    """Yield the lines of a competition with its games, the same bytes for the same logs.

    They contain only what is public: a running game without its seed, its moves without secrets, and the
    competition's log only up to an unpublished draw. Games are read one by one after the competition's log,
    so they may be ahead of it.
    """
    entries = log.public_entries(competition)
    logged = [events.read(entry.event) for entry in entries]
    return portable.written(
        Header(str(competition.pk), competition.slug, competition.club.name),
        _names({*players_of(logged)}),
        map(log.line, entries),
        {
            game: _lines_of(game)
            for event in logged
            if isinstance(event, events.OpensGames)
            for _, game in event.opened_games()
        },
        told_by(details_of(competition)),
    )


def _names(players: set[str]) -> Mapping[str, str]:
    named = Player.objects.filter(pk__in=players).values_list("pk", "name")
    return {str(player): name for player, name in named}


def _lines_of(game: str) -> Iterator[str]:
    yield from games.lines(Game.objects.get(pk=game))
