"""How a request is read: its parameters, strictly; its body, JSON as RFC 8259 has it.

A parameter is described once for reader and schema. Of a body nothing passes that a database, a log or a
reader would choke on. What ends is announced beforehand (docs/api.md, "What may change"), and stays declared
afterwards: an operation answers 410, a parameter is unknown.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import IO, Any, Final, Literal, TypeVar

from django.conf import settings
from django.utils import timezone
from django.utils.http import http_date
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request

from api.errors import TooLarge
from games.engine import shapes
from games.engine.kinds import Flag, Matching, OneOf, Shape, Text, Whole
from games.engine.refusals import Malformed
from games.engine.textinput import cleaner, from_text
from league.files.pictures import MOST_BYTES as MOST_OF_A_PICTURE

# ---- Deprecation ---------------------------------------------------------------------------------

NOTICE: Final = timedelta(days=365)
"""How long something goes on at least after it was deprecated."""


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation or a parameter should not be used, and on which day it ends (UTC).

    ``link`` is the address of a text for people: what to use instead.
    """

    since: date
    until: date
    link: str

    def __post_init__(self) -> None:
        if self.until - self.since < NOTICE:
            raise ValueError(f"What is deprecated goes on for {NOTICE.days} days.")

    @property
    def is_over(self) -> bool:
        """Return whether it has ended."""
        return timezone.now().astimezone(UTC).date() >= self.until  # noqa: TID251 - a day, told long before

    def headers(self) -> Mapping[str, str]:
        """Return the headers of RFC 9745 and RFC 8594."""
        return {
            "Deprecation": f"@{_seconds(self.since)}",
            "Sunset": http_date(_seconds(self.until)),
            "Link": f'<{self.link}>; rel="deprecation"; type="text/html"',
        }


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())


# ---- Parameters ----------------------------------------------------------------------------------

BIGGEST: Final = 2**31 - 1
MOST_RESULTS: Final = 1000


@dataclass(frozen=True)
class Parameter:
    """A value in the query or in a header, of a shape that a request's body could have as well."""

    name: str
    help: str
    shape: Shape
    location: Literal["query", "header"] = "query"
    required: bool = False
    deprecated: Deprecation | None = None

    @property
    def is_offered(self) -> bool:
        """Return whether a request's query may have it, today."""
        return self.location == "query" and not (self.deprecated and self.deprecated.is_over)

    def read(self, request: Request, default: Any = None) -> Any:
        """Return the value, or the default where it was left out; raise `Malformed`."""
        given = request.query_params if self.location == "query" else request.headers
        return self.parsed(given.get(self.name, "")) if self.name in given or self.required else default

    def parsed(self, text: str) -> Any:
        """Return the value that a text says; raise `Malformed`."""
        # A program writes whole numbers in one way; people's ways are for bodies and forms.
        as_typed = self.shape.kind == "number" and not re.fullmatch("-?[0-9]{1,18}", text)
        return self.shape.read(text if as_typed else from_text(self.shape, text), self.name)

    def parameter(self) -> OpenApiParameter:
        """Return the parameter as the schema describes it."""
        schema = dict(self.shape.schema())
        return OpenApiParameter(
            self.name,
            schema,
            self.location,
            required=self.required,
            description=self.help,
            deprecated=self.deprecated is not None,
        )


KEY: Final = Matching("[a-z][a-z0-9-]{0,59}", "the key of a ruleset, as `rulesets/` lists them")
PRINTABLE: Final = Matching("[!-~]{1,200}", "1 to 200 printable ASCII characters without spaces")
TOKEN: Final = Matching("[A-Za-z0-9_=:-]{0,1000}", "as an answer had it, or empty")
FROM_ZERO: Final = Whole(0, BIGGEST)
FROM_ONE: Final = Whole(1, BIGGEST)

RULESET: Final = Parameter(
    "ruleset", "The key of a ruleset, without a version.", Text(0, 0, KEY), required=True
)
SEARCH: Final = Parameter("search", "Parts of the name, in any order.", Text(2, 100), required=True)
AFTER: Final = Parameter("after", "Only entries with a higher `seq`.", FROM_ZERO)
SHEET_AFTER: Final = Parameter(
    "sheet_after",
    "Only the rows of `view.sheet` of later rounds than this, so that the answer does not grow with the "
    "game. A correction or ruling can change earlier rows: leave it out to read them all.",
    FROM_ZERO,
)
STAGE: Final = Parameter("stage", "A stage by its number; left out: the last one that has begun.", FROM_ONE)
ROUND: Final = Parameter("round", "A round by its number; standings are those after it.", FROM_ONE)
PAGE: Final = Parameter("page", "The number of the page.", FROM_ONE)
PAGE_SIZE: Final = Parameter("page_size", "The number of results on a page.", Whole(1, MOST_RESULTS))
CURSOR: Final = Parameter(
    "cursor",
    "Read the list by cursor: empty at first, then as `next` has it. Such a list has no `count`, `page` is "
    "ignored, and nothing is left out or twice in it while rows are added.",
    Text(0, 0, TOKEN),
)
MOST_SECONDS: Final = 60
WAIT: Final = Parameter(
    "wait",
    "Answer with JSON instead of a stream: with the events after `after`, or where there are none, as soon "
    "as there is one, and at the latest after so many seconds.",
    Whole(0, MOST_SECONDS),
)

LANGUAGE: Final = Parameter(
    "lang",
    "The language of the texts; left out: English.",
    OneOf(tuple(code[:2] for code, _name in settings.LANGUAGES)),
)

ALIVE: Final = Parameter(
    "alive",
    "With `true` an `alive` event, without an `id`, comes with each comment: a browser hides comments from "
    "its page, which can't tell a stream without news from one that nobody writes to any more.",
    Flag(),
)
WATCHING: Final = Parameter(
    "watching",
    "With `true` the stream also has `watching` events, without an `id`: how many follow the game in this "
    "way. The caller is counted too, unless they play in it.",
    Flag(),
)
COMPANY: Final = Parameter(
    "company",
    "With `true` the stream also has `said` events, without an `id`: what somebody at the table says, which "
    "is kept nowhere; and for the table's players `present` events: who is there, or has left lately.",
    Flag(),
)


@dataclass(frozen=True)
class Cursors:
    """How a stream's cursors look, as a parameter and as the header that browsers send."""

    shape: Shape
    about: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the two, the one that takes precedence first."""
        header = "The `id` of the last event received; takes precedence over `after`."
        return (
            Parameter("Last-Event-ID", header, self.shape, "header"),
            Parameter("after", self.about, self.shape),
        )

    def read(self, request: Request) -> str:
        """Return the cursor that a request gives, empty for none; raise `Malformed`."""
        given = [each.read(request) for each in self.parameters]
        return next((str(each) for each in given if each is not None), "")


BY_SEQ: Final = Cursors(FROM_ZERO, "Only entries with a higher `seq`.")
BY_NUMBER: Final = Cursors(
    FROM_ZERO, "Only later events than the one with this `id`; left out: how things are."
)
BY_HEAD: Final = Cursors(
    Text(0, 0, Matching("[0-9]{1,9}(-[0-9]{1,9})?", "a `seq`, or the `id` of an event")),
    "Only events with a higher `seq`, or later than the one with this `id`.",
)
BY_STATE: Final = Cursors(
    Text(0, 0, Matching("[0-9a-f]{32}", "the `id` of an event")),
    "The `id` of the last event received; left out: all that is going on.",
)
IDEMPOTENCY_KEY: Final = Parameter(
    "Idempotency-Key",
    "A text of your own, such as a UUID. Within a day, the same request with the same key creates nothing "
    "more; the response (200) has what the first request created.",
    Text(0, 0, PRINTABLE),
    "header",
)


# ---- Bodies --------------------------------------------------------------------------------------

T = TypeVar("T")

MOST_BYTES: Final = 2_621_440
"""How long a body may be that does not declare its own ``most_bytes``; Django reads no more into memory."""
MAX_DEPTH: Final = 32
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


_CLEANERS: Final[dict[type, Callable[[Any], Any]]] = {}


def read(body: type[T], data: Any) -> T:
    """Return a request's JSON, its texts cleaned, as the declared body; raise `Malformed`."""
    if body not in _CLEANERS:
        _CLEANERS[body] = cleaner(shapes.record(body))
    return shapes.read(body, _CLEANERS[body](data))
