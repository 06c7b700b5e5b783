"""Challenges of a ladder: who is told, answers from an email, and those that are open on a page."""
