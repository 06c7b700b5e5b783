"""What the verifiers say of logs, remembered for as long as the log stays as it is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import gettext as _

from games import log as games
from games.models import Game
from games.verify import WrongLog
from league import log
from league.models import Competition

REMEMBERED_SECONDS: Final = 3600


@dataclass(frozen=True)
class Check:
    """What the verifier found wrong in a log; empty where everything holds."""

    wrong: str


def check_of(game: Game) -> Check:
    """Return what the verifier says of a closed log, looked at again every hour."""
    return _remembered(game.pk, game.head, lambda: games.verified(game))


def check_of_competition(competition: Competition) -> Check:
    """Return what the verifier says of a competition's log, looked at again every hour."""
    return _remembered(competition.pk, competition.head, lambda: log.verified(competition))


def _remembered(pk: UUID, head: str, verify: Callable[[], object]) -> Check:
    key = f"verified:{pk}:{head}"
    found: Check | None = cache.get(key)
    if found is None:
        found = _checked(verify)
        cache.set(key, found, REMEMBERED_SECONDS)
    return found


def _checked(verify: Callable[[], object]) -> Check:
    try:
        verify()
    except WrongLog as wrong:
        return Check(str(wrong))
    return Check("")


def in_words(check: Check) -> str:
    """Return a check as a mark or a sentence."""
    return _("The log does not hold: %(wrong)s") % {"wrong": check.wrong} if check.wrong else _("✓ verified")


def game_in_words(game: Game) -> str:
    """Return what the verifier says of a game, or why it cannot yet."""
    if not game.is_over:
        return _("It can be checked when the game is over and its seed is published.")
    return in_words(check_of(game))
