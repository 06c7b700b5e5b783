"""What is printed: score sheets for tables that play with real cards, table cards, pairings, standings."""

from league.sheets.drawing import score_sheets
from league.sheets.model import ScoreSheet
from league.sheets.printing import PRINTS, Asked, NothingToPrint, printed
from league.sheets.tables import NoForm, blank, of_round

__all__ = [
    "PRINTS",
    "Asked",
    "NoForm",
    "NothingToPrint",
    "ScoreSheet",
    "blank",
    "of_round",
    "printed",
    "score_sheets",
]
