"""A site without an app: all that is left is whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command, get_commands
from django.db import connection
from django.urls import get_resolver

from api.views.docs import document
from games import database_time
from league.admin.competitions import CompetitionAdmin
from league.admin.players import PlayerAdmin
from league.ops import prepare
from league.ops.servers import CannotServe

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

CHALLENGE = "/challenge/<uuid:competition_id>/<int:number>/<uuid:player_id>/<str:token>/"
NOTIFYING = ("league.apps.between", "league.apps.challenges", "league.apps.my_evening")
GONE = (
    ("league.apps.exchange", (), "/api/v1/clubs/{slug}/imports/"),
    ("league.apps.notifications", NOTIFYING, "/account/push/"),
    ("league.apps.between", (), "competition clubs"),
    ("league.apps.challenges", (), CHALLENGE),
    ("league.apps.people", (), "/account/privacy/"),
    ("league.apps.practice", (), "/play/"),
    ("league.apps.prints", (), "/api/v1/competitions/{id}/sheets.pdf"),
    ("league.apps.hall", ("league.apps.my_evening",), "/enter/"),
    ("league.apps.my_evening", (), "/competitions/<slug:slug>/my-evening/"),
    ("league.apps.away", (), "/account/away/"),
    ("league.apps.evenings", (), "/api/v1/competitions/{id}/again/"),
    ("league.apps.own_games", (), "/api/v1/clubs/{slug}/own-games/"),
    ("league.apps.attendance", (), "/api/v1/competitions/{id}/answers/"),
    ("league.apps.webhooks", (), "/api/v1/clubs/{slug}/webhooks/"),
    ("league.apps.wishes", (), "player wishes"),
    ("league.apps.rehearsal", (), "competition rehearsal"),
    ("league.apps.seeks", (), "/api/v1/seeks/"),
    ("league.apps.company", (), "/api/v1/me/friends/"),
    ("league.apps.series", (), "export_series"),
    ("league.apps.archive", (), "restore_drill"),
    ("league.apps.signed_log", (), "/api/v1/signed-log/"),
    ("league.apps.programs", ("oauth2_provider",), "/oauth/token/"),
)
"""Each app, what goes with it, and an address or command that is gone then."""


def addresses() -> set[str]:
    """Return the addresses of the pages and of the API's document, the commands, and the pages of players."""
    pages = (f"/{each.pattern}" for each in get_resolver().url_patterns)
    of_players = (f"player {name}" for name in PlayerAdmin.app_pages)
    of_competitions = (f"competition {name}" for name in CompetitionAdmin.app_pages)
    return {*document()["paths"], *pages, *get_commands(), *of_players, *of_competitions}


def test_is_tried_for_each_app() -> None:
    tried = {app for app, _, _ in GONE}
    assert {app for app in settings.INSTALLED_APPS if app.startswith("league.apps.")} <= tried


@pytest.mark.parametrize(
    ("gone", "address"),
    [
        pytest.param([app, *more], address, id=app.rpartition(".")[2])
        for app, more, address in GONE
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("app", ["archive", "webhooks", "signed_log"])
def test_a_database_is_whole_without_the_tables_of_an_app(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _take_out(app, monkeypatch)
    prepare.check_schema()
    try:
        call_command("migrate", app, "zero", verbosity=0)
        assert not {*_tables(app)} & {*connection.introspection.table_names()}
        prepare.check_schema()
    finally:
        call_command("migrate", app, verbosity=0)


@pytest.mark.django_db
def test_a_database_with_rows_of_an_app_that_is_taken_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    drills = apps.get_model("archive", "RestoreDrill").objects
    drills.create(at=database_time.now(), file="trefoil.dump", well=True, seconds=1)
    _take_out("archive", monkeypatch)
    with pytest.raises(CannotServe, match=r"^There are rows in league_restoredrill, a table of an app"):
        prepare.check_schema()


def _take_out(app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left = {*prepare.installed_tables()} - {*_tables(app)}
    monkeypatch.setattr(prepare, "installed_tables", lambda: [*left])


def _tables(app: str) -> list[str]:
    return [model._meta.db_table for model in apps.get_app_config(app).get_models(include_auto_created=True)]
