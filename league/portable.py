"""A competition with all its games in one file (docs/log.md): how its lines are told apart.

Needs nothing but Python, as all that checks a file does.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.verify import WrongLog, parsed

FORMAT: Final = 1


class WrongFile(Exception):
    """A file that does not hold together; the message says where and why."""


@dataclass(frozen=True)
class Header:
    """What the first line says: the competition's id, its address and its club's name where it was played."""

    competition: str
    address: str
    club: str


@dataclass(frozen=True)
class File:
    """A file in its parts: names of players by id, the log's lines, and each game's, in the file's order."""

    header: Header
    players: Mapping[str, str]
    log: Sequence[str]
    games: Mapping[str, Sequence[str]]


def written(
    header: Header, players: Mapping[str, str], log: Iterable[str], games: Mapping[str, Iterable[str]]
) -> Iterator[str]:
    """Yield a file's lines: players by id, the log, each game's log below its id, and the number of lines."""
    count = 0
    for line in _written(header, players, log, games):
        count += 1
        yield line
    yield _line({"lines": count})


def _written(
    header: Header, players: Mapping[str, str], log: Iterable[str], games: Mapping[str, Iterable[str]]
) -> Iterator[str]:
    yield _line({"trefoil": FORMAT, **asdict(header)})
    for player in sorted(players):
        yield _line({"player": player, "name": players[player]})
    yield from log
    for game, lines in games.items():
        yield _line({"game": game})
        yield from lines


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_export(line: str) -> bool:
    """Return whether a file that begins with the line holds a competition with its games."""
    return line.startswith('{"trefoil":')


def read(lines: Iterable[str]) -> File:
    """Return the parts of a file; raise `WrongFile` at a line that cannot stand where it does.

    What the logs say is not looked at.
    """
    told = [line for line in (line.rstrip("\r\n") for line in lines) if line]
    if not told or not is_export(told[0]):
        raise WrongFile("line 1: this is not a competition's file")
    if _object(len(told), told[-1]) != {"lines": len(told) - 1}:
        raise WrongFile(f"line {len(told)}: the file was cut off, or something was put in")
    header = _header(told[0])
    players: dict[str, str] = {}
    log: list[str] = []
    games: dict[str, list[str]] = {}
    section = log
    for number, line in enumerate(told[1:-1], 2):
        if line.startswith('{"player":') and not log and not games:
            players |= _player(number, line)
        elif line.startswith('{"game":'):
            section = games.setdefault(_game(number, line, games), [])
        else:
            section.append(line)
    return File(header, players, log, games)


def _object(number: int, line: str) -> Mapping[str, Any]:
    try:
        return parsed(None, line)
    except WrongLog as wrong:
        raise WrongFile(f"line {number}: {wrong.reason}") from None


def _texts(number: int, line: str, *names: str) -> Sequence[str]:
    """Return the texts that the line's object holds, which are all that it holds."""
    told = _object(number, line)
    texts = [told.get(name) for name in names]
    if {*told} != {*names} or not all(isinstance(text, str) for text in texts):
        raise WrongFile(f"line {number}: it must hold {' and '.join(names)}")
    return [str(text) for text in texts]


def _header(line: str) -> Header:
    told = dict(_object(1, line))
    if told.pop("trefoil") != FORMAT:
        raise WrongFile(f"line 1: this release reads files of format {FORMAT} alone")
    return Header(*_texts(1, _line(told), "competition", "address", "club"))


def _player(number: int, line: str) -> Mapping[str, str]:
    player, name = _texts(number, line, "player", "name")
    return {player: name}


def _game(number: int, line: str, known: Container[str]) -> str:
    (game,) = _texts(number, line, "game")
    if game in known:
        raise WrongFile(f"line {number}: this game stands in the file already")
    return game
