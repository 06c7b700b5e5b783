"""Bots: a policy for each ruleset, from what a seat sees and may do to a move."""
