"""The hall: the round's timer, announcements, and check-in without accounts."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.exceptions import PermissionDenied

from games.engine.refusals import Illegal, Malformed
from league.apps.hall import queries as halls
from league.apps.hall import services
from league.apps.hall.holders import OnOwnPhone
from league.core.verbs.course import CancelCompetition
from league.core.verbs.deadlines import GiveTime
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rounds import CloseRound
from league.core.verbs.tables import OpenTable
from league.models import Competition, Entry, Table
from league.models.events import Event
from league.services.automatic import record_result
from league.services.competitions import change_details
from league.services.players import change_player
from league.services.verbs import perform
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, pairs_in_play, play_all, tables
from tests.league.test_deadlines import OPEN
from tests.web.conftest import record_all

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def timer(competition: Competition) -> halls.Timer | None:
    return halls.timer_of(halls.hall_of(competition), halls.played_round(competition))


def left(competition: Competition) -> int | None:
    shown = timer(competition)
    return shown.left if shown else None


class TestTheTimer:
    def test_counts_down_the_same_for_everybody(self, cast: Cast) -> None:
        competition = in_play(cast)
        with time_machine.travel(NOON, tick=False) as clock:
            services.start_timer(by=cast.olga, competition=competition, minutes=50)
            assert left(competition) == 50 * 60
            clock.shift(timedelta(minutes=20))
            assert left(competition) == 30 * 60
            clock.shift(timedelta(minutes=31))
            shown = timer(competition)
            assert shown and shown.over and shown.left == -60

    def test_keeps_its_time_while_it_is_paused(self, cast: Cast) -> None:
        competition = in_play(cast)
        with time_machine.travel(NOON, tick=False) as clock:
            services.start_timer(by=cast.olga, competition=competition, minutes=50)
            clock.shift(timedelta(minutes=10))
            for _ in range(2):
                services.pause_timer(by=cast.olga, competition=competition)
                clock.shift(timedelta(minutes=10))
            assert left(competition) == 40 * 60
            for _ in range(2):
                services.pause_timer(by=cast.olga, competition=competition, paused=False)
            clock.shift(timedelta(minutes=1))
            assert left(competition) == 39 * 60

    @pytest.mark.parametrize(("gone", "added", "expected"), [(20, 5, 35), (20, -5, 25), (60, 5, 5)])
    def test_gets_more_minutes_or_fewer(self, cast: Cast, gone: int, added: int, expected: int) -> None:
        competition = in_play(cast)
        with time_machine.travel(NOON, tick=False) as clock:
            services.start_timer(by=cast.olga, competition=competition, minutes=50)
            clock.shift(timedelta(minutes=gone))
            services.add_minutes(by=cast.olga, competition=competition, minutes=added)
            assert left(competition) == expected * 60

    def test_cannot_lose_more_than_it_has(self, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=5)
        with pytest.raises(Illegal, match="less time left"):
            services.add_minutes(by=cast.olga, competition=competition, minutes=-6)

    def test_belongs_to_one_round(self, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        assert timer(competition) is None
        with pytest.raises(Illegal, match="No round is being played"):
            services.start_timer(by=cast.olga, competition=competition, minutes=50)

    def test_is_removed(self, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        services.remove_timer(by=cast.olga, competition=competition)
        assert timer(competition) is None
        with pytest.raises(Illegal, match="no timer"):
            services.add_minutes(by=cast.olga, competition=competition, minutes=5)

    @pytest.mark.parametrize("minutes", [0, -1, 24 * 60 + 1])
    def test_refuses_minutes_that_make_no_sense(self, cast: Cast, minutes: int) -> None:
        with pytest.raises(Malformed) as refused:
            services.start_timer(by=cast.olga, competition=in_play(cast), minutes=minutes)
        assert list(refused.value.errors) == ["minutes"]

    @pytest.mark.parametrize(("hours", "minutes"), [(0, 60), (1, 60), (2, 120), (7 * 24, 60)])
    def test_is_offered_with_the_time_of_the_plan(self, cast: Cast, hours: int, minutes: int) -> None:
        plan = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4, "hours": hours}
        competition = in_play(cast, stages=[plan])
        played = halls.played_round(competition)
        assert played
        assert halls.usual_minutes(halls.hall_of(competition), played) == minutes
        services.start_timer(by=cast.olga, competition=competition, minutes=35)
        assert halls.usual_minutes(halls.hall_of(competition), played) == 35

    def test_is_offered_with_the_minutes_of_a_round_that_are_announced(self, cast: Cast) -> None:
        competition = in_play(cast)
        change_details(by=cast.olga, competition=competition, values={"round_minutes": 50})
        played = halls.played_round(Competition.objects.get(pk=competition.pk))
        assert played and halls.usual_minutes(halls.hall_of(competition), played) == 50

    def test_writes_nothing_to_the_log(self, cast: Cast) -> None:
        competition = in_play(cast)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        services.announce(by=cast.olga, competition=competition, words="Soup is ready")
        assert Event.objects.filter(competition=competition).count() == competition.seq


class TestAnnouncements:
    def test_are_shown_until_they_are_removed(self, cast: Cast) -> None:
        competition = opened(cast)
        first = services.announce(by=cast.olga, competition=competition, words=" Soup is ready ")
        services.announce(by=cast.olga, competition=competition, words="Round 2 at 20:15")
        services.announce(by=cast.olga, competition=competition, words="Soup is ready")
        shown = [each.text for each in halls.announcements_of(competition)]
        assert shown == ["Soup is ready", "Round 2 at 20:15"]
        for _ in range(2):
            services.remove_announcement(by=cast.olga, competition=competition, announcement=first.pk)
        assert [each.text for each in halls.announcements_of(competition)] == ["Round 2 at 20:15"]

    def test_end_with_their_round_or_the_competition(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        services.announce(by=cast.olga, competition=competition, words="Soup is ready")
        record_all(competition)
        act(cast.olga, competition, CloseRound)
        assert not halls.announcements_of(competition)
        services.announce(by=cast.olga, competition=competition, words="Round 2 at 20:15")
        assert halls.announcements_of(competition)
        act(cast.olga, competition, CancelCompetition, reason="fire")
        assert not halls.announcements_of(competition)

    @pytest.mark.parametrize("words", ["", "  ", "x" * 201, "a\x00b"])
    def test_need_words_that_can_be_shown(self, cast: Cast, words: str) -> None:
        with pytest.raises(Malformed) as refused:
            services.announce(by=cast.olga, competition=opened(cast), words=words)
        assert list(refused.value.errors) == ["text"]

    def test_are_not_too_many(self, cast: Cast) -> None:
        competition = opened(cast)
        for number in range(services.MOST_ANNOUNCEMENTS):
            services.announce(by=cast.olga, competition=competition, words=f"Number {number}")
        with pytest.raises(Illegal, match="At most 20"):
            services.announce(by=cast.olga, competition=competition, words="One more")

    def test_of_another_competition_are_not_removed(self, cast: Cast) -> None:
        competition = opened(cast)
        shown = services.announce(by=cast.olga, competition=competition, words="Soup is ready")
        services.remove_announcement(by=cast.olga, competition=opened(cast), announcement=shown.pk)
        assert halls.announcements_of(competition).exists()


class TestCheckInWithoutAnAccount:
    @pytest.fixture
    def competition(self, cast: Cast) -> Competition:
        return opened(cast, 4, entering={"check_in": True})

    def first(self, competition: Competition) -> Entry:
        return Entry.objects.filter(competition=competition).order_by("number")[0]

    def test_is_off_until_an_organiser_switches_it_on(self, competition: Competition) -> None:
        with pytest.raises(PermissionDenied, match="is off"):
            perform(
                OnOwnPhone(),
                competition=competition,
                verb=CheckInEntry(str(self.first(competition).pk)),
            )

    def test_is_written_as_a_player_s_once(self, cast: Cast, competition: Competition) -> None:
        services.set_self_check_in(by=cast.olga, competition=competition, on=True)
        first = self.first(competition)
        for created in (True, False):
            done = perform(OnOwnPhone(), competition=competition, verb=CheckInEntry(str(first.pk)))
            assert done.created is created
        event = Event.objects.get(competition=competition, event__type="checked_in")
        assert (event.role, event.account) == ("player", None)
        shown = halls.check_in_of(competition)
        assert (shown.here, len(shown.missing)) == (1, 3)

    def test_ends_when_it_is_switched_off(self, cast: Cast, competition: Competition) -> None:
        for on in (True, False):
            services.set_self_check_in(by=cast.olga, competition=competition, on=on)
        self.test_is_off_until_an_organiser_switches_it_on(competition)

    def test_lists_entries_by_name_whatever_their_accents(self, cast: Cast) -> None:
        competition = opened(cast, 2, entering={"check_in": True})
        for entry, name in zip(competition.entries.all(), ("Zoe", "Ábel"), strict=True):
            Entry.objects.filter(pk=entry.pk).update(name=name, public_name=name)
        assert [each.entry.name for each in halls.check_in_of(competition).people] == ["Ábel", "Zoe"]


Write = Callable[..., Any]


@pytest.mark.parametrize(
    ("write", "fields"),
    [
        (services.start_timer, {"minutes": 50}),
        (services.add_minutes, {"minutes": 5}),
        (services.pause_timer, {}),
        (services.pause_timer, {"paused": False}),
        (services.remove_timer, {}),
        (services.announce, {"words": "Soup is ready"}),
        (services.remove_announcement, {"announcement": UUID(int=0)}),
        (services.set_self_check_in, {"on": True}),
    ],
)
def test_only_organisers_of_the_club_run_the_hall(cast: Cast, write: Write, fields: dict[str, Any]) -> None:
    competition = in_play(cast)
    for account in (cast.paul, cast.nora):
        with pytest.raises(PermissionDenied):
            write(by=account, competition=competition, **fields)


def test_a_played_round_has_its_seats_and_an_unpublished_draw_never_shows(cast: Cast) -> None:
    competition = in_play(cast)
    act(cast.olga, competition, CloseRound, void_undecided="late")
    act(cast.olga, competition, DrawRound)
    shown = halls.last_round(competition)
    assert shown and shown.number == 1
    assert halls.played_round(competition) is None


@pytest.mark.parametrize("typed", ["obrien", "o'brien", "O’Brien sean", "Seán"])
def test_a_name_is_found_with_and_without_its_apostrophe(typed: str) -> None:
    assert halls.Present(Entry(name="Seán O'Brien"), "sean o'brien").is_named(typed)


def test_finished_tables_of_an_open_ended_round_are_nobodys_seat_any_more(cast: Cast) -> None:
    competition = in_play(cast, 2, stages=[OPEN])
    pair = [entry.pk for entry in competition.entries.order_by("number")]
    act(cast.olga, competition, OpenTable, entries=pair)
    shown = halls.last_round(competition)
    assert shown
    assert [each.table.number for each in halls.by_name(shown) if each.table] == [1, 1]
    record_result(game_id=play_all(competition)[0])
    shown = halls.last_round(competition)
    assert shown
    assert halls.by_name(shown) == []


def test_namesakes_are_told_apart_by_their_pairs(cast: Cast) -> None:
    competition = pairs_in_play(cast)
    entries = competition.entries.order_by("number")
    for entry, partner in zip(entries, ("Ida", "Paula"), strict=True):
        players = [member.player for member in entry.members.order_by("number")]
        for player, name in zip(players, ("Otto Ruf", partner), strict=True):
            change_player(by=cast.olga, player=player, name=name, account=None, active=True)
    shown = halls.last_round(competition)
    assert shown
    seated = {each.team for each in halls.by_name(shown) if each.name == "Otto Ruf"}
    assert seated == {"Otto Ruf & Ida", "Otto Ruf & Paula"}


def test_a_table_with_more_time_plays_so_much_longer_than_the_rounds_timer(cast: Cast) -> None:
    competition = in_play(cast)
    services.start_timer(by=cast.olga, competition=competition, minutes=30)
    favoured, other = tables(competition)
    act(cast.olga, competition, GiveTime, table=str(favoured.pk), minutes=5)
    ends, usual = (halls.table_ends(Table.objects.get(pk=each.pk)) for each in (favoured, other))
    assert ends and usual and ends - usual == timedelta(minutes=5)
