"""A site without an app: all that is left is whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.urls import get_resolver

from api.views.docs import document

TOP = Path(__file__).parents[2]
SETTINGS = """
from tests.settings import *
from league.ops.settings import INSTALLED_APPS as ALL
INSTALLED_APPS = [app for app in ALL if app not in {gone!r}]
"""
WHOLE = """
import django; django.setup()
from django.core.management import call_command
from tests.apps.test_without import addresses
from django.urls import reverse
call_command("check", fail_level="WARNING")
assert reverse("admin:league_player_add") and reverse("admin:league_invitation_add")
assert "{address}" not in addresses()
"""


def addresses() -> set[str]:
    """Return the addresses of the site's pages and of the API's document, and the commands."""
    pages = (f"/{each.pattern}" for each in get_resolver().url_patterns)
    return {*document()["paths"], *pages, *get_commands()}


@pytest.mark.parametrize(
    ("gone", "address"),
    [
        pytest.param([app, *more], address, id=app.rpartition(".")[2])
        for app, more, address in (
            ("league.apps.exchange", (), "/api/v1/clubs/{slug}/imports/"),
            ("league.apps.notifications", (), "/account/push/"),
            ("league.apps.people", (), "/account/privacy/"),
            ("league.apps.practice", (), "/play/"),
            ("league.apps.prints", (), "/api/v1/competitions/{id}/sheets.pdf"),
            ("league.apps.hall", (), "/enter/"),
            ("league.apps.webhooks", (), "/api/v1/clubs/{slug}/webhooks/"),
            ("league.apps.seeks", (), "/api/v1/seeks/"),
            ("league.apps.archive", (), "restore_drill"),
            ("league.apps.signed_log", (), "/api/v1/signed-log/"),
            ("league.apps.programs", ("oauth2_provider",), "/oauth/token/"),
        )
        if app in settings.INSTALLED_APPS
    ],
)
def test_has_its_addresses_tables_and_document_without_those_of_the_app(
    tmp_path: Path, gone: list[str], address: str
) -> None:
    assert address in addresses()
    (tmp_path / "without.py").write_text(SETTINGS.format(gone=gone))
    paths = os.pathsep.join([str(tmp_path), str(TOP)])
    tried = subprocess.run(
        [sys.executable, "-c", WHOLE.replace("{address}", address)],
        env={**os.environ, "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "without"},
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.returncode == 0, tried.stderr
