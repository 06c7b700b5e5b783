"""Games that a ruling decides: they count as played, in records, on pages and in the API."""

from django.test import Client

from league.core.verbs.rulings import SetResult
from league.models import ClubGame, Competition
from league.queries import records
from league.services.automatic import record_result
from tests.api.web import get
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, play_all, tables

SCORES = [{"seat": 0, "score": 3}, {"seat": 1, "score": 8}]


def ruled(cast: Cast, *, played: bool = False) -> Competition:
    """Paul's and Petra's table, ruled while their game runs, or after it; Petra has seat 0 or 1."""
    competition = in_play(cast, 2)
    if played:
        for game in play_all(competition):
            record_result(game_id=game)
    rule(cast, competition)
    if not played:
        record_result(game_id=ClubGame.objects.get().game_id)
    return competition


def rule(cast: Cast, competition: Competition) -> None:
    """Set the result of the first table: seat 1 is first with 8, seat 0 has 3."""
    table = tables(competition)[0].pk
    act(cast.olga, competition, SetResult, table=table, seats=SCORES, reason="a power cut")


def test_a_game_that_a_ruling_ended_counts_in_records(cast: Cast) -> None:
    ruled(cast)
    loser = tables(Competition.objects.get())[0].seats.get(number=0).player
    record = records.of(loser, None)
    assert [(played.rank, played.score) for played in record.results] == [(2, 3)]
    assert [(each.met, each.behind) for each in record.head_to_head] == [(1, 1)]


def test_a_ruling_replaces_the_result_of_a_finished_game_in_records(cast: Cast) -> None:
    ruled(cast, played=True)
    winner = tables(Competition.objects.get())[0].seats.get(number=1).player
    record = records.of(winner, None)
    assert [(played.rank, played.score) for played in record.results] == [(1, 8)]
    assert [(each.met, each.ahead) for each in record.head_to_head] == [(1, 1)]


def test_a_game_that_a_ruling_ended_is_not_called_abandoned(cast: Cast) -> None:
    ruled(cast)
    game = ClubGame.objects.get()
    page = Client().get(f"/games/{game.pk}/").content.decode()
    assert "set by hand" in page
    assert "abandoned" not in page.split("<h2")[0]
    assert get(f"/games/{game.pk}/")["ruled"]
    assert [each["ruled"] for each in get("/games/")["results"]] == [True]
