"""Challenges that wait for an answer: services, two answers at once, the clock, desk, panel and API."""

import csv
import re
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from games import database_time
from games.engine.refusals import Illegal, Refusal
from league import log, tasks
from league.core.portable import WrongFile
from league.core.verbs.answers import AcceptChallenge, RefuseChallenge
from league.core.verbs.challenges import MakeChallenge
from league.models import Competition, Table
from league.queries import due
from league.queries.verbs import own_part
from league.services.automatic import lapse_challenges
from tests.factories import Cast
from tests.league.acting import act, act_own
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, kinds, page_text, post
from tests.league.test_entries import pair
from tests.league.test_verify import checked, exported, rechained, seq_of

STAGE = {
    "name": "Ladder",
    "format": "ladder",
    "rounds": 1,
    "table_size": 2,
    "intake": {"seeding": "order"},
    "params": {"answer_days": 3, "refused": "drop", "lapsed": "lost"},
}
LATER = timedelta(days=3, hours=2)


def ladder(cast: Cast) -> Competition:
    """A ladder of Paul on rung 1, Petra on 2, and two more, in which who is challenged has three days."""
    return in_play(cast, 4, stages=[STAGE])


def challenged(cast: Cast, competition: Competition | None = None) -> tuple[Competition, int]:
    """A ladder on which Petra challenges Paul, and the number of the challenge."""
    competition = competition or ladder(cast)
    act_own(cast.petra, competition, "challenge", opponent=pair(competition, 1)[0])
    competition.refresh_from_db()
    return competition, competition.seq


def later(by: timedelta = LATER) -> Any:
    return time_machine.travel(database_time.now() + by, tick=False)


def last(competition: Competition) -> list[str]:
    return kinds(competition)[-2:]


class TestAChallenge:
    def test_opens_no_table_before_it_is_accepted(self, cast: Cast) -> None:
        competition, number = challenged(cast)
        assert tables(competition) == []
        assert {"accept-challenge", "refuse-challenge"} <= {*own_part(cast.paul, competition).may}
        assert "withdraw-challenge" in own_part(cast.petra, competition).may
        assert "open-table" not in own_part(cast.paul, competition).may
        for _ in range(2):
            act_own(cast.paul, competition, "accept-challenge", challenge=number)
        (table,) = tables(competition)
        assert [seat.player for seat in table.seats.all()] == [cast.paul_plays, cast.petra_plays]
        assert last(competition) == ["challenge_accepted", "table_opened"]

    def test_the_time_is_counted_in_the_zone_of_the_club(self, cast: Cast) -> None:
        cast.club.timezone = "America/New_York"
        cast.club.save()
        with time_machine.travel("2026-10-30T13:20:00Z", tick=False):
            competition, _ = challenged(cast)
            # Clocks go back meanwhile: three days later at the same time of day, up to a full hour.
            assert log.latest(competition).challenges[0].until == "2026-11-02T15:00:00.000000Z"

    def test_who_was_removed_from_the_club_is_not_challenged(self, cast: Cast) -> None:
        competition = ladder(cast)
        cast.paul_plays.active = False
        cast.paul_plays.save()
        with pytest.raises(Illegal, match="no longer active"):
            challenged(cast, competition)

    def test_is_verified_from_its_file_and_an_answer_too_late_is_found(self, cast: Cast) -> None:
        competition, number = challenged(cast)
        act_own(cast.paul, competition, "refuse-challenge", challenge=number)
        lines = exported(competition)
        assert checked(lines).state.challenges[0].costs == "drop"
        early = rechained(lines, number, lambda event: event.update(until="2020-01-31T18:00:00Z"))
        with pytest.raises(WrongFile, match="the time to answer was over"):
            checked(early)
        cheaper = rechained(lines, seq_of(lines, "challenge_refused"), lambda event: event.pop("costs"))
        with pytest.raises(WrongFile, match="costs something else"):
            checked(cheaper)


class TestTheClock:
    def test_lets_it_lapse_once_its_time_is_over(self, cast: Cast) -> None:
        competition, _ = challenged(cast)
        assert list(due.challenges_to_lapse()) == []
        with later():
            assert list(due.challenges_to_lapse()) == [competition.pk]
            with pytest.raises(Illegal, match="time to answer is over"):
                act_own(cast.paul, competition, "accept-challenge", challenge=competition.seq)
            for _ in range(2):
                tasks.lapse_challenges(str(competition.pk))
            assert list(due.challenges_to_lapse()) == []
        assert kinds(competition).count("challenge_lapsed") == 1
        assert competition.events.get(event__type="challenge_lapsed").role == "system"
        competition.refresh_from_db()
        assert log.latest(competition).challenges[0].costs == "lost"

    def test_is_asked_by_the_sweep(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        competition, _ = challenged(cast)
        asked: list[object] = []
        monkeypatch.setattr(tasks.lapse_challenges, "apply_async", lambda given, **_more: asked.append(given))
        with later():
            tasks.sweep()
        assert asked == [(str(competition.pk),)]

    def test_stops_in_a_pause_and_gives_the_whole_time_after_it(self, cast: Cast) -> None:
        competition, _ = challenged(cast)
        post(logged_in(cast.olga), competition, "pause")
        with later():
            assert list(due.challenges_to_lapse()) == []
            post(logged_in(cast.olga), competition, "resume")
            assert list(due.challenges_to_lapse()) == []
            assert last(competition) == ["resumed", "challenge_reopened"]


@pytest.mark.django_db(transaction=True)
class TestTwoAtOnce:
    def raced(self, *works: Callable[[], object]) -> list[Exception]:
        """Do all at once; return what they raise."""
        errors: list[Exception] = []
        start = threading.Barrier(len(works))

        def do(work: Callable[[], object]) -> None:
            start.wait()
            try:
                work()
            except Refusal as refusal:
                errors.append(refusal)
            finally:
                connection.close()

        threads = [threading.Thread(target=do, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return errors

    def test_accepted_and_refused_one_of_them_counts(self, cast: Cast) -> None:
        competition, number = challenged(cast)
        errors = self.raced(
            lambda: act_own(cast.paul, competition, "accept-challenge", challenge=number),
            lambda: act_own(cast.paul, competition, "refuse-challenge", challenge=number),
        )
        assert ["not open any more" in str(each) for each in errors] == [True]
        answers = [kind for kind in kinds(competition) if kind in ("challenge_accepted", "challenge_refused")]
        assert len(answers) == 1 and Table.objects.count() == (answers == ["challenge_accepted"])

    def test_accepted_twice_one_table_opens(self, cast: Cast) -> None:
        competition, number = challenged(cast)
        accept = lambda: act_own(cast.paul, competition, "accept-challenge", challenge=number)  # noqa: E731
        assert self.raced(accept, accept) == []
        assert Table.objects.count() == 1

    def test_each_challenges_the_other_one_challenge_is_open(self, cast: Cast) -> None:
        competition = ladder(cast)
        one, two = pair(competition, 1, 2)
        errors = self.raced(
            lambda: act_own(cast.paul, competition, "challenge", opponent=two),
            lambda: act_own(cast.petra, competition, "challenge", opponent=one),
        )
        assert len(errors) == 1 and "open already" in str(errors[0])

    def test_refused_by_an_organiser_while_the_clock_lets_it_lapse_one_of_them_counts(
        self, cast: Cast
    ) -> None:
        competition, number = challenged(cast)
        with later():
            self.raced(
                lambda: lapse_challenges(competition_id=competition.pk),
                lambda: act(cast.olga, competition, AcceptChallenge, challenge=number),
            )
        ends = {"challenge_lapsed", "challenge_accepted"}
        assert len([kind for kind in kinds(competition) if kind in ends]) == 1


class TestTheDesk:
    def test_writes_a_challenge_down_answers_it_and_lets_it_wait_again(self, cast: Cast) -> None:
        competition, olga = ladder(cast), logged_in(cast.olga)
        one, two = pair(competition, 1, 2)
        post(olga, competition, "challenge", entry=two, opponent=one, seq=competition.seq + 1)
        competition.refresh_from_db()
        number = competition.seq
        asked = page_text(ask(olga, competition, "refuse-challenge"))
        assert "Challenge: Petra Plum against Paul Pike, to be answered by" in asked
        for verb in ("refuse-challenge", "reopen-challenge", "withdraw-challenge", "reopen-challenge"):
            competition.refresh_from_db()
            post(olga, competition, verb, challenge=number, seq=competition.seq + 1)
        competition.refresh_from_db()
        post(olga, competition, "accept-challenge", challenge=number, seq=competition.seq + 1)
        assert kinds(competition)[-7:] == [
            *("challenged", "challenge_refused", "challenge_reopened"),
            *("challenge_withdrawn", "challenge_reopened", "challenge_accepted", "table_opened"),
        ]

    def test_offers_no_challenges_where_tables_open_at_once(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[{**STAGE, "params": {}}])
        page = page_text(logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/"))
        assert "/do/open-table/" in page and "/do/challenge/" not in page
        with pytest.raises(Illegal, match="no challenge waits"):
            act(
                cast.olga,
                competition,
                MakeChallenge,
                entry=pair(competition, 1)[0],
                opponent=pair(competition, 2)[0],
            )


class TestThePanel:
    def test_lets_a_player_challenge_and_the_other_one_answer(self, cast: Cast) -> None:
        competition = ladder(cast)
        address, petra, paul = f"/competitions/{competition.slug}/", *map(logged_in, (cast.petra, cast.paul))
        (one,) = pair(competition, 1)
        sent = petra.post(f"{address}me/challenge/", {"challenge-opponent": one}, follow=True)
        assert "Your challenge is on its way." in page_text(sent)
        competition.refresh_from_db()
        shown = page_text(paul.get(address))
        assert f'name="accept-challenge-challenge" value="{competition.seq}"' in shown
        number = {"accept-challenge-challenge": competition.seq}
        for _ in range(2):
            done = paul.post(f"{address}me/accept-challenge/", number, follow=True)
            assert "Your table is open." in page_text(done)
        assert len(tables(competition)) == 1

    def test_says_until_when_in_the_zone_of_the_reader(self, cast: Cast) -> None:
        competition, _number = challenged(cast)
        cast.paul.timezone = "Asia/Tokyo"
        cast.paul.save()
        shown = page_text(logged_in(cast.paul).get(f"/competitions/{competition.slug}/"))
        found = re.search(r"to be answered by ([^<]*)<", shown.partition('id="own"')[2])
        assert found and not found[1].endswith("UTC"), found


def test_challenges_are_a_file_for_spreadsheets_and_stand_on_the_desk(cast: Cast, client: Client) -> None:
    competition, number = challenged(cast)
    desk = logged_in(cast.olga)
    page = page_text(desk.get(f"/admin/league/competition/{competition.pk}/change/"))
    assert "Open challenges" in page and "to be answered by" in page
    act(cast.olga, competition, RefuseChallenge, challenge=number)
    file = client.get(f"/api/v1/competitions/{competition.pk}/challenges.csv").content.decode()
    (row,) = csv.DictReader(file.splitlines())
    assert (row["challenger"], row["challenged"]) == ("Petra Plum", "Paul Pike")
    assert (row["number"], row["status"], row["costs"]) == (str(number), "refused", "drop")
    page = page_text(desk.get(f"/admin/league/competition/{competition.pk}/change/"))
    assert "Open challenges" not in page


def test_who_is_challenged_reads_what_an_answer_costs(cast: Cast, client: Client) -> None:
    competition, _number = challenged(cast)
    client.force_login(cast.paul)
    page = page_text(client.get(f"/competitions/{competition.slug}/"))
    assert "To refuse now costs one rung. Not to answer in time counts as lost: both change rungs." in page


def test_the_api_lists_challenges_and_says_what_became_of_them(cast: Cast, client: Client) -> None:
    competition, number = challenged(cast)
    act_own(cast.paul, competition, "refuse-challenge", challenge=number)
    (row,) = client.get(f"/api/v1/competitions/{competition.pk}/challenges/").json()
    one, two = map(str, pair(competition, 1, 2))
    told = {
        "stage": 1,
        "round": 1,
        "by": two,
        "entry": one,
        "status": "refused",
        "costs": "drop",
        "table": "",
    }
    assert {name: row[name] for name in told} == told
    assert (row["number"], row["closed"]) == (number, number + 1)
