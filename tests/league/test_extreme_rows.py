"""Rows at the bounds of what can be stored, put there past the service: no page, feed or calendar fails."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pgtrigger
import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.db.models import F
from django.test import Client

from league.admin import desk
from league.admin.well import all_told
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.hooks.app import App
from league.models import Account, Club, Email
from league.projections.standings import compute_standings
from league.services import emails
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.test_details import TOLD
from tests.league.test_unpublished_draws import addresses

if TYPE_CHECKING:
    Field = models.Field[Any, Any]

OF_APPS = [each.label for each in apps.get_app_configs() if isinstance(each, App)]
DESK = [
    *(f"league/{kind}/" for kind in ("club", "player", "competition", "member", "job")),
    *(
        f"{own.label_lower.replace('.', '/')}/"
        for own in (each._meta for each in desk._registry)
        if own.app_label in OF_APPS
    ),
]
LEAST = {models.DateField: "'0001-01-01'", models.CharField: "''", models.IntegerField: "0"}
MOST = {
    models.DateField: "'9999-12-31 23:59:59.999999+00'",
    models.CharField: "repeat('Ẃ ', {length} / 2)",
    models.IntegerField: "{most}",
}
ODD: "Mapping[type[Field], tuple[str, Sequence[str]]]" = {
    models.CharField: ("'odd'", ("timezone", "language", "quiet", "kind", "pace", "lineup", "overdue")),
    ArrayField: ("'{odd}'", ("bots", "embed_on", "kinds", "scopes")),
    models.JSONField: ("'[1]'", ("prizes", "games", "about", "given")),
}
"""What this release doesn't know, by the kinds and names of columns."""
TOLD_BY_PEOPLE = (
    *("first_name", "last_name", "name", "affiliation", "label", "void_reason", "postponed_reason"),
    *("place", "description", "contact", "picture_text", "mail_note"),
    *("open_hands", "rank", "score", "group", "board", "picture_width", "picture_height"),
)
"""Texts and numbers; keys, addresses and counts of entries lead to other rows."""


def every_column() -> "Iterator[Field]":
    for app in ("league", "games", *OF_APPS):
        for model in apps.get_app_config(app).get_models():
            yield from model._meta.concrete_fields


def columns(kind: "type[Field]") -> "Iterator[Field]":
    for each in every_column():
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


def test_settings_that_nobody_knows_break_no_page_of_anybody(cast: Cast) -> None:
    competition = in_play(cast)
    change_details(by=cast.olga, competition=competition, values=TOLD)
    play_all(competition)
    compute_standings(competition.pk)
    Account.objects.filter(pk=cast.olga.pk).update(is_superuser=True)
    own = ["/account/", "/admin/", "/admin/well/", *(f"/admin/{each}" for each in DESK)]
    own += [f"/admin/league/competition/{competition.pk}/change/"]
    own += [f"/admin/league/club/{cast.club.pk}/change/"]
    asked = [*addresses(cast, competition), *own]
    set_odd()
    for account in (cast.olga, cast.paul):
        client = logged_in(account)
        client.raise_request_exception = False
        found = {address: client.get(address).status_code for address in asked}
        assert {address for address, status in found.items() if status >= 500} == set()
        assert sum(status == 200 for status in found.values()) > 60


def test_settings_of_one_club_that_nobody_knows_keep_nobody_from_being_told(cast: Cast) -> None:
    Account.objects.update(language="odd", timezone="odd", email=F("username"))
    Club.objects.update(timezone="odd", quiet="odd")
    emails.write_for([cast.paul], kind=Email.Kind.PASSWORD, key="k", about={}, club=cast.club)
    emails.send_emails()
    assert {email.status for email in Email.objects.all()} == {"sent"}
    said = [told.sentence for told in all_told() if not told.well and "Harbour Cards" in told.sentence]
    assert [sentence.partition(":")[2] for sentence in said] == [
        " its time zone “odd” can’t be read, and UTC counts. Choose another on the club’s page.",
        " its quiet hours “odd” can’t be read, and 22:00-07:00 counts. Choose another on the club’s page.",
    ]


@pytest.mark.parametrize("number", ["9" * 25, "-1", "%00", "1e9", "\u0663"])
def test_no_page_feed_or_list_fails_for_an_odd_number_in_its_address(cast: Cast, number: str) -> None:
    competition = in_play(cast)
    names = ("page", "page_size", "limit", "offset", "round", "stage", "after", "seq", "cursor", "year")
    query = "&".join(f"{name}={number}" for name in (*names, "group", "table", "find", "q", "club"))
    own = [f"/admin/league/competition/{competition.pk}/change/", *(f"/admin/{each}" for each in DESK)]
    client = logged_in(cast.olga)
    client.raise_request_exception = False
    asked = [f"{each}?{query}" for each in (*addresses(cast, competition), *own)]
    found = {address: client.get(address).status_code for address in asked}
    assert [address for address, status in found.items() if status >= 500] == []


def set_odd() -> None:
    with pgtrigger.ignore(), connection.cursor() as cursor:
        for each in every_column():
            for kind, (value, names) in ODD.items():
                if isinstance(each, kind) and each.name in names:
                    cursor.execute(f'UPDATE {each.model._meta.db_table} SET "{each.column}" = {value}')
