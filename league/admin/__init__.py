"""The organiser's desk. Importing it registers everything that is on it."""

from league.admin import (
    accounts,
    apps,
    changes,
    clubs,
    competitions,
    games,
    invitations,
    logs,
    players,
    webhooks,
)
from league.admin.site import desk

__all__ = [
    "accounts",
    "apps",
    "changes",
    "clubs",
    "competitions",
    "desk",
    "games",
    "invitations",
    "logs",
    "players",
    "webhooks",
]
