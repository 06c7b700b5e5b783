"""Verifies the file of a game's log (docs/log.md), for ``python -m games.verify``; needs nothing but Python.

It checks the chain, who made each entry, the commitment, all deals and moves (by replaying them) and the
result, and reports the first entry that is wrong.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games import rules
from games.engine import chain, replay, shapes
from games.engine.chance import Chance, NotedChance
from games.engine.clocks import Clock
from games.engine.common_moves import LEAVING, Left
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Refusal
from games.engine.replay import Actor, Position
from games.lines import Entry, Log, is_id, read
from games.lines import WrongLog as WrongLog

GOOD, WRONG, UNFINISHED = 0, 1, 2
SEATLESS: Final = ("stop_clocks", "start_clocks", "give_time", "lapse")
"""The clock's moves for no seat."""


@dataclass(frozen=True)
class Report:
    """A valid log: its opening, the number of entries, the head, and the result of a finished game.

    ``replayed`` is false for a game that is not over: its seed is secret, so only the chain was checked.
    ``purposes`` are those of the draws that the game made, in their order. ``account`` is that which opened
    the game. ``left`` says why seats left, by their numbers, as `LEAVING`
    names it.
    """

    opening: replay.Opening
    account: str | None
    entries: int
    head: str
    replayed: bool
    result: Mapping[str, Any] | None
    purposes: tuple[str, ...] = ()
    left: Mapping[int, Left] = field(default_factory=dict)

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
    opening, account = _opening(log), log.entries[0].account
    if log.end is None:
        for _ in attributed(opening, log.entries[1:]):
            pass
        return Report(opening, account, len(log.entries), log.head, replayed=False, result=None)
    position, noted = _with_draws(opening, log)
    result = replay.result(position)
    expected = result.as_json() if result else None
    if not position.is_over:
        raise WrongLog(None, "the game is not over")
    if (text := chain.ENCODER.encode(expected)) != chain.ENCODER.encode(log.end["result"]):
        raise WrongLog(None, f"the result of these moves is {text}")
    moves = ((entry.actor.seat, entry.move["type"]) for entry in log.entries[1:])
    left = {seat: LEAVING[kind] for seat, kind in moves if seat is not None and kind in LEAVING}
    return Report(opening, account, len(log.entries), log.head, True, expected, tuple(noted), left)


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
    entries = attributed(opening, log.entries[1:])
    position = replayed(opening, entries, log.end["seed"], lambda seed: NotedChance(seed, noted))
    return position, noted


def _opening(log: Log) -> replay.Opening:
    first = log.entries[0]
    try:
        opening = replay.read_opening(first.move)
        clock = shapes.write(shapes.read(Clock, opening.clock))
    except Refusal as refusal:
        raise WrongLog(1, refusal.sentence) from None
    if clock != opening.clock:
        raise WrongLog(1, "its clock is not in canonical form")
    if first.actor != Actor("system"):
        raise WrongLog(1, "a game is opened by the system, for no seat")
    if not all(map(is_id, filter(None, (*opening.seats, *opening.accounts)))):
        raise WrongLog(1, "a player or an account of a seat is not an id")
    return opening


# ---- Who made an entry ---------------------------------------------------------------------------


def attributed(opening: replay.Opening, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries after the opening; raise `WrongLog` at the first that another must have made.

    An entry for a seat has the account that the opening, or the last `hand_over`, gives the seat. Who was
    an arbiter is not in the log.
    """
    playing = list(opening.accounts or [None] * len(opening.seats))
    for entry in entries:
        if wrong := _not_by(entry, playing):
            raise WrongLog(entry.seq, wrong)
        yield entry
        _follow_hand_over(entry, playing)


def _not_by(entry: Entry, playing: Sequence[str | None]) -> str:
    """Return why an entry can't be of its role, seat and account; empty where it can."""
    role, seat = entry.actor.role, entry.actor.seat
    kind = entry.move.get("type") if isinstance(entry.move, dict) else None
    if (seat is None) != (role == "arbiter" or (role == "clock" and kind in SEATLESS)):
        return f"it must name {'a' if seat is None else 'no'} seat"
    if seat is not None and not 0 <= seat < len(playing):
        return "There is no such seat at this table."
    if role == "clock" and kind == "forfeit" and entry.move.get("seat") != seat:
        return "its seat is not the one that forfeits"
    if role == "seat" and (seat is None or entry.account != playing[seat]):
        return "its account is not the one that plays the seat"
    if entry.account and (role in ("kiosk", "system") or (role == "clock" and seat is not None)):
        return "no account makes such an entry"
    return ""


def _follow_hand_over(entry: Entry, playing: list[str | None]) -> None:
    move = entry.move
    if entry.actor.role == "arbiter" and isinstance(move, dict) and move.get("type") == "hand_over":
        seat, account = move.get("seat"), move.get("account")
        if type(seat) is not int or not 0 <= seat < len(playing) or not (account is None or is_id(account)):
            raise WrongLog(entry.seq, "it names no seat of this table, or an account that is not an id")
        playing[seat] = account


# ---- What it leads to ----------------------------------------------------------------------------


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
    for seq, actor, _account, move, text in entries:
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
        return replay.opened(rules.of(opening.ruleset, opening.options), opening, secret, draws)
    except KeyError:
        raise WrongLog(1, f"the ruleset {opening.ruleset} is not known here") from None
    except Refusal as refusal:
        raise WrongLog(1, refusal.sentence) from None
