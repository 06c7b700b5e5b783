"""The file of a competition with all its games (docs/log.md): its lines, read and written.

Like everything that checks a file, this needs nothing but Python.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Any, Final

from games.engine import names, shapes
from games.engine.refusals import Malformed
from games.lines import WrongLog, is_id, parsed
from league.core.details import NewDetails

FORMAT: Final = 1
NOTHING_TOLD: Final = NewDetails()
_LONGEST: Final = 110
"""Characters of a name: of 100, and the number in the club behind it."""


class WrongFile(Exception):
    """A file with an error; the message says where and what."""


@dataclass(frozen=True)
class Header:
    """The first line: the competition's id, and its slug and its club's name on the server that wrote it."""

    competition: str
    address: str
    club: str


@dataclass(frozen=True)
class File:
    """The parts of a file: players' names by id, the lines of the log, and the lines of each game's log.

    ``details`` are what the competition tells about itself, nothing where the file has none.
    """

    header: Header
    players: Mapping[str, str]
    log: Sequence[str]
    games: Mapping[str, Sequence[str]]
    details: NewDetails = NOTHING_TOLD


def written(
    header: Header,
    players: Mapping[str, str],
    log: Iterable[str],
    games: Mapping[str, Iterable[str]],
    details: NewDetails = NOTHING_TOLD,
) -> Iterator[str]:
    """Yield a file's lines.

    These are the header, what the competition tells, players, the log, each game's id and log, and the number
    of lines.
    """
    count = 0
    for line in _written(header, players, log, games, details):
        count += 1
        yield line
    yield _line({"lines": count})


def _written(
    header: Header,
    players: Mapping[str, str],
    log: Iterable[str],
    games: Mapping[str, Iterable[str]],
    details: NewDetails,
) -> Iterator[str]:
    yield _line({"trefoil": FORMAT, **asdict(header)})
    if details != NOTHING_TOLD:
        yield _line({"details": shapes.write(details)})
    for player in sorted(players):
        yield _line({"player": player, "name": players[player]})
    yield from log
    for game, lines in games.items():
        yield _line({"game": game})
        yield from lines


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def is_export(line: str) -> bool:
    """Return whether a line is the first of such a file."""
    return line.startswith('{"trefoil":')


def read(lines: Iterable[str]) -> File:
    """Return the parts of a file; raise `WrongFile` for a line that is not allowed where it is.

    The logs themselves are not checked.
    """
    filled = [line for line in (line.rstrip("\r\n") for line in lines) if line]
    if not filled or not is_export(filled[0]):
        raise WrongFile("line 1: this is not a competition's file")
    if _object(len(filled), filled[-1]) != {"lines": len(filled) - 1}:
        raise WrongFile(f"line {len(filled)}: lines were added or are missing")
    header = _header(filled[0])
    players: dict[str, str] = {}
    log: list[str] = []
    games: dict[str, list[str]] = {}
    details = NOTHING_TOLD
    section = log
    for number, line in enumerate(filled[1:-1], 2):
        if number == 2 and line.startswith('{"details":'):
            details = _details(line)
        elif line.startswith('{"player":') and not log and not games:
            player, name = named(number, line, players)
            players[player] = name
        elif line.startswith('{"game":'):
            section = games.setdefault(_game(number, line, games), [])
        else:
            section.append(line)
    return File(header, players, log, games, details)


def named(number: int, line: str, known: Container[str] = ()) -> tuple[str, str]:
    """Return the id and the name in a player's line; raise `WrongFile`, for one of those ``known`` too."""
    fields = _object(number, line)
    player, name = fields.get("player"), fields.get("name")
    if (
        {*fields} != {"player", "name"}
        or not (isinstance(player, str) and is_id(player) and isinstance(name, str) and name)
        or names.one_line(name) != name
        or names.unprintable(name)
        or len(name) > _LONGEST
    ):
        raise WrongFile(f"line {number}: it names no player as this server writes names")
    if player in known:
        raise WrongFile(f"line {number}: the file names this player twice")
    return player, name


def _object(number: int, line: str) -> Mapping[str, Any]:
    try:
        return parsed(None, line)
    except WrongLog as wrong:
        raise WrongFile(f"line {number}: {wrong.reason}") from None


def _texts(number: int, line: str, *required: str) -> Sequence[str]:
    """Return the texts of the line's object, which must have these names and no others."""
    fields = _object(number, line)
    texts = [fields.get(name) for name in required]
    if {*fields} != {*required} or not all(isinstance(text, str) for text in texts):
        raise WrongFile(f"line {number}: it must have {' and '.join(required)}")
    return [str(text) for text in texts]


def _header(line: str) -> Header:
    fields = dict(_object(1, line))
    if (given := fields.pop("trefoil")) != FORMAT or type(given) is not int:
        raise WrongFile(f"line 1: this release reads only files of format {FORMAT}")
    return Header(*_texts(1, _line(fields), "competition", "address", "club"))


def _details(line: str) -> NewDetails:
    try:
        (told,) = _object(2, line).values()
        details = shapes.read(NewDetails, told)
        for day in filter(None, (details.begins_on, details.ends_on)):
            date.fromisoformat(day)
        time.fromisoformat(details.begins_at or "00:00")
        return details
    except (ValueError, Malformed):
        raise WrongFile("line 2: these are no details of a competition") from None


def _game(number: int, line: str, known: Container[str]) -> str:
    (game,) = _texts(number, line, "game")
    if game in known:
        raise WrongFile(f"line {number}: the file has this game twice")
    return game
