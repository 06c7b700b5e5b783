"""Writes listings as a spreadsheet; only where one is written are this module and its library imported."""

from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from fractions import Fraction
from io import BytesIO
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from league.apps.exchange.listings import Listing, Value

_WIDEST: Final = 60
_TITLE_LENGTH: Final = 31  # what a sheet's tab may hold
_TIME_FORMAT: Final = "yyyy-mm-dd hh:mm:ss"


def written(listings: Sequence[Listing], as_text: Callable[[Value], str]) -> bytes:
    """Return a workbook (Office Open XML) with a sheet for each listing, its heading frozen.

    ``as_text`` writes a value as other files have it.
    """
    book = Workbook(write_only=True)
    for listing in listings:
        _write_sheet(book, listing, as_text)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _write_sheet(book: Any, listing: Listing, as_text: Callable[[Value], str]) -> None:
    sheet = book.create_sheet(listing.name[:_TITLE_LENGTH])
    sheet.freeze_panes = "A2"
    for number, width in enumerate(_widths(listing, as_text), 1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    sheet.append([_heading(sheet, column) for column in listing.columns])
    for row in listing.rows:
        sheet.append([_cell(sheet, value, listing.zone) for value in row])


def _widths(listing: Listing, as_text: Callable[[Value], str]) -> Sequence[int]:
    columns = zip(listing.columns, *listing.rows, strict=True)
    return [min(_WIDEST, 2 + max(len(as_text(value)) for value in column)) for column in columns]


def _heading(sheet: Any, name: str) -> Any:
    cell = _text(sheet, name)
    cell.font = Font(bold=True)
    return cell


def _cell(sheet: Any, value: Value, zone: tzinfo) -> Any:
    match value:
        case str():
            return _text(sheet, value)
        case datetime():
            cell = WriteOnlyCell(sheet, value.astimezone(zone).replace(tzinfo=None))
            cell.number_format = _TIME_FORMAT
            return cell
        case Fraction():
            return _number(sheet, value)
        case _:
            return WriteOnlyCell(sheet, value)


def _text(sheet: Any, text: str) -> Any:
    """Return a cell of text, even where it looks like a formula."""
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", text))
    cell.data_type = "s"
    return cell


def _number(sheet: Any, value: Fraction) -> Any:
    if value.denominator == 1:
        return WriteOnlyCell(sheet, value.numerator)
    cell = WriteOnlyCell(sheet, float(value))
    cell.number_format = "# ??/??" if value.denominator < 100 else "0.000"
    return cell
