"""Notifications: what players are told of their tables, by email and by their browsers."""
