"""An invitation to a game in words: who asks, for which game, how long it is, and what is not as usual."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules
from games.engine.lengths import GameLength, length_of
from league.models import ClubGame
from league.queries.games import SeatedPlayer
from league.queries.invited_games import asking_player
from league.words.messages import translated
from league.words.options import options_in_words
from league.words.values import ruleset_title


@dataclass(frozen=True)
class Asked:
    """What is asked: ``who`` and ``game`` are sentences, ``options`` those that are not as usual.

    ``before`` is the game of which it is the rematch.
    """

    who: str
    game: str
    options: Sequence[tuple[str, str]]
    before: UUID | None


def asked_in_words(club_game: ClubGame, seats: Sequence[SeatedPlayer]) -> Asked:
    """Return what an invitation to a casual game asks for."""
    game, by = club_game.game, asking_player(club_game, seats)
    sentence = (
        _("%(name)s asks for a rematch.") if club_game.rematch_of_id else _("%(name)s asks for this game.")
    )
    return Asked(
        who=sentence % {"name": by.name} if by else "",
        game=game_in_words(game.ruleset, game.options, len(seats)),
        options=unusual_options(game.ruleset, game.options, len(seats)),
        before=club_game.rematch_of_id,
    )


def game_in_words(ruleset: str, options: Mapping[str, Any], seats: int) -> str:
    """Return the game, its length where it has one of those offered, and the number of players."""
    length = length_of(_lengths(ruleset), options)
    players = ngettext("%(count)d player", "%(count)d players", seats) % {"count": seats}
    parts = [ruleset_title(ruleset), translated(length.title) if length else "", players]
    return str(capfirst(" · ".join(filter(None, parts))))


def _lengths(ruleset: str) -> Sequence[GameLength]:
    try:
        return rules.find(ruleset).lengths
    except KeyError:
        return ()


def unusual_options(ruleset: str, options: Mapping[str, Any], seats: int) -> list[tuple[str, str]]:
    """Return title and value of the options that are not at their default, without those of the length."""
    try:
        found = rules.find(ruleset)
    except KeyError:
        return []
    usual = found.write_options(found.read_options({}, seats))
    length = length_of(found.lengths, options)
    of_length = length.options if length else {}
    unusual = {
        name: value for name, value in options.items() if value != usual.get(name) and name not in of_length
    }
    return options_in_words(found, unusual)
