"""Printed score sheets for tables that play with real cards."""

from league.sheets.drawing import score_sheets
from league.sheets.model import Line, ScoreSheet

__all__ = ["Line", "ScoreSheet", "score_sheets"]
