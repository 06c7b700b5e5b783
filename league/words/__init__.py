"""Texts in the reader's language: events, moves, draw reports and emails."""
