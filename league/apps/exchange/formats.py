"""Writes listings as files.

JSON, and CSV as the API gives it, are for programs: times are ISO 8601 in UTC, points are exact ("7/2").
Spreadsheets hold numbers, and times in the listing's zone; a fraction is a number with a fraction format. CSV
that people download is for spreadsheets, too, which take "3/4" for a day in April.
"""

import csv
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils.formats import get_format
from django.utils.text import slugify

from league.apps.exchange.listings import DOWNLOADS, Listing, Value, in_words
from league.files.file import Extent, File, Progress, no_progress
from league.models import Competition
from league.ops import offload
from league.queries.rounds import tables_of_competition

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


def as_json(*listings: Listing) -> str:
    """Return a listing as a JSON array with an object for each row; several as an object of such arrays."""
    rows = {each.name: [_object(each, row) for row in each.rows] for each in listings}
    whole = rows if len(listings) > 1 else rows[listings[0].name]
    return json.dumps(whole, ensure_ascii=False, indent=1)


def _object(listing: Listing, row: Sequence[Value]) -> dict[str, Any]:
    return {name: _in_json(value) for name, value in zip(listing.columns, row, strict=True)}


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
    from league.apps.exchange.workbook import written

    return written(listings, _in_text)


# ---- What people download ------------------------------------------------------------------------

SUFFIXES: Final = ("csv", "xlsx", "json")


def file_of(suffix: str, stem: str, *listings: Listing) -> File:
    """Return listings in one file, in the reader's language but for JSON; ``stem`` is its name."""
    shown = listings if suffix == "json" else [in_words(each) for each in listings]
    match suffix:
        case "csv" if len(shown) > 1:
            return File(_as_zip(shown), f"{stem}.zip")
        case "csv":
            content = for_spreadsheets(shown[0]).encode()
        case "json":
            content = as_json(*shown).encode()
        case _:
            content = as_xlsx(*shown)
    return File(content, f"{stem}.{suffix}")


def _as_zip(listings: Sequence[Listing]) -> bytes:
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for listing in listings:
            archive.writestr(f"{listing.name}.csv", for_spreadsheets(listing))
    return written.getvalue()


def extent(competition: Competition) -> Extent:
    """Return how much is in a competition's downloads."""
    return Extent(tables=tables_of_competition(competition, drawn=True).count())


def download(name: str, suffix: str, competition: Competition, progress: Progress = no_progress) -> File:
    """Return one of `DOWNLOADS` with one of `SUFFIXES`."""
    title, parts_of = DOWNLOADS[name]
    parts = parts_of(competition)
    listings = []
    for done, part in enumerate(parts, 1):
        listings.append(part())
        progress(done, len(parts) + 1)
    return file_of(suffix, f"{competition.slug}-{slugify(title, allow_unicode=True)}", *listings)
