"""Entries: what organisers, scorekeepers and players themselves can do with them."""

import csv
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal, Malformed
from league import log
from league.core.verb import Verb
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.deadlines import SetDeadline
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import AdmitEntry, ApproveEntry, CloseEntries, RejectEntry
from league.core.verbs.entries import ExpelEntry, ReturnEntry, WithdrawEntry
from league.core.verbs.presence import CheckInEntry, MarkAbsent
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.stages import AddStage, StartStage
from league.core.verbs.start import OpenEntries, StartCompetition
from league.core.verbs.tables import OpenTable
from league.log import Appended
from league.models import Account, Competition, Entry, Member, Player
from league.models.events import Event
from league.projections.standings import compute_standings
from league.services.clubs import remove_member
from league.services.players import remove_player
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.games.test_log import at_once
from tests.league.acting import act, act_own
from tests.league.playing import PLAN, in_play, opened, tables
from tests.league.walking import text_of

FOUR_PLACES = {"places": 4}


def states(competition: Competition) -> list[str]:
    """Return the status of each entry, in the order of entering."""
    return list(Entry.objects.filter(competition=competition).values_list("status", flat=True))


def entering(cast: Cast, players: int = 0, **announced: Any) -> Competition:
    """Return a competition that players may enter."""
    competition = opened(cast, players, **announced)
    act(cast.olga, competition, OpenEntries)
    return competition


def numbered(competition: Competition, number: int) -> Entry:
    return Entry.objects.get(competition=competition, number=number)


def scorekeeper(cast: Cast) -> Account:
    """Return an account that keeps score for the club."""
    account = AccountFactory.create(username="sven")
    MemberFactory.create(club=cast.club, account=account, role=Member.Role.SCOREKEEPER)
    return account


class TestAPlayer:
    @pytest.mark.parametrize(
        ("announced", "status"),
        [({}, "entered"), ({"approval": True}, "applied"), ({"places": 1}, "waiting")],
    )
    def test_enters_by_the_settings_of_the_competition(
        self, cast: Cast, announced: dict[str, Any], status: str
    ) -> None:
        competition = entering(cast, entering=announced)
        act_own(cast.petra, competition, "enter")
        act_own(cast.paul, competition, "enter")
        assert states(competition)[-1] == status
        shown = Event.objects.latest("seq")
        assert (shown.role, shown.account) == ("player", str(cast.paul.pk))

    def test_enters_once_with_two_clicks(self, cast: Cast) -> None:
        competition = entering(cast)
        both = [act_own(cast.paul, competition, "enter", name="Reds") for _ in range(2)]
        assert [answer.created for answer in both] == [True, False]
        others: list[dict[str, Any]] = [{"name": "Blues"}, {"affiliation": "Pier"}]
        for other in others:
            with pytest.raises(Illegal, match="second entry"):
                act_own(cast.paul, competition, "enter", **other)
        assert states(competition) == ["entered"]

    @pytest.mark.django_db(transaction=True)
    def test_enters_once_with_many_concurrent_requests(self, cast: Cast) -> None:
        competition = entering(cast)
        answers = at_once([partial(act_own, cast.paul, competition, "enter")] * 4)
        assert sorted(isinstance(answer, Appended) and answer.created for answer in answers) == [
            *[False] * 3,
            True,
        ]
        assert states(competition) == ["entered"]

    def test_can_enter_only_while_entries_are_open(self, cast: Cast) -> None:
        with pytest.raises(Illegal, match="not open"):
            act_own(cast.paul, opened(cast), "enter")

    @pytest.mark.parametrize("who", ["nora", "olga"])
    def test_needs_a_player_in_the_club(self, cast: Cast, who: str) -> None:
        competition = entering(cast)
        with pytest.raises(PermissionDenied):
            act_own(getattr(cast, who), competition, "enter")
        assert states(competition) == []

    def test_can_not_enter_after_leaving_the_club(self, cast: Cast) -> None:
        competition = entering(cast)
        remove_member(by=cast.olga, club=cast.club, account=cast.paul)
        with pytest.raises(PermissionDenied):
            act_own(cast.paul, competition, "enter")

    def test_can_enter_their_own_team(self, cast: Cast) -> None:
        competition = entering(cast, lineup="partners", team_size=2)
        pair = [cast.petra_plays.pk, cast.paul_plays.pk]
        act_own(cast.paul, competition, "enter", players=pair, affiliation="Pier")
        entry = numbered(competition, 1)
        assert (entry.name, entry.affiliation) == ("Petra Plum & Paul Pike", "Pier")

    def test_can_not_enter_a_team_of_others(self, cast: Cast) -> None:
        competition = entering(cast, lineup="partners", team_size=2)
        others = [player.pk for player in PlayerFactory.create_batch(2, club=cast.club)]
        with pytest.raises(Malformed) as refused:
            act_own(cast.paul, competition, "enter", players=others)
        assert list(refused.value.errors) == ["players"]

    def test_checks_in_is_absent_and_withdraws(self, cast: Cast) -> None:
        competition = opened(cast, 5)
        act_own(cast.paul, competition, "check-in")
        assert numbered(competition, 1).checked_in
        act(cast.olga, competition, StartCompetition)
        act_own(cast.paul, competition, "absent", round=2, reason="at the dentist")
        assert log.latest(Competition.objects.get()).entries[0].absences == ((1, 2),)
        act_own(cast.paul, competition, "present", round=2)
        assert log.latest(Competition.objects.get()).entries[0].absences == ()
        act_own(cast.paul, competition, "withdraw")
        assert states(competition)[0] == "withdrawn"

    @pytest.mark.parametrize("verb", ["check-in", "absent", "withdraw"])
    def test_can_repeat_a_verb_without_effect(self, cast: Cast, verb: str) -> None:
        competition = opened(cast, 4)
        does = partial(act_own, cast.paul, competition, verb)
        assert [does().created for _ in range(2)] == [True, False]

    @pytest.mark.parametrize("verb", ["check-in", "absent", "withdraw"])
    def test_needs_an_entry_for_verbs_on_it(self, cast: Cast, verb: str) -> None:
        competition = entering(cast)
        with pytest.raises(PermissionDenied):
            act_own(cast.paul, competition, verb)


class TestAnOrganiser:
    def test_approves_until_it_is_full_and_rejects_with_a_reason(self, cast: Cast) -> None:
        competition = entering(cast, entering={"approval": True, "places": 1})
        for account in (cast.paul, cast.petra):
            act_own(account, competition, "enter")
        first, second = (numbered(competition, number).pk for number in (1, 2))
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        answers = [act(verb=ApproveEntry, entry=entry, **given).created for entry in (first, first, second)]
        assert (answers, states(competition)) == ([True, False, True], ["entered", "waiting"])

    def test_rejects_an_applicant_once(self, cast: Cast) -> None:
        competition = entering(cast, entering={"approval": True})
        act_own(cast.paul, competition, "enter")
        does = partial(act, cast.olga, competition, RejectEntry, entry=numbered(competition, 1).pk)
        assert [does(reason="members only").created for _ in range(2)] == [True, False]
        assert Event.objects.latest("seq").event["reason"] == "members only"

    def test_admits_from_the_waiting_list_before_and_after_the_start(self, cast: Cast) -> None:
        competition = opened(cast, 6, entering=FOUR_PLACES)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=StartCompetition, **given)
        act(verb=DrawRound, **given)
        act(verb=PublishRound, **given)
        with pytest.raises(Illegal, match="places are taken"):
            act(verb=AdmitEntry, entry=numbered(competition, 6).pk, **given)
        act(verb=WithdrawEntry, entry=numbered(competition, 1).pk, **given)
        assert states(competition)[4:] == ["waiting", "waiting"]
        act(verb=AdmitEntry, entry=numbered(competition, 6).pk, **given)
        assert (numbered(competition, 6).status, numbered(competition, 6).from_round) == ("entered", 2)

    def test_lets_a_withdrawn_entry_return(self, cast: Cast) -> None:
        competition = in_play(cast, 5)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=WithdrawEntry, entry=numbered(competition, 5).pk, **given)
        act(verb=ReturnEntry, entry=numbered(competition, 5).pk, **given)
        # The withdrawal, from round 2 on, is taken back: the entry has played from the beginning.
        assert (states(competition)[4], numbered(competition, 5).from_round) == ("entered", None)

    def test_marks_an_entry_as_absent_from_a_round(self, cast: Cast) -> None:
        competition = opened(cast, 5)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=StartCompetition, **given)
        act(verb=MarkAbsent, entry=numbered(competition, 5).pk, reason="ill", **given)
        act(verb=DrawRound, **given)
        assert sum(table.seats.count() for table in tables(competition)) == 4


@pytest.mark.parametrize("who", ["paul", "nora"])
@pytest.mark.parametrize(
    "verb", ["approve", "reject", "admit", "check-in", "absent", "present", "withdraw", "return-entry"]
)
def test_players_and_strangers_can_not_manage_entries(cast: Cast, verb: str, who: str) -> None:
    competition = opened(cast, 2)
    entry = numbered(competition, 2).pk
    with pytest.raises(PermissionDenied):
        act(getattr(cast, who), competition, ORGANISER_VERBS[verb], entry=entry)


class TestAScorekeeper:
    def test_can_check_in_entries(self, cast: Cast) -> None:
        competition = opened(cast, 2)
        act(scorekeeper(cast), competition, CheckInEntry, entry=numbered(competition, 1).pk)
        assert Event.objects.latest("seq").role == "scorekeeper"

    @pytest.mark.parametrize("verb", ["approve", "withdraw", "absent"])
    def test_can_not_manage_entries_otherwise(self, cast: Cast, verb: str) -> None:
        competition = opened(cast, 2)
        entry = numbered(competition, 1).pk
        with pytest.raises(PermissionDenied):
            act(scorekeeper(cast), competition, ORGANISER_VERBS[verb], entry=entry)


# ---- Stages, open play and deadlines -------------------------------------------------------------

OPEN = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2, "params": {"reach": 1}}


def ladder(cast: Cast, **announced: Any) -> Competition:
    """Return a ladder of Paul, Petra and two more whose round is being played."""
    return in_play(cast, 4, stages=[{**OPEN, "intake": {"seeding": "order"}}], **announced)


def newcomer(cast: Cast) -> Account:
    """Return the account of another player of the club."""
    account = MemberFactory.create(club=cast.club).account
    PlayerFactory.create(club=cast.club, account=account)
    return account


def act_in_turn(by: Account, competition: Competition, *verbs: type[Verb]) -> None:
    for verb in verbs:
        act(by, competition, verb)


def pair(competition: Competition, *numbers: int) -> list[Any]:
    return [numbered(competition, number).pk for number in numbers]


class TestOpenPlay:
    @pytest.mark.parametrize("who", ["olga", "paul"])
    def test_organisers_and_the_players_themselves_open_tables(self, cast: Cast, who: str) -> None:
        competition = ladder(cast)
        entries = pair(competition, 2, 1)
        if who == "olga":
            act(cast.olga, competition, OpenTable, entries=entries)
        else:
            act_own(cast.paul, competition, "open-table", entries=entries)
        (table,) = tables(competition)
        assert [seat.player for seat in table.seats.all()] == [cast.petra_plays, cast.paul_plays]
        assert table.games.get().game.status == "active"

    def test_the_same_key_opens_one_table(self, cast: Cast) -> None:
        competition = ladder(cast)
        does = partial(act_own, cast.paul, competition, "open-table", entries=pair(competition, 1, 2))
        assert [does(once=key).created for key in ("a", "a")] == [True, False]

    def test_the_same_key_with_other_entries_is_refused(self, cast: Cast) -> None:
        competition = ladder(cast)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition, "key": "a"}
        act(verb=OpenTable, entries=pair(competition, 1, 2), **given)
        with pytest.raises(Illegal, match="key opened another table"):
            act(verb=OpenTable, entries=pair(competition, 2, 3), **given)

    def test_a_player_opens_one_undecided_table_against_each_other_entry(self, cast: Cast) -> None:
        competition = ladder(cast)
        opens = partial(act_own, key="open-table", competition=competition, entries=pair(competition, 1, 2))
        opens(cast.paul)
        for player in (cast.paul, cast.petra):
            with pytest.raises(Illegal, match="play each other already, at table 1"):
                opens(player)
        act(cast.olga, competition, VoidTable, table=tables(competition)[0].pk, reason="a wrong pack")
        assert opens(cast.petra).created

    @pytest.mark.parametrize(
        ("verb", "said"),
        [
            (WithdrawEntry, "Withdrawn: Petra Plum."),
            (ExpelEntry, "Expelled: Petra Plum."),
            (MarkAbsent, "Missing from this round: Petra Plum."),
        ],
    )
    def test_who_does_not_play_can_not_be_challenged(self, cast: Cast, verb: type[Verb], said: str) -> None:
        competition = ladder(cast)
        (petra,) = pair(competition, 2)
        act(cast.olga, competition, verb, entry=petra, reason="ill")
        with pytest.raises(Illegal, match=said):
            act_own(cast.paul, competition, "open-table", entries=pair(competition, 1, 2))

    def test_who_is_away_is_marked_in_the_standings(self, cast: Cast, client: Client) -> None:
        competition = ladder(cast)
        act_own(cast.petra, competition, "absent")
        compute_standings(competition.pk)
        home, api = f"/competitions/{competition.slug}", f"/api/v1/competitions/{competition.pk}"
        assert client.get(f"{home}/").content.decode().count('<span class="soft small">away</span>') == 1
        assert "Petra Plum (away)" in text_of(client.get(f"{home}/print/standings.pdf"))
        rows = csv.DictReader(client.get(f"{api}/standings.csv").content.decode().splitlines())
        assert [row["entry"] for row in rows if row["away"] == "true"] == ["Petra Plum"]
        rows = client.get(f"{api}/standings/").json()["results"]
        assert [row["entry"]["name"] for row in rows if row["away"]] == ["Petra Plum"]

    def test_who_was_removed_from_the_club_can_not_be_challenged(self, cast: Cast) -> None:
        competition = ladder(cast)
        remove_player(by=cast.olga, player=cast.petra_plays)
        with pytest.raises(Illegal, match="no longer active in the club"):
            act_own(cast.paul, competition, "open-table", entries=pair(competition, 1, 2))

    def test_players_enter_while_it_runs_until_entries_are_closed(self, cast: Cast) -> None:
        competition = entering(cast, 4, stages=[OPEN])
        act_in_turn(cast.olga, competition, StartCompetition, DrawRound, PublishRound)
        late = [newcomer(cast) for _ in range(2)]
        act_own(late[0], competition, "enter")
        act(cast.olga, competition, CloseEntries)
        with pytest.raises(Illegal, match="not open"):
            act_own(late[1], competition, "enter")
        act(cast.olga, competition, OpenEntries)
        act_own(late[1], competition, "enter")
        assert states(competition) == ["entered"] * 6
        act(cast.olga, competition, OpenTable, entries=pair(competition, 5, 6))

    def test_who_applies_while_it_runs_plays_once_approved(self, cast: Cast) -> None:
        competition = ladder(cast, entering={"approval": True})
        act(cast.olga, competition, OpenEntries)
        act_own(newcomer(cast), competition, "enter")
        act(cast.olga, competition, ApproveEntry, entry=pair(competition, 5)[0])
        act(cast.olga, competition, OpenTable, entries=pair(competition, 4, 5))
        assert states(competition) == ["entered"] * 5

    def test_nobody_enters_past_the_waiting_list(self, cast: Cast) -> None:
        competition = entering(cast, 5, stages=[OPEN], entering=FOUR_PLACES)
        act_in_turn(cast.olga, competition, StartCompetition, DrawRound, PublishRound)
        act(cast.olga, competition, WithdrawEntry, entry=pair(competition, 1)[0], reason="ill")
        with pytest.raises(Illegal, match="on the waiting list"):
            act_own(newcomer(cast), competition, "enter")

    def test_players_can_not_open_tables_of_others(self, cast: Cast) -> None:
        competition = ladder(cast)
        with pytest.raises(Malformed):
            act_own(cast.paul, competition, "open-table", entries=pair(competition, 2, 3))

    def test_the_format_decides_who_can_meet(self, cast: Cast) -> None:
        competition = ladder(cast)
        with pytest.raises(Illegal, match="rungs"):
            act(cast.olga, competition, OpenTable, entries=pair(competition, 1, 4))

    def test_no_table_is_opened_after_the_deadline_until_it_is_extended(self, cast: Cast) -> None:
        competition = ladder(cast)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=SetDeadline, deadline=datetime(2099, 1, 1, tzinfo=UTC), **given)
        with time_machine.travel(datetime(2099, 1, 2, tzinfo=UTC)), pytest.raises(Illegal, match="time for"):
            act(verb=OpenTable, entries=pair(competition, 1, 2), **given)
        act(verb=SetDeadline, deadline=None, reason="a long winter", **given)
        assert act(verb=OpenTable, entries=pair(competition, 1, 2), **given).created


class TestDeadlines:
    def test_can_be_changed_and_a_repeat_writes_nothing(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        until = datetime(2099, 12, 24, 18, 0, tzinfo=UTC)
        does = partial(act, cast.olga, competition, SetDeadline, deadline=until)
        assert [does().created for _ in range(2)] == [True, False]
        assert tables(competition)[0].round.deadline == until

    def test_in_the_past_are_malformed(self, cast: Cast) -> None:
        with pytest.raises(Malformed) as refused:
            act(cast.olga, in_play(cast, 4), SetDeadline, deadline=datetime(2020, 1, 1, tzinfo=UTC))
        assert list(refused.value.errors) == ["deadline"]

    def test_need_a_published_round(self, cast: Cast) -> None:
        with pytest.raises(Illegal):
            act(cast.olga, opened(cast, 4), SetDeadline, deadline=None)


class TestStages:
    def test_are_added_and_started(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        act(verb=AddStage, stage={**PLAN, "name": "Spring"}, **given)
        with pytest.raises(Illegal):
            act(verb=StartStage, **given)
        act(verb=CloseRound, void_undecided="snow", **given)
        act(verb=StartStage, **given)
        shown = competition.stages.values_list("name", "status")
        assert list(shown) == [("League", "finished"), ("Spring", "running")]

    @pytest.mark.parametrize(
        ("wrong", "path"),
        [
            ({}, "stage.name"),
            (7, "stage"),
            ({**PLAN, "format": "chaos"}, "stage.format"),
            ({**PLAN, "hats": 1}, "stage.hats"),
            ({**PLAN, "format": "ladder", "params": {"reach": -1}}, "stage.params.reach"),
        ],
    )
    def test_with_invalid_settings_are_malformed(self, cast: Cast, wrong: object, path: str) -> None:
        with pytest.raises(Malformed) as refused:
            act(cast.olga, opened(cast), AddStage, stage=wrong)
        assert path in refused.value.errors


def test_a_player_who_has_left_the_club_is_named(cast: Cast) -> None:
    competition = entering(cast, lineup="boards", team_size=2)
    away: Player = PlayerFactory.create(club=cast.club, active=False)
    with pytest.raises(Malformed) as refused:
        act_own(cast.paul, competition, "enter", players=[cast.paul_plays.pk, away.pk])
    assert list(refused.value.errors) == ["players.1"]
