"""Verifies the file of a game's log (docs/log.md), for ``python -m games.verify``; needs nothing but Python.

It checks the chain, the commitment, all deals and moves (by replaying them) and the result, and reports the
first entry that is wrong.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from games import rules
from games.engine import chain, replay
from games.engine.chance import Chance, NotedChance
from games.engine.common_moves import Role
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Refusal
from games.engine.replay import Actor, Position

ENTRY_FIELDS: Final = {"seq", "role", "seat", "account", "move", "at", "hash"}
END_FIELDS: Final = {"seed", "result"}
ROLES: Final[tuple[Role, ...]] = ("seat", "code", "kiosk", "arbiter", "clock", "system")
LONGEST_ACCOUNT: Final = 64
GOOD, WRONG, UNFINISHED = 0, 1, 2


class WrongLog(Exception):
    """A log that is not valid; ``seq`` is the first wrong entry, or None for the end line."""

    def __init__(self, seq: int | None, reason: str) -> None:
        super().__init__(f"{'the end line' if seq is None else f'entry {seq}'} is wrong: {reason}")
        self.seq = seq
        self.reason = reason


@dataclass(frozen=True)
class Report:
    """A valid log: its opening, the number of entries, the head, and the result of a finished game.

    ``replayed`` is false for a game that is not over: its seed is secret, so only the chain was checked.
    """

    opening: replay.Opening
    entries: int
    head: str
    replayed: bool
    result: Mapping[str, Any] | None

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
    entries = [parsed(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    end = entries.pop() if entries and {*entries[-1]} == END_FIELDS else None
    head = checked_chain(entries, _check_entry)
    opening = _opening(entries)
    if end is None:
        return Report(opening, len(entries), head, replayed=False, result=None)
    position = replayed(opening, entries[1:], end["seed"])
    result = replay.result(position)
    expected = result.as_json() if result else None
    if position.status == "active":
        raise WrongLog(None, "the game is not over")
    if _text(end["result"]) != _text(expected):
        raise WrongLog(None, f"the result of these moves is {_text(expected)}")
    return Report(opening, len(entries), head, replayed=True, result=expected)


def parsed(number: int | None, line: str) -> dict[str, Any]:
    """Return the object in a line of a file; raise `WrongLog` for entry ``number``."""
    try:
        value = json.loads(
            line, object_pairs_hook=_without_doubles, parse_float=_no_float, parse_constant=_no_float
        )
        chain.canonical(value)
    except (ValueError, RecursionError) as error:
        raise WrongLog(number, f"it is not JSON as logs write it ({error})") from None
    if not isinstance(value, dict):
        raise WrongLog(number, "it is not an object")
    return value


def draws(lines: Iterable[str]) -> Sequence[JsonObject]:
    """Return every draw of a finished game, in the order in which the game made them; raise `WrongLog`.

    Each names its purpose, what it was made from (``items``, ``bound`` or ``count``) and what it ``gives``,
    as the test vectors in ``docs/chance.md`` do.
    """
    noted: dict[str, JsonObject] = {}
    entries = [parsed(number, line) for number, line in enumerate(lines, 1)]
    end = entries.pop()
    replayed(_opening(entries), entries[1:], end["seed"], lambda seed: NotedChance(seed, noted))
    return tuple(noted.values())


def _without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("an object has the same name twice")
    return dict(pairs)


def _no_float(text: str) -> None:
    raise ValueError(f"{text} is not a whole number")


def _text(value: Any) -> str:
    return chain.canonical(value).decode()


def checked_chain(
    entries: Sequence[Mapping[str, Any]], check_entry: Callable[[int, Mapping[str, Any]], None]
) -> str:
    """Return the hash of the last entry of any log; ``check_entry`` checks the fields of an entry."""
    if not entries:
        raise WrongLog(1, "the log is empty")
    head = chain.ORIGIN
    for seq, entry in enumerate(entries, 1):
        check_entry(seq, entry)
        head = chain.link(head, {name: part for name, part in entry.items() if name != "hash"})
        if entry["hash"] != head:
            raise WrongLog(seq, "its hash does not fit what it says and what came before")
    return head


def _check_entry(seq: int, entry: Mapping[str, Any]) -> None:
    check_frame(seq, entry, ENTRY_FIELDS, ROLES)
    if entry["seat"] is not None and type(entry["seat"]) is not int:
        raise WrongLog(seq, "its seat is not a number")


def check_frame(seq: int, entry: Mapping[str, Any], fields: Collection[str], roles: Collection[str]) -> None:
    """Raise `WrongLog` unless an entry has exactly these fields, with valid values in the common ones."""
    if {*entry} != {*fields}:
        raise WrongLog(seq, f"it must have the fields {', '.join(sorted(fields))}")
    if type(entry["seq"]) is not int or entry["seq"] != seq:
        raise WrongLog(seq, f"it is numbered {entry['seq']}")
    if entry["role"] not in roles:
        raise WrongLog(seq, "its role is unknown")
    if entry["account"] is not None and not _is_id(entry["account"]):
        raise WrongLog(seq, "its account is not an id")
    if not _is_time(entry["at"]):
        raise WrongLog(seq, "its time is not written as logs write it")


def _is_id(account: object) -> bool:
    return isinstance(account, str) and len(account) <= LONGEST_ACCOUNT and account.isprintable()


def _is_time(at: object) -> bool:
    try:
        return isinstance(at, str) and chain.stamp(datetime.fromisoformat(at)) == at
    except ValueError:
        return False


def _opening(entries: Sequence[Mapping[str, Any]]) -> replay.Opening:
    try:
        return replay.read_opening(entries[0]["move"])
    except Refusal as refusal:
        raise WrongLog(1, refusal.sentence) from None


def replayed(
    opening: replay.Opening,
    entries: Iterable[Mapping[str, Any]],
    seed: Any,
    draws: Callable[[bytes], Chance] = Chance,
) -> Position:
    """Return the position after the entries that follow the opening; raise `WrongLog` if one is illegal.

    ``seed`` is the secret in hexadecimal; ``draws`` makes the game's draws.
    """
    position = _start(opening, seed, draws)
    for entry in entries:
        try:
            move = replay.read_move(position.ruleset, entry["move"])
            if replay.write_move(position.ruleset, move) != entry["move"]:
                raise WrongLog(entry["seq"], "its move is not written in the one way that logs write it")
            position = replay.played(position, Actor(entry["role"], entry["seat"]), move)
        except Refusal as refusal:
            raise WrongLog(entry["seq"], refusal.sentence) from None
    return position


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
