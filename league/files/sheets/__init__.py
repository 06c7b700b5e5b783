"""Prints: score sheets for tables with real cards, table cards, pairings, standings."""

from league.files.sheets.model import ScoreSheet, SeatCode
from league.files.sheets.printing import PRINTS, NothingToPrint, PrintRequest, extent, printed, round_to_print
from league.files.sheets.scripts import in_words, readable
from league.files.sheets.tables import NoForm, blank, has_sheets, of_round

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
    "in_words",
    "of_round",
    "printed",
    "readable",
    "round_to_print",
]
