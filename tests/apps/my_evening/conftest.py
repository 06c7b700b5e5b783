"""Fixtures of my evening's tests: nothing that an earlier one left is remembered."""

from tests.apps.notifications.conftest import public_host, service
from tests.web.conftest import _nothing_remembered, as_account, played

__all__ = ["_nothing_remembered", "as_account", "played", "public_host", "service"]
