"""Deadlines of rounds, and what happens to overdue games, once with several workers."""

import csv
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.test import Client

from games import exports, rebuilding
from games import log as games
from games.engine.clocks import Clock
from games.models import Game
from games.verifier import check
from league import tasks
from league.admin.needs import next_step
from league.core.verbs.course import PauseCompetition, ResumeCompetition
from league.core.verbs.deadlines import GiveTime, SetDeadline
from league.core.verbs.draw import DrawRound
from league.core.verbs.results import ReplayGame
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import OpenTable
from league.models import Competition, Round, Table
from league.queries import due
from league.queries.competitions import competitions_of
from league.services.automatic import record_result
from league.services.play import end_overdue
from tests.factories import Cast
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, play, play_all, tables
from tests.league.test_admin_scope import logged_in

NOON = datetime(2026, 6, 1, 12, 0, 1, tzinfo=UTC)
OPEN = {"name": "Open", "format": "open_play", "rounds": 1, "table_size": 2, "hours": 24}


def with_hours(cast: Cast, players: int = 2, **announced: Any) -> Competition:
    """Return a competition in play since noon whose rounds last a day."""
    given = {"stages": [{**PLAN, "table_size": 2, "hours": 24}], **announced}
    with time_machine.travel(NOON, tick=False):
        return in_play(cast, players, **given)


def later(hours: int) -> Any:
    return time_machine.travel(NOON + timedelta(hours=hours), tick=False)


def roles(game: Game) -> list[str]:
    return [entry.role for entry in games.entries(game, after=1)]


class TestADeadline:
    def test_follows_from_the_plan_at_the_next_full_hour(self, cast: Cast) -> None:
        with_hours(cast)
        assert Round.objects.get().deadline == datetime(2026, 6, 2, 13, tzinfo=UTC)

    def test_can_be_set_by_an_organiser(self, cast: Cast) -> None:
        competition = opened(cast, 2, stages=[{**PLAN, "hours": 24}])
        until = datetime(2099, 12, 24, 18, 0, tzinfo=UTC)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound, deadline=until)
        assert Round.objects.get().deadline == until

    def test_is_the_same_when_publishing_is_retried_within_the_hour(self, cast: Cast) -> None:
        competition = with_hours(cast)
        with time_machine.travel(NOON + timedelta(minutes=50), tick=False):
            again = act(cast.olga, competition, PublishRound, seq=competition.seq)
        assert not again.created

    def test_of_none_never_passes(self, cast: Cast) -> None:
        in_play(cast, 2, overdue="forfeit")
        with later(9999):
            assert due.games_overdue() == []


class TestOverdueGames:
    @pytest.mark.parametrize(
        ("overdue", "made"), [("organiser", []), ("defaults", ["clock"] * 2), ("forfeit", ["clock"])]
    )
    def test_are_handled_as_the_competition_is_set_up(
        self, cast: Cast, overdue: str, made: list[str]
    ) -> None:
        with_hours(cast, overdue=overdue)
        game = Game.objects.get()
        for hours in (24, 25):
            with later(hours):
                tasks.sweep()
            assert roles(game) == (made if hours == 25 else [])

    def test_are_decided_by_the_deadline(self, cast: Cast) -> None:
        competition = with_hours(cast, overdue="defaults")
        with later(25):
            tasks.sweep()
            tasks.sweep()
        assert [table.status for table in tables(competition)] == ["played"]

    def test_that_are_forfeited_say_so_wherever_their_round_is_shown(self, cast: Cast) -> None:
        competition = with_hours(cast, overdue="forfeit")
        with later(25):
            tasks.sweep()
            tasks.sweep()
        entries = games.entries(Game.objects.get(), after=1)
        (late,) = (entry.seat for entry in entries if entry.role == "clock")
        home, client = f"/competitions/{competition.slug}", logged_in(cast.olga)
        api = f"/api/v1/competitions/{competition.pk}"
        rows = [*csv.DictReader(client.get(f"{api}/results.csv").content.decode().splitlines())]
        seats = client.get(f"{api}/tables/").json()["results"][0]["seats"]
        said = ["forfeit" if seat == late else "" for seat in (0, 1)]
        assert [row["outcome"] for row in rows] == [each["outcome"] or "" for each in seats] == said
        desk = f"/admin/league/competition/{competition.pk}/change/"
        assert [row["reason"] for row in rows] == ["lost on time" if outcome else "" for outcome in said]
        for page in (f"{home}/rounds/", f"{home}/live/", desk):
            # Of the table, and of the seat.
            assert client.get(page).content.decode().count(">lost on time</span>") == 2, page
        assert ", lost on time)" in client.get(f"{home}/log/").content.decode()
        game = client.get(f"/games/{Game.objects.get().pk}/").content.decode()
        assert ("lost on time" in game, "left the game" in game) == (True, False)

    def test_continue_if_the_deadline_is_extended_or_the_competition_paused(self, cast: Cast) -> None:
        competition = with_hours(cast, overdue="forfeit")
        (game,) = Game.objects.all()
        with later(1):
            act(cast.olga, competition, PauseCompetition)
        with later(25):
            end_overdue(game_id=game.pk)
            act(cast.olga, competition, ResumeCompetition)
            act(cast.olga, competition, SetDeadline, deadline=NOON + timedelta(days=7))
            end_overdue(game_id=game.pk)
        assert roles(game) == []

    def test_continue_outside_competitions(self, cast: Cast) -> None:
        game = cast.game("tally")
        end_overdue(game_id=game.pk)
        assert roles(game) == []

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize(("overdue", "made"), [("defaults", 4), ("forfeit", 3)])
    def test_are_handled_once_by_several_workers(self, cast: Cast, overdue: str, made: int) -> None:
        with_hours(cast, 4, overdue=overdue, stages=[{**PLAN, "hours": 24}])
        (game,) = Game.objects.all()
        with later(25):
            assert at_once([partial(end_overdue, game_id=game.pk)] * 4) == [None] * 4
        game.refresh_from_db()
        assert (game.status, roles(game).count("clock")) == ("finished", made)


class TestOpenPlay:
    def test_is_closed_at_its_deadline_at_the_automatic_pace(self, cast: Cast) -> None:
        with time_machine.travel(NOON, tick=False):
            competition = opened(cast, 2, stages=[OPEN], pace="automatic")
            act(cast.olga, competition, StartCompetition)
            tasks.sweep()
        answer = []
        for hours in (24, 25):
            with later(hours):
                tasks.sweep()
            answer.append(Round.objects.get().status)
        assert answer == ["published", "closed"]

    def test_waits_for_undecided_tables(self, cast: Cast) -> None:
        competition = with_hours(cast, stages=[OPEN], pace="automatic")
        entries = list(competition.entries.values_list("pk", flat=True))
        with later(1):
            act(cast.olga, competition, OpenTable, entries=entries)
        with later(25):
            tasks.sweep()
        assert Round.objects.get().status == "published"

    def test_says_when_it_closes_after_results_that_came_after_the_deadline(
        self, cast: Cast, client: Client
    ) -> None:
        waits = {"close_round": 10, "finish": 30}
        competition = with_hours(cast, stages=[OPEN], pace="automatic", waits=waits)
        with later(1):
            entries = list(competition.entries.values_list("pk", flat=True))
            act(cast.olga, competition, OpenTable, entries=entries)
            competition.refresh_from_db()
            assert competition.acts_at is None
        with later(26):
            record_result(game_id=play_all(competition)[0])
            (row,) = competitions_of(competition.club)
            assert (row.step, row.acts_at) == ("play", NOON + timedelta(hours=26, minutes=10))
            assert next_step(row).at == row.acts_at
            assert "the round closes on" in client.get(f"/competitions/{row.slug}/").content.decode()


class TestTimeForOneTable:
    def test_keeps_its_game_from_being_overdue_with_the_round(self, cast: Cast) -> None:
        competition = with_hours(cast, 4, overdue="forfeit")
        favoured, other = tables(competition)
        act(cast.olga, competition, GiveTime, table=str(favoured.pk), minutes=30)
        until = Round.objects.get().deadline
        assert until
        favoured.refresh_from_db()
        assert favoured.deadline == until + timedelta(minutes=30)
        with time_machine.travel(until + timedelta(minutes=1), tick=False):
            assert due.games_overdue() == [other.games.get().pk]
        with time_machine.travel(until + timedelta(minutes=31), tick=False):
            assert {*due.games_overdue()} == {other.games.get().pk, favoured.games.get().pk}

    def test_is_told_on_the_competitions_page_and_in_its_log(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        act(
            cast.olga,
            competition,
            GiveTime,
            table=str(tables(competition)[0].pk),
            minutes=5,
            reason="spilt tea",
        )
        shown = [Client().get(f"/competitions/{competition.slug}/{page}") for page in ("", "hall/", "log/")]
        told = [page.content.decode() for page in shown]
        assert "5 minutes more" in told[0] and "5 minutes more" in told[1] and "5 min more" in told[2]


class TestTimeForTheGamesOfATable:
    def timed(self, cast: Cast, **clock: Any) -> tuple[Competition, Table, Game]:
        competition = in_play(cast, 4, clock=Clock(**clock))
        table = tables(competition)[0]
        return competition, table, table.games.get().game

    def test_is_on_their_clocks_at_once_by_an_entry_of_the_clock(self, cast: Cast) -> None:
        competition, table, game = self.timed(cast, move=3600)
        before = game.deadline
        act(cast.olga, competition, GiveTime, table=table.pk, minutes=5)
        game.refresh_from_db()
        assert before and game.deadline == before + timedelta(minutes=5)
        (entry,) = games.entries(game, after=1)
        assert (entry.role, entry.seat, entry.account) == ("clock", None, str(cast.olga.pk))
        assert entry.move == {"type": "give_time", "minutes": 5}

    def test_is_offered_as_five_minutes(self, cast: Cast) -> None:
        competition, table, _game = self.timed(cast, move=3600)
        address = f"/admin/league/competition/{competition.pk}/do/give-time/?table={table.pk}"
        assert logged_in(cast.olga).get(address).context["form"]["minutes"].value() == 5

    def test_says_until_when_the_table_may_play_then(self, cast: Cast) -> None:
        with time_machine.travel(NOON, tick=False):
            competition = with_hours(cast)
            table = Table.objects.get()
            address = f"/admin/league/competition/{competition.pk}/do/give-time/?table={table.pk}"
            told = logged_in(cast.olga).post(address, {"minutes": 5, "table": table.pk}, follow=True)
        assert "Table 1 has until 2 Jun 2026, 14:05." in told.content.decode()

    def test_is_taken_back_with_it(self, cast: Cast) -> None:
        competition, table, game = self.timed(cast, game=3600)
        before = game.deadline
        for minutes in (20, -5, -15):
            act(cast.olga, competition, GiveTime, table=table.pk, minutes=minutes)
        game.refresh_from_db()
        assert game.deadline == before and games.latest(game).more_minutes == 0

    def test_is_not_taken_from_a_game_that_never_got_it(self, cast: Cast) -> None:
        competition, table, game = self.timed(cast, move=3600)
        act(cast.olga, competition, GiveTime, table=table.pk, minutes=5)
        act(cast.olga, competition, ReplayGame, table=table.pk, game=str(game.pk), reason="torn card")
        act(cast.olga, competition, GiveTime, table=table.pk, minutes=-5)
        fresh = Game.objects.get(status="active", club_game__table=table)
        assert games.entries(fresh, after=1) == []

    def test_is_not_given_twice_by_a_retry(self, cast: Cast) -> None:
        competition, table, game = self.timed(cast, move=3600)
        competition.refresh_from_db()
        for _time in range(2):
            act(cast.olga, competition, GiveTime, seq=competition.seq + 1, table=table.pk, minutes=5)
        assert [each.move["minutes"] for each in games.entries(game, after=1)] == [5]

    def test_is_the_same_after_a_rebuild_and_for_the_verifier(self, cast: Cast) -> None:
        competition, table, game = self.timed(cast, move=3600, game=7200)
        act(cast.olga, competition, GiveTime, table=table.pk, minutes=5)
        play(game)
        game.refresh_from_db()
        kept = (game.since, game.used, game.deadline)
        rebuilding.rebuild([game.pk])
        game.refresh_from_db()
        assert (game.since, game.used, game.deadline) == kept
        report = check(exports.lines(game))
        assert report.replayed and report.entries == game.seq
