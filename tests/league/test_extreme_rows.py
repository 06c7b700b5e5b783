"""Rows at the bounds of what can be stored, put there past the service: no page, feed or calendar fails."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pgtrigger
import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.projections.standings import compute_standings
from league.services.details import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play_all
from tests.league.test_details import TOLD
from tests.league.test_unpublished_draws import addresses

if TYPE_CHECKING:
    Field = models.Field[Any, Any]

LEAST = {models.DateField: "'0001-01-01'", models.CharField: "''", models.IntegerField: "0"}
MOST = {
    models.DateField: "'9999-12-31 23:59:59.999999+00'",
    models.CharField: "repeat('Ẃ ', {length} / 2)",
    models.IntegerField: "{most}",
}
TOLD_BY_PEOPLE = (
    *("first_name", "last_name", "name", "affiliation", "label", "void_reason", "postponed_reason"),
    *("place", "description", "contact", "picture_text", "mail_note"),
    *("open_hands", "rank", "score", "group", "board", "picture_width", "picture_height"),
)
"""Texts and numbers; keys, addresses and counts of entries lead to other rows."""


def columns(kind: "type[Field]") -> "Iterator[Field]":
    for model in (*apps.get_app_config("league").get_models(), *apps.get_app_config("games").get_models()):
        for each in model._meta.concrete_fields:
            if isinstance(each, kind) and (kind is models.DateField or each.name in TOLD_BY_PEOPLE):
                yield each


def set_everywhere(values: "Mapping[type[Field], str]") -> None:
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for kind, value in values.items():
            for each in columns(kind):
                most = (
                    connection.ops.integer_field_range(each.get_internal_type())[1] if "most" in value else 0
                )
                sql = value.format(length=each.max_length or 4000, most=most)
                cursor.execute(f'UPDATE {each.model._meta.db_table} SET "{each.column}" = {sql}')


@pytest.mark.parametrize("values", [LEAST, MOST])
def test_one_bad_row_breaks_no_page_feed_or_calendar(cast: Cast, values: Any) -> None:
    competition = opened(cast, 8)
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    act(cast.olga, competition, PublishRound, deadline=datetime(2030, 5, 1, 18, 0, tzinfo=UTC))
    change_details(by=cast.olga, competition=competition, values=TOLD)
    play_all(competition)
    compute_standings(competition.pk)
    asked, client = [*addresses(cast, competition)], Client(raise_request_exception=False)
    set_everywhere(values)
    found = {address: client.get(address).status_code for address in asked}
    assert {address for address, status in found.items() if status >= 500} == set()
    assert sum(status == 200 for status in found.values()) > 60
