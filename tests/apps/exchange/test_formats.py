"""Listings written as files, and read as a spreadsheet program would."""

import csv
import json
from datetime import UTC, datetime
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from league.apps.exchange.formats import as_csv, as_json, as_xlsx, for_spreadsheets
from league.apps.exchange.listings import Listing, Value

AT = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
LISTING = Listing(
    "results",
    ("entry", "points", "at", "played", "ruled"),
    (("Zoë Ábel", Fraction(7, 2), AT, 3, True), ("=SUM(A1)", Fraction(-2), None, 0, False)),
    ZoneInfo("Europe/Dublin"),
)


def cells(listing: Listing) -> list[list[Any]]:
    sheet = load_workbook(BytesIO(as_xlsx(listing))).worksheets[0]
    return [list(row) for row in sheet.iter_rows()]


def in_csv(value: Value) -> str:
    rows = list(csv.reader(StringIO(as_csv(Listing("x", ("a",), ((value,),))))))
    return rows[1][0] if rows[1] else ""


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@sum", "|cmd", "\t=1", "\r=1", "\n=1", "＝1"])
def test_a_text_that_looks_like_a_formula_is_escaped_in_csv(text: str) -> None:
    assert in_csv(text) == f"'{text}"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(-1, 2), "-1/2"),
        (-3, "-3"),
        (None, ""),
        (True, "true"),
        (AT, "2026-07-01T22:30:00Z"),
        ("a-b", "a-b"),
    ],
)
def test_numbers_and_times_are_unchanged_in_csv(value: Value, written: str) -> None:
    assert in_csv(value) == written


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en-gb", ["Zoë Ábel,3.5,2026-07-01 23:30:00,3,true", "'=SUM(A1),-2,,0,false"]),
        ("de", ["Zoë Ábel;3,5;2026-07-01 23:30:00;3;true", "'=SUM(A1);-2;;0;false"]),
    ],
)
def test_csv_for_a_spreadsheet_has_the_decimals_of_its_language(language: str, lines: list[str]) -> None:
    written = for_spreadsheets(LISTING, language)
    assert isinstance(written, str)
    assert written.startswith("\ufeffentry")
    assert written.splitlines()[1:] == lines


def test_json_has_an_object_for_each_row() -> None:
    first, second = json.loads(as_json(LISTING))
    assert first == {
        "entry": "Zoë Ábel",
        "points": "7/2",
        "at": "2026-07-01T22:30:00Z",
        "played": 3,
        "ruled": True,
    }
    assert second["at"] is None


class TestSpreadsheet:
    def test_holds_real_numbers_and_times_of_the_clubs_zone(self) -> None:
        _, first, second = cells(LISTING)
        assert [cell.value for cell in first] == ["Zoë Ábel", 3.5, AT.replace(hour=23, tzinfo=None), 3, True]
        assert first[1].number_format == "# ??/??"
        assert second[1].value == -2

    def test_does_not_treat_texts_as_formulas(self) -> None:
        cell = cells(LISTING)[2][0]
        assert (cell.value, cell.data_type) == ("=SUM(A1)", "s")

    def test_freezes_its_heading_row(self) -> None:
        sheet = load_workbook(BytesIO(as_xlsx(LISTING))).worksheets[0]
        assert sheet.freeze_panes == "A2"
        assert all(cell.font.bold for cell in sheet[1])

    def test_has_a_sheet_for_each_listing(self) -> None:
        book = load_workbook(BytesIO(as_xlsx(LISTING, Listing("log", ("a",), ()))))
        assert book.sheetnames == ["results", "log"]

    def test_replaces_characters_that_a_spreadsheet_can_not_hold(self) -> None:
        assert cells(Listing("x", ("a",), (("a\x0bb",),)))[1][0].value == "ab"
