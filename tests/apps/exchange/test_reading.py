"""Files that organisers upload, as spreadsheet programs write them."""

import struct
from collections.abc import Sequence
from io import BytesIO
from time import process_time
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from games.engine.refusals import Malformed
from league.apps.exchange import reading
from league.apps.exchange.formats import as_csv, as_xlsx
from league.apps.exchange.listings import Listing
from league.apps.exchange.players import COLUMNS
from league.apps.exchange.reading import Contents


def read(data: bytes | str) -> Contents:
    return reading.read(data.encode() if isinstance(data, str) else data, COLUMNS)


def names(data: bytes | str) -> list[str]:
    return [row.cells.get("name", "") for row in read(data).rows]


def workbook(*rows: Sequence[object]) -> bytes:
    book, written = Workbook(), BytesIO()
    for row in rows:
        book.worksheets[0].append(list(row))
    book.save(written)
    return written.getvalue()


def refusal(data: bytes | str) -> str:
    with pytest.raises(Malformed) as refused:
        read(data)
    return refused.value.errors["file"][0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_accents_survive_every_usual_encoding(encoding: str) -> None:
    contents = read("name\nZoë Ábel\n".encode(encoding))
    assert [row.cells["name"] for row in contents.rows] == ["Zoë Ábel"]
    assert bool(contents.remarks) == (encoding == "windows-1252")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_usual_delimiter_is_found(delimiter: str, end: str) -> None:
    text = end.join(["name{0}active", '"Pike, Paul"{0}yes', "Petra{0}no"]).format(delimiter)
    assert names(text) == ["Pike, Paul", "Petra"]


@pytest.mark.parametrize(
    "heading", ["name", "Name", " NAME ", "Player", "player_name", "Full name", "Nom", "Spieler", '"Name"']
)
def test_headings_are_read_leniently(heading: str) -> None:
    assert names(f"{heading}\nPaul\n") == ["Paul"]


def test_a_heading_can_be_e_mail_or_email() -> None:
    assert read("Name,E-Mail\nPaul,p@example.org\n").rows[0].cells["email"] == "p@example.org"


@pytest.mark.parametrize("titles", [["Members 2026"], ["Harbour Cards", "printed,by,the secretary"]])
def test_titles_above_the_headings_are_told_and_skipped(titles: Sequence[str]) -> None:
    contents = read("\n".join([*titles, "", "name;email", "Paul;p@example.org"]))
    assert [(row.number, row.cells["name"]) for row in contents.rows] == [(len(titles) + 3, "Paul")]
    assert titles[0] in contents.remarks[-1]


def test_a_title_in_a_spreadsheet_is_skipped_too() -> None:
    assert names(workbook(["Our players"], [], ["No.", "Player", "Phone"], [1, "Paul", "0123"])) == ["Paul"]


def test_unknown_headings_are_named() -> None:
    assert read("name,shoe size,Player\nPaul,43,x\n").ignored == ("shoe size", "Player")


def test_empty_rows_are_skipped_and_row_numbers_kept() -> None:
    assert [row.number for row in read("\nname\n\nPaul\n , \nPetra\n").rows] == [4, 6]


def test_the_apostrophe_of_exported_files_is_removed() -> None:
    assert names(as_csv(Listing("x", ("name",), (("=cmd",), ("'t Hooft",))))) == ["=cmd", "'t Hooft"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "must name the columns"),
        (b"Paul\nPetra\n", "must name the columns"),
        (b"\xd0\xcf\x11\xe0 old", "old Excel file"),
        (b"PK\x03\x04 broken", "cannot be read as a spreadsheet"),
        (b"name\nPa\x00ul\n", "cannot be read as a spreadsheet"),
        (b"name\n\x81\x8d\n", "characters cannot be read"),
        (b"\xff\xfea", "characters cannot be read"),
        (b"name\n" + b'"' + b"x" * 200_000, "quotation mark"),
        (b"name\n" + b"x\n" * 1001, "At most 1000 rows"),
        (b"name\n" + b"x" * 1_000_000, "too big"),
        (b"name" + b",x" * 100 + b"\na\n", "At most 100 columns"),
    ],
)
def test_unreadable_files_are_refused_with_a_reason(data: bytes, expected: str) -> None:
    assert expected in refusal(data)


def test_an_extra_comma_is_reported_with_its_row() -> None:
    (row,) = read("name,active\nPike, Paul,yes\n").rows
    assert "more cells than there are headings" in row.wrong[""]


class TestSpreadsheet:
    def test_returns_its_cells_as_text(self) -> None:
        (row,) = read(workbook(["Name", "Active", "Id"], ["Zoë", True, 7.0])).rows
        assert row.cells == {"name": "Zoë", "active": "True", "id": "7"}

    def test_is_read_back_as_it_was_written(self) -> None:
        assert names(as_xlsx(Listing("x", ("name",), (("=1+1",), ("Zoë",))))) == ["=1+1", "Zoë"]

    def test_has_its_formulas_refused(self) -> None:
        (row,) = read(workbook(["name"], ['=HYPERLINK("http://example.org")'])).rows
        assert "formula" in row.wrong["name"]
        assert "name" not in row.cells

    def test_is_refused_beyond_the_row_limit(self) -> None:
        assert "At most 1000 rows" in refusal(workbook(["name"], *[["x"]] * 1001))

    def test_is_refused_beyond_the_column_limit(self) -> None:
        assert "At most 100 columns" in refusal(workbook(["name", *["x"] * 100], ["Paul"]))

    def test_with_a_cell_in_the_last_corner_is_read_quickly(self) -> None:
        book, written = Workbook(), BytesIO()
        sheet = book.worksheets[0]
        sheet["A1"], sheet["A2"], sheet["XFD1048576"] = "name", "Paul", "far away"
        book.save(written)
        began = process_time()
        assert names(written.getvalue()) == ["Paul", ""]
        assert process_time() - began < 1
        assert "more cells than there are headings" in read(written.getvalue()).rows[1].wrong[""]


def archive(sheet: bytes, **declared: int) -> bytes:
    """Return a spreadsheet whose one sheet is this XML."""
    given, written = ZipFile(BytesIO(workbook(["name"]))), BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as made:
        for part in given.namelist():
            made.writestr(part, sheet if part.endswith("sheet1.xml") else given.read(part))
    return written.getvalue()


class TestBomb:
    @pytest.mark.parametrize(
        "row",
        [
            '<row r="2000000000"><c r="A2000000000" t="str"><v>x</v></c></row>',
            "<row r='10000000'/>",
            "<row r='0'/>",
            "<row r='5'/><row r='5'/>",
        ],
    )
    def test_that_names_a_row_beyond_the_last_is_refused_at_once(self, row: str) -> None:
        space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        sheet = f'<worksheet xmlns="{space}"><sheetData>{row}</sheetData></worksheet>'
        assert "has a row number that is not possible" in refusal(archive(sheet.encode()))

    def test_of_many_empty_cells_is_refused_before_one_is_made(self) -> None:
        space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        sheet = f'<worksheet xmlns="{space}"><sheetData><row>{"<c/>" * 700_000}</row></sheetData></worksheet>'
        assert "is too big" in refusal(archive(sheet.encode()))

    def test_that_takes_long_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading, "MAX_SECONDS", -1)
        assert "takes too long" in refusal(workbook(["name"], ["Paul"]))

    def test_that_declares_its_size_is_refused_unread(self) -> None:
        assert "is too big" in refusal(archive(b" " * 20_000_000))

    def test_that_lies_about_its_size_is_read_up_to_the_limit(self) -> None:
        big = archive(b" " * 20_000_000)
        lying = big.replace(struct.pack("<L", 20_000_000), struct.pack("<L", 1000))
        assert lying != big
        assert "cannot be read as a spreadsheet" in refusal(lying)

    def test_of_many_parts_is_refused(self) -> None:
        written = BytesIO()
        with ZipFile(written, "w") as made:
            for number in range(300):
                made.writestr(str(number), b"")
        assert "is too big" in refusal(written.getvalue())

    def test_of_entities_is_refused(self) -> None:
        entities = "".join(f'<!ENTITY x{at} "{f"&x{at - 1};" * 10}">' for at in range(1, 10))
        expected = (
            f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY x0 "ha">{entities}]><worksheet>&x9;</worksheet>'
        )
        assert "cannot be read as a spreadsheet" in refusal(archive(expected.encode()))
