"""Usual play names the game in every statement: the key by which tables could be distributed."""

import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.ops.folders import TOP
from tests.api.test_one_statement import Table
from tests.api.web import ROOT, get
from tests.factories import Cast

_LINE = re.compile(r"^\| `(\w+)` \| `(\w+)` \|", re.MULTILINE)
_PAGE = (TOP / "docs" / "running.md").read_text()


def keys() -> dict[str, str]:
    """Return the distributed tables of the page, with their keys."""
    return dict(_LINE.findall(_PAGE.partition("### Beyond one primary")[2]))


def without_key(sql: str) -> Iterator[str]:
    """Yield the distributed tables that a statement uses without naming the game."""
    plain = sql.replace('"', "")
    for table, key in keys().items():
        where = rf"(?:{table}\.id|(?:FROM|UPDATE) {table}\b[^;]*?\bid)" if key == "id" else rf"\b{key}"
        named = rf"{where} (?:= |IN \()|INSERT INTO {table} \({key}\b[^)]*\)\s+SELECT %\(game\)s"
        if re.search(rf"\b{table}\b", plain) and not re.search(named, plain, re.DOTALL):
            yield table


def test_the_tables_of_the_page_are_those_with_a_game_for_a_key() -> None:
    of_games = {
        model._meta.db_table: "game_id"
        for model in apps.get_models()
        if model._meta.app_label == "games" and any(each.column == "game_id" for each in model._meta.fields)
    }
    assert keys() == {"games_game": "id", **of_games}


def test_a_statement_without_the_game_would_be_found() -> None:
    assert [*without_key("SELECT * FROM games_move WHERE seq = 3")] == ["games_move"]
    assert [*without_key('SELECT "games_game"."seq" FROM "games_game" WHERE "games_game"."seq" = 1')]


@pytest.mark.django_db
def test_moves_and_readings_name_the_game(cast: Cast) -> None:
    table = Table(cast)
    with CaptureQueriesContext(connection) as queries:
        assert table.moves().status_code == 201
        assert table.moves(HTTP_ACCEPT="application/json; indent=1, */*").status_code == 201
        for client in table.clients:
            get(f"/games/{table.game.pk}/", client)
            get(f"/games/{table.game.pk}/moves/?after=2", client)
        table.clients[0].get(f"{ROOT}/games/{table.game.pk}/at/3/")
        table.clients[0].get(f"{ROOT}/games/{table.game.pk}/log/")
    wrong = [(table, each["sql"]) for each in queries for table in without_key(each["sql"])]
    assert len(queries) > 5
    assert wrong == []
