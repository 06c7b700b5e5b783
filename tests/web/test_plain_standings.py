"""Standings count places and scores plainly; what is set against the average is named so."""

import re
from importlib import import_module

import pytest
from django.db import connection
from django.test import Client

from league.core.verbs.rulings import SetResult
from league.models import RoundStandings
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, play, tables
from tests.league.walking import text_of


@pytest.mark.parametrize(("second", "places"), [(5, "1-0-0-0"), (9, "½-½-0-0")])
def test_places_and_scores_plainly_where_tables_are_of_one_size(
    client: Client, cast: Cast, second: int, places: str
) -> None:
    played = in_play(cast, 8, stages=[PLAN])
    for table in tables(played):
        game = table.games.get().game
        play(game, 9, second, 3, 1)
        record_result(game_id=game.pk)
    compute_standings(played.pk)
    response = client.get(f"/competitions/{played.slug}/").content.decode()
    assert "Places taken" in response and "Total score" in response
    assert f">{places}</td>" in response
    printed = text_of(client.get(f"/competitions/{played.slug}/print/standings.pdf"))
    assert places in printed
    assert not any("above average" in each for each in (response, printed))


def test_a_comparison_with_the_average_is_named_where_sizes_differ(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 7, stages=[{**PLAN, "rounds": 1}])
    for table in tables(competition):
        game = table.games.get().game
        play(game, *((7, 7, 3, 1) if table.seats.count() == 4 else (5, 4, 2)))
        record_result(game_id=game.pk)
    compute_standings(competition.pk)
    response = client.get(f"/competitions/{competition.slug}/").content.decode()
    assert "Places taken" in response and "Wins above average" in response
    assert "fewer than equal players have on average" in response


def test_what_an_organiser_decided_stands_in_the_row_everywhere(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[{**PLAN, "table_size": 2}])
    (ruled, other) = tables(competition)
    seats = [{"seat": 0, "rank": 1, "score": 9}, {"seat": 1, "rank": 2, "score": 1}]
    act(cast.olga, competition, SetResult, table=ruled.pk, seats=seats, reason="wrong sheet")
    record_result(game_id=play(other.games.get().game).pk)
    compute_standings(competition.pk)
    page = client.get(f"/competitions/{competition.slug}/").content.decode()
    assert page.count(">†</abbr>") == page.count("Round 1: an organiser set the result.") == 2
    assert "† an organiser decided a result or points" in page
    hall = client.get(f"/competitions/{competition.slug}/hall/").content.decode()
    assert "1†" in hall and "† an organiser decided" in hall
    printed = text_of(client.get(f"/competitions/{competition.slug}/print/standings.pdf"))
    assert "1†." in printed and "† an organiser decided" in printed
    rows = client.get(f"/api/v1/competitions/{competition.pk}/standings.json").json()
    assert [bool(row["by_organiser"]) for row in rows].count(True) == 2
    assert not any(row["by_rule"] for row in rows)
    listed = client.get(f"/api/v1/competitions/{competition.pk}/standings.csv").content.decode()
    assert listed.count("Round 1: an organiser set the result.") == 2


def test_notes_that_an_earlier_release_stored_are_reworded(cast: Cast) -> None:
    words = import_module("league.migrations.0010_notes_in_words")
    played = in_play(cast, 4, stages=[PLAN])
    compute_standings(played.pk)
    RoundStandings.objects.update(order={"groups": [[f"Round 1, without a result: for wins {words.OLD}"]]})
    for sql, given in words.Migration.operations[0].sql:
        with connection.cursor() as cursor:
            cursor.execute(sql, given)
    assert [each.order["groups"] for each in RoundStandings.objects.all()] == [
        [[f"Round 1, without a result: for wins {words.NEW}"]]
    ]


def test_the_reasons_of_a_row_have_the_numbers_of_its_columns(client: Client, cast: Cast) -> None:
    plan = {**PLAN, "rounds": 1, "tie_breaks": ["score_difference"]}
    competition = in_play(cast, 7, stages=[plan])
    for table in tables(competition):
        game = table.games.get().game
        play(game, *((9, 7, 3, 1) if table.seats.count() == 4 else (5, 4, 2)))
        record_result(game_id=game.pk)
    compute_standings(competition.pk)
    page = client.get(f"/competitions/{competition.slug}/").content.decode()
    assert re.search(r"<td class=\"number[^>]*>\+5\.33</td>", page)
    assert "<dd>+5.33</dd>" in page
