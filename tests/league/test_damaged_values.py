"""Values that the service never writes, as the owner of the database can, are named and stop no check."""

from collections.abc import Mapping, Sequence

import pgtrigger
import pytest
from django.db import connection, transaction
from django.db.models.expressions import RawSQL

from games.models import Game
from league.models import ClubGame, Rating
from league.ops.prepare import rows_of_nothing
from league.services import gate, tampering
from tests.factories import Cast
from tests.league.test_tampering import Club, club, found

__all__ = ["club"]

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
    "league_gamerating": {"ended_at": ["'infinity'"]},
}


def set_past_the_service(table: str, column: str, value: str) -> None:
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f'UPDATE {table} SET "{column}" = {value}')


@pytest.mark.parametrize("table", EXTREMES)
def test_a_value_that_python_has_not_is_named_and_hides_nothing_else(club: Club, table: str) -> None:
    check(club, table, EXTREMES[table])


def check(club: Club, table: str, extremes: Mapping[str, Sequence[str]]) -> None:
    """Give each column each value, and see that it and something else is named."""
    changes = [(column, value) for column, values in extremes.items() for value in values]
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


def test_values_that_python_takes_for_equal_and_json_does_not_are_named(club: Club) -> None:
    places = {
        "league_competition.options": "{rounds}",
        "league_stage.plan": "{rounds}",
        "league_round.report": "{byes}",
        "league_roundstandings.order": "{groups,0,0,1}",
        "games_game.options": "{rounds}",
    }
    with pgtrigger.ignore(), connection.cursor() as cursor:
        for place, path in places.items():
            table, column = place.split(".")
            number = f"""jsonb_set("{column}", '{path}', (("{column}" #>> '{path}') || '.0')::jsonb)"""
            cursor.execute(f'UPDATE {table} SET "{column}" = {number}')
    named = [*gate.of_competition(club.competition.pk), *gate.of_game(club.ended.pk)]
    for place in places:
        name = place.split(".")[1]
        assert any(f"{name} is " in each and ".0" in each for each in named), (place, named)
    Game.objects.update(result=RawSQL("jsonb_set(result, '{seats,3,rank}', 'true')", []))
    assert any(
        "does not tell how its game ended" in each for each in gate.of_competition(club.competition.pk)
    )


def test_what_no_log_and_no_other_row_knows_of_is_named(cast: Cast) -> None:
    game = cast.game("tally")
    assert [*tampering._of_casual_games(), *rows_of_nothing()] == []
    ClubGame.objects.update(recorded=True)
    assert [*tampering._of_casual_games()] == [
        f"game {game.pk}: it is in no competition, and said to be recorded in the log of one"
    ]
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM games_game; DELETE FROM league_club")
        cursor.execute("SET LOCAL session_replication_role = origin")
    named = "\n".join(rows_of_nothing())
    assert f"log entry: it has rows of game {game.pk}, which is not there" in named
    assert f"player: it has rows of club {cast.club.pk}, which is not there" in named
