"""The organiser's desk. Importing it registers everything that is on it."""

from league.admin import accounts, changes, clubs, competitions, games, logs, players, webhooks
from league.admin.site import desk

__all__ = ["accounts", "changes", "clubs", "competitions", "desk", "games", "logs", "players", "webhooks"]
