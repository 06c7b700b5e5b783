"""The lines of a log's file (docs/log.md): read, and checked with the chain that links them.

`parsed`, `check_frame` and `checked_chain` define what is right in the files of both logs. A game's lines are
read in one pass over their text if they look as the server writes them: a pattern takes an entry apart, and
its parts in another order are its canonical JSON, so that only the move is parsed, and each different move
once. Where that pass finds anything wrong, the definition says what, so that both refuse the same.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, Final, NamedTuple

from games.engine import chain
from games.engine.common_moves import Role
from games.engine.names import in_print
from games.engine.replay import Actor

ENTRY_FIELDS: Final = {"seq", "role", "seat", "account", "move", "at", "hash"}
END_FIELDS: Final = {"seed", "result"}
ROLES: Final[tuple[Role, ...]] = ("seat", "code", "kiosk", "arbiter", "clock", "system")
_ID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


_LEVELS: Final = 100


class WrongLog(Exception):
    """A log that is not valid; ``seq`` is the first wrong entry, or None for the end line."""

    def __init__(self, seq: int | None, reason: str) -> None:
        super().__init__(f"{'the end line' if seq is None else f'entry {seq}'} is wrong: {reason}")
        self.seq = seq
        self.reason = reason


class Entry(NamedTuple):
    """An entry of a game's log: its number, who made it, and its move, also as canonical JSON."""

    seq: int
    actor: Actor
    account: str | None
    move: Any
    text: str


class Log(NamedTuple):
    """A game's log: its entries, the hash of the last one, and the end line of a game that is over."""

    entries: Sequence[Entry]
    head: str
    end: Mapping[str, Any] | None


def read(lines: Iterable[str]) -> Log:
    """Return the log in the lines of a game's file; raise `WrongLog` with the first wrong line."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return framed(numbered) or defined(numbered)


# ---- The definition ------------------------------------------------------------------------------


def defined(numbered: Iterable[tuple[int, str]]) -> Log:
    """Return the log in numbered lines, each parsed as JSON; raise `WrongLog`."""
    entries = [parsed(number, line) for number, line in numbered]
    end = entries.pop() if entries and {*entries[-1]} == END_FIELDS else None
    head = checked_chain(entries, _check_entry)
    return Log([_entry(entry) for entry in entries], head, end)


def _entry(entry: Mapping[str, Any]) -> Entry:
    move = entry["move"]
    actor = Actor(entry["role"], entry["seat"])
    return Entry(entry["seq"], actor, entry["account"], move, chain.canonical(move).decode())


def parsed(number: int | None, line: str) -> dict[str, Any]:
    """Return the object in a line of a file; raise `WrongLog` for entry ``number``."""
    value, _ = _parsed(number, line)
    return value


def _parsed(number: int | None, line: str) -> tuple[dict[str, Any], str]:
    """Return the object in a line and its canonical text; raise `WrongLog`."""
    try:
        value = DECODER.decode(line)
        if line.count("[") + line.count("{") > _LEVELS:
            _refuse_levels(value, _LEVELS)
        text = chain.ENCODER.encode(value)
        text.encode()
    except RecursionError:
        raise WrongLog(number, "it is not JSON as logs write it (nested too deeply)") from None
    except ValueError as error:
        reason = "a number is too long" if "digits" in str(error) else error
        raise WrongLog(number, f"it is not JSON as logs write it ({reason})") from None
    if not isinstance(value, dict):
        raise WrongLog(number, "it is not an object")
    return value, text


def _refuse_levels(value: object, left: int) -> None:
    """Raise RecursionError for values that are inside each other on more levels: some code could not end."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if parts and not left:
        raise RecursionError
    for part in parts:
        _refuse_levels(part, left - 1)


def _without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("an object has the same name twice")
    return fields


def _no_float(text: str) -> None:
    raise ValueError(f"{in_print(text)} is not a whole number")


DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_without_doubles, parse_float=_no_float, parse_constant=_no_float
)


def checked_chain(
    entries: Sequence[Mapping[str, Any]], check_entry: Callable[[int, Mapping[str, Any]], None]
) -> str:
    """Return the hash of the last entry of any log; ``check_entry`` checks the fields of an entry."""
    if not entries:
        raise WrongLog(1, "the log is empty")
    head, before = chain.ORIGIN, ""
    for seq, entry in enumerate(entries, 1):
        check_entry(seq, entry)
        # Times are written in one way, so that they sort as texts.
        if entry["at"] < before:
            raise WrongLog(seq, "it is earlier than the entry before")
        before = entry["at"]
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
        raise WrongLog(seq, f"it is numbered {in_print(entry['seq'])}")
    if entry["role"] not in roles:
        raise WrongLog(seq, "its role is unknown")
    if entry["account"] is not None and not is_id(entry["account"]):
        raise WrongLog(seq, "its account is not an id")
    if not is_time(entry["at"]):
        raise WrongLog(seq, "its time is not written as logs write it")


def is_id(value: object) -> bool:
    """Return whether a value is an id as logs write it."""
    return isinstance(value, str) and re.fullmatch(_ID, value) is not None


def is_time(at: object) -> bool:
    """Return whether a value is a time as logs write it."""
    try:
        return (
            isinstance(at, str)
            and at[:2] in ("19", "20", "21")
            and chain.stamp(datetime.fromisoformat(at)) == at
        )
    except ValueError:
        return False


# ---- In one pass ---------------------------------------------------------------------------------

FRAME: Final = re.compile(
    r'\{"seq": ([1-9][0-9]{0,8}),'
    rf' "role": "({"|".join(ROLES)})",'
    r' "seat": (null|0|[1-9][0-9]?),'
    rf' "account": (null|"{_ID}"),'
    r' "move": (\{.*\}),'
    r' "at": "(((?:19|2[01])[0-9]{2}-[0-9]{2}-[0-9]{2})'
    r'T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z)",'
    r' "hash": "([0-9a-f]{64})"\}'
)
"""A line as the server writes it. The parts beside the move are canonical JSON as they are."""


def framed(numbered: Sequence[tuple[int, str]]) -> Log | None:
    """Return the log that `defined` returns, or None for lines that it must judge."""
    entries, moves, head, before = list[Entry](), dict[str, tuple[Any, str]](), bytes(32), ""
    for seq, (_, line) in enumerate(numbered, 1):
        match = FRAME.fullmatch(line)
        if match is None:
            break
        number, role, seat, account, written, at, day, link = match.groups()
        try:
            move, text = moves.get(written) or moves.setdefault(written, _parsed(seq, written))
        except WrongLog:
            return None
        if int(number) != seq or not _is_day(day) or at < before:
            return None
        before = at
        frame = f'"at":"{at}","move":{text},"role":"{role}","seat":{seat},"seq":{seq}'
        head = sha256(head + f'{{"account":{account},{frame}}}'.encode()).digest()
        if head.hex() != link:
            return None
        entries.append(
            Entry(seq, _actor(role, seat), None if account == "null" else account[1:-1], move, text)
        )
    rest = [line for _, line in numbered[len(entries) :]]
    end = _end(rest[0]) if len(rest) == 1 else None
    return Log(entries, head.hex(), end) if entries and (end or not rest) else None


def _end(line: str) -> Mapping[str, Any] | None:
    try:
        end = parsed(None, line)
    except WrongLog:
        return None
    return end if {*end} == END_FIELDS else None


@lru_cache(maxsize=1000)
def _is_day(day: str) -> bool:
    try:
        return bool(date.fromisoformat(day))
    except ValueError:
        return False


@cache
def _actor(role: Role, seat: str) -> Actor:
    return Actor(role, json.loads(seat))
