"""Teams of several clubs in one league: what each desk does, and all that it may not do."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Illegal, Malformed, Refusal
from league.apps.between.models import Lent
from league.apps.between.queries import at_home, matches_in, people_of
from league.apps.between.services import ByClub, enter_team, let_in, line_up, shut_out
from league.core.portable import WrongFile
from league.core.standings.settled import settled
from league.core.verb import Verb
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.checking import CheckResult
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.line_ups import SetLineUp
from league.core.verbs.objections import Object, PostResults
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.hooks import upkeep
from league.models import Competition, Member, Player
from league.projections.standings import compute_standings
from league.services.clubs import change_club
from league.services.players import change_player, choose_names, choose_privacy, remove_player
from league.services.verbs import perform
from tests.apps.between.leagues import (
    Side,
    boards,
    check,
    county,
    enter,
    entered,
    in_play,
    lines_up,
    publish,
    result,
    says,
    side,
    state,
)
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league.acting import act
from tests.league.playing import stands
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import page_text
from tests.league.test_verify import checked, exported, rechained, seq_of

OnCommit = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks: OnCommit) -> OnCommit:
    """What workers do once a change is committed is done as the block ends."""
    return django_capture_on_commit_callbacks


@pytest.fixture
def alder(cast: Cast) -> Side:
    return side("Alder")


@pytest.fixture
def birch(cast: Cast) -> Side:
    return side("Birch")


@pytest.fixture
def league(cast: Cast, alder: Side, birch: Side) -> Competition:
    """A league of two clubs whose first round is being played."""
    return in_play(cast, alder, birch)


class TestBothDesks:
    def test_enter_and_confirm_the_results_of_their_match(
        self, alder: Side, birch: Side, league: Competition
    ) -> None:
        for table in boards(alder, league):
            says(alder, league, result(table, 9, 4))
            says(birch, league, check(league, table))
        (match,) = matches_in(state(league))
        assert (match.points, match.decided) == ((Fraction(2), Fraction(2)), True)
        assert not any(board.waiting for board in match.boards)

    def test_make_the_table_of_the_league(self, cast: Cast, alder: Side, birch: Side) -> None:
        competition = in_play(cast, alder, birch, side("Cedar"), side("Damson"))
        for table in boards(alder, competition):
            mine = state(competition).entry(table.entries[0]).club == str(alder.club.pk)
            says(alder, competition, result(table, *((9, 4) if mine else (4, 9))))
        compute_standings(competition.pk)
        first = stands(competition)[0]
        assert (first.entry.name, first.points) == ("Alder team", "2")
        (match,) = matches_in(state(competition), club=str(alder.club.pk))
        assert sorted(map(int, match.points)) == [0, 4]

    def test_correct_each_other_until_the_other_confirms(
        self, alder: Side, birch: Side, league: Competition
    ) -> None:
        table = boards(alder, league)[0]
        says(alder, league, result(table, 9, 4))
        says(birch, league, result(table, 4, 9))
        second = AccountFactory.create()
        MemberFactory.create(club=birch.club, account=second, role=Member.Role.ORGANISER)
        with pytest.raises(Illegal, match="Your club entered this result"):
            says(replace(birch, by=second), league, check(league, table))
        says(alder, league, check(league, table))
        assert state(league).table(table.id)[2].results[0].placings[1].score == 9

    def test_line_their_teams_up_before_each_round(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        for table in boards(alder, league):
            says(alder, league, result(table, 9, 4))
        act(cast.olga, league, CloseRound)
        one, two, three, _four, five = alder.people
        lines_up(alder, league, [five, three, two, one])
        publish(cast, league)
        seats = [seat.player for table in boards(alder, league) for seat in table.seats]
        home = at_home(alder.club, seats)
        assert [home[each] for each in seats if each in home] == [five, three, two, one]

    def test_object_for_their_team(self, cast: Cast, alder: Side, birch: Side, league: Competition) -> None:
        table = boards(alder, league)[0]
        says(alder, league, result(table, 9, 4))
        act(cast.olga, league, PostResults, until="2100-01-01T12:00:00Z")
        theirs = next(entry.id for entry in state(league).entries if entry.club == str(birch.club.pk))
        says(birch, league, Object(entry=theirs, table=table.id, what="It was 4 to 9."))
        assert state(league).objections[0].entry == theirs

    def test_object_on_the_page_as_long_as_results_are_posted(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        table = boards(alder, league)[0]
        says(alder, league, result(table, 9, 4))
        address = f"/admin/league/competition/between/{league.pk}/{birch.club.pk}/"
        client = logged_in(birch.by)
        assert 'value="object:"' not in client.get(address).content.decode()
        act(cast.olga, league, PostResults, until="2100-01-01T12:00:00Z")
        assert 'value="object:"' in client.get(address).content.decode()
        wrong = {"do": "object:", "object-table": "x", "object-what": "It was 4 to 9."}
        assert client.post(address, wrong).status_code == 200
        assert client.post(address, {**wrong, "object-table": table.id}).status_code == 302
        (objection,) = state(league).objections
        assert state(league).entry(objection.entry).club == str(birch.club.pk)

    def test_of_the_federation_s_own_team_too(self, cast: Cast, alder: Side) -> None:
        competition = county(cast)
        own = Side(cast.club, cast.olga, cast.people(4))
        for each in (own, alder):
            let_in(by=cast.olga, competition=competition, club=each.club)
            enter(each, competition)
        act(cast.olga, competition, StartCompetition)
        publish(cast, competition)
        table = boards(alder, competition)[0]
        says(own, competition, result(table, 9, 4))
        says(alder, competition, check(competition, table))
        assert not Lent.objects.filter(home__club=cast.club).exists()

    def test_offer_no_club_to_confirm_what_it_entered_for_one_of_its_two_teams(
        self, cast: Cast, alder: Side
    ) -> None:
        alder.people.extend(PlayerFactory.create_batch(4, club=alder.club))
        competition = county(cast)
        let_in(by=cast.olga, competition=competition, club=alder.club)
        enter(alder, competition)
        enter(alder, competition, "Alder seconds", alder.people[4:8])
        act(cast.olga, competition, StartCompetition)
        publish(cast, competition)
        says(alder, competition, result(boards(alder, competition)[0], 9, 4))
        answer = logged_in(alder.by).get(
            f"/admin/league/competition/between/{competition.pk}/{alder.club.pk}/"
        )
        assert "confirm:" not in answer.content.decode()
        assert "You entered it" in page_text(answer)

    def test_are_named_where_their_results_are_shown(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        first, second, third, fourth = boards(alder, league)
        for table in (first, second, third):
            says(alder, league, result(table, 9, 4))
        says(birch, league, check(league, first))
        act(cast.olga, league, CheckResult, table=second.id, result=check(league, second).result)
        decided = [{"seat": 0, "score": 9}, {"seat": 1, "score": 4}]
        act(cast.olga, league, SetResult, table=fourth.id, seats=decided)
        client = logged_in(cast.olga)
        addresses = f"/competitions/{league.slug}/", f"/admin/league/competition/{league.pk}/change/"
        for page in (page_text(client.get(address)) for address in addresses):
            assert page.count("Entered by Alder, confirmed by Birch.") == 1
            assert page.count("Entered by Alder, confirmed by an organiser.") == 1
            assert page.count("Entered by Alder, not confirmed.") == 1
            assert page.lower().count("set by an organiser") == 1

    def test_mark_no_rank_as_an_organiser_s_decision(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        tables = boards(alder, league)
        for table in tables:
            says(alder, league, result(table, 9, 4))
        now = state(league)
        assert now.stage and not settled(now, now.stage, 1)
        decided = [{"seat": 0, "score": 9}, {"seat": 1, "score": 4}]
        act(cast.olga, league, SetResult, table=tables[0].id, seats=decided)
        now = state(league)
        assert now.stage and {*settled(now, now.stage, 1)} == {*tables[0].entries}

    def test_are_in_a_file_that_is_verified(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        table = boards(alder, league)[0]
        says(alder, league, result(table, 9, 4))
        says(birch, league, check(league, table))
        report = checked(exported(league))
        assert report.code != 1
        roles = dict(league.events.filter(role="club").values_list("event__type", "role"))
        assert {*roles} == {"entered", "ruled", "result_checked"}

    def test_are_in_no_verified_file_where_a_club_speaks_for_another_or_confirms_itself(
        self, alder: Side, birch: Side, league: Competition
    ) -> None:
        table = boards(alder, league)[0]
        says(alder, league, result(table, 9, 4))
        says(birch, league, check(league, table))
        lines = exported(league)
        own = next(each.id for each in state(league).entries if each.club == str(alder.club.pk))
        for kind, other in (("ruled", str(league.pk)), ("result_checked", own)):
            forged = rechained(lines, seq_of(lines, kind), partial(dict.update, side=other))
            with pytest.raises(WrongFile, match=r"only for its own teams|the other one confirms"):
                checked(forged)


class TestAnotherClubsDesk:
    """The adversary's list: Birch's organiser tries everything."""

    def test_may_use_no_other_verb(self, birch: Side, league: Competition) -> None:
        caller = ByClub(birch.by, birch.club)
        allowed = {EnterPlayers, SetLineUp, SetResult, CheckResult, Object}
        for verb in {*ORGANISER_VERBS.values()} - allowed:
            made: Verb = object.__new__(verb)
            with pytest.raises(PermissionDenied):
                perform(caller, competition=league, verb=made)

    def test_may_not_act_as_an_organiser_of_the_federation(self, birch: Side, league: Competition) -> None:
        for verb in (CloseRound, StartCompetition):
            with pytest.raises(PermissionDenied):
                act(birch.by, league, verb)

    def test_may_not_touch_the_matches_of_others(self, cast: Cast, alder: Side, birch: Side) -> None:
        competition = in_play(cast, alder, birch, side("Cedar"), side("Damson"))
        mine = {table.id for table in boards(birch, competition)}
        now = state(competition)
        assert now.stage
        others = [table for table in now.stage.rounds[-1].tables if table.id not in mine]
        with pytest.raises(Illegal, match="only for its own teams"):
            says(birch, competition, result(others[0], 9, 4))
        act(
            cast.olga,
            competition,
            SetResult,
            table=others[0].id,
            seats=[{"seat": 0, "score": 9}, {"seat": 1, "score": 4}],
        )
        with pytest.raises(Illegal, match="only for its own teams"):
            says(birch, competition, check(competition, others[0]))
        with pytest.raises(Illegal, match="only for its own teams"):
            entry = next(entry.id for entry in now.entries if entry.club == str(alder.club.pk))
            line_up(
                by=birch.by, club=birch.club, competition=competition, entry=entry, players=birch.people[:4]
            )

    def test_may_not_replace_what_an_organiser_has_decided(
        self, cast: Cast, birch: Side, league: Competition
    ) -> None:
        table = boards(birch, league)[0]
        seats = [{"seat": 0, "score": 9}, {"seat": 1, "score": 4}]
        act(cast.olga, league, SetResult, table=table.id, seats=seats)
        with pytest.raises(Illegal, match="only an organiser"):
            says(birch, league, result(table, 4, 9))

    def test_may_not_change_what_both_have_agreed_on(
        self, alder: Side, birch: Side, league: Competition
    ) -> None:
        table = boards(birch, league)[0]
        says(alder, league, result(table, 9, 4))
        says(birch, league, check(league, table))
        for each in (alder, birch):
            with pytest.raises(Illegal, match="is confirmed"):
                says(each, league, result(table, 4, 9))

    def test_may_not_change_a_round_that_is_closed(
        self, cast: Cast, birch: Side, league: Competition
    ) -> None:
        for table in boards(birch, league):
            says(birch, league, result(table, 9, 4))
        table = boards(birch, league)[0]
        act(cast.olga, league, CloseRound)
        with pytest.raises(Refusal):
            says(birch, league, result(table, 4, 9))

    def test_may_enter_and_line_up_only_its_own_people(self, cast: Cast, alder: Side, birch: Side) -> None:
        competition = county(cast)
        let_in(by=cast.olga, competition=competition, club=birch.club)
        for strangers in (alder.people[:4], cast.people(4)):
            with pytest.raises(Malformed):
                enter(birch, competition, players=strangers)
        ids = tuple(str(each.pk) for each in cast.people(4))
        with pytest.raises(Malformed):
            says(birch, competition, EnterPlayers(ids, "Thieves"))

    def test_may_enter_nobody_after_the_start(self, birch: Side, league: Competition) -> None:
        with pytest.raises(Refusal):
            enter(
                birch,
                league,
                "Second team",
                [*birch.people[4:], *PlayerFactory.create_batch(3, club=birch.club)],
            )

    def test_may_do_nothing_before_it_is_let_in_or_once_it_is_shut_out(
        self, cast: Cast, alder: Side, birch: Side, league: Competition
    ) -> None:
        other = county(cast, name="Another league")
        with pytest.raises(PermissionDenied):
            enter(birch, other)
        shut_out(by=cast.olga, competition=league, club=birch.club.pk)
        with pytest.raises(PermissionDenied):
            says(birch, league, result(boards(birch, league)[0], 9, 4))

    def test_is_that_of_organisers_alone(self, birch: Side, league: Competition) -> None:
        member = birch.people[0].account
        assert member
        with pytest.raises(PermissionDenied):
            perform(
                ByClub(member, birch.club), competition=league, verb=result(boards(birch, league)[0], 9, 4)
            )
        keeper = AccountFactory.create()
        MemberFactory.create(club=birch.club, account=keeper, role=Member.Role.SCOREKEEPER)
        with pytest.raises(PermissionDenied):
            enter_team(by=keeper, club=birch.club, competition=league, name="More", players=birch.people[:4])

    def test_of_a_club_is_let_in_by_the_federation_alone(
        self, alder: Side, birch: Side, league: Competition
    ) -> None:
        with pytest.raises(PermissionDenied):
            let_in(by=birch.by, competition=league, club=side("Cedar").club)
        with pytest.raises(PermissionDenied):
            shut_out(by=birch.by, competition=league, club=alder.club.pk)

    def test_needs_teams_on_boards(self, cast: Cast, birch: Side) -> None:
        single = county(cast, lineup="single", team_size=1, stages=[{**SINGLE}])
        with pytest.raises(Illegal, match="different tables"):
            let_in(by=cast.olga, competition=single, club=birch.club)


SINGLE: dict[str, Any] = {"name": "League", "format": "rounds", "rounds": 2, "table_size": 4}


class TestPeopleOfAnotherClub:
    def test_are_called_as_the_public_reads_them_at_home(self, cast: Cast, birch: Side) -> None:
        change_club(by=birch.by, club=birch.club, name="Birch", timezone="UTC", names="members")
        for each in birch.people:
            each.refresh_from_db()
        entered(cast, birch)
        names = {
            each.name for each in Player.objects.filter(club=cast.club, pk__in=Lent.objects.values("player"))
        }
        assert names and not any("Two" in name for name in names)
        assert all(name.endswith("(Birch)") for name in names)

    def test_follow_what_they_choose_at_home(self, cast: Cast, birch: Side, on_commit: OnCommit) -> None:
        entered(cast, birch)
        two = birch.people[1]
        here = Lent.objects.get(home=two).player
        assert here.name == "Birch Two"
        with on_commit(execute=True):
            choose_names(by=birch.by, player=two, names="members")
        here.refresh_from_db()
        assert "Two" not in here.name
        one = birch.people[0]
        assert one.account
        with on_commit(execute=True):
            choose_privacy(by=one.account, player=one, audience="club", findable=False)
        assert Lent.objects.get(home=one).player.audience == "nobody"

    def test_follow_a_new_name_without_a_lock_of_both_clubs(
        self, cast: Cast, birch: Side, on_commit: OnCommit
    ) -> None:
        entered(cast, birch)
        with on_commit(execute=True), CaptureQueriesContext(connection) as asked:
            change_player(by=birch.by, player=birch.people[1], name="Birch Twelve", account=None, active=True)
        # Two clubs that lend each other people would wait for each other.
        assert cast.club.pk.hex not in "".join(each["sql"] for each in asked)
        assert Lent.objects.get(home=birch.people[1]).player.name == "Birch Twelve"

    def test_follow_by_the_sweep_where_a_task_was_lost(
        self, cast: Cast, birch: Side, on_commit: OnCommit
    ) -> None:
        entered(cast, birch)
        Player.objects.filter(pk=birch.people[1].pk).update(name="Birch Twelve", public_name="Birch Twelve")
        with on_commit(execute=True):
            upkeep.swept()
        assert Lent.objects.get(home=birch.people[1]).player.name == "Birch Twelve"

    def test_follow_a_new_name_of_their_club(self, cast: Cast, birch: Side, on_commit: OnCommit) -> None:
        change_club(by=birch.by, club=birch.club, name="Birch", timezone="UTC", names="members")
        for each in birch.people:
            each.refresh_from_db()
        entered(cast, birch)
        with on_commit(execute=True):
            change_club(by=birch.by, club=birch.club, name="Beech", timezone="UTC")
        here = Lent.objects.filter(home__club=birch.club).values_list("player__name", flat=True)
        assert len(here) == 4 and all(name.endswith("(Beech)") for name in here)

    @pytest.mark.parametrize("lost", [False, True])
    def test_are_forgotten_with_the_person(
        self, cast: Cast, birch: Side, alder: Side, on_commit: OnCommit, lost: bool
    ) -> None:
        competition = in_play(cast, alder, birch)
        two = birch.people[1]
        here = Lent.objects.get(home=two).player
        with on_commit(execute=not lost):
            remove_player(by=birch.by, player=two)
        if lost:
            with on_commit(execute=True):
                upkeep.swept()
        here.refresh_from_db()
        assert here.anonymous and here.name.startswith("Former player")
        assert not Lent.objects.filter(player=here).exists()
        assert checked(exported(competition)).code != 1

    def test_are_one_player_in_all_competitions_of_the_federation(self, cast: Cast, birch: Side) -> None:
        entered(cast, birch)
        before = Lent.objects.count()
        entered(cast, birch)
        assert Lent.objects.count() == before == 4

    def test_have_their_account_there_unless_it_plays_there_already(self, cast: Cast, birch: Side) -> None:
        one = birch.people[0]
        PlayerFactory.create(club=cast.club, account=one.account, name="Own name here")
        entered(cast, birch)
        assert Lent.objects.get(home=one).player.account is None

    def test_cannot_be_lent_on(self, cast: Cast, birch: Side) -> None:
        entered(cast, birch)
        lent = {each.player_id for each in Lent.objects.all()}
        assert lent.isdisjoint(people_of(cast.club).values_list("pk", flat=True))

    def test_see_their_table_on_my_evening_without_being_members(
        self, cast: Cast, birch: Side, league: Competition
    ) -> None:
        one = birch.people[0].account
        assert one
        answer = logged_in(one).get(f"/competitions/{league.slug}/my-evening/")
        shown = page_text(answer)
        assert "Birch One" in shown
        assert "Alder One" in shown
        stranger = logged_in(cast.nora).get(f"/competitions/{league.slug}/my-evening/")
        assert stranger.status_code == 302
