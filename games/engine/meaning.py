"""What a player's gesture means in a game, with the rules' judgement of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import replay
from games.engine.gestures import Gesture, Judged
from games.engine.messages import Message
from games.engine.refusals import Illegal
from games.engine.replay import Actor, Position


@dataclass(frozen=True)
class Meant:
    """The legal moves that a gesture can mean, the first refusal where there is none, and groups of cards."""

    moves: Sequence[Any] = ()
    refusal: Illegal | None = None
    groups: Sequence[Judged] = ()
    hint: Message | None = None


def meant(position: Position, seat: int, gesture: Gesture) -> Meant:
    """Return what a gesture of a seat can mean now; nothing out of turn."""
    if position.joining or seat not in replay.to_act(position):
        return Meant()
    meaning = position.ruleset.meaning(position.state, seat, gesture)
    judged = [(move, _refusal(position, seat, move)) for move in meaning.moves]
    legal = [move for move, refusal in judged if refusal is None]
    refused = next((refusal for _, refusal in judged if refusal), None)
    return Meant(legal, None if legal else refused, meaning.groups, meaning.hint)


def _refusal(position: Position, seat: int, move: Any) -> Illegal | None:
    try:
        replay.played(position, Actor("seat", seat), move)
    except Illegal as refusal:
        return refusal
    return None
