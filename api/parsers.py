"""Request bodies: JSON as RFC 8259 has it and nothing that a database, a log or a reader would choke on."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import IO, Any, Final

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser, JSONParser

from api.errors import TooLarge
from games.engine.refusals import Malformed
from league.files.pictures import MOST_BYTES
from league.services.importing import MOST_BYTES as MOST_LOG_BYTES

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
        return bytes(stream.read(MOST_BYTES + 1))


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
