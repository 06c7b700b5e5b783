"""Prints: score sheets for tables with real cards, table cards, pairings, standings."""

from league.files.sheets.model import ScoreSheet
from league.files.sheets.printing import PRINTS, NothingToPrint, PrintRequest, printed
from league.files.sheets.score_sheet_pdf import score_sheets
from league.files.sheets.tables import NoForm, blank, has_sheets, of_round

__all__ = [
    "PRINTS",
    "NoForm",
    "NothingToPrint",
    "PrintRequest",
    "ScoreSheet",
    "blank",
    "has_sheets",
    "of_round",
    "printed",
    "score_sheets",
]
