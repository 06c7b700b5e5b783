"""Score cards that wait for somebody to agree: what an organiser reads of games with real cards."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from games import log, rules
from games.engine import replay
from games.models import Game
from league import selectors
from league.models import Club, ClubGame

MOST: Final = 50
"""Cards that are looked at: the ones that have been still for longest."""


@dataclass(frozen=True)
class UnconfirmedCard:
    """A card with rounds that nobody has confirmed; ``disputed`` are those of them that were corrected."""

    place: ClubGame
    rounds: tuple[int, ...]
    disputed: tuple[int, ...]


def unconfirmed_score_cards(
    clubs: Iterable[Club], *, still_since: datetime | None = None
) -> tuple[UnconfirmedCard, ...]:
    """Return the running cards of the clubs with unconfirmed rounds, the one longest still first.

    Three queries. With ``still_since`` only cards on which nothing has been written since then.
    """
    kept_by_hand = [ruleset.name for ruleset in rules.RULESETS if not ruleset.dealt]
    running = selectors.games().filter(
        club__in=clubs, game__ruleset__in=kept_by_hand, game__status=Game.Status.ACTIVE, game__seq__gt=1
    )
    if still_since is not None:
        running = running.filter(game__moved_at__lt=still_since)
    places = list(running.order_by("game__moved_at", "game")[:MOST])
    positions = log.latest_of([place.game for place in places])
    cards = (_card(place, positions[place.pk]) for place in places if place.pk in positions)
    return tuple(card for card in cards if card.rounds)


def _card(place: ClubGame, position: replay.Position) -> UnconfirmedCard:
    view: Any = replay.view(position, None)
    open_rounds = tuple(view.get("unconfirmed", ()))
    disputed = tuple(row["round"] for row in view["sheet"] if row["corrections"] and not row["confirmed"])
    return UnconfirmedCard(place, open_rounds, disputed)
