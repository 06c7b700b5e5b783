"""A table that is put off: its clocks stop, its round closes, its result enters later or by its deadline."""

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.test import Client

from games import log as games
from games import rebuilding
from games.engine.clocks import Clock
from games.engine.replay import Actor
from games.models import Game
from league import tasks
from league.core.verbs.course import FinishCompetition, PauseCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.results import ReplayGame
from league.core.verbs.rounds import CloseRound, PublishRound, WithdrawRound
from league.core.verbs.tables import EndPostponement, PostponeTable
from league.models import Competition, Round, Table
from league.projections.standings import rebuild
from league.queries import due
from league.services.automatic import record_result
from league.services.play import end_overdue
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, moved, play, stands, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_verify import checked, exported

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
UNTIL = NOON + timedelta(days=7)
DUELS = {**PLAN, "table_size": 2, "hours": 24}


def at(hours: float) -> Any:
    return time_machine.travel(NOON + timedelta(hours=hours), tick=False)


def put_off(cast: Cast, players: int = 4, **announced: Any) -> tuple[Competition, Table, Game]:
    """Return a competition at noon whose first table is put off for a week, the table and its game."""
    with at(0):
        competition = in_play(cast, players, **{"stages": [DUELS], **announced})
        table = tables(competition)[0]
        act(cast.olga, competition, PostponeTable, table=table.pk, reason="a cold", deadline=UNTIL)
    table.refresh_from_db()
    return competition, table, table.games.get().game


def moves(game: Game) -> list[str]:
    return [entry.move["type"] for entry in games.entries(game, after=1)]


class TestTheClocks:
    def test_stop_while_a_table_is_put_off(self, cast: Cast) -> None:
        _competition, _table, game = put_off(cast, clock=Clock(move=3600))
        assert (game.deadline, moves(game)) == (None, ["stop_clocks"])
        with at(48):
            assert game.pk not in due.games_out_of_time()

    def test_go_on_with_a_whole_move_when_it_is_taken_back(self, cast: Cast) -> None:
        competition, table, game = put_off(cast, clock=Clock(move=3600))
        with at(5):
            act(cast.olga, competition, EndPostponement, table=table.pk)
        game.refresh_from_db()
        assert game.deadline == NOON + timedelta(hours=6)

    def test_do_not_count_the_time_between(self, cast: Cast) -> None:
        with at(0):
            competition = in_play(cast, 2, stages=[DUELS], clock=Clock(game=3600))
        table = tables(competition)[0]
        with at(0.5):
            act(cast.olga, competition, PostponeTable, table=table.pk, reason="a cold")
        with at(100):
            act(cast.olga, competition, EndPostponement, table=table.pk)
        assert Game.objects.get().deadline == NOON + timedelta(hours=100.5)

    def test_stay_stopped_when_the_seats_move(self, cast: Cast) -> None:
        _competition, _table, game = put_off(cast, clock=Clock(move=3600))
        actor = Actor("seat", game.awaited[0])
        games.append(game_id=game.pk, seq=3, actor=actor, move={"type": "say", "number": 1}, account=None)
        game.refresh_from_db()
        assert game.deadline is None

    def test_of_a_game_without_any_need_no_entry(self, cast: Cast) -> None:
        _competition, _table, game = put_off(cast)
        assert moves(game) == []

    def test_of_a_replayed_game_stand_too(self, cast: Cast) -> None:
        competition, table, _game = put_off(cast, clock=Clock(move=3600))
        act(cast.olga, competition, ReplayGame, table=table.pk, reason="torn card")
        fresh = Game.objects.get(status="active", club_game__table=table)
        assert (fresh.deadline, moves(fresh)) == (None, ["stop_clocks"])

    def test_are_the_same_after_a_rebuild(self, cast: Cast) -> None:
        _competition, _table, game = put_off(cast, clock=Clock(move=3600))
        rebuilding.rebuild([game.pk])
        game.refresh_from_db()
        assert (game.deadline, game.since) == (None, [None, None])


class TestTheCourse:
    def test_goes_on_and_the_result_enters_later(self, cast: Cast) -> None:
        competition, table, game = put_off(cast)
        for other in tables(competition)[1:]:
            record_result(game_id=play(other.games.get().game).pk)
        for verb in (CloseRound, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        tasks.sweep()
        rows = stands(competition)
        assert sorted(row.to_come for row in rows) == [0, 0, 1, 1]
        assert all(row.best_rank != row.worst_rank for row in rows)
        play(game)
        tasks.sweep()
        table.refresh_from_db()
        assert (table.status, table.postponed_reason, table.postponed_until) == ("played", "", None)
        assert not any(row.to_come for row in stands(competition))

    def test_of_the_automatic_pace_waits_with_the_end(self, cast: Cast) -> None:
        competition, _table, game = put_off(cast, 4, stages=[{**DUELS, "rounds": 1}], pace="automatic")
        for other in tables(competition)[1:]:
            play(other.games.get().game)
        tasks.sweep()
        competition.refresh_from_db()
        assert (Round.objects.get().status, competition.status, competition.step) == (
            *("closed", "running", "play"),
        )
        play(game)
        tasks.sweep()
        competition.refresh_from_db()
        assert competition.status == "finished"

    def test_has_the_same_rows_after_a_rebuild(self, cast: Cast) -> None:
        competition, table, _game = put_off(cast)
        rebuild(competition.pk)
        fresh = Table.objects.get(pk=table.pk)
        assert (fresh.status, fresh.postponed_reason, fresh.postponed_until) == (
            *("postponed", "a cold", UNTIL),
        )


class TestItsDeadline:
    @pytest.mark.parametrize(
        ("overdue", "made"), [("organiser", []), ("defaults", ["timeout"] * 2), ("forfeit", ["forfeit"])]
    )
    def test_ends_its_game_as_the_competition_says(self, cast: Cast, overdue: str, made: list[str]) -> None:
        _competition, _table, game = put_off(cast, 2, overdue=overdue)
        with at(7 * 24):
            for late in due.games_overdue():
                end_overdue(game_id=late)
        assert moves(game) == made

    def test_is_not_that_of_its_round(self, cast: Cast) -> None:
        _competition, table, game = put_off(cast, overdue="forfeit")
        with at(48):
            assert game.pk not in due.games_overdue()
            end_overdue(game_id=game.pk)
        assert moves(game) == []
        assert Table.objects.select_related("round").get(pk=table.pk).deadline == UNTIL

    def test_is_kept_in_a_round_that_is_closed(self, cast: Cast) -> None:
        competition, _table, game = put_off(cast, 2, overdue="forfeit")
        act(cast.olga, competition, CloseRound)
        with at(7 * 24):
            assert due.games_overdue() == [game.pk]

    def test_does_nothing_in_a_pause(self, cast: Cast) -> None:
        competition, _table, game = put_off(cast, 2, overdue="forfeit")
        act(cast.olga, competition, PauseCompetition)
        with at(7 * 24):
            end_overdue(game_id=game.pk)
            assert due.games_overdue() == []
        assert moves(game) == []


class TestThePages:
    def test_of_the_desk_put_it_off_and_list_it(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[DUELS])
        olga, table = logged_in(cast.olga), tables(competition)[0]
        address = f"/admin/league/competition/{competition.pk}"
        fields = {"deadline": "2099-12-24T18:00", "reason": "a cold"}
        done = olga.post(f"{address}/do/postpone/?table={table.pk}", fields, follow=True)
        text = done.content.decode()
        assert "put off" in text
        assert "round 1, table 1</a>" in text
        assert "Play now after all" in text
        table.refresh_from_db()
        assert (table.status, table.postponed_reason) == ("postponed", "a cold")

    def test_of_the_desk_refuse_a_time_that_has_passed_at_its_field(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[DUELS])
        address = f"/admin/league/competition/{competition.pk}/do/postpone/"
        fields = {"deadline": "2020-12-24T18:00", "reason": "a cold"}
        shown = logged_in(cast.olga).post(f"{address}?table={tables(competition)[0].pk}", fields)
        assert shown.context["form"].errors["deadline"] == ["This time has passed."]

    def test_tell_everybody_and_its_players(self, cast: Cast) -> None:
        competition, _table, game = put_off(cast, 2)
        act(cast.olga, competition, CloseRound)
        tasks.sweep()
        own = logged_in(cast.paul).get(f"/competitions/{competition.slug}/").content.decode()
        assert "Your table 1 of round 1 is put off." in own
        assert "To be played by" in own
        assert "One table to come." in own
        assert str(game.pk) in own
        for path in (f"/competitions/{competition.slug}/rounds/", f"/games/{game.pk}/"):
            assert "a cold" in Client().get(path).content.decode()
        assert "put off" in logged_in(cast.paul).get("/account/").content.decode()

    def test_of_the_api_and_the_files_tell_it_too(self, cast: Cast) -> None:
        competition, _table, _game = put_off(cast, 2)
        tasks.sweep()
        path = f"/api/v1/competitions/{competition.pk}"
        row = Client().get(f"{path}/standings/").json()["results"][0]
        assert (row["to_come"], row["best_rank"], row["worst_rank"]) == (1, 1, 2)
        shown = Client().get(f"{path}/tables/").json()["results"][0]
        assert (shown["status"], shown["postponed_until"]) == ("postponed", "2026-06-08T12:00:00Z")
        file = Client().get(f"{path}/standings.csv").content.decode()
        assert [line["to_come"] for line in csv.DictReader(StringIO(file))] == ["1", "1"]
        with at(0):
            assert b"20260608T120000Z" in Client().get(f"{path}/calendar.ics").content


def test_a_stopped_clock_does_not_begin_a_game(cast: Cast) -> None:
    competition, _table, _game = put_off(cast, clock=Clock(move=3600))
    act(cast.olga, competition, WithdrawRound, reason="the wrong round")
    assert not Table.objects.exists()


def test_the_exported_file_is_verified(cast: Cast) -> None:
    competition, _table, game = put_off(cast, 4, stages=[{**DUELS, "rounds": 1}], clock=Clock(move=3600))
    for other in tables(competition)[1:]:
        record_result(game_id=play(other.games.get().game).pk)
    act(cast.olga, competition, CloseRound)
    for seat in (0, 1):
        move = {"type": "say", "number": seat}
        moved(game, seat, move)
    record_result(game_id=game.pk)
    act(cast.olga, competition, FinishCompetition)
    competition.refresh_from_db()
    report = checked(exported(competition))
    assert (report.games, report.running, report.events_with("different")) == (2, 0, [])
