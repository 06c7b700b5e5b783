"""Values that the service never writes, as the owner of the database can, are named and stop no check."""

import pgtrigger
import pytest
from django.db import connection, transaction

from league.models import Rating
from league.services import tampering
from tests.league.test_signed_log import key_file
from tests.league.test_tampering import Club, club, found

__all__ = ["club", "key_file"]

DEEP = "repeat('[', 5000) || repeat(']', 5000)"
NESTED = f"(({DEEP})::jsonb)"
DIGITS = "(repeat('9', 5000)::jsonb)"
EXTREMES = {
    "games_game": {
        "opened_at": ["'infinity'", "'4714-11-24 BC'"],
        "deadline": ["'-infinity'", "'294276-12-31'"],
        "used": ["array['178000000 years'::interval]", "array['-178000000 years'::interval]"],
        "since": ["array['infinity'::timestamptz]"],
        "result": [NESTED, DIGITS, "'[]'"],
        "options": [NESTED],
        "moved_at": ["'infinity'", "'-infinity'", "'4714-11-24 BC'"],
    },
    "games_move": {"move": [NESTED, DIGITS], "at": ["'infinity'", "'294276-12-31'"]},
    "league_event": {"event": [NESTED, DIGITS, "'7'"], "at": ["'infinity'", "'4714-11-24 BC'"]},
    "league_competition": {"shown_at": ["'infinity'"], "changed_at": ["'infinity'", "'-infinity'"]},
    "league_clubchange": {"at": ["'infinity'", "'4714-11-24 BC'"], "values": [NESTED, "'1.5'"]},
    "league_playerrecord": {"at": ["'infinity'", "'-infinity'"]},
    "league_logkey": {"public": ["'none'"]},
    "league_gamerating": {"ended_at": ["'infinity'"]},
}


def set_past_the_service(table: str, column: str, value: str) -> None:
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f'UPDATE {table} SET "{column}" = {value}')


@pytest.mark.parametrize("table", EXTREMES)
def test_a_value_that_python_has_not_is_named_and_hides_nothing_else(club: Club, table: str) -> None:
    changes = [(column, value) for column, values in EXTREMES[table].items() for value in values]
    for column, value in changes:
        with transaction.atomic():
            set_past_the_service(table, column, value)
            with pgtrigger.ignore():
                Rating.objects.filter(player=club.cast.paul_plays).update(points=2000)
            named = found()
            transaction.set_rollback(True)
        lies = [each for each in named if "points is 2000" in each]
        assert lies and len(named) > len(lies), (column, value, named)
        assert not [each for each in named if "a part can't" in each], (column, value)
    assert found() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE games_move SET move = '5'", "entry 1 is wrong: "),
        ("UPDATE games_game SET opened_at = 'infinity'", "opened_at is beyond what can be read"),
        ("UPDATE games_game SET since = '{-infinity}'", "since is beyond what can be read"),
    ],
)
def test_a_damaged_value_is_named_as_such(club: Club, change: str, said: str) -> None:
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(change)
    assert any(said in each for each in found())
    assert not any("further" in each or "9998" in each for each in found())


def test_a_column_of_another_type_is_named(club: Club) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE league_stage ALTER plan TYPE json")
    assert any("column league_stage.plan: jsonb" in each for each in found())


@pytest.mark.parametrize(("table", "column"), [("league_logleaf", "at"), ("league_signedlog", "as_of")])
def test_dates_that_nothing_covers_stop_no_check(club: Club, table: str, column: str) -> None:
    for value in ("'infinity'", "'-infinity'", "'4714-11-24 BC'", "'294276-12-31'"):
        with transaction.atomic():
            set_past_the_service(table, column, value)
            stopped = [*tampering.differences(stopped=True)]
            assert not any("can't" in each for each in [*found(), *stopped])
            transaction.set_rollback(True)
