"""Score cards of games with real cards that wait for a confirmation."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from games import log, rules
from games.engine import replay
from games.models import Game
from league.models import Club, ClubGame
from league.queries.games import all_games

MOST: Final = 50
"""The most cards that are checked: those that have not changed for the longest time."""


@dataclass(frozen=True)
class UnconfirmedCard:
    """A card with unconfirmed rounds; ``disputed`` are those of them that were corrected."""

    club_game: ClubGame
    rounds: tuple[int, ...]
    disputed: tuple[int, ...]


def unconfirmed_score_cards(
    clubs: Iterable[Club], *, still_since: datetime | None = None
) -> tuple[UnconfirmedCard, ...]:
    """Return the clubs' running cards with unconfirmed rounds, the oldest change first.

    Three queries. With ``still_since`` only cards without a change since then.
    """
    kept_by_hand = [ruleset.name for ruleset in rules.BY_NAME.values() if not ruleset.dealt]
    running = all_games().filter(
        club__in=clubs, game__ruleset__in=kept_by_hand, game__status=Game.Status.ACTIVE, game__seq__gt=1
    )
    if still_since is not None:
        running = running.filter(game__moved_at__lt=still_since)
    club_games = list(running.order_by("game__moved_at", "game")[:MOST])
    positions = log.latest_of([club_game.game for club_game in club_games])
    cards = (
        _card(club_game, positions[club_game.pk]) for club_game in club_games if club_game.pk in positions
    )
    return tuple(card for card in cards if card.rounds)


def _card(club_game: ClubGame, position: replay.Position) -> UnconfirmedCard:
    waiting = replay.open_rounds(position)
    disputed = tuple(each.number for each in waiting if each.disputed)
    return UnconfirmedCard(club_game, tuple(each.number for each in waiting), disputed)
