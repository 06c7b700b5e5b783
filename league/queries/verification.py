"""Logs for the verifier, as files (docs/log.md), and its results, cached until the log changes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from games import log as games
from games.engine.messages import text
from games.models import Game
from games.verifier import WrongLog
from league import log
from league.core import events, portable
from league.core.portable import Header
from league.core.verifier import players_of
from league.models import Competition, Player
from league.queries.competitions import details_of, told_by
from league.queries.readers import hidden_words, tells_hidden

CACHED_SECONDS: Final = 3600


@dataclass(frozen=True)
class Check:
    """The error that the verifier found in a log, empty for none; of a game the purposes of its draws too."""

    wrong: str
    purposes: tuple[str, ...] = ()


def check_of(game: Game) -> Check:
    """Return the check of a finished game's log, repeated every hour."""
    return _cached(game.pk, game.head, lambda: games.verified(game).purposes)


def check_of_competition(competition: Competition) -> Check:
    """Return the check of a competition's log, repeated every hour."""
    return _cached(competition.pk, competition.head, lambda: _verified(competition))


def _verified(competition: Competition) -> tuple[str, ...]:
    log.verified(competition)
    return ()


def _cached(pk: UUID, head: str, verify: Callable[[], tuple[str, ...]]) -> Check:
    key = f"verified:{pk}:{head}"
    check: Check | None = cache.get(key)
    if check is None:
        check = _checked(verify)
        cache.set(key, check, CACHED_SECONDS)
    return check


def _checked(verify: Callable[[], tuple[str, ...]]) -> Check:
    try:
        return Check("", verify())
    except WrongLog as wrong:
        return Check(str(wrong))


def in_words(check: Check) -> str:
    """Return a check as a mark or a sentence."""
    return _("The log is wrong: %(wrong)s") % {"wrong": check.wrong} if check.wrong else _("✓ verified")


def game_in_words(game: Game) -> str:
    """Return the check of a game as text, or why it cannot be checked yet."""
    if not game.is_over:
        return _("The log can be checked when the game is over and its seed is published.")
    return in_words(check_of(game))


# ---- Files ---------------------------------------------------------------------------------------


def game_lines(game: Game) -> Iterator[str]:
    """Yield a game's log as JSON Lines, the file that `games.verify` takes."""
    return games.lines(game)


def log_lines(competition: Competition, *, withheld: bool = False) -> Iterator[str]:
    """Yield a competition's public log as JSON Lines; with ``withheld`` all of it."""
    return log.lines(competition, withheld=withheld)


def readable(competition: Competition) -> Competition:
    """Return a competition whose log and file the reader may read.

    Raises PermissionDenied where the log says names of entries that are made of names which are for others.
    """
    words = hidden_words(competition.club_id)
    named = log.rows(competition).filter(event__has_key="entry") if words else log.rows(competition).none()
    if any(tells_hidden(each.event, words) for each in named):
        raise PermissionDenied(text("This log has names of people that are for members of the club alone."))
    return competition


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
    return {str(player.pk): player.called for player in Player.objects.filter(pk__in=players)}


def _lines_of(game: str) -> Iterator[str]:
    yield from games.lines(Game.objects.get(pk=game))
