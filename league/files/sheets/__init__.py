"""Prints: score sheets for tables with real cards, table cards, pairings, standings."""

from league.files.sheets.model import ScoreSheet, SeatCode
from league.files.sheets.printing import (
    PRINTS,
    NothingToPrint,
    PrintRequest,
    extent,
    printed,
    round_to_print,
    subject,
    told_in_words,
    with_codes,
)
from league.files.sheets.tables import NoForm, blank, has_sheets

__all__ = [
    "PRINTS",
    "NoForm",
    "NothingToPrint",
    "PrintRequest",
    "ScoreSheet",
    "SeatCode",
    "blank",
    "extent",
    "has_sheets",
    "printed",
    "round_to_print",
    "subject",
    "told_in_words",
    "with_codes",
]
