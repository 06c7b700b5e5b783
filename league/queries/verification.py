"""Results of verifying logs, cached until the log changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import gettext as _

from games import log as games
from games.models import Game
from games.verifier import WrongLog
from league import log
from league.models import Competition

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
