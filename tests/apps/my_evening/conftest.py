"""Fixtures of my evening's tests: nothing that an earlier one left is remembered."""

from tests.web.conftest import _nothing_remembered, as_account, played

__all__ = ["_nothing_remembered", "as_account", "played"]
