"""What the pictures of a competition show: brackets, races of points, ways through stages, final places."""

from typing import Any

import pytest
from django.test import Client

from games.models import Game
from league.core.formats import Bracket
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import AddSeason, StartStage
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections.standings import compute_standings
from league.queries.competitions import entrants_of, stages_of
from league.queries.pictures import brackets_of, races_of, ways_of
from league.queries.standings import standings_of
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play, play_all
from tests.league.test_seasons import league, play_season
from tests.league.walking import text_of
from tests.web.conftest import record_all

CUP = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2}


def cup(cast: Cast, players: int, rounds: int, **fields: Any) -> Competition:
    """Return a knockout of which so many rounds are closed, and the next is drawn."""
    competition = opened(cast, players, stages=[{**CUP, **fields}])
    act(cast.olga, competition, StartCompetition)
    for number in range(1, rounds + 1):
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def drawn_of(competition: Competition) -> tuple[Bracket, ...]:
    return brackets_of(competition, 1, entrants_of(competition).names)


def test_a_bracket_has_all_rounds_and_who_advanced(cast: Cast) -> None:
    (bracket,) = drawn_of(cup(cast, 6, 1, params={"third_place": False}))
    assert [str(column.title) for column in bracket.columns] == ["Quarter-finals", "Semi-finals", "Final"]
    first, second, final = (column.matches for column in bracket.columns)
    assert [len(first), len(second), len(final)] == [4, 2, 1]
    advanced = {slot.name for match in first for slot in match.slots if slot.advanced}
    assert advanced == {slot.name for match in second for slot in match.slots}
    assert sum(slot.score is not None for match in first for slot in match.slots) == 4
    assert {slot.name for slot in final[0].slots} == {""}


def test_a_level_table_shows_on_page_and_print_why_its_winner_went_on(client: Client, cast: Cast) -> None:
    competition = opened(cast, 2, options={"rounds": 1}, stages=[CUP])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    (game,) = Game.objects.all()
    record_result(game_id=play(game, 1, 1).pk)
    act(cast.olga, competition, CloseRound)
    competition.refresh_from_db()
    (slot,) = drawn_of(competition)[0].level
    told = f"{slot.name} went on from a level table: the better seed advanced."
    assert told in client.get(f"/competitions/{competition.slug}/charts/").content.decode()
    assert told in text_of(client.get(f"/competitions/{competition.slug}/print/bracket.pdf"))


def test_a_draw_that_is_not_published_is_in_no_bracket(cast: Cast) -> None:
    (bracket,) = drawn_of(cup(cast, 8, 0, table_size=4))
    assert bracket.columns == ()


def test_the_bracket_of_a_cup_ends_with_the_final_and_the_match_for_third_place(cast: Cast) -> None:
    competition = cup(cast, 4, 1)
    act(cast.olga, competition, PublishRound)
    for game in play_all(competition, 2):
        record_result(game_id=game)
    act(cast.olga, competition, CloseRound)
    competition.refresh_from_db()
    (bracket,) = drawn_of(competition)
    final, third = bracket.columns[-1].matches
    assert (final.label, third.label) == ("", "third place")
    assert [sum(slot.advanced for slot in match.slots) for match in (final, third)] == [1, 1]


def test_heats_have_their_entries_best_first(cast: Cast) -> None:
    (bracket,) = drawn_of(cup(cast, 16, 1, table_size=4))
    assert bracket.columns[0].title == "Round 1"
    for match in bracket.columns[0].matches:
        assert [slot.advanced for slot in match.slots] == [True, True, False, False]


def test_a_race_has_the_points_after_each_round(cast: Cast) -> None:
    competition = in_play(cast)
    record_all(competition)
    stage = stages_of(competition)[0]
    assert races_of(stage) == ()
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, PublishRound)
    record_all(competition, 2)
    (race,) = races_of(stage)
    assert race.rounds == (1, 2)
    ranks = [row.entry.name for row in standings_of(stage)]
    assert [runner.name for runner in race.runners] == ranks
    assert [runner.rank for runner in race.runners] == sorted(runner.ranks[1] or 0 for runner in race.runners)
    assert all(
        one is not None and two is not None and one <= two for one, two in (r.points for r in race.runners)
    )


def test_ways_lead_through_the_seasons_of_a_league(cast: Cast) -> None:
    competition = league(cast)
    act(cast.olga, competition, StartCompetition)
    play_season(cast, competition)
    assert ways_of(competition, list(stages_of(competition))) is None
    act(cast.olga, competition, AddSeason, name="Second", promoted=1, relegated=1)
    act(cast.olga, competition, StartStage)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    ways = ways_of(competition, list(stages_of(competition)))
    assert ways is not None
    groups = {way.name: [stop.group for stop in way.stops] for way in ways.ways}
    assert groups["Cem"] == [1, 2]
    assert groups["Finn"] == [2, 1]
    shown = Client().get(f"/competitions/{competition.slug}/charts/").content.decode()
    assert "From stage to stage" in shown
    assert shown.count("<polyline") == len(ways.ways)


@pytest.mark.parametrize("size", [2, 4])
def test_the_bracket_can_be_printed(cast: Cast, size: int) -> None:
    competition = cup(cast, 8, 1, table_size=size)
    shown = text_of(Client().get(f"/competitions/{competition.slug}/print/bracket.pdf"))
    assert all(entry.name in shown for entry in competition.entries.all())
    page = Client().get(f"/competitions/{competition.slug}/charts/").content.decode()
    assert "/print/bracket.pdf?stage=1" in page
    assert all(entry.name in page for entry in competition.entries.all())


def test_places_and_a_consolation_have_pictures_of_their_own(client: Client, cast: Cast) -> None:
    competition = cup(cast, 11, 3, params={"placing": 8, "consolation": True})
    found = drawn_of(competition)
    assert [str(bracket.title) for bracket in found] == ["", "Places 5 to 8", "Consolation"]
    assert [len(column.matches) for column in found[1].columns] == [2, 2]
    told = client.get(f"/competitions/{competition.slug}/charts/").content.decode()
    printed = text_of(client.get(f"/competitions/{competition.slug}/print/bracket.pdf"))
    for title in ("Places 5 to 8", "Consolation"):
        assert title in told
        assert title in printed
    rounds = client.get(f"/competitions/{competition.slug}/rounds/").content.decode()
    assert "Places 5 to 8" in rounds
