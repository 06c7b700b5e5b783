"""Files in and out: exports, imports, printed sheets, calendars."""
