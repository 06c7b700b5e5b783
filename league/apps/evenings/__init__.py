"""Evenings that come again: run once more with the same settings, and set up by themselves."""
