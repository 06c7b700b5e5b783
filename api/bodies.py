"""The bodies of requests: JSON as RFC 8259 has it, declared like moves, and published as JSON Schema.

Nothing passes that a database, a log or a reader would choke on.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import IO, Annotated, Any, ClassVar, Final, Literal, TypeAlias, TypeVar

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

from api.errors import TooLarge
from api.params import BIGGEST
from games.engine import shapes
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length, Matching, OfRuleset
from games.engine.textinput import cleaner
from league.choices import Audience, TokenScope
from league.core.presets import PRESETS
from league.core.state.plan import AnnouncedPlan, Entering, OpenHands, Waits
from league.core.state.values import MAX_TEAM, Entropy, Id, Lineup, Name, Overdue, Pace
from league.files.pictures import MOST_BYTES as MOST_OF_A_PICTURE
from league.services.importing import MOST_BYTES as MOST_LOG_BYTES

# ---- Parsers -------------------------------------------------------------------------------------

MAX_DEPTH: Final = 32
LOG: Final = "application/jsonl"
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_WITH_TEXT: Final = (str, dict, list)


class StrictJSONParser(JSONParser):
    """Reads UTF-8 JSON of bounded size and depth, without doubled names, NaN, NUL and lone surrogates."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of a body of as many bytes as the operation takes; raises `TooLarge`, too."""
        most: int = (parser_context or {})["view"].operation.most_bytes
        body = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge(most)
        return strict_json(body)


def declared_length(meta: Mapping[str, Any]) -> int:
    """Return how long a request's body is by its headers; 0 where they don't say so."""
    length = str(meta.get("CONTENT_LENGTH") or "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


def is_encoded(meta: Mapping[str, Any]) -> bool:
    """Return whether a request's body is compressed or encoded in another way, by its headers."""
    return str(meta.get("HTTP_CONTENT_ENCODING") or "identity").strip().lower() != "identity"


def strict_json(body: bytes) -> Any:
    """Return the value of a body; raises ParseError and `Malformed`."""
    try:
        text = body.decode()
        value = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise ParseError(_sentence(error)) from None
    _check_depth(value)
    # JSON has such characters only as escapes.
    if "\\u" in text:
        _check_texts(value, "")
    return value


class PictureParser(BaseParser):
    """Returns the bytes of a picture; not more than make it too big."""

    media_type = "image/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return bytes(stream.read(MOST_OF_A_PICTURE + 1))


class LogParser(BaseParser):
    """Returns the bytes of a log's file; not more than make it too big."""

    media_type = LOG

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        data = bytes(stream.read(MOST_LOG_BYTES + 1))
        if len(data) > MOST_LOG_BYTES:
            raise RequestDataTooBig
        return data


PICTURES: Final = ("image/jpeg", "image/png", "image/webp", "image/gif")
"""The media types that `PictureParser` is meant for."""


class _NotStrict(ValueError):
    """What JSON has not, or means nothing in it."""


def _sentence(error: Exception) -> str:
    match error:
        case UnicodeDecodeError():
            return f"The body is not UTF-8 at byte {error.start}."
        case json.JSONDecodeError():
            return f"The body is not JSON at line {error.lineno}, column {error.colno}."
        case RecursionError():
            return "The body is nested too deep."
        case _NotStrict():
            return f"The body is not JSON as it is read here: {error}."
        case _:
            return "The body has a number with too many digits."


def _without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise _NotStrict("a name stands twice in one object")
    return read


def _refused(constant: str) -> None:
    raise _NotStrict(f"{constant} is not a number")


def _check_depth(value: Any) -> None:
    """Raise ParseError for a value of too many levels."""
    level: list[Any] = [[value]]
    for _depth in range(MAX_DEPTH + 1):
        parts = chain.from_iterable(each.values() if type(each) is dict else each for each in level)
        level = [each for each in parts if type(each) is dict or type(each) is list]
        if not level:
            return
    raise ParseError("The body is nested too deep.")


def _check_texts(value: Any, path: str) -> None:
    """Raise `Malformed` with the path of a text that can't be stored."""
    match value:
        case str() if _UNSTORABLE.search(value):
            raise Malformed({path: ["This has a character that cannot be stored."]})
        case dict():
            for name, part in value.items():
                # The path of a name is that of its object: the name itself is not safe to show.
                _check_texts(name, path)
                if isinstance(part, _WITH_TEXT):
                    _check_texts(part, f"{path}.{name}" if path else name)
        case list():
            for index, part in enumerate(value):
                if isinstance(part, _WITH_TEXT):
                    _check_texts(part, f"{path}.{index}" if path else str(index))


# ---- Bodies --------------------------------------------------------------------------------------

T = TypeVar("T")

MOST_MOVES: Final = 100
MOST_BYTES: Final = 2_621_440
"""How long a body may be that does not declare its own ``most_bytes``; Django reads no more into memory."""
MOST_OF_A_MOVE: Final = 65_536
MOST_OF_MOVES: Final = 524_288
"""What so many of the longest entries on a score card take (`tests/api/test_sizes.py`)."""

Slug: TypeAlias = Annotated[
    str, Matching("[-a-zA-Z0-9_]{1,60}", "a slug such as first-club", example="first-club")
]

Options: TypeAlias = Annotated[Mapping[str, Any], OfRuleset("options")]


_CLEANERS: Final[dict[type, Callable[[Any], Any]]] = {}


def read(body: type[T], data: Any) -> T:
    """Return a request's JSON, its texts cleaned, as the declared body; raise `Malformed`."""
    if body not in _CLEANERS:
        _CLEANERS[body] = cleaner(shapes.record(body))
    return shapes.read(body, _CLEANERS[body](data))


# ---- Games ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewGame:
    """A casual game of a club."""

    most_bytes: ClassVar = MOST_OF_A_MOVE

    club: Annotated[Slug, Help("the club's slug")]
    ruleset: Annotated[str, Length(1, 60), Help("a key that `rulesets/` lists, or a key with a version")]
    players: Annotated[tuple[Id, ...], Length(1, 20), Help("ids of players in seat order")]
    options: Annotated[
        Options | None, Help("as the ruleset's `options` describe; left out: the defaults")
    ] = None
    clock: Clock = NO_CLOCK
    entropy: Annotated[bool, Help("wait in phase joining until every seat is ready")] = False


@dataclass(frozen=True)
class Nothing:
    """An empty object: the address says everything."""

    most_bytes: ClassVar = MOST_OF_A_MOVE


@dataclass(frozen=True)
class MyChoices:
    """A member's own choices in a club."""

    asks: Annotated[bool, Help("whether games that other members open wait for the caller's answer")]


@dataclass(frozen=True)
class Privacy:
    """What the caller's player in a club lets others see."""

    audience: Annotated[
        Literal[(*Audience.values,)],  # type: ignore[valid-type]
        Help("who finds the player in lists and sees results and ratings; `club`: members of the club"),
    ]
    findable: Annotated[bool, Help("whether `players/?search=` finds the player")]


@dataclass(frozen=True)
class NewMove:
    """A move with the number of the log's next entry."""

    most_bytes: ClassVar = MOST_OF_A_MOVE

    seq: Annotated[int, Between(0, BIGGEST), Help("the game's `seq` plus one")]
    move: Annotated[Mapping[str, Any], OfRuleset("move"), Help("as the ruleset's `moves` describe")]


@dataclass(frozen=True)
class NewMoves:
    """Several moves of one seat, with the number of the log's next entry."""

    most_bytes: ClassVar = MOST_OF_MOVES

    seq: Annotated[int, Between(0, BIGGEST), Help("the game's `seq` plus one, of the first move")]
    moves: Annotated[
        tuple[Annotated[Mapping[str, Any], OfRuleset("move")], ...],
        Length(1, MOST_MOVES),
        Help("in order, each as the ruleset's `moves` describe"),
    ]


# ---- Tokens --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewToken:
    """A token of the caller's account."""

    name: Annotated[str, Length(1, 80), Help("what it is for")]
    scopes: Annotated[
        tuple[Literal[(*TokenScope.values,)], ...],  # type: ignore[valid-type]
        Length(1, len(TokenScope)),
        Help("what it allows; `read`, `play` and `organise` stand for several, as the guide says"),
    ]
    days: Annotated[int, Between(1, 366), Help("after so many days it expires")] = 365


# ---- Clubs and competitions ----------------------------------------------------------------------

Seq: TypeAlias = Annotated[
    int,
    Between(1, BIGGEST),
    Help("the number of the log's next entry; left out: whatever that number is"),
]


@dataclass(frozen=True)
class NewPlayer:
    """A player of a club."""

    name: Name


@dataclass(frozen=True)
class NewCompetition:
    """A competition of a club, with all its settings."""

    example: ClassVar = {"preset": "monthly_league"}

    club: Annotated[Slug, Help("the club's slug")]
    name: Name
    ruleset: Annotated[str, Length(1, 60), Help("a key that `rulesets/` lists, or a key with a version")]
    stages: Annotated[
        tuple[AnnouncedPlan, ...],
        Length(0, 20),
        Help("in order, as in the guide; or give a preset"),
    ] = ()
    preset: Annotated[
        Literal[("", *PRESETS)],  # type: ignore[valid-type]
        Help("sets stages, pace, line-up, entering and waits; other fields of the body override it"),
    ] = ""
    options: Options | None = None
    slug: Annotated[str, Length(0, 80), Help("its address; left out: made from the name")] = ""
    pace: Annotated[Pace | None, Help("left out: the preset's, or manual")] = None
    lineup: Annotated[Lineup | None, Help("left out: the preset's, or single")] = None
    team_size: Annotated[int, Between(1, MAX_TEAM)] = 1
    entering: Annotated[Entering | None, Help("left out: the preset's, or for anybody")] = None
    waits: Annotated[Waits | None, Help("left out: the preset's, or an hour each")] = None
    clock: Clock = NO_CLOCK
    overdue: Annotated[Overdue, Help("what happens to games that run past their round's deadline")] = (
        "organiser"
    )
    entropy: Annotated[
        Entropy, Help("what draws take from outside: entries' texts, or a public beacon's value")
    ] = "texts"
    aided: Annotated[bool, Help("the page of a game offers players what their hands make")] = False
    open_hands: OpenHands = None
