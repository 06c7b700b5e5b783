"""From what people and programs send to the JSON of a declared shape: numbers, texts, the fields of forms.

A list is typed as words separated by blanks, commas or semicolons (``9C 10♥``, or ``1; 0,5``), names by
semicolons alone; a list of records has one record per line, its parts separated by semicolons (``sets 3 3;
runs 4``). A form may also split a list: an input for each field of each row (``melds-0-kind``), or a count
for each name (``called-misdeal``).
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any, Final, TypeAlias

from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import AnyOf, Builders, ListOf, OneOf, Record, Rows, Shape, Text
from games.engine.names import one_line
from games.engine.refusals import Malformed

Reader: TypeAlias = Callable[[str], Json]
Filled: TypeAlias = Mapping[str, Any]
"""The values of a form by the names of its inputs: text, or values that form fields have parsed."""

MOST_ROWS: Final = 20
TICKED: Final = "on"
"""What the input of a flag, a box to tick, sends."""
MOST_TIMES: Final = 99


# ---- Numbers -------------------------------------------------------------------------------------

_SIGNS: Final = str.maketrans("\u2212\u2013\uff0d\uff0b\uff0c\uff0e\u066b\uff1a", "---+,.,:")
"""A minus, a dash as a minus, and the signs of wide and Arabic numbers, as those of ASCII."""
_GROUPED: Final = r"[1-9][0-9]{0,2}([.,'’ \u00a0\u202f])[0-9]{3}(?:\1[0-9]{3}){0,4}"
_WHOLE: Final = re.compile(rf"[+-]?(?:[0-9]{{1,18}}|{_GROUPED})")
_DECIMAL: Final = re.compile(r"\+?(-?[0-9]{1,9})(?:[.,]([0-9]{1,6}))?")
OTHER_EXACT: Final = r"\+?-?[0-9]{1,9}(?:[.,][0-9]{1,6})?"
"""How `exact` reads a number beside its own way of writing it."""


def in_ascii(text: str) -> str:
    """Return a text with the digits and signs of ASCII, whatever the script: "−１２" as "-12"."""
    if text.isascii():
        return text
    decimals = ((each, unicodedata.decimal(each, None)) for each in text.translate(_SIGNS))
    return "".join(each if decimal is None else str(decimal) for each, decimal in decimals)


def number(text: str) -> int | str:
    """Return the text as a whole number, or unchanged if it is none.

    A sign between groups of three digits only groups them: "1.204" is 1204 wherever a number is whole.
    """
    plain = in_ascii(text.strip())
    return int(re.sub(r"[^0-9-]", "", plain)) if _WHOLE.fullmatch(plain) else text


def exact(text: str) -> str:
    """Return a decimal number as logs have it, "0,5" or "0.5" as "1/2"; another text with ASCII digits."""
    plain = in_ascii(text.strip())
    if found := _DECIMAL.fullmatch(plain):
        return str(Fraction(f"{found[1]}.{found[2] or 0}"))
    return plain.removeprefix("+")


# ---- One value -----------------------------------------------------------------------------------


def from_text(shape: Shape, text: str) -> Json:
    """Return the JSON that a text stands for. If it does not fit the shape, `read` refuses the JSON."""
    return shape.fold(READERS)(text)


def _flag(text: str) -> bool | str:
    """Return what a text says, or the text unchanged if it says neither."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _one_of(shape: OneOf, _: Sequence[Reader]) -> Reader:
    return lambda text: next((allowed for allowed in shape.values if str(allowed) == text), text)


def _list(shape: ListOf | Rows, parts: Sequence[Reader]) -> Reader:
    """Return the reader of a list: of the lines of a list of records, or of the words of another one."""

    def read(text: str) -> Json:
        by = r"[\r\n]+" if isinstance(shape, Rows) else _between(shape, text)
        return [parts[0](item) for item in re.split(by, text) if item.strip()]

    return read


def _between(shape: ListOf, text: str) -> str:
    """Return what separates the words of a list; names have blanks and commas in them, numbers commas."""
    if isinstance(shape.item, Text) and shape.item.is_name:
        return r"[;\r\n]+"
    if isinstance(shape.item, Text) and shape.item.matching and shape.item.matching.other == OTHER_EXACT:
        if ";" in text:
            return ";"
        if re.search(r"\s", text.strip()) and re.search(r"\S,\S", text):
            return r"\s+"
    return r"[\s,;]+"


def _line(shape: Record, parts: Sequence[Reader]) -> Reader:
    """Return the reader of a record's line; fields that the line does not name are read from ``""``."""

    def read(text: str) -> Json:
        words = [part.split() for part in text.split(";") if part.strip()]
        named = {name: " ".join(values) for name, *values in words}
        known = zip(shape.fields, parts, strict=True)
        return {**named, **{field.name: part(named.get(field.name, "")) for field, part in known}}

    return read


def _either(shape: AnyOf, parts: Sequence[Reader]) -> Reader:
    """Return the reader that tries the alternatives in order; if none fits, it reads the first."""

    def read(text: str) -> Json:
        values = [part(text) for part in parts]
        fitting = (value for other, value in zip(shape.shapes, values, strict=True) if _reads(other, value))
        return next(fitting, values[0])

    return read


def _reads(shape: Shape, value: Json) -> bool:
    try:
        shape.read(value, "")
    except Malformed:
        return False
    return True


READERS: Final[Builders[Reader]] = {
    "flag": lambda _shape, _: _flag,
    "number": lambda _shape, _: number,
    "text": lambda shape, _: shape.matching.spelt if shape.matching else one_line,
    "choice": _one_of,
    "list": _list,
    "rows": _list,
    "record": _line,
    "object": lambda _shape, _: str,
    "either": _either,
}


# ---- What a request has --------------------------------------------------------------------------


def cleaner(record: Record) -> Callable[[Json], Json]:
    """Return the function that cleans the texts of a request's JSON, and leaves its errors to `read`."""
    return record.fold(CLEANERS)


def _cleaned_text(shape: Text, _: Sequence[Callable[[Json], Json]]) -> Callable[[Json], Json]:
    clean = shape.matching.spelt if shape.matching else one_line
    return lambda value: clean(value) if isinstance(value, str) else value


def _cleaned_list(_shape: Shape, parts: Sequence[Callable[[Json], Json]]) -> Callable[[Json], Json]:
    return lambda value: [parts[0](each) for each in value] if isinstance(value, list) else value


def _cleaned_record(shape: Record, parts: Sequence[Callable[[Json], Json]]) -> Callable[[Json], Json]:
    by_name = {field.name: part for field, part in zip(shape.fields, parts, strict=True)}

    def clean(value: Json) -> Json:
        if not isinstance(value, Mapping):
            return value
        return {name: by_name[name](part) if name in by_name else part for name, part in value.items()}

    return clean


def _cleaned_object(value: Json) -> Json:
    """Return JSON that a ruleset or a format declares; a text in it has one line."""
    if isinstance(value, str):
        return value if value.isascii() and value.isprintable() else one_line(value)
    if isinstance(value, Mapping):
        return {name: _cleaned_object(part) for name, part in value.items()}
    return [_cleaned_object(part) for part in value] if isinstance(value, list) else value


CLEANERS: Final[Builders[Callable[[Json], Json]]] = {
    **dict.fromkeys(("flag", "number", "choice"), lambda _shape, _: lambda value: value),
    "text": _cleaned_text,
    "list": _cleaned_list,
    "rows": _cleaned_list,
    "record": _cleaned_record,
    "object": lambda _shape, _: _cleaned_object,
    "either": lambda _, parts: lambda value: reduce(lambda cleaned, part: part(cleaned), parts, value),
}


def as_line(item: Mapping[str, Any]) -> str:
    """Return a record of lists as people type it, readable by `from_text`: "sets 3 3; runs 4"."""
    named = ((name, " ".join(map(str, values))) for name, values in item.items())
    return "; ".join(f"{name} {values}" for name, values in named if values)


# ---- What a form holds ---------------------------------------------------------------------------


def in_form(shape: Shape, name: str, form: Filled) -> Json:
    """Return the JSON of the inputs for a field, or None if they are empty."""
    shape, value = shape.bare, form.get(name)
    if shape.kind == "flag" and value == TICKED:
        return True
    if isinstance(value, str):
        value = from_text(shape, value.strip()) if value.strip() else None
    if value is None and shape.kind in _IN_PARTS:
        value = _IN_PARTS[shape.kind](shape, name, form)
    return None if value == [] else value


def record_in_form(record: Record, prefix: str, form: Filled) -> JsonObject:
    """Return the JSON of the inputs for a record, without empty fields."""
    values = {field.name: in_form(field.shape, f"{prefix}{field.name}", form) for field in record.fields}
    return {name: value for name, value in values.items() if value is not None}


def with_usual(record: Record, given: JsonObject) -> JsonObject:
    """Return a record as JSON with what it has unless chosen, where that is not given."""
    usual = {field.name: field.usual for field in record.fields if not field.required}
    return {**usual, **given}


def values_in_form(record: Record, form: Filled) -> dict[str, Any]:
    """Return the values of a record's fields, by attribute, that a form holds; raise `Malformed`.

    An optional field that was left empty is left out; a text that must be there may be empty where its shape
    allows that.
    """
    values = {**record_in_form(record, "", form)}
    for field in record.fields:
        if field.required and field.name not in values:
            values[field.name] = ""
    return {
        field.attribute: field.shape.read(values[field.name], field.name)
        for field in record.fields
        if field.name in values
    }


def rows_in_form(record: Record, name: str, form: Filled) -> list[JsonObject]:
    """Return the JSON of all rows from the first to the last that has inputs in the form."""
    pattern = re.compile(rf"{re.escape(name)}-(\d{{1,2}})-.+", re.ASCII)
    numbers = [int(found[1]) for posted in form if (found := pattern.fullmatch(posted))]
    count = min(max(numbers, default=-1) + 1, MOST_ROWS)
    return [record_in_form(record, f"{name}-{row}-", form) for row in range(count)]


def _filled_rows(shape: Rows, name: str, form: Filled) -> list[JsonObject]:
    """Return the rows with input. A choice does not count: alone it says nothing."""
    typed = [field.name for field in shape.item.fields if field.shape.bare.kind != "choice"]
    return [row for row in rows_in_form(shape.item, name, form) if any(part in row for part in typed)]


def _counted(shape: ListOf, name: str, form: Filled) -> list[str]:
    """Return each name as often as its input says; too often for any list if that is not a number."""
    names = (str(value) for value in getattr(shape.item, "values", ()))
    texts = ((each, str(form.get(f"{name}-{each}", "")).strip()) for each in names)
    return [each for each, text in texts if text for _ in range(_times(text))]


def _times(text: str) -> int:
    times = number(text)
    return min(times, MOST_TIMES) if isinstance(times, int) and times >= 0 else MOST_TIMES


_IN_PARTS: Final[Mapping[str, Callable[[Any, str, Filled], Any]]] = {"rows": _filled_rows, "list": _counted}
