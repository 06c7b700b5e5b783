"""The league's tables."""

from league.models.accounts import Account

__all__ = ["Account"]
