"""The rows of a competition follow its log, and a rebuild writes the same rows."""

from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO
from typing import Any, Literal, get_args

import pgtrigger
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import TextChoices
from django.test import Client

from games import log as games
from games import rebuilding
from games.engine.clocks import Clock
from games.engine.common_moves import Left
from games.engine.replay import Actor
from games.models import Game
from league import log
from league.core.standings import outlook, ranking
from league.core.state import competition as state
from league.core.state import values
from league.core.verb import Verb
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import ExpelEntry, ReturnEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.move_seat import MoveSeat
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.models import Competition, Entry, Round, Table, TableSeat
from league.projections import ratings as rating_lists
from league.projections import standings
from league.projections.standings import compute_standings
from league.queries.standings import standings_of
from league.services.automatic import record_result
from tests.factories import Cast, PlayerFactory
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, play, play_all, tables
from tests.web.conftest import record_all

DERIVED = (
    *(
        "league_competition",
        "league_entry",
        "league_entryplayer",
        "league_stage",
        "league_round",
        "league_bye",
    ),
    *("league_table", "league_tableseat", "league_clubgame", "league_standings", "league_roundstandings"),
    *("league_ratings", "league_rating", "league_gamerating", "games_game"),
)


LOGS = ("league_event", "games_move", "games_seed", "games_seat")
PLAYERS = ("league_player",)


def dumped() -> Mapping[str, list[str]]:
    """Return every row of the tables that follow logs, as PostgreSQL writes it."""
    with connection.cursor() as cursor:
        rows = {}
        for table in DERIVED:
            cursor.execute(f"SELECT row::text FROM {table} AS row ORDER BY 1")
            rows[table] = [text for (text,) in cursor.fetchall()]
    return rows


def wiped(*, players: bool = False) -> None:
    """Make the server another one, to which nobody ever came."""
    tables = [*LOGS, *DERIVED, *(PLAYERS if players else ())]
    with pgtrigger.ignore(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")


def of_logs() -> dict[str, list[str]]:
    """Return every row of the logs without the numbers that only this database gave them."""
    with connection.cursor() as cursor:
        rows = {}
        for table in LOGS:
            cursor.execute(f"SELECT (to_jsonb(row) - 'id')::text FROM {table} AS row ORDER BY 1")
            rows[table] = [text for (text,) in cursor.fetchall()]
    return rows


def eventful(cast: Cast) -> Competition:
    """Return a competition to which everything has happened that changes rows."""
    competition = in_play(cast, 9, entering={"places": 9}, clock=Clock(move=3600, quiet="22:00-08:00"))
    given: dict[str, Any] = {"by": cast.olga, "competition": competition}
    first, second = tables(competition)
    for game in play_all(competition)[:1]:
        record_result(game_id=game)
    ranks = [{"seat": seat, "rank": seat + 1, "score": -seat} for seat in range(second.seats.count())]
    act(verb=SetResult, table=second.pk, seats=ranks, reason="the cards were marked", **given)
    entries = {entry.number: entry.pk for entry in competition.entries.all()}
    act(verb=AdjustPoints, entry=entries[1], points="-7/3", reason="late", **given)
    act(verb=WithdrawEntry, entry=entries[4], **given)
    act(verb=EnterPlayers, players=[PlayerFactory.create(club=cast.club).pk], **given)
    into = PlayerFactory.create(club=cast.club).pk
    act(verb=SubstitutePlayer, entry=entries[1], out=cast.paul_plays.pk, into=into, **given)
    act(verb=CloseRound, **given)
    for reason in ("", "a table is missing"):
        act(verb=DrawRound, reason=reason, **given)
    one, other = (table.seats.all()[0].entry_id for table in tables(competition, 2))
    act(verb=MoveSeat, stage=1, round=2, swaps=[(one, other)], reason="brothers", **given)
    act(verb=PublishRound, **given)
    record_result(game_id=play_all(competition, 2)[1])
    act(verb=VoidTable, table=first.pk, reason="wrong deck", **given)
    compute_standings(competition.pk)
    rating_lists.compute_ratings(competition.pk)
    return competition


class TestRebuilding:
    def test_gives_the_same_rows_to_the_byte(self, cast: Cast) -> None:
        eventful(cast)
        cast.game("tally")
        before = dumped()
        shown = StringIO()
        call_command("rebuild", stdout=shown)
        assert dumped() == before
        assert {table for table, rows in before.items() if not rows} == {"league_bye"}
        assert shown.getvalue() == "Rebuilt 5 games, 1 competitions, 0 series.\n"

    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM league_roundstandings",
            "UPDATE league_roundstandings SET round = round + 5, ahead = '{}'",
            "DELETE FROM league_rating",
            "UPDATE league_gamerating SET mean = mean + 1, ruleset = 'chess'",
            "UPDATE league_tableseat SET rank = 1, score = 0",
            "UPDATE league_competition SET name = 'Spring', status = 'finished', seq = 1, head = 'nothing'",
            "UPDATE league_clubgame SET recorded = NOT recorded WHERE competition_id IS NOT NULL",
            "UPDATE league_entry SET name = 'Nobody', from_round = 9",
            "UPDATE league_table SET status = 'drawn', ruled = NOT ruled",
            "UPDATE games_game SET seq = 1, status = 'active', result = NULL, deadline = now()",
        ],
    )
    def test_repairs_manipulated_rows(self, cast: Cast, damage: str) -> None:
        eventful(cast)
        before = dumped()
        with connection.cursor() as cursor:
            cursor.execute(damage)
        assert dumped() != before
        call_command("rebuild", stdout=StringIO())
        assert dumped() == before

    def test_keeps_data_that_is_not_from_a_log(self, cast: Cast) -> None:
        casual = cast.game("tally")
        call_command("rebuild", stdout=StringIO())
        assert casual.club_game.club == cast.club

    def test_keeps_the_clocks_of_a_game_with_a_seat_out(self, cast: Cast) -> None:
        players = [player.pk for player in cast.people(3)]
        game = games.open_game(
            ruleset="tally", options={"rounds": 3}, players=players, account=None, clock={"game": 3600}
        )
        for seq, actor, move in (
            (2, Actor("seat", 0), {"type": "say", "number": 1}),
            (3, Actor("seat", 2), {"type": "resign"}),
            (4, Actor("seat", 1), {"type": "say", "number": 2}),
        ):
            games.append(game_id=game.pk, seq=seq, actor=actor, move=move, account=None)
        before = dumped()
        rebuilding.rebuild([game.pk])
        assert dumped() == before
        assert Game.objects.get().seq == 5


class TestFollowing:
    @pytest.mark.parametrize("sizes", [(2,), (2, 3), (5,)])
    def test_writes_the_same_rows_as_a_rebuild_at_each_step(
        self, cast: Cast, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tests.league.tally.Tally.seats", sizes)
        competition = opened(cast, 5, stages=[{**PLAN, "table_size": sizes[0]}])
        steps: list[Callable[[], object]] = [
            lambda: act(cast.olga, competition, StartCompetition),
            lambda: act(cast.olga, competition, DrawRound),
            lambda: act(cast.olga, competition, DrawRound, reason="a table is missing"),
            lambda: act(cast.olga, competition, PublishRound),
            lambda: [record_result(game_id=game) for game in play_all(competition)],
            lambda: act(cast.olga, competition, CloseRound),
        ]
        for step in steps:
            step()
            compute_standings(competition.pk)
            followed = dumped()
            standings.rebuild(competition.pk)
            assert dumped() == followed

    def test_writes_only_changed_rows(self, cast: Cast) -> None:
        competition = in_play(cast, 16)
        untouched = tables(competition)[1]
        Table.objects.filter(pk=untouched.pk).update(label="untouched")
        record_result(game_id=play(tables(competition)[0].games.get().game).pk)
        untouched.refresh_from_db()
        assert untouched.label == "untouched"


def test_a_result_leaves_standings_after_earlier_rounds_alone(cast: Cast) -> None:
    competition = in_play(cast, 8)
    record_all(competition)
    for verb in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    compute_standings(competition.pk)
    stored = competition.round_standings
    stored.update(to_come={"untouched": 1})
    record_result(game_id=play_all(competition, 2)[0])
    compute_standings(competition.pk)
    assert [each.to_come for each in stored.all()] == [{"untouched": 1}, {}]


def test_rows_are_those_of_the_log_after_every_round(cast: Cast) -> None:
    competition = eventful(cast)
    competition.refresh_from_db()
    state_now = log.latest(competition)
    stage = competition.stages.get()
    for after in (None, 1, 2):
        shown = standings_of(stage, after=after)
        expected = ranking.standings(state_now, 1, after)
        assert [_told(row) for row in shown] == [_told(row) for row in expected]
        assert [_told(row) for row in shown[3:5]] == [_told(row) for row in expected[3:5]]
        assert _told(shown[-1]) == _told(expected[-1])
        assert after is None or {(row.best_rank, row.worst_rank) for row in shown} == {(None, None)}
    reach = outlook.outlook(state_now, 1) or {}
    found = {
        str(row.entry_id): outlook.Outlook(row.best_rank or 0, row.worst_rank or 0)
        for row in standings_of(stage)
    }
    assert found == reach
    assert len(standings_of(stage, after=3)) == 0


def _told(row: Any) -> list[Any]:
    """Return what a row of standings says, made of what is stored or of the log."""
    entry = str(getattr(row.entry, "id", row.entry))
    own = (row.group, row.rank, entry, row.played, str(row.points), row.decided_by, row.movement)
    return [*own, dict(row.tiebreaks), str(row.explanation)]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (Competition.Status, state.Status),
        (Competition.Pace, values.Pace),
        (Entry.Status, state.EntryStatus),
        (Round.Status, state.RoundStatus),
        (Table.Status, state.TableStatus),
        (TableSeat.Outcome, Literal[state.Outcome, Left]),
    ],
)
def test_a_column_has_a_choice_for_every_value_of_the_state(
    choices: type[TextChoices], words: object
) -> None:
    assert {*choices.values} == {*get_args(words)}


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_loses_no_concurrent_results(cast: Cast) -> None:
    competition = in_play(cast, 12)
    results = [partial(record_result, game_id=game) for game in play_all(competition)]
    answers = at_once([*results, *[partial(standings.rebuild, competition.pk)] * 2])
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    compute_standings(competition.pk)
    followed = dumped()
    standings.rebuild(competition.pk)
    assert dumped() == followed
    assert [table.status for table in tables(competition)] == ["played"] * 3


@pytest.mark.parametrize(("verb", "word"), [(WithdrawEntry, "withdrawn"), (ExpelEntry, "expelled")])
def test_standings_after_a_round_mark_who_had_withdrawn_or_was_expelled_then(
    cast: Cast, verb: type[Verb], word: str
) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "rounds": 3}])
    entry = competition.entries.order_by("number")[0].pk
    record_all(competition)
    act(cast.olga, competition, verb, entry=entry, reason="late again")
    for step in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, step)
    act(cast.olga, competition, ReturnEntry, entry=entry)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    stage = competition.stages.get()
    then, now = standings_of(stage, after=1), standings_of(stage)
    marked = [[(row.entry.pk, row.gone) for row in rows if row.gone] for rows in (then, now)]
    assert marked == [[(entry, word)], []]


def test_standings_after_a_round_mark_who_is_expelled_now(cast: Cast) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "rounds": 3}])
    entry = competition.entries.order_by("number")[0].pk
    record_all(competition)
    for step in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, step)
    act(cast.olga, competition, ExpelEntry, entry=entry, reason="cheated", annul=True)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    then = standings_of(competition.stages.get(), after=1)
    assert [(row.entry.pk, row.gone, row.played) for row in then if row.gone] == [(entry, "expelled", 0)]


def test_who_left_and_never_came_did_not_play_from_then_on(cast: Cast) -> None:
    competition = opened(cast, 9, stages=[{**PLAN, "rounds": 3}])
    entry = competition.entries.order_by("number")[0].pk
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, WithdrawEntry, entry=entry)
    act(cast.olga, competition, DrawRound)
    act(cast.olga, competition, PublishRound)
    record_all(competition)
    for step in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, step)
    compute_standings(competition.pk)
    stage = competition.stages.get()
    for rows in (standings_of(stage), standings_of(stage, after=1)):
        assert (rows[-1].entry.pk, rows[-1].gone) == (entry, "did not play")
    page = Client().get(f"/competitions/{competition.slug}/entries/").content.decode()
    assert "did not play" in page and "from round" not in page


def test_who_left_an_open_ended_round_had_not_left_by_the_one_before(cast: Cast) -> None:
    competition = in_play(cast, 4, stages=[{**PLAN, "format": "ladder", "rounds": 2, "table_size": 2}])
    first, second = [entry.pk for entry in competition.entries.order_by("number")[:2]]
    act(cast.olga, competition, WithdrawEntry, entry=first)
    for verb in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    act(cast.olga, competition, WithdrawEntry, entry=second)
    compute_standings(competition.pk)
    competition.refresh_from_db()
    then = standings_of(competition.stages.get(), after=1)
    assert [row.entry.pk for row in then if row.gone] == [first]
