"""Prints: score sheets for tables with real cards, table cards, pairings, standings, brackets."""
