"""Request bodies: JSON as RFC 8259 has it and nothing that a database, a log or a reader would choke on."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from games.engine.refusals import Malformed

MAX_DEPTH: Final = 32


class StrictJSONParser(JSONParser):
    """Reads UTF-8 JSON of bounded depth, without doubled names, NaN, NUL characters or lone surrogates."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            text = stream.read().decode()
            value = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_refused)
        except (ValueError, RecursionError) as error:
            raise ParseError(_sentence(error)) from None
        _check_depth(value, MAX_DEPTH)
        for path, part in texts(value, ""):
            if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in part):
                raise Malformed({path: ["This has a character that cannot be stored."]})
        return value


def _sentence(error: Exception) -> str:
    match error:
        case UnicodeDecodeError():
            return f"The body is not UTF-8 at byte {error.start}."
        case json.JSONDecodeError():
            return f"The body is not JSON at line {error.lineno}, column {error.colno}."
        case RecursionError():
            return "The body is nested too deep."
        case _:
            return f"The body is not JSON as it is read here: {error}."


def _without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return read


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def _check_depth(value: Any, left: int) -> None:
    if left < 0:
        raise ParseError("The body is nested too deep.")
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _check_depth(part, left - 1)


def texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield every text in a JSON value, names too, each with a path to it that is safe to show."""
    match value:
        case str():
            yield path, value
        case dict():
            for name, part in value.items():
                yield path, name
                yield from texts(part, f"{path}.{name}" if path else name)
        case list():
            for index, part in enumerate(value):
                yield from texts(part, f"{path}.{index}" if path else str(index))
