"""What leaves the house as files: listings of rows, each written as CSV, JSON or a spreadsheet."""

from league.exports.files import BUNDLES, CSV, FORMATS, JSON, XLSX, Format, as_csv, as_json, as_xlsx
from league.exports.listing import Listing, Value

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
]
