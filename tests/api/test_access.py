"""Every operation lets in the roles and scopes that docs/access.md lists, and no others."""

import os
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.api.access import PAGE, WRITES, World, page
from tests.factories import Cast


@pytest.fixture
def _only_what_knows_callers(settings: Settings, tmp_path: Path) -> None:
    """Drop the middleware that plays no part in who is let in: it takes half of the time of 5600 calls."""
    settings.LOG_KEY_FILE = str(tmp_path / "log_key")
    needed = ("SessionMiddleware", "AuthenticationMiddleware")
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each.endswith(needed)]


@pytest.mark.long
@pytest.mark.usefixtures("_only_what_knows_callers")
def test_every_operation_lets_in_whom_the_page_lists(cast: Cast) -> None:
    found = page(World(cast))
    if os.environ.get(WRITES):
        PAGE.write_text(found, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8").splitlines() == found.splitlines()
