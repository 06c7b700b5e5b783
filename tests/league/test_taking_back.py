"""Mistakes put right, through the services: what becomes of games, rows, emails and files."""

import pytest
from django.core.management import call_command
from django.test import Client

from games import log as games
from games.engine.refusals import Illegal
from games.engine.replay import Actor
from games.models import Game
from league.core import portable, verifier
from league.core.verbs.close_round import CloseRound
from league.core.verbs.draw import DrawRound
from league.core.verbs.finish import FinishCompetition
from league.core.verbs.no_show import MarkNoShow
from league.core.verbs.publish import PublishRound
from league.core.verbs.reopen import ReopenCompetition
from league.core.verbs.reopen_round import ReopenRound
from league.core.verbs.reopen_table import ReopenTable
from league.core.verbs.rule import SetResult
from league.core.verbs.take_back_outcome import TakeBackOutcome
from league.core.verbs.withdraw_round import WithdrawRound
from league.files import exporting
from league.models import ClubGame, Competition, Round, Stage
from league.projections.ratings import compute_ratings
from league.projections.standings import compute_standings
from tests.api.web import get
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, in_play, tables
from tests.league.test_projections import dumped

WHY = "the wrong draw"


def withdrawn(cast: Cast, players: int = 4) -> Competition:
    competition = in_play(cast, players)
    act(cast.olga, competition, WithdrawRound, reason=WHY)
    return competition


class TestAWithdrawnRound:
    def test_frees_its_number_and_ends_its_games(self, cast: Cast) -> None:
        competition = withdrawn(cast)
        assert not Round.objects.exists()
        assert [game.status for game in Game.objects.all()] == ["abandoned"]
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        assert [(each.number, each.status) for each in Round.objects.all()] == [(1, "published")]
        assert ClubGame.objects.filter(table=None, competition=competition).count() == 1

    def test_is_refused_once_a_game_has_begun(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        game = tables(competition)[1].games.get().game
        play = {"type": "say", "number": 1}
        games.append(game_id=game.pk, seq=2, actor=Actor("seat", 0), move=play, account=None)
        with pytest.raises(Illegal, match="has begun; what was played there would be lost"):
            act(cast.olga, competition, WithdrawRound, reason=WHY)
        game.refresh_from_db()
        assert (game.status, Round.objects.get().status) == ("active", "published")

    def test_is_rebuilt_and_verified_like_any_other(self, cast: Cast) -> None:
        competition = withdrawn(cast)
        compute_standings(competition.pk)
        compute_ratings(competition.pk)
        before = dumped()
        call_command("rebuild")
        assert dumped() == before
        competition.refresh_from_db()
        report = verifier.check(portable.read(exporting.lines(competition)))
        assert report.games == 1

    def test_sent_twice_leaves_the_next_round_alone(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        seq = competition.seq + 1
        act(cast.olga, competition, WithdrawRound, reason=WHY, seq=seq)
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        again = act(cast.olga, competition, WithdrawRound, reason=WHY, seq=seq)
        assert not again.created
        assert Game.objects.filter(status="active").count() == 1


def test_a_no_show_taken_back_ends_the_game_that_the_entry_left(cast: Cast) -> None:
    competition = in_play(cast, 4)
    (table,) = tables(competition)
    entry = table.seats.all()[0].entry_id
    act(cast.olga, competition, MarkNoShow, table=table.pk, entry=entry)
    act(cast.olga, competition, TakeBackOutcome, table=table.pk, entry=entry, reason=WHY)
    assert Game.objects.get().status == "abandoned"


def test_a_corrected_competition_says_so_everywhere(cast: Cast) -> None:
    competition = finished(cast, 4)
    (table,) = tables(competition)
    act(cast.olga, competition, ReopenCompetition, reason=WHY)
    assert not Stage.objects.get().corrected
    seats = [{"seat": seat, "rank": seat + 1, "score": 9 - seat} for seat in range(4)]
    act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason=WHY)
    act(cast.olga, competition, FinishCompetition)
    compute_standings(competition.pk)
    base = f"/competitions/{competition.pk}"
    assert get(f"{base}/stages/")["results"][0]["corrected"]
    assert {row["corrected"] for row in get(f"{base}/standings/")["results"]} == {True}
    assert "have been corrected since" in Client().get(f"/competitions/{competition.slug}/").content.decode()
    csv = Client().get(f"/api/v1{base}/standings.csv").content.decode().splitlines()
    assert csv[0].split(",")[-4:] == ["corrected", "next_group", "next_why", "by_lot"]


def test_a_round_closed_by_mistake_is_played_on(cast: Cast) -> None:
    competition = in_play(cast, 4)
    act(cast.olga, competition, CloseRound, void_undecided=WHY)
    (table,) = tables(competition)
    act(cast.olga, competition, ReopenRound, reason=WHY)
    act(cast.olga, competition, ReopenTable, table=table.pk, reason=WHY)
    table.refresh_from_db()
    assert (table.status, Round.objects.get().status) == ("playing", "published")
