"""Ranks: tie-breaks, the standings of a stage, cross tables, and the ranks still possible."""
