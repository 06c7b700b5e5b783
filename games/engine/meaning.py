"""What a player's gesture means in a game, with the rules' judgement of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.engine import replay
from games.engine.gestures import Gesture, Judged, Meaning, Note
from games.engine.messages import Message
from games.engine.refusals import Illegal
from games.engine.replay import Actor, Position


@dataclass(frozen=True)
class Meant:
    """The legal moves that a gesture can mean, the first refusal where there is none, and groups of cards.

    ``targets`` has the legal moves of putting the picked things onto each thing where there are any.
    """

    moves: Sequence[Any] = ()
    refusal: Illegal | None = None
    groups: Sequence[Judged] = ()
    hint: Message | None = None
    notes: Sequence[Note] = ()
    targets: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def meant(position: Position, seat: int, gesture: Gesture) -> Meant:
    """Return what a gesture of a seat can mean now; nothing out of turn."""
    if position.joining or seat not in replay.to_act(position):
        return Meant()
    meaning = position.ruleset.meaning(position.state, seat, gesture)
    legal, refusal = _judged(position, seat, meaning)
    targets = dict(_targets(position, seat, gesture, meaning))
    return Meant(legal, refusal, meaning.groups, meaning.hint, meaning.notes, targets)


def _targets(
    position: Position, seat: int, gesture: Gesture, meaning: Meaning
) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield each thing that the picked things may be put onto, with the moves that this can mean."""
    for thing in meaning.targets:
        put = position.ruleset.meaning(position.state, seat, replace(gesture, onto=thing))
        legal, _ = _judged(position, seat, put)
        if legal:
            yield thing, legal


def _judged(position: Position, seat: int, meaning: Meaning) -> tuple[list[Any], Illegal | None]:
    """Return the legal moves of a meaning, and the first refusal where there is none."""
    judged = [(move, _refusal(position, seat, move)) for move in meaning.moves]
    legal = [move for move, refusal in judged if refusal is None]
    refused = next((refusal for _, refusal in judged if refusal), None)
    return legal, None if legal else refused


def _refusal(position: Position, seat: int, move: Any) -> Illegal | None:
    try:
        replay.played(position, Actor("seat", seat), move)
    except Illegal as refusal:
        return refusal
    return None
