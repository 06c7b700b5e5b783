"""Moves of past months in files, and drills that restore backups beside (docs/running.md)."""
