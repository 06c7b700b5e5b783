"""Several moves of one seat, sent together.

A batch is played as a whole or not at all. So that nobody can look at a card and then decide, by a batch that
fails, what would have been better, no move follows one that shows its seat something new. Whether one does
depends on its type and on the end of a round alone, both of which the seat knows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal, below
from games.engine.replay import AnyRuleset, Position

_SHOWN: Final = text("The move before this one shows something new: send this one afterwards.")


def read(ruleset: AnyRuleset, data: Sequence[JsonObject]) -> Sequence[Any]:
    """Return the moves that the JSON describes; raise `Malformed`.

    Raises `Illegal` for a move that follows one after which its seat knows more than before.
    """
    moves = []
    for number, each in enumerate(data):
        with of_move(number):
            moves.append(replay.read_move(ruleset, each))
            if number and ruleset.dealt and data[number - 1]["type"] not in ruleset.foreseen:
                raise Illegal(_SHOWN)
    return moves


@contextmanager
def of_move(number: int) -> Iterator[None]:
    """Name the move, counted from 0, that is refused inside."""
    with below(str(number)):
        try:
            yield
        except Illegal as refusal:
            raise Illegal(refusal.sentence, refusal.rule, [*refusal.errors] or [""]) from None


def check_round(before: Position, after: Position) -> None:
    """Raise `Illegal` for a move after another one with which the cards were dealt again."""
    if before.ruleset.dealt and _round(before) != _round(after):
        raise Illegal(_SHOWN)


def _round(position: Position) -> object:
    return replay.view(position, None)["round"]
