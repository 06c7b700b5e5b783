"""Reads a spreadsheet (XLSX) or a text file (CSV) into rows of texts by known columns.

Nothing in a file is evaluated, and its size is checked before it is read.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from io import BytesIO, StringIO
from typing import Any, Final
from zipfile import ZipFile

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.cell.read_only import EMPTY_CELL

from games.engine.refusals import Malformed
from league.files.exports.files import FORMULA_SIGNS
from league.models.names import search_key

MAX_BYTES: Final = 1_000_000
MAX_UNPACKED: Final = 10_000_000
MAX_PARTS: Final = 200
MAX_ROWS: Final = 1000
MAX_COLUMNS: Final = 50
LAST_ROW: Final = 1_048_576
"""The last row that a spreadsheet can have; the library fills in all rows before one that is named."""

_ZIP: Final = b"PK\x03\x04"
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_ROW_BEYOND: Final = re.compile(rb"""<(?:row|c)\b[^>]*\br=["'][A-Z]{0,3}0*[1-9][0-9]{7}""")
"""A row or cell whose row has eight digits or more."""
_DELIMITERS: Final = ",;\t"

Columns = Mapping[str, str]
"""Columns by their headings in the form of `_plain`."""


@dataclass(frozen=True)
class Row:
    """A row with its number in the file (the heading is row 1) and a text for each filled column.

    ``wrong`` has a sentence for each column whose cell cannot be read, ``""`` for the whole row.
    """

    number: int
    cells: Mapping[str, str]
    wrong: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Contents:
    """The contents of a file: rows, headings that are ignored, and remarks for the person who chose it."""

    rows: tuple[Row, ...]
    ignored: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Formula:
    """A cell whose value a spreadsheet program would compute."""


Cell = str | Formula


def read(data: bytes, columns: Columns) -> Contents:
    """Return the contents of a file; raise `Malformed` for one that cannot be read or is too big."""
    if len(data) > MAX_BYTES:
        raise _wrong(_("The file is too big. At most 1 MB can be read."))
    if data.startswith(_OLD_EXCEL):
        raise _wrong(_("This is an old Excel file (.xls). Save it as .xlsx or as CSV, and choose that."))
    if data.startswith(_ZIP):
        return _contents(_spreadsheet(data), columns, ())
    text, remarks = _decoded(data)
    return _contents(_records(text, columns), columns, remarks)


def _wrong(sentence: str) -> Malformed:
    return Malformed({"file": [sentence]})


# ---- Spreadsheets --------------------------------------------------------------------------------


def _spreadsheet(data: bytes) -> Iterator[Sequence[Cell]]:
    _check_size(data)
    try:
        book = load_workbook(BytesIO(data), read_only=True, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()
        for row in sheet.iter_rows(max_row=LAST_ROW, max_col=MAX_COLUMNS):
            # A sheet may have a cell in its millionth row: the empty rows before must be cheap.
            yield [_cell(each) for each in row] if any(map(_is_filled, row)) else ()
    except Exception:  # the library raises many kinds of errors for a broken file
        raise _unreadable() from None


def _is_filled(cell: object) -> bool:
    return cell is not EMPTY_CELL


def _check_size(data: bytes) -> None:
    """Raise `Malformed` for an archive that is too big by the sizes that it declares."""
    try:
        archive = ZipFile(BytesIO(data))
        parts = archive.infolist()
        big = len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED
        beyond = not big and any(_ROW_BEYOND.search(archive.read(part)) for part in parts)
    except Exception:  # a broken archive raises many kinds of errors
        raise _unreadable() from None
    if big:
        raise _wrong(_("The spreadsheet is too big. Keep only one sheet with the rows to import."))
    if beyond:
        raise _wrong(_("The spreadsheet has a row number that is too high: the last row is 1,048,576."))


def _unreadable() -> Malformed:
    return _wrong(_("The file cannot be read as a spreadsheet. Save it again as .xlsx or as CSV."))


def _cell(cell: Any) -> Cell:
    value = cell.value
    if cell.data_type == "f":
        return Formula()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, date | datetime):
        value = value.isoformat()
    return "" if value is None else str(value)


# ---- Text ----------------------------------------------------------------------------------------


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text, and a remark if its encoding was guessed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decode(data, "utf-16"), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        remark = _("The file isn’t UTF-8; it was read as Windows-1252. Check that accents are right.")
        return _decode(data, "windows-1252"), (remark,)


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise _wrong(_("The file’s characters cannot be read. Save it as CSV in UTF-8.")) from None


def _records(text: str, columns: Columns) -> Iterator[Sequence[Cell]]:
    if "\0" in text:
        raise _unreadable()
    delimiter = max(_DELIMITERS, key=lambda each: _fit(text, each, columns))
    try:
        yield from csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error:
        raise _wrong(_("The file cannot be read as CSV: is a quotation mark never closed?")) from None


def _fit(text: str, delimiter: str, columns: Columns) -> tuple[int, int]:
    """Return how many known headings, and how many cells, a delimiter finds in the first line."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    cells = heading.split(delimiter)
    return sum(_plain(cell.strip('"')) in columns for cell in cells), len(cells)


# ---- Rows ----------------------------------------------------------------------------------------


def _plain(heading: str) -> str:
    """Return a heading in the form that is compared: "E-Mail *" as "email"."""
    return "".join(character for character in search_key(heading) if character.isalnum())


def _contents(records: Iterable[Sequence[Cell]], columns: Columns, remarks: tuple[str, ...]) -> Contents:
    numbered = ((number, row) for number, row in enumerate(records, 1) if any(map(_filled, row)))
    _first, heading = next(numbered, (0, ()))
    names = [cell if isinstance(cell, str) else "" for cell in heading]
    known = _known_columns(names, columns)
    if not known:
        raise _wrong(_("The first row must name the columns, and none of its names is known."))
    rows: list[Row] = []
    for number, row in numbered:
        if len(rows) == MAX_ROWS:
            raise _wrong(_("At most %(most)d rows can be read at once.") % {"most": MAX_ROWS})
        rows.append(_row(number, row, known, len(names)))
    used = {index for index, _name in known}
    ignored = tuple(name.strip() for index, name in enumerate(names) if index not in used and name.strip())
    return Contents(tuple(rows), ignored, remarks)


def _filled(cell: Cell) -> bool:
    return isinstance(cell, Formula) or bool(cell.strip())


def _known_columns(names: Sequence[str], columns: Columns) -> tuple[tuple[int, str], ...]:
    """Return index and name of each known column; of two headings for one column the first counts."""
    indexes: dict[str, int] = {}
    for index, name in enumerate(names):
        if column := columns.get(_plain(name)):
            indexes.setdefault(column, index)
    return tuple((index, column) for column, index in indexes.items())


def _row(number: int, row: Sequence[Cell], known: Sequence[tuple[int, str]], width: int) -> Row:
    filled = {column: row[index] for index, column in known if index < len(row)}
    cells = {column: _bare(cell) for column, cell in filled.items() if isinstance(cell, str)}
    formula = _("This cell contains a formula. Replace it by its value.")
    wrong = {column: formula for column, cell in filled.items() if isinstance(cell, Formula)}
    if any(map(_filled, row[width:])):
        wrong[""] = _(
            "This row has more cells than there are headings. A name with a comma needs quotation marks."
        )
    return Row(number, {column: text for column, text in cells.items() if text}, wrong)


def _bare(text: str) -> str:
    """Return a cell's text without blanks around it, and without the apostrophe that our exports add."""
    bare = text.strip()
    return bare[1:] if bare.startswith("'") and bare[1:].startswith(FORMULA_SIGNS) else bare
