"""Writes listings as files.

JSON, and CSV as the API gives it, are for programs: times are ISO 8601 in UTC, points are exact ("7/2").
Spreadsheets hold numbers, and times in the listing's zone; a fraction is a number with a fraction format. CSV
that people download is for spreadsheets, too, which take "3/4" for a day in April.
"""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from io import BytesIO, StringIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.formats import get_format

from league.files.exports.listing import Listing, Value
from league.ops import offload

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "|", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that begin a formula or a command in a spreadsheet, or that it strips before one."""

_PLACES: Final = 6
"""The decimal places of a fraction in a file for spreadsheets."""
_LOCAL_TIME: Final = "%Y-%m-%d %H:%M:%S"


# ---- Text ----------------------------------------------------------------------------------------


def as_csv(listing: Listing) -> str:
    """Return the listing as CSV with a heading (RFC 4180); no text in it is a formula for a spreadsheet."""
    return _csv(listing, _in_text)


def for_spreadsheets(listing: Listing, language: str | None = None) -> str:
    """Return the listing as CSV that a spreadsheet in a language, by default the active one, opens as it is.

    It begins with a byte order mark. Fractions are decimals, and times are in the listing's zone. Where the
    language has a decimal comma, semicolons separate the cells.
    """
    sign = get_format("DECIMAL_SEPARATOR", lang=language, use_l10n=True)

    def cell(value: Value) -> str:
        match value:
            case Fraction():
                return str(round(float(value), _PLACES)).removesuffix(".0").replace(".", sign)
            case datetime():
                return value.astimezone(listing.zone).strftime(_LOCAL_TIME)
            case _:
                return _in_text(value)

    return f"\ufeff{_csv(listing, cell, ';' if sign == ',' else ',')}"


def _csv(listing: Listing, cell: Callable[[Value], str], separator: str = ",") -> str:
    written = StringIO()
    sheet = csv.writer(written, delimiter=separator)
    sheet.writerow([harmless(column) for column in listing.columns])
    sheet.writerows([cell(value) for value in row] for row in listing.rows)
    return written.getvalue()


def harmless(text: str) -> str:
    """Return a text with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def _in_text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return harmless(value)
        case _:
            return str(_in_json(value))


def as_json(listing: Listing) -> str:
    """Return the listing as a JSON array of objects, one for each row."""
    return json.dumps(records(listing), ensure_ascii=False, indent=1)


def records(listing: Listing) -> list[dict[str, Any]]:
    """Return the rows as JSON objects."""
    return [{name: _in_json(value) for name, value in row.items()} for row in listing.records()]


def _in_json(value: Value) -> str | int | None:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Fraction():
            return str(value)
        case _:
            return value


def as_xlsx(*listings: Listing) -> bytes:
    """Return a workbook (Office Open XML) with a sheet for each listing, its heading frozen."""
    return offload.call(_workbook, listings)


def _workbook(listings: Sequence[Listing]) -> bytes:
    # The library takes 13 MB.
    from league.files.exports.workbook import written

    return written(listings, _in_text)


# ---- Formats -------------------------------------------------------------------------------------


def _as_zip(listings: Sequence[Listing]) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for listing in listings:
            archive.writestr(f"{listing.name}.csv", for_spreadsheets(listing))
    return written.getvalue()


def _as_object(listings: Sequence[Listing]) -> str:
    """Return a JSON object with an array of objects for each listing."""
    objects = {listing.name: records(listing) for listing in listings}
    return json.dumps(objects, ensure_ascii=False, indent=1)


@dataclass(frozen=True)
class Format:
    """A file format: its suffix, and the function that writes a listing."""

    suffix: str
    write: Callable[[Listing], str | bytes]


CSV: Final = Format("csv", as_csv)
JSON: Final = Format("json", as_json)
XLSX: Final = Format("xlsx", as_xlsx)
_SHEET: Final = Format("csv", for_spreadsheets)
FORMATS: Final = {format_.suffix: format_ for format_ in (_SHEET, JSON, XLSX)}
"""What people download, by suffix."""


def sheet_in(language: str) -> Format:
    """Return the format of CSV for a spreadsheet in a language."""
    return Format(CSV.suffix, partial(for_spreadsheets, language=language))


@dataclass(frozen=True)
class Bundle:
    """A file format for several listings: its suffix, and the function that writes them."""

    suffix: str
    write: Callable[[Sequence[Listing]], str | bytes]


BUNDLES: Final = {
    "csv": Bundle("zip", _as_zip),
    "json": Bundle("json", _as_object),
    "xlsx": Bundle("xlsx", lambda listings: as_xlsx(*listings)),
}
