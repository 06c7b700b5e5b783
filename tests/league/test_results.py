"""Results of tables: recorded from games, set, adjusted, voided; and the standings that follow."""

from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import log as games
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league import log
from league.callers import ByAccount
from league.core.verbs import ORGANISER_VERBS
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.course import CancelCompetition
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import ForfeitEntry, ReplayGame, VoidTable
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.log import Appended
from league.models import Account, ClubGame, Competition, Member, Stage, Table, TableSeat
from league.models.events import Event
from league.projections.standings import compute_standings
from league.queries.competitions import state_of
from league.queries.standings import standings_of
from league.services.automatic import record_result
from league.services.play import make_move
from tests.factories import Cast, MemberFactory
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import (
    PLAN,
    accounts_in,
    finished,
    in_play,
    moved,
    pairs_in_play,
    play,
    play_all,
    tables,
)
from tests.league.test_admin_scope import logged_in
from tests.league.test_verify import checked, exported


def only(competition: Competition) -> tuple[Table, Game]:
    """Return the first table of the first round and its game."""
    table = tables(competition)[0]
    return table, table.games.get().game


def placed(table: Table) -> list[tuple[int | None, int | None]]:
    """Return rank and score of each seat."""
    return list(TableSeat.objects.filter(table=table).values_list("rank", "score"))


def standings(competition: Competition) -> list[str]:
    """Return the first stage's table of standings as lines of rank, name and points."""
    compute_standings(competition.pk)
    rows = standings_of(Stage.objects.get(competition=competition, number=1))
    return [f"{row.rank} {row.entry.name} {row.points}" for row in rows]


def statements(competition: Competition, number: int) -> int:
    """Return how many statements record the results of a round together."""
    first, *_others = play_all(competition, number)
    with CaptureQueriesContext(connection) as made:
        record_result(game_id=first)
    assert not ClubGame.objects.filter(competition=competition, recorded=False).exists()
    return len(made)


class TestRecording:
    def test_takes_no_more_statements_for_many_results_that_come_at_once(self, cast: Cast) -> None:
        few, many = (in_play(cast, size, stages=[{**PLAN, "table_size": 2}]) for size in (4, 8))
        assert statements(few, 1) == statements(many, 1)

    def test_writes_the_result_and_the_head_of_the_game(self, cast: Cast) -> None:
        table, game = only(in_play(cast, 3))
        play(game, 5, 9, 5)
        record_result(game_id=game.pk)
        expected = Event.objects.get(event__type="result_recorded")
        game.refresh_from_db()
        assert (expected.role, expected.event["head"]) == ("system", game.head)
        assert placed(table) == [(2, 5), (1, 9), (2, 5)]
        assert ClubGame.objects.get().recorded

    def test_twice_writes_once(self, cast: Cast) -> None:
        _, game = only(in_play(cast, 2))
        play(game)
        answers = [record_result(game_id=game.pk) for _ in range(2)]
        assert [answer and answer.created for answer in answers] == [True, None]

    def test_of_a_running_or_casual_game_does_nothing(self, cast: Cast) -> None:
        casual = cast.game("tally")
        play(casual)
        _, running = only(in_play(cast, 2))
        assert [record_result(game_id=game.pk) for game in (casual, running)] == [None, None]

    def test_of_an_abandoned_game_leaves_the_table_to_an_organiser(self, cast: Cast) -> None:
        table, game = only(in_play(cast, 2))
        abandon = {"type": "abandon", "reason": "fire"}
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=2, move=abandon)
        record_result(game_id=game.pk)
        table.refresh_from_db()
        assert (table.status, placed(table)) == ("abandoned", [(None, None)] * 2)

    def test_after_the_competition_is_over_changes_nothing(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        _, game = only(competition)
        play(game)
        act(cast.olga, competition, CancelCompetition, reason="flood")
        answer = record_result(game_id=game.pk)
        assert answer and not answer.created

    @pytest.mark.django_db(transaction=True)
    def test_of_a_whole_round_at_once_writes_each_result_once(self, cast: Cast) -> None:
        competition = in_play(cast, 16)
        games = play_all(competition)
        answers = at_once([partial(record_result, game_id=game) for game in games * 2])
        written = [len(answer.events) for answer in answers if isinstance(answer, Appended)]
        assert sum(written) == 4
        assert [table.status for table in tables(competition)] == ["played"] * 4
        log.verified(Competition.objects.get())


RULING = [{"seat": 0, "rank": 1, "score": 0}, {"seat": 1, "rank": 2, "score": 0}]


class TestCorrections:
    def test_replace_the_result_of_the_game(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        play(game, 0, 9)
        record_result(game_id=game.pk)
        before = standings(competition)
        act(cast.olga, competition, SetResult, table=table.pk, seats=RULING, reason="cheating")
        table.refresh_from_db()
        assert (table.ruled, placed(table)) == (True, [(1, 0), (2, 0)])
        assert [line.split()[1:3] for line in standings(competition)] == [
            line.split()[1:3] for line in reversed(before)
        ]

    def test_of_a_finished_competition_are_made_in_two_clicks_and_it_is_over_again(self, cast: Cast) -> None:
        competition, client = finished(cast, 2), logged_in(cast.olga)
        table = tables(competition, 2)[0]
        page = f"/admin/league/competition/{competition.pk}/do/rule/?table={table.pk}"
        desk = client.get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
        assert f"../do/rule/?table={table.pk}" in desk
        assert "reopened for it and finished again" in client.get(page).content.decode()
        sent = {"table": str(table.pk), "score.0": "3", "score.1": "11"}
        refused = client.post(page, sent)
        assert [*refused.context["form"].errors] == ["reason"]
        client.post(page, {**sent, "reason": "misread"})
        competition.refresh_from_db()
        written = [each.event["type"] for each in competition.events.order_by("seq")][-3:]
        assert (competition.status, written) == ("finished", ["reopened", "ruled", "finished"])
        assert state_of(competition).stages[-1].corrected
        verb: dict[str, Any] = {
            "table": table.pk,
            "seats": [{"seat": 0, "score": 3}, {"seat": 1, "score": 11}],
        }
        act(cast.olga, competition, SetResult, **verb, reason="misread")
        assert competition.seq == Competition.objects.get(pk=competition.pk).seq
        checked(exported(competition))

    @pytest.mark.parametrize(
        ("wrong", "refusal"),
        [
            ({"seats": RULING[:1]}, Illegal),
            ({"seats": [RULING[0], {**RULING[1], "rank": 3}]}, Illegal),
            ({"seats": [RULING[0], {"seat": 1}]}, Malformed),
            ({"seats": []}, Malformed),
            ({"seats": ["first"]}, Malformed),
            ({"reason": "x" * 501}, Malformed),
            ({"table": uuid4()}, Illegal),
        ],
    )
    def test_that_are_invalid_change_nothing(
        self, cast: Cast, wrong: dict[str, Any], refusal: type[Exception]
    ) -> None:
        competition = in_play(cast, 2)
        given = {"table": only(competition)[0].pk, "seats": RULING, "reason": "late", **wrong}
        with pytest.raises(refusal):
            act(cast.olga, competition, SetResult, **given)
        assert not Event.objects.filter(event__type="ruled").exists()

    def test_void_a_table_for_all_its_entries(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        play(game)
        record_result(game_id=game.pk)
        act(cast.olga, competition, VoidTable, table=table.pk, reason="wrong cards")
        table.refresh_from_db()
        assert (table.status, table.void_reason, placed(table)) == ("void", "wrong cards", [(None, None)] * 2)
        assert [line.split()[-1] for line in standings(competition)] == ["0", "0"]

    @pytest.mark.parametrize(("points", "total"), [("1/2", "1/2"), ("-3", "-3"), ("7/3", "7/3")])
    def test_adjust_points_exactly(self, cast: Cast, points: str, total: str) -> None:
        competition = in_play(cast, 2)
        paul = competition.entries.get(name="Paul Pike")
        act(cast.olga, competition, AdjustPoints, entry=paul.pk, points=points, reason="late")
        assert f"Paul Pike {total}" in " ".join(standings(competition))

    @pytest.mark.parametrize("points", ["", "half", "1/0", "0.5.5", "1e3"])
    def test_refuse_other_numbers_as_adjustments(self, cast: Cast, points: str) -> None:
        competition = in_play(cast, 2)
        paul = competition.entries.get(name="Paul Pike")
        with pytest.raises(Malformed):
            act(cast.olga, competition, AdjustPoints, entry=paul.pk, points=points, reason="late")

    @pytest.mark.parametrize("who", ["paul", "nora"])
    def test_are_only_for_organisers(self, cast: Cast, who: str) -> None:
        competition = in_play(cast, 2)
        table = only(competition)[0].pk
        by = getattr(cast, who)
        with pytest.raises(PermissionDenied):
            act(by, competition, SetResult, table=table, seats=RULING, reason="mine")
        with pytest.raises(PermissionDenied):
            act(by, competition, VoidTable, table=table, reason="mine")


class TestRunningGames:
    """A table that is decided without its game leaves nobody playing on."""

    @pytest.mark.parametrize(
        ("verb", "expected"),
        [
            ("rule", {"seats": RULING, "reason": "by the clock"}),
            ("void", {"reason": "wrong pack"}),
            ("walk-over", {"entries": []}),
        ],
    )
    def test_are_abandoned_once(self, cast: Cast, verb: str, expected: dict[str, Any]) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        if "entries" in expected:
            expected = {"entries": [table.seats.all()[0].entry_id]}
        act(cast.olga, competition, ORGANISER_VERBS[verb], table=table.pk, **expected)
        game.refresh_from_db()
        assert (game.status, game.seq) == ("abandoned", 2)
        assert games.entries(game)[1].role == "arbiter"
        record_result(game_id=game.pk)
        table.refresh_from_db()
        assert table.status in ("played", "void", "walkover")

    def test_that_are_finished_do_not_change(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        play(game)
        act(cast.olga, competition, VoidTable, table=table.pk, reason="wrong pack")
        game.refresh_from_db()
        assert game.status == "finished"

    @pytest.mark.parametrize(("verb", "expected"), [("no-show", {}), ("forfeit", {"reason": "left"})])
    def test_continue_without_no_shows_and_forfeits(
        self, cast: Cast, verb: str, expected: dict[str, str]
    ) -> None:
        competition = in_play(cast, 3)
        table, game = only(competition)
        entry = table.seats.get(number=1).entry_id
        given: dict[str, Any] = {"by": cast.olga, "competition": competition, "table": table.pk, **expected}
        for _ in range(2):
            act(verb=ORGANISER_VERBS[verb], **given, entry=entry)
        game.refresh_from_db()
        assert (game.status, games.latest(game).out) == ("active", (1,))
        assert [seat.outcome != "" for seat in table.seats.order_by("number")] == [False, True, False]

    def test_end_when_one_is_left(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        act(cast.olga, competition, MarkNoShow, table=table.pk, entry=table.seats.get(number=0).entry_id)
        record_result(game_id=game.pk)
        assert placed(table)[1][0] == 1

    @pytest.mark.parametrize("verb", [MarkNoShow, ForfeitEntry])
    def test_end_when_one_pair_is_left(self, cast: Cast, verb: Any) -> None:
        competition = pairs_in_play(cast)
        table, game = only(competition)
        gone, left = (table.seats.get(number=number).entry for number in (0, 1))
        act(cast.olga, competition, verb, table=table.pk, entry=gone.pk, reason="rain")
        record_result(game_id=game.pk)
        game.refresh_from_db()
        assert (game.status, games.latest(game).out) == ("finished", (0, 2))
        assert {table.seats.get(number=number).rank for number in (1, 3)} == {1}
        assert standings(competition)[0] == f"1 {left.name} 1"

    @pytest.mark.parametrize("kind", ["resign", "forfeit"])
    def test_end_when_the_second_of_a_pair_has_left_too(self, cast: Cast, kind: str) -> None:
        competition = pairs_in_play(cast)
        table, game = only(competition)
        gone = {str(account.pk): account for account in (cast.paul, cast.petra)}
        seats = [(seat, gone[each]) for seat, each in enumerate(accounts_in(game)) if each in gone]
        for seat, account in seats:
            game.refresh_from_db()
            assert game.status == "active"
            ruling, by = {"type": kind, "seat": seat}, ByAccount(cast.olga)
            leave = partial(make_move, by, game_id=game.pk, seq=game.seq + 1, move=ruling)
            if kind == "resign":
                leave = partial(leave.func, ByAccount(account), **{**leave.keywords, "move": {"type": kind}})
            assert [leave().created for _ in range(2)] == [True, False]
        record_result(game_id=game.pk)
        game.refresh_from_db()
        left = next(seat.entry for seat in table.seats.all() if seat.number not in dict(seats))
        assert (game.status, standings(competition)[0]) == ("finished", f"1 {left.name} 1")

    def test_say_by_themselves_that_one_side_has_left(self, cast: Cast) -> None:
        _table, game = only(pairs_in_play(cast))
        move = {"type": "resign", "alone": True}
        with pytest.raises(Malformed):
            make_move(ByAccount(cast.paul), game_id=game.pk, seq=game.seq + 1, move=move)

    @pytest.mark.parametrize("seat", [[0], {}, "0", 7])
    def test_refuse_a_forfeit_of_what_is_no_seat(self, cast: Cast, seat: object) -> None:
        _table, game = only(pairs_in_play(cast))
        move = {"type": "forfeit", "seat": seat, "reason": "none"}
        with pytest.raises((Malformed, Illegal)):
            make_move(ByAccount(cast.olga), game_id=game.pk, seq=game.seq + 1, move=move)

    def test_end_when_their_round_is_closed(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[{**PLAN, "table_size": 2}])
        act(cast.olga, competition, CloseRound, void_undecided="out of time")
        assert [game.status for game in Game.objects.all()] == ["abandoned"] * 2

    def test_end_with_the_competition(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        act(cast.olga, competition, CancelCompetition, reason="flood")
        assert [games.entries(game)[-1].move["reason"] for game in Game.objects.all()] == ["flood"] * 2

    @pytest.mark.django_db(transaction=True)
    def test_end_during_a_concurrent_move(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        move = {"type": "say", "number": 4}
        answers = at_once(
            [
                partial(moved, game, 0, move),
                partial(act, cast.olga, competition, VoidTable, table=table.pk, reason="wrong pack"),
            ]
        )
        assert isinstance(answers[1], Appended)
        game.refresh_from_db()
        assert game.status == "abandoned"
        games.verified(game)


class TestReplaying:
    def test_replaces_a_running_game(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        act(cast.olga, competition, ReplayGame, table=table.pk, reason="cards were marked")
        kinds = list(Event.objects.order_by("seq").values_list("event__type", flat=True))[-2:]
        assert kinds == ["result_recorded", "replayed"]
        first, second = Game.objects.order_by("opened_at")
        assert (first.pk, first.status, second.status) == (game.pk, "abandoned", "active")
        record_result(game_id=play(second).pk)
        table.refresh_from_db()
        assert table.status == "played"

    def test_of_a_decided_table_is_refused_and_changes_nothing(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, game = only(competition)
        record_result(game_id=play(game).pk)
        with pytest.raises(Illegal):
            act(cast.olga, competition, ReplayGame, table=table.pk)
        assert Game.objects.count() == 1

    def test_of_a_void_table_does_not_reopen_its_game(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, _ = only(competition)
        act(cast.olga, competition, VoidTable, table=table.pk, reason="wrong pack")
        with pytest.raises(Illegal, match="decided"):
            act(cast.olga, competition, ReplayGame, table=table.pk)

    def test_of_a_named_game_happens_once_and_only_at_its_table(self, cast: Cast) -> None:
        competition = in_play(cast, 4, stages=[{**PLAN, "table_size": 2}])
        (table, game), other = only(competition), tables(competition)[1].games.get()
        does = partial(act, cast.olga, competition, ReplayGame, table=table.pk)
        assert [does(game=game.pk).created for _ in range(2)] == [True, False]
        with pytest.raises(Illegal, match="does not belong to this table"):
            does(game=other.pk)
        assert Game.objects.count() == 3

    def test_a_retry_with_the_same_seq_opens_no_third_game(self, cast: Cast) -> None:
        competition = in_play(cast, 2)
        table, _ = only(competition)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition, "table": table.pk}
        both = [act(verb=ReplayGame, seq=competition.seq + 1, **given).created for _ in range(2)]
        assert (both, Game.objects.count()) == ([True, False], 2)


class TestAScorekeeper:
    @pytest.fixture
    def sven(self, cast: Cast) -> Account:
        member = MemberFactory.create(club=cast.club, role=Member.Role.SCOREKEEPER)
        return member.account

    def test_can_set_a_result_again_until_the_round_is_closed(self, cast: Cast, sven: Account) -> None:
        competition = in_play(cast, 2)
        table, _ = only(competition)
        given: dict[str, Any] = {"competition": competition, "table": table.pk, "seats": RULING}
        for _ in "ab":
            act(verb=SetResult, by=sven, **given)
            assert Event.objects.latest("seq").role == "scorekeeper"
        act(cast.olga, competition, CloseRound)
        with pytest.raises(Illegal, match="only an organiser"):
            act(verb=SetResult, by=sven, reason="no, the other way", **given)

    @pytest.mark.parametrize("verb", ["void", "replay"])
    def test_can_not_change_a_decided_table(self, cast: Cast, sven: Account, verb: str) -> None:
        competition = in_play(cast, 2)
        with pytest.raises(PermissionDenied):
            act(sven, competition, ORGANISER_VERBS[verb], table=only(competition)[0].pk, reason="x")


class TestStandings:
    #   Paul 7, Petra 9, 3rd 1  at one table of three: 2, 1 and 0 are beaten
    def test_follow_from_the_results(self, cast: Cast) -> None:
        competition = in_play(cast, 3)
        table, game = only(competition)
        said = {"Paul Pike": 7, "Petra Plum": 9}
        play(game, *(said.get(seat.entry.name, 1) for seat in table.seats.order_by("number")))
        record_result(game_id=game.pk)
        lines = standings(competition)
        assert [line.rpartition(" ")[0] for line in lines[:2]] == ["1 Petra Plum", "2 Paul Pike"]

    def test_are_stored_for_each_round(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        compute_standings(competition.pk)
        competition.refresh_from_db()
        assert [each.round for each in competition.round_standings.all()] == [1]
        assert competition.standings.as_of == competition.seq

    def test_that_are_up_to_date_are_not_computed_again(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        assert [compute_standings(competition.pk) for _ in range(2)] == [True, False]

    @pytest.mark.django_db(transaction=True)
    def test_of_a_burst_are_computed_once(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        for game in play_all(competition):
            record_result(game_id=game)
        competition.standings.delete()
        answers = at_once([partial(compute_standings, competition.pk)] * 5)
        assert sorted(answers) == [False, False, False, False, True]
