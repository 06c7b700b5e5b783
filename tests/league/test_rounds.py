"""Rounds: drawn, changed, published with their games, closed; and the automatic pace."""

from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

import pytest
import time_machine

from games.engine.clocks import Clock
from games.engine.refusals import Illegal
from games.models import Game, Seat
from league import log, tasks
from league.callers import ByAccount
from league.core.verbs.checking import SetChecking
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.objections import PostResults
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.models import Bye, ClubGame, Competition, Entry, Round, TableSeat
from league.models.events import Event
from league.queries.events import events_of
from league.services.automatic import advance, record_result
from league.services.play import make_move
from league.words.event_text import event_lines
from tests.factories import Cast
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, play, play_all, tables

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def drawn(cast: Cast, players: int = 8, **announced: object) -> Competition:
    competition = opened(cast, players, **announced)
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, DrawRound)
    return competition


def seated(competition: Competition, number: int = 1) -> list[list[UUID]]:
    """Return the entries at each table of a round, in seat order."""
    return [[seat.entry_id for seat in table.seats.all()] for table in tables(competition, number)]


class TestDrawing:
    def test_seats_every_entry_once_and_stores_the_report(self, cast: Cast) -> None:
        competition = drawn(cast, 9)
        assert sorted(map(len, seated(competition))) == [4, 5]
        assert len({entry for table in seated(competition) for entry in table}) == 9
        assert Round.objects.get().report["repeats"] == 0

    def test_again_replaces_the_whole_proposal(self, cast: Cast) -> None:
        competition = drawn(cast)
        first = {table.pk for table in tables(competition)}
        act(cast.olga, competition, DrawRound, reason="a table is missing")
        assert first.isdisjoint(table.pk for table in tables(competition))
        assert TableSeat.objects.count() == 8

    def test_with_a_reason_is_refused_where_there_is_no_draw(self, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        with pytest.raises(Illegal, match="No draw waits"):
            act(cast.olga, competition, DrawRound, reason="a table is missing")

    def test_a_retry_with_the_same_seq_is_the_same_draw(self, cast: Cast) -> None:
        competition = drawn(cast)
        before = seated(competition)
        competition.refresh_from_db()
        again = act(cast.olga, competition, DrawRound, seq=competition.seq - 1)
        assert (again.created, seated(competition)) == (False, before)

    def test_two_entries_are_exchanged_with_a_reason(self, cast: Cast) -> None:
        competition = drawn(cast)
        (one, *_), (other, *_) = seated(competition)
        act(cast.olga, competition, MoveSeat, stage=1, round=1, swaps=[(one, other)], reason="brothers")
        assert [table[0] for table in seated(competition)] == [other, one]
        assert Round.objects.get().moved == ["brothers"]
        kept = log.latest(Competition.objects.get()).stages[0].rounds[0].proposed
        assert [table.seats[0].entry for table in kept] == [str(one), str(other)]

    def test_a_withdrawal_before_publishing_leaves_the_other_seats_as_drawn(self, cast: Cast) -> None:
        competition = drawn(cast)
        (gone, *rest), *others = seated(competition)
        act(cast.olga, competition, WithdrawEntry, entry=gone)
        assert seated(competition) == [rest, *others]

    def test_an_entry_without_a_table_has_a_bye(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tests.league.tally.Tally.seats", (2,))
        drawn(cast, 5, stages=[{**PLAN, "table_size": 2}])
        assert Bye.objects.count() == 1
        assert Bye.objects.get().entry not in Entry.objects.filter(seats__isnull=False)


class TestPublishing:
    def test_opens_a_game_at_each_table_with_its_players_in_seat_order(self, cast: Cast) -> None:
        competition = in_play(cast, 9, options={"rounds": 3}, clock=Clock(move=3600))
        assert Game.objects.count() == 2
        for table in tables(competition):
            game = table.games.get().game
            players = list(Seat.objects.filter(game=game).values_list("player", flat=True))
            assert players == [seat.player_id for seat in table.seats.all()]
            assert (game.options, game.clock) == ({"rounds": 3}, {"move": 3600})

    def test_sets_the_deadline_of_the_round(self, cast: Cast) -> None:
        competition = drawn(cast)
        until = datetime(2099, 12, 24, 18, 0, tzinfo=UTC)
        act(cast.olga, competition, PublishRound, deadline=until)
        assert Round.objects.get().deadline == until

    def test_a_retry_with_the_same_seq_opens_no_second_game(self, cast: Cast) -> None:
        competition = in_play(cast)
        again = act(cast.olga, competition, PublishRound, seq=competition.seq)
        assert (again.created, Game.objects.count()) == (False, 2)

    def test_without_a_draw_is_refused(self, cast: Cast) -> None:
        competition = opened(cast, 4)
        with pytest.raises(Illegal):
            act(cast.olga, competition, PublishRound)

    @pytest.mark.django_db(transaction=True)
    def test_by_several_at_once_opens_the_games_once(self, cast: Cast) -> None:
        competition = drawn(cast)
        answers = at_once([partial(act, cast.olga, competition, PublishRound)] * 4)
        assert sorted(isinstance(answer, log.Appended) and answer.created for answer in answers) == [
            *[False] * 3,
            True,
        ]
        assert (Game.objects.count(), ClubGame.objects.count()) == (2, 2)


class TestClosing:
    def test_needs_every_table_to_be_decided(self, cast: Cast) -> None:
        competition = in_play(cast)
        record_result(game_id=play(tables(competition)[0].games.get().game).pk)
        with pytest.raises(Illegal):
            act(cast.olga, competition, CloseRound)

    def test_can_void_undecided_tables(self, cast: Cast) -> None:
        competition = in_play(cast)
        act(cast.olga, competition, CloseRound, void_undecided="out of time")
        assert [table.void_reason for table in tables(competition)] == ["out of time"] * 2
        assert Round.objects.get().status == "closed"

    def test_keeps_a_reason_for_undecided_tables_where_there_are_none(self, cast: Cast) -> None:
        competition = in_play(cast)
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound, void_undecided="the hall closes")
        competition.refresh_from_db()
        (line,) = event_lines(list(events_of(competition)[:1]))
        assert line.sentence == "Round 1 is closed (the hall closes)."

    def test_allows_the_next_round_to_be_drawn_with_other_opponents(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[{**PLAN, "table_size": 2}])
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        act(cast.olga, competition, DrawRound)
        first, second = ({frozenset(table) for table in seated(competition, number)} for number in (1, 2))
        assert first.isdisjoint(second)


class TestTheAutomaticPace:
    def test_draws_and_publishes_after_the_start_and_waits_for_results(self, cast: Cast) -> None:
        competition = opened(cast, 4, pace="automatic")
        act(cast.olga, competition, StartCompetition)
        for _ in range(2):
            advance(competition_id=competition.pk)
        shown = Event.objects.filter(role="system").values_list("event__type", flat=True)
        assert list(shown) == ["cut_off", "drawn", "published"]

    def test_runs_from_the_first_round_to_the_end(self, cast: Cast) -> None:
        competition = opened(cast, 8, pace="automatic")
        act(cast.olga, competition, StartCompetition)
        for number in (1, 2):
            advance(competition_id=competition.pk)
            for game in play_all(competition, number):
                record_result(game_id=game)
        advance(competition_id=competition.pk)
        competition.refresh_from_db()
        assert (competition.status, competition.round, Game.objects.count()) == ("finished", 2, 4)

    def test_does_not_apply_to_manual_competitions(self, cast: Cast) -> None:
        competition = drawn(cast)
        advance(competition_id=competition.pk)
        assert not Game.objects.exists()

    def test_waits_for_an_organiser_after_an_abandoned_game(self, cast: Cast) -> None:
        competition = in_play(cast, 2, pace="automatic")
        game = ClubGame.objects.get().game
        abandon = {"type": "abandon", "reason": "fire"}
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=2, move=abandon)
        record_result(game_id=game.pk)
        advance(competition_id=competition.pk)
        assert [table.status for table in tables(competition)] == ["abandoned"]
        act(cast.olga, competition, VoidTable, table=tables(competition)[0].pk, reason="fire")
        advance(competition_id=competition.pk)
        assert Round.objects.filter(number=2, status="published").exists()

    def test_waits_before_it_closes_a_round_and_before_it_finishes(self, cast: Cast) -> None:
        waits = {"close_round": 10, "finish": 30}
        with time_machine.travel(NOON, tick=False):
            competition = opened(cast, 4, pace="automatic", stages=[{**PLAN, "rounds": 1}], waits=waits)
            act(cast.olga, competition, StartCompetition)
            advance(competition_id=competition.pk)
            for game in play_all(competition):
                record_result(game_id=game)
        seen = []
        for minutes in (9, 10, 39, 40):
            with time_machine.travel(NOON + timedelta(minutes=minutes), tick=False):
                tasks.sweep()
            competition.refresh_from_db()
            seen.append((competition.status, competition.step, competition.acts_at))
        assert seen == [
            ("running", "close_round", NOON + timedelta(minutes=10)),
            ("running", "finish", NOON + timedelta(minutes=40)),
            ("running", "finish", NOON + timedelta(minutes=40)),
            ("finished", "none", None),
        ]

    def test_waits_no_longer_for_results_that_are_posted_or_checked(self, cast: Cast) -> None:
        waits = {"close_round": 10, "finish": 30}
        with time_machine.travel(NOON, tick=False):
            competition = opened(cast, 4, pace="automatic", waits=waits)
            act(cast.olga, competition, StartCompetition)
            advance(competition_id=competition.pk)
            for game in play_all(competition):
                record_result(game_id=game)
        with time_machine.travel(NOON + timedelta(minutes=9), tick=False):
            act(cast.olga, competition, SetChecking, required=True)
            act(cast.olga, competition, PostResults, until=NOON + timedelta(hours=1))
            competition.refresh_from_db()
            assert competition.acts_at == NOON + timedelta(minutes=10)
        with time_machine.travel(NOON + timedelta(minutes=10), tick=False):
            tasks.sweep()
        assert Round.objects.get(number=1).status == "closed"

    def test_waits_again_after_a_correction(self, cast: Cast) -> None:
        waits = {"close_round": 10, "finish": 30}
        with time_machine.travel(NOON, tick=False):
            competition = opened(cast, 4, pace="automatic", waits=waits)
            act(cast.olga, competition, StartCompetition)
            advance(competition_id=competition.pk)
            for game in play_all(competition):
                record_result(game_id=game)
        with time_machine.travel(NOON + timedelta(minutes=9), tick=False):
            seats = [{"seat": seat, "rank": seat + 1, "score": 9 - seat} for seat in range(4)]
            act(
                cast.olga, competition, SetResult, table=tables(competition)[0].pk, seats=seats, reason="typo"
            )
        with time_machine.travel(NOON + timedelta(minutes=18), tick=False):
            tasks.sweep()
        assert Round.objects.get().status == "published"

    @pytest.mark.django_db(transaction=True)
    def test_by_several_workers_at_once_takes_each_step_once(self, cast: Cast) -> None:
        competition = opened(cast, 8, pace="automatic")
        act(cast.olga, competition, StartCompetition)
        answers = at_once([partial(advance, competition_id=competition.pk)] * 4)
        assert answers == [None] * 4
        assert Game.objects.count() == 2
        log.verified(Competition.objects.get())
