"""Reminders before a deadline: to whom, when, and with which key, so that each is sent once."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from games import log as games
from games.engine.clocks import Clock
from games.engine.replay import Actor
from games.models import Game
from league.apps.notifications.queries import Reminder, reminders_due
from league.apps.notifications.services import choose_emails
from league.core.verbs.course import PauseCompetition
from league.core.verbs.deadlines import SetDeadline
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.models import Account, Club, Competition, Email
from league.services.emails import awake
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, tables
from tests.league.test_postponing import UNTIL, at, put_off

MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
FRIDAY = datetime(2026, 6, 5, 20, tzinfo=UTC)


def playing(cast: Cast, players: int = 2, **announced: Any) -> Competition:
    """Return a competition whose first round is played from Monday noon until Friday at eight."""
    with time_machine.travel(MONDAY, tick=False):
        competition = in_play(cast, players, **announced)
        act(cast.olga, competition, SetDeadline, deadline=FRIDAY)
    return competition


def due(day: int, hour: int, minute: int = 0) -> Sequence[Reminder]:
    return reminders_due(datetime(2026, 6, day, hour, minute, tzinfo=UTC))


@pytest.mark.parametrize(
    ("day", "hour", "count"), [(4, 19, 0), (4, 20, 1), (5, 17, 1), (5, 18, 2), (5, 19, 2), (5, 20, 0)]
)
def test_a_player_is_reminded_a_day_and_two_hours_before_the_end_of_a_round(
    cast: Cast, day: int, hour: int, count: int
) -> None:
    playing(cast)
    answer = [each for each in due(day, hour) if each.seat.player == cast.paul_plays.pk]
    assert len(answer) == count
    assert {each.deadline for each in answer} <= {FRIDAY}


@pytest.mark.parametrize("quiet", ["22:30–06:30", "all day"])
def test_stored_quiet_hours_that_no_clock_reads_stop_no_email(cast: Cast, quiet: str) -> None:
    playing(cast)
    Club.objects.update(quiet=quiet)
    assert len(due(5, 17)) == 2
    cast.club.refresh_from_db()
    assert awake(cast.club, MONDAY) == MONDAY


def test_a_game_whose_stored_clock_nobody_reads_keeps_no_reminder_of_others_back(cast: Cast) -> None:
    broken = playing(cast, 8).games.all()[0]
    Game.objects.filter(pk=broken.game_id).update(clock={"quiet": "all day"})
    told = {each.club_game.pk for each in due(5, 17)}
    assert len(told) == 1 and broken.pk not in told


def test_a_reminder_has_the_same_key_until_the_deadline_changes(cast: Cast) -> None:
    competition = playing(cast)
    first, again = ({each.key for each in due(4, hour)} for hour in (20, 21))
    assert first == again and len(first) == 2
    later = FRIDAY + timedelta(hours=1)
    with time_machine.travel(MONDAY, tick=False):
        act(cast.olga, competition, SetDeadline, deadline=later)
    assert first.isdisjoint(each.key for each in due(4, 21))


# In Dublin the clocks are an hour ahead of UTC in June.
@pytest.mark.parametrize(
    ("quiet", "moment"),
    [
        ("", (4, 20, 0)),
        ("20:30-22:00", (4, 21, 0)),  # asleep when it falls due: when the hours end
        ("17:00-19:30", (4, 20, 0)),
    ],
)
def test_quiet_hours_delay_it(cast: Cast, quiet: str, moment: tuple[int, int, int]) -> None:
    playing(cast, clock=Clock(move=9 * 24 * 3600, quiet=quiet))
    day, hour, minute = moment
    assert due(day, hour, minute) != []
    assert due(day, hour - 1, 59) == []


def test_it_is_sent_before_quiet_hours_that_last_until_the_deadline(cast: Cast) -> None:
    playing(cast, clock=Clock(move=9 * 24 * 3600, quiet="18:00-22:00"))
    assert {each.due.hour for each in due(5, 19)} == {21, 17}


def test_a_result_that_waits_for_the_morning_is_told_once_as_it_is_then(cast: Cast) -> None:
    choose_emails(by=cast.paul, result=True)
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
    Club.objects.update(quiet="22:00-07:00")
    with time_machine.travel(datetime(2026, 7, 1, 22, 30, tzinfo=UTC), tick=False):
        competition = in_play(cast, 2)
        (table,) = tables(competition)
        for score in (1, 2):
            seats = [{"seat": 0, "score": score}, {"seat": 1, "score": 0}]
            act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="counted again")
    assert Email.objects.filter(kind="result").count() == 1


@pytest.mark.parametrize("ending", ["play", "pause", "void"])
def test_nobody_is_reminded_of_games_without_a_player_to_move(cast: Cast, ending: str) -> None:
    competition = playing(cast)
    game = Game.objects.get()
    if ending == "play":
        games.append(game_id=game.pk, seq=2, actor=Actor("seat", 0), move={"type": "resign"}, account=None)
    elif ending == "pause":
        act(cast.olga, competition, PauseCompetition)
    else:
        table = game.club_game.table
        assert table
        act(cast.olga, competition, VoidTable, table=table.pk, reason="snow")
    assert due(5, 19) == []


def test_a_table_that_is_put_off_reminds_its_players(cast: Cast) -> None:
    competition, _table, _game = put_off(cast, 2)
    act(cast.olga, competition, CloseRound)
    with at(7 * 24 - 1):
        found = reminders_due(datetime.now(UTC))
    assert {(each.kind, each.deadline) for each in found} == {("round", UNTIL)}
    with at(13):
        assert reminders_due(datetime.now(UTC)) == []


def test_a_round_published_late_has_only_future_reminders(cast: Cast) -> None:
    with time_machine.travel(FRIDAY - timedelta(hours=5), tick=False):
        competition = in_play(cast, 2)
        act(cast.olga, competition, SetDeadline, deadline=FRIDAY)
    assert {each.due.hour for each in due(5, 19)} == {18}


def test_a_clock_reminds_the_player_to_move_once_a_turn(cast: Cast) -> None:
    with time_machine.travel(MONDAY, tick=False):
        in_play(cast, 2, clock=Clock(move=3600, reminder=600))
    assert due(1, 12, 49) == []
    (answer,) = due(1, 12, 50)
    assert (answer.kind, answer.deadline.hour) == ("move", 13)
    game = Game.objects.get()
    with time_machine.travel(MONDAY + timedelta(minutes=55), tick=False):
        move = {"type": "say", "number": 1}
        games.append(game_id=game.pk, seq=2, actor=Actor("seat", 0), move=move, account=None)
    assert due(1, 12, 56) == []
    (other,) = due(1, 13, 50)
    assert other.seat.player != answer.seat.player


def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(
    cast: Cast, django_assert_max_num_queries: Any
) -> None:
    playing(cast, 16, stages=[{**PLAN, "table_size": 2}])
    with django_assert_max_num_queries(5):
        assert len(due(4, 20)) == 16
