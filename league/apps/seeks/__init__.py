"""Seeks: who of a club looks for players for a casual game, and the links to their seats."""
