"""Reads a spreadsheet (XLSX) or a text file (CSV) into rows of texts by known columns.

Nothing in a file is evaluated, and its size is checked before it is read.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from io import BytesIO, StringIO
from itertools import chain, islice
from time import monotonic
from typing import Any, Final
from zipfile import ZipFile

from django.utils.translation import gettext as _

from games.engine.names import one_line
from games.engine.refusals import Malformed
from league.apps.exchange.formats import FORMULA_SIGNS
from league.models.names import search_key

MAX_BYTES: Final = 1_000_000
MAX_UNPACKED: Final = 10_000_000
MAX_PARTS: Final = 200
MAX_TAGS: Final = 600_000
"""How many tags all parts of a spreadsheet may have: enough for `MAX_ROWS` of fifty cells."""
MAX_ROWS: Final = 1000
MAX_COLUMNS: Final = 100
MAX_SECONDS: Final = 20
LAST_ROW: Final = 1_048_576
"""The last row that a spreadsheet can have."""
MOST_ABOVE: Final = 10
"""Among how many rows the one with the names of the columns is looked for: titles may be above it."""

_ZIP: Final = b"PK\x03\x04"
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_DELIMITERS: Final = ",;\t"

Columns = Mapping[str, str]
"""Columns by their headings in the form of `_plain`."""


@dataclass(frozen=True)
class Row:
    """A row with its number in the file and a text for each filled column.

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
Record = tuple[int, Sequence[Cell]]
"""A row's number in the file, and its cells."""


def read(data: bytes, columns: Columns) -> Contents:
    """Return the contents of a file; raise `Malformed` for one that cannot be read or is too big."""
    if len(data) > MAX_BYTES:
        raise _wrong(
            _("The file is too big. At most %(most)d MB can be read.") % {"most": MAX_BYTES // 1_000_000}
        )
    if data.startswith(_OLD_EXCEL):
        raise _wrong(_("This is an old Excel file (.xls). Save it as .xlsx or as CSV, and choose that."))
    if is_spreadsheet(data):
        return _contents(_spreadsheet(data), columns, ())
    text, remarks = _decoded(data)
    return _contents(enumerate(_records(text, columns), 1), columns, remarks)


def are_headings(line: str, columns: Columns) -> bool:
    """Return whether a line names columns; one that may be a surname, a comma and a first name does not."""
    for delimiter in _DELIMITERS:
        cells = [cell for cell in line.split(delimiter) if cell.strip()]
        known = {columns[plain] for cell in cells if (plain := _plain(cell)) in columns}
        named = delimiter != "," and known & {"name", "last"}
        if known and (named or len(known) >= min(2, len(cells))) and known & {"name", "first", "last"}:
            return True
    return False


def is_spreadsheet(data: bytes) -> bool:
    """Return whether the file is an archive, as spreadsheets are; reading one takes a while."""
    return data.startswith(_ZIP)


def _wrong(sentence: str) -> Malformed:
    return Malformed({"file": [sentence]})


# ---- Spreadsheets --------------------------------------------------------------------------------


def _spreadsheet(data: bytes) -> Iterator[Record]:
    _check_size(data)
    until, last = monotonic() + MAX_SECONDS, 0
    try:
        for number, cells in _rows_of_sheet(data):
            _check_row(number, last, until)
            last = number
            yield number, _in_order(cells)
    except Malformed:
        raise
    except Exception:  # the library raises many kinds of errors for a broken file
        raise _unreadable() from None


def _rows_of_sheet(data: bytes) -> Iterator[tuple[int, Sequence[Mapping[str, Any]]]]:
    """Yield number and cells of the rows that the first sheet has.

    The library's own iterator also makes each row and cell that is missing before them: a file of 1 kB can
    name row 1,048,576.
    """
    from openpyxl import load_workbook
    from openpyxl.worksheet._reader import WorkSheetParser

    book: Any = load_workbook(BytesIO(data), read_only=True, keep_links=False)
    sheet = book.worksheets[0]
    with sheet._get_source() as source:
        formats = {"date_formats": book._date_formats, "timedelta_formats": book._timedelta_formats}
        yield from WorkSheetParser(source, sheet._shared_strings, epoch=book.epoch, **formats).parse()


def _check_row(number: int, last: int, until: float) -> None:
    if not last < number <= LAST_ROW:
        raise _wrong(_("The spreadsheet has a row number that is not possible: the last row is 1,048,576."))
    if monotonic() > until:
        raise _wrong(_("It takes too long to read the spreadsheet. Save its rows as CSV, and choose that."))


def _in_order(cells: Sequence[Mapping[str, Any]]) -> Sequence[Cell]:
    """Return a row's cells from the first column on; the last one is any cell beyond `MAX_COLUMNS`."""
    row = {min(cell["column"], MAX_COLUMNS + 1): _cell(cell) for cell in cells if cell["value"] is not None}
    return [row.get(column, "") for column in range(1, max(row, default=0) + 1)]


def _check_size(data: bytes) -> None:
    """Raise `Malformed` for an archive that is too big, by the sizes that it declares and by its tags."""
    try:
        archive = ZipFile(BytesIO(data))
        parts = archive.infolist()
        big = len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED
        big = big or sum(archive.read(part).count(b"<") for part in parts) > MAX_TAGS
    except Exception:  # a broken archive raises many kinds of errors
        raise _unreadable() from None
    if big:
        raise _wrong(_("The spreadsheet is too big. Keep only one sheet with the rows to import."))


def _unreadable() -> Malformed:
    return _wrong(_("The file cannot be read as a spreadsheet. Save it again as .xlsx or as CSV."))


def _cell(cell: Mapping[str, Any]) -> Cell:
    value = cell["value"]
    if cell["data_type"] == "f":
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
    """Return how many known headings a delimiter finds in one of the first lines, and how many cells."""
    filled = (line for line in text.splitlines() if line.strip())
    rows = [line.split(delimiter) for line in islice(filled, MOST_ABOVE)]
    found = [(sum(_plain(cell.strip('"')) in columns for cell in row), len(row)) for row in rows]
    return max(found, default=(0, 0))


# ---- Rows ----------------------------------------------------------------------------------------


def _plain(heading: str) -> str:
    """Return a heading in the form that is compared: "E-Mail *" as "email"."""
    return "".join(character for character in search_key(heading) if character.isalnum())


def _contents(records: Iterable[Record], columns: Columns, remarks: tuple[str, ...]) -> Contents:
    filled = ((number, row) for number, row in records if any(map(_filled, row)))
    first = list(islice(filled, MOST_ABOVE))
    known = [_known_columns(_headings(row), columns) for _, row in first]
    at = max(range(len(first)), key=lambda index: (len(known[index]), -index), default=0)
    if not any(known):
        raise _wrong(_("One of the first rows must name the columns, and none of the known names is there."))
    names = _headings(first[at][1])
    if len(names) > MAX_COLUMNS:
        raise _wrong(_("At most %(most)d columns can be read. Leave out the others.") % {"most": MAX_COLUMNS})
    rows: list[Row] = []
    for number, row in chain(first[at + 1 :], filled):
        if len(rows) == MAX_ROWS:
            raise _wrong(_("At most %(most)d rows can be read at once.") % {"most": MAX_ROWS})
        rows.append(_row(number, row, known[at], len(names)))
    used = {index for index, _name in known[at]}
    ignored = tuple(name.strip() for index, name in enumerate(names) if index not in used and name.strip())
    return Contents(tuple(rows), ignored, (*remarks, *_remarks(first[:at])))


def _headings(row: Sequence[Cell]) -> list[str]:
    return [cell if isinstance(cell, str) else "" for cell in row]


def _remarks(above: Sequence[Record]) -> Iterator[str]:
    """Yield what is told about the rows above the names of the columns."""
    titles = [" ".join(cell.strip() for cell in _headings(row) if cell.strip()) for _, row in above]
    if titles:
        yield _("Ignored above the column names: %(titles)s") % {"titles": "; ".join(titles)}


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
    cells = {column: one_line(_bare(cell)) for column, cell in filled.items() if isinstance(cell, str)}
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
