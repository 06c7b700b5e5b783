"""Verifies the file of a game's log (docs/log.md), for ``python -m games.verify``; needs nothing but Python.

It checks the chain, the commitment, all deals and moves (by replaying them) and the result, and reports the
first entry that is wrong.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games import rules
from games.engine import chain, replay
from games.engine.chance import Chance, NotedChance
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Refusal
from games.engine.replay import Position
from games.lines import Entry, Log, read
from games.lines import WrongLog as WrongLog

GOOD, WRONG, UNFINISHED = 0, 1, 2


@dataclass(frozen=True)
class Report:
    """A valid log: its opening, the number of entries, the head, and the result of a finished game.

    ``replayed`` is false for a game that is not over: its seed is secret, so only the chain was checked.
    ``purposes`` are those of the draws that the game made, in their order.
    """

    opening: replay.Opening
    entries: int
    head: str
    replayed: bool
    result: Mapping[str, Any] | None
    purposes: tuple[str, ...] = ()

    @property
    def ruleset(self) -> str:
        """Return the name of the rules, with their version."""
        return self.opening.ruleset

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.opening.seats)

    @property
    def status(self) -> replay.Status:
        """Return ``active``, ``finished`` or ``abandoned``."""
        if not self.replayed:
            return "active"
        return "finished" if self.result else "abandoned"

    def __str__(self) -> str:
        game = f"{self.ruleset}, {self.seats} seats, {self.entries} entries, head {self.head}"
        if not self.replayed:
            return f"the chain holds, but the game is not over and its seed is secret: {game}"
        if self.result is None:
            return f"verified: {game}; the game was abandoned"
        ranks = ", ".join(
            f"seat {seat['seat']}: {seat['score']} ({seat['rank']}.)" for seat in self.result["seats"]
        )
        return f"verified: {game}; {ranks}"


def check(lines: Iterable[str]) -> Report:
    """Return the report on a valid log; raise `WrongLog` with the first wrong entry."""
    log = read(lines)
    opening = _opening(log)
    if log.end is None:
        return Report(opening, len(log.entries), log.head, replayed=False, result=None)
    position, noted = _with_draws(opening, log)
    result = replay.result(position)
    expected = result.as_json() if result else None
    if not position.is_over:
        raise WrongLog(None, "the game is not over")
    if (text := chain.ENCODER.encode(expected)) != chain.ENCODER.encode(log.end["result"]):
        raise WrongLog(None, f"the result of these moves is {text}")
    return Report(opening, len(log.entries), log.head, replayed=True, result=expected, purposes=tuple(noted))


def draws(lines: Iterable[str]) -> Sequence[JsonObject]:
    """Return every draw of a finished game, in the order in which the game made them; raise `WrongLog`.

    Each names its purpose, what it was made from (``items``, ``bound`` or ``count``) and what it ``gives``,
    as the test vectors in ``docs/chance.md`` do.
    """
    log = read(lines)
    _position, noted = _with_draws(_opening(log), log)
    return tuple(noted.values())


def _with_draws(opening: replay.Opening, log: Log) -> tuple[Position, Mapping[str, JsonObject]]:
    """Return the last position of a finished game, and its draws by purpose."""
    if log.end is None:
        raise WrongLog(None, "the game is not over")
    noted = dict[str, JsonObject]()
    position = replayed(opening, log.entries[1:], log.end["seed"], lambda seed: NotedChance(seed, noted))
    return position, noted


def _opening(log: Log) -> replay.Opening:
    try:
        return replay.read_opening(log.entries[0].move)
    except Refusal as refusal:
        raise WrongLog(1, refusal.sentence) from None


def replayed(
    opening: replay.Opening,
    entries: Iterable[Entry],
    seed: Any,
    draws: Callable[[bytes], Chance] = Chance,
) -> Position:
    """Return the position after the entries that follow the opening; raise `WrongLog` if one is illegal.

    ``seed`` is the secret in hexadecimal; ``draws`` makes the game's draws.
    """
    position = _start(opening, seed, draws)
    moves: dict[str, Any] = {}
    for seq, actor, move, text in entries:
        try:
            if text not in moves:
                moves[text] = _move(position, seq, move)
            position = replay.played(position, actor, moves[text])
        except Refusal as refusal:
            raise WrongLog(seq, refusal.sentence) from None
    return position


def _move(position: Position, seq: int, data: Any) -> Any:
    move = replay.read_move(position.ruleset, data)
    if replay.write_move(position.ruleset, move) != data:
        raise WrongLog(seq, "its move is not written in the one way that logs write it")
    return move


def _start(opening: replay.Opening, seed: Any, draws: Callable[[bytes], Chance]) -> Position:
    try:
        secret = bytes.fromhex(seed)
    except (TypeError, ValueError):
        raise WrongLog(None, "the seed is not hexadecimal") from None
    try:
        return replay.opened(rules.find(opening.ruleset), opening, secret, draws)
    except KeyError:
        raise WrongLog(1, f"the ruleset {opening.ruleset} is not known here") from None
    except Refusal as refusal:
        raise WrongLog(1, refusal.sentence) from None
