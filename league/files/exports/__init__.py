"""Exports: listings of rows, written as CSV, JSON or spreadsheets."""

from league.files.exports.files import (
    BUNDLES,
    CSV,
    FORMATS,
    JSON,
    XLSX,
    Format,
    as_csv,
    as_json,
    as_xlsx,
    sheet_in,
)
from league.files.exports.listing import Listing, Value

__all__ = [
    "BUNDLES",
    "CSV",
    "FORMATS",
    "JSON",
    "XLSX",
    "Format",
    "Listing",
    "Value",
    "as_csv",
    "as_json",
    "as_xlsx",
    "sheet_in",
]
