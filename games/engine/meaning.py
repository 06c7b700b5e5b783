"""What a player's gesture means in a game, with the rules' judgement of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from games.engine import replay
from games.engine.gestures import Gesture, Judged, Meaning, Note, Question, Standing
from games.engine.messages import Message
from games.engine.refusals import Illegal
from games.engine.replay import Actor, Position

ASTRAY: Final = Illegal("Nothing can be put there now.")


@dataclass(frozen=True)
class Meant:
    """The legal moves that a gesture can mean, the first refusal where there is none, and groups of cards.

    ``targets`` has the legal moves of putting the picked things onto each thing where there are any.
    ``choices`` are the things that a chosen action, or one under way, can be for next.
    ``astray`` says why they can't be put onto the gesture's thing, and takes the place of ``refusal``: all
    else is then what they mean without that thing, so that no move of it was asked for. ``strays`` are picked
    things that no move can be about: ``astray`` says why, and all else is what the other things mean.
    ``questions`` are those about the legal moves, ``costly`` those of them that bring a penalty. ``standing``
    is the move that the player may leave to the page.
    """

    moves: Sequence[Any] = ()
    refusal: Illegal | None = None
    groups: Sequence[Judged] = ()
    hint: Message | None = None
    notes: Sequence[Note] = ()
    targets: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    choices: Sequence[str] = ()
    astray: Illegal | None = None
    strays: Sequence[str] = ()
    questions: Sequence[Question] = ()
    costly: Sequence[Any] = ()
    standing: Standing | None = None


def meant(position: Position, seat: int, gesture: Gesture) -> Meant:
    """Return what a gesture of a seat can mean now; nothing out of turn."""
    if position.joining or seat not in replay.to_act(position):
        return Meant()
    meaning = position.ruleset.meaning(position.state, seat, gesture)
    if meaning.strays:
        picked = tuple(thing for thing in gesture.picked if thing not in meaning.strays)
        left = meant(position, seat, replace(gesture, picked=picked))
        return replace(left, astray=meaning.astray, strays=meaning.strays)
    judged = _judged(position, seat, gesture, meaning)
    legal = _legal(judged)
    refusal = None if legal else next((refusal for _, refusal in judged if refusal), None)
    if gesture.onto and not legal:
        left = meant(position, seat, replace(gesture, onto=None))
        return replace(left, refusal=None, astray=refusal or meaning.astray or ASTRAY)
    return Meant(
        moves=legal,
        refusal=refusal,
        groups=meaning.groups,
        hint=meaning.hint,
        notes=meaning.notes,
        targets=dict(_targets(position, seat, gesture, meaning)),
        choices=meaning.choices,
        questions=[each for each in meaning.questions if any(isinstance(move, each.of) for move in legal)],
        costly=meaning.costly,
        standing=meaning.standing if meaning.standing and meaning.standing.move in legal else None,
    )


def _targets(
    position: Position, seat: int, gesture: Gesture, meaning: Meaning
) -> Iterator[tuple[str, Sequence[Any]]]:
    """Yield each thing that the picked things may be put onto, with the moves that this can mean."""
    for thing in meaning.targets:
        put = position.ruleset.meaning(position.state, seat, replace(gesture, onto=thing))
        if legal := _legal(_judged(position, seat, gesture, put)):
            yield thing, legal


_Judged: TypeAlias = Sequence[tuple[Any, Illegal | None]]
"""Moves, each with what forbids it."""


def _judged(position: Position, seat: int, gesture: Gesture, meaning: Meaning) -> _Judged:
    wanted = position.ruleset.moves.get(gesture.kind or "")
    moves = [move for move in meaning.moves if wanted is None or isinstance(move, wanted)]
    return [(move, _refusal(position, seat, move)) for move in moves]


def _legal(judged: _Judged) -> list[Any]:
    return [move for move, refusal in judged if refusal is None]


def _refusal(position: Position, seat: int, move: Any) -> Illegal | None:
    try:
        replay.played(position, Actor("seat", seat), move)
    except Illegal as refusal:
        return refusal
    return None
