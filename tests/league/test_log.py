"""The competition log on a real PostgreSQL: appends, races, retries, the cache, the file."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

import pgtrigger
import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from games.engine import chain
from games.engine.refusals import Illegal, Malformed, Stale
from games.verifier import WrongLog
from league import log
from league.choices import ChangeKind
from league.core.events import Event
from league.core.state.competition import Competition as State
from league.core.verbs.entering import Entered, EnterPlayers
from league.core.verbs.start import StartCompetition, Started
from league.log import Appended, Author
from league.models import ClubChange, Competition, Entry
from league.models.events import Event as LogRow
from league.services.audit import note_change
from tests.core import deciding as commands
from tests.factories import Cast
from tests.games.test_database_time import (
    HOUR,
    WRONG,
    Ahead,
    database,
    dates_at,
    decided_long_ago,
    host_ahead,
    misled,
)
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import in_play, opened

__all__ = ["dates_at", "decided_long_ago", "host_ahead", "misled"]

MINUTE = timedelta(minutes=1)
OLGA = Author(LogRow.Role.ORGANISER, "00000000-0000-7000-8000-000000000001")


def entering(name: str, player: UUID) -> log.Command:
    """Return the command that enters a player, each time as another entry."""

    def command(state: State, now: datetime) -> tuple[Event, ...]:
        return commands.judged(state, Entered(str(uuid4()), name, (str(player),)))

    return command


def enter(competition: Competition, name: str, seq: int | None = None, author: Author = OLGA) -> Appended:
    """Append an entry that has the same id for the same name."""
    event = Entered(str(UUID(int=len(name))), name, (str(UUID(int=len(name))),))
    return log.append(competition_id=competition.pk, author=author, command=lambda *_: (event,), seq=seq)


class TestTheTime:
    @pytest.mark.parametrize("hours", [-1, 1], ids=["behind", "ahead"])
    def test_is_the_database_s_on_a_host_that_thinks_it_another(
        self, cast: Cast, misled: Ahead, hours: int
    ) -> None:
        competition, asked = opened(cast), list[datetime]()
        Competition.objects.update(changed_at=F("changed_at") - 2 * HOUR)
        misled(hours * HOUR)

        def command(_state: State, now: datetime) -> tuple[Event, ...]:
            asked.append(now)
            return (Entered(str(UUID(int=1)), "Ann", (str(UUID(int=1)),)),)

        log.append(competition_id=competition.pk, author=OLGA, command=command)
        note_change(cast.olga, cast.club, ChangeKind.CLUB_CHANGED, "Club", after={"name": "Clover"})
        # It was decided on again, once the host knew the time.
        assert [abs(each - database()) < MINUTE for each in asked] == [False, True]
        dates = [log.entries(competition)[-1].at, ClubChange.objects.latest("pk").at]
        assert all(abs(each - database()) < MINUTE for each in dates)

    def test_is_the_database_s_in_an_opening(self, cast: Cast, host_ahead: Ahead) -> None:
        host_ahead(HOUR)
        competition = opened(cast)
        assert abs(competition.opened_at - database()) < MINUTE
        assert log.entries(competition)[0].at == competition.opened_at == competition.changed_at

    @pytest.mark.parametrize("wrong", WRONG)
    def test_that_is_wrong_by_over_a_second_is_refused(
        self, cast: Cast, dates_at: Callable[[int], None], wrong: int
    ) -> None:
        competition = opened(cast)
        Competition.objects.update(changed_at=F("changed_at") - HOUR)
        dates_at(wrong)
        with pytest.raises(OperationalError, match="could not be dated"):
            enter(competition, "Ann")
        assert len(log.entries(competition)) == 1

    def test_of_a_decision_is_when_it_began(self, cast: Cast, decided_long_ago: datetime) -> None:
        competition = opened(cast)
        Competition.objects.update(changed_at=F("changed_at") - HOUR)
        assert enter(competition, "Ann").created
        assert log.entries(competition)[-1].at == decided_long_ago

    def test_does_not_go_back(self, cast: Cast) -> None:
        competition = opened(cast)
        Competition.objects.update(changed_at=(later := timezone.now() + HOUR))
        enter(competition, "Ann")
        assert log.entries(competition)[-1].at == later


class TestAppending:
    def test_writes_a_hash_chain(self, cast: Cast) -> None:
        shown = log.entries(opened(cast, players=3))
        heads = [chain.ORIGIN, *(entry.hash for entry in shown)]
        assert [
            chain.link(head, entry.as_json()) for head, entry in zip(heads, shown, strict=False)
        ] == heads[1:]

    def test_the_same_command_again_returns_the_same_and_writes_nothing(self, cast: Cast) -> None:
        competition = opened(cast)
        first, again = enter(competition, "Ann", 2), enter(competition, "Ann", 2)
        assert (first.created, again.created, again.events) == (True, False, first.events)
        assert LogRow.objects.filter(competition=competition).count() == 2

    @pytest.mark.parametrize(
        ("name", "seq", "author"),
        [
            ("Bob the other", 2, OLGA),
            ("Ann", 1, OLGA),
            ("Ann", 4, OLGA),
            ("Ann", 0, OLGA),
            ("Ann", -1, OLGA),
            ("Ann", 2, Author(LogRow.Role.ORGANISER, "oscar")),
            ("Ann", 2, log.SYSTEM),
        ],
    )
    def test_another_command_at_a_wrong_seq_is_stale(
        self, cast: Cast, name: str, seq: int, author: Author
    ) -> None:
        competition = opened(cast)
        enter(competition, "Ann", 2)
        with pytest.raises(Stale) as refused:
            enter(competition, name, seq, author)
        assert refused.value.seq == 3

    def test_an_event_with_an_invalid_shape_changes_nothing(self, cast: Cast) -> None:
        competition = opened(cast)
        with pytest.raises(Malformed):
            enter(competition, "A\0nn")
        assert LogRow.objects.filter(competition=competition).count() == 1

    def test_a_command_without_events_writes_nothing(self, cast: Cast) -> None:
        competition = opened(cast)
        assert not log.append(competition_id=competition.pk, author=OLGA, command=lambda *_: ()).created

    def test_a_command_without_events_does_not_reset_the_head(self, cast: Cast) -> None:
        competition = opened(cast)

        def nothing(state: State, now: datetime) -> tuple[Event, ...]:
            enter(competition, "Ann")
            return ()

        log.append(competition_id=competition.pk, author=OLGA, command=nothing)
        assert Competition.objects.get().seq == 2

    def test_an_unknown_competition_is_not_found(self, db: None) -> None:
        with pytest.raises(Competition.DoesNotExist):
            log.append(competition_id=uuid4(), author=OLGA, command=lambda *_: (Started(),))


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_one_of_many_writers_can_use_a_seq(self, cast: Cast) -> None:
        competition = opened(cast)
        calls = [partial(enter, competition, "x" * (number + 1), 2) for number in range(6)]
        answers = at_once(calls)
        assert sum(isinstance(answer, Appended) for answer in answers) == 1
        assert sum(isinstance(answer, Stale) for answer in answers) == 5
        log.verified(competition)

    def test_all_writers_without_a_seq_succeed(self, cast: Cast) -> None:
        competition = opened(cast)
        players = cast.people(8)
        verbs = [
            partial(act, cast.olga, competition, EnterPlayers, players=[player.pk]) for player in players
        ]
        assert all(isinstance(answer, Appended) for answer in at_once(verbs))
        assert Entry.objects.filter(competition=competition).count() == 8
        log.verified(competition)

    def test_one_player_entered_by_many_at_once_is_entered_once(self, cast: Cast) -> None:
        competition = opened(cast)
        verb = partial(act, cast.olga, competition, EnterPlayers, players=[cast.paul_plays.pk])
        answers = at_once([verb] * 5)
        assert sorted(len(answer.events) for answer in answers) == [0, 0, 0, 0, 1]

    def test_many_retries_of_one_command_write_once(self, cast: Cast) -> None:
        competition = opened(cast)
        answers = at_once([partial(enter, competition, "Ann", 2)] * 5)
        assert sorted(answer.created for answer in answers) == [False, False, False, False, True]


@pytest.mark.django_db(transaction=True)
class TestTheTable:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE league_event SET role = 'system'",
            "DELETE FROM league_event",
            "TRUNCATE league_event CASCADE",
        ],
    )
    def test_refuses_everything_but_inserts(self, cast: Cast, statement: str) -> None:
        opened(cast)
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            connection.cursor().execute(statement)


class TestTheCache:
    def test_includes_events_written_by_another_process(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        early, stale = Competition.objects.get(pk=competition.pk), log.latest(competition)
        act(cast.olga, competition, StartCompetition)
        log._LATEST(early.pk).kept = early.seq, early.head, stale
        competition.refresh_from_db()
        assert log.latest(competition) == log.state_at(competition, competition.seq)

    def test_is_discarded_when_it_contradicts_the_log(self, cast: Cast) -> None:
        competition, other = opened(cast, players=2), opened(cast)
        forged = Competition(pk=competition.pk, seq=1, head=other.head)
        log._LATEST(forged.pk).kept = forged.seq, forged.head, log.latest(other)
        assert log.latest(competition) == log.state_at(competition, competition.seq)

    def test_of_a_rolled_back_transaction_is_discarded(self, cast: Cast) -> None:
        competition = opened(cast)
        with pytest.raises(RuntimeError), transaction.atomic():
            enter(competition, "Ann")
            raise RuntimeError
        competition.refresh_from_db()
        assert not log.latest(competition).entries


class TestReading:
    def test_the_state_at_each_seq_is_the_earlier_state(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        states = [log.state_at(competition, seq) for seq in range(1, competition.seq + 1)]
        assert [state.seq for state in states] == list(range(1, competition.seq + 1))
        assert states[-1] == log.latest(competition)

    @pytest.mark.parametrize("seq", [-1, 0, 2])
    def test_an_unknown_seq_is_not_found(self, cast: Cast, seq: int) -> None:
        with pytest.raises(LogRow.DoesNotExist):
            log.state_at(opened(cast), seq)

    def test_the_file_has_a_line_for_each_entry_with_its_hash(self, cast: Cast) -> None:
        competition = opened(cast, players=2)
        shown = [json.loads(line) for line in log.lines(competition)]
        assert [*shown[0]] == ["seq", "role", "account", "event", "at", "hash"]
        assert [line["hash"] for line in shown] == [entry.hash for entry in log.entries(competition)]


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE league_event SET account = 'nora' WHERE seq = 2", 2),
        ("UPDATE league_event SET event = jsonb_set(event, '{name}', '\"Eve\"') WHERE seq = 3", 3),
        ("UPDATE league_event SET at = at + interval '1 second' WHERE seq = 1", 1),
        ("DELETE FROM league_event WHERE seq = 2", 2),
    ],
)
def test_a_manipulated_log_names_its_first_wrong_entry(cast: Cast, statement: str, wrong: int) -> None:
    competition = opened(cast, players=3)
    with pgtrigger.ignore():
        connection.cursor().execute(statement)
    with pytest.raises(WrongLog) as caught:
        log.verified(competition)
    assert caught.value.seq == wrong


def test_a_log_with_an_event_that_could_not_happen_names_it(cast: Cast) -> None:
    competition = opened(cast, players=2)
    impossible = log._entry(competition, OLGA, {"type": "resumed"}, competition.changed_at)
    impossible.save()
    with pytest.raises(WrongLog, match="entry 4"):
        log.verified(competition)


def test_an_illegal_command_changes_nothing(cast: Cast) -> None:
    competition = opened(cast, players=1)
    with pytest.raises(Illegal):
        act(cast.olga, competition, StartCompetition)
    assert LogRow.objects.filter(competition=competition).count() == 2
