"""Moves are public at once, so they name no card that a spectator could not know."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.replay import Actor, AnyRuleset, Position
from tests.rules.folders import golden_of
from tests.rules.randomplay import plays
from tests.rules.recording import replayed
from tests.toys import EVERY
from tests.toys.high_card import HighCard

pytestmark = pytest.mark.usefixtures("toys")

GOLDEN: Final = [
    pytest.param(ruleset, path, id=f"{ruleset.key}/{path.stem}")
    for ruleset in EVERY
    if ruleset.dealt
    for path in golden_of(ruleset)
]


@pytest.mark.parametrize(("ruleset", "path"), GOLDEN)
def test_a_move_names_no_card_that_is_hidden_from_its_seat_or_then_from_others(
    ruleset: AnyRuleset, path: Path
) -> None:
    for (_, before), (entry, after) in itertools.pairwise(replayed(path)):
        if entry["seat"] is not None and entry["move"]["type"] in ruleset.moves:
            assert not named_unseen(before, entry["seat"], entry["move"], after), entry


def named_unseen(before: Position, seat: int, move: JsonObject, after: Position) -> Counter[str]:
    """Return the cards that a move names although its seat did not see them, or spectators never do.

    Spectators see them before the move or after it. After the last move of a round they see the next deal, so
    only the seat's own view counts there.
    """
    named = cards_in(before, {**move, "type": None})
    views = [replay.view(before, None), replay.view(after, None)]
    unseen = named - cards_in(before, replay.view(before, seat))
    if views[0]["round"] == views[1]["round"] and after.status == "active":
        unseen |= named - (cards_in(before, views[0]) | cards_in(before, views[1]))
    return unseen


def cards_in(position: Position, value: Any) -> Counter[str]:
    """Return how often each card of the round is named in JSON."""
    codes = {*position.ruleset.cards(position.state)} if not position.joining else set()
    return Counter(text for text in texts_in(value) if text in codes)


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_in(part)


class FaceDown(HighCard):
    """High card, but nobody sees what has been played."""

    def view(self, state: Any, viewer: int | None) -> JsonObject:
        return {**super().view(state, viewer), "played": []}


def test_a_card_that_is_named_and_not_shown_is_found() -> None:
    position, seat, move = next(plays(FaceDown(), 2, seed=1))
    after = replay.played(position, Actor("seat", seat), replay.read_move(FaceDown(), move))
    assert named_unseen(position, seat, move, after) == Counter([move["card"]])
    (other,) = {*position.ruleset.hidden(position.state, seat)[:1]}
    assert named_unseen(position, seat, {**move, "card": other}, after) == Counter([other])
