"""The hall of a competition: its screens, check-in at the door, kiosks, calls, and codes of seats."""
