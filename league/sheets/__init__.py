"""Printed score sheets for tables that play with real cards."""

from league.sheets.drawing import score_sheets
from league.sheets.model import ScoreSheet
from league.sheets.tables import NoForm, blank, of_round

__all__ = ["NoForm", "ScoreSheet", "blank", "of_round", "score_sheets"]
