"""The organiser's desk. Importing it registers all of its admins."""

from league.admin import clubs, competitions, games, invitations, jobs, logs, players
from league.admin.site import desk

__all__ = ["clubs", "competitions", "desk", "games", "invitations", "jobs", "logs", "players"]
