"""Matches through the services: games follow each other, in rows, pages' queries and files."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from games.models import Game, Seat
from league.core.portable import WrongFile
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.results import ForfeitEntry
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.tables import PostponeTable
from league.models import ClubGame, Competition, Table
from league.projections import standings
from league.projections.standings import compute_standings
from league.queries.games import all_games, placings_of, seated
from league.services.automatic import record_result
from league.words.matches import own_match
from league.words.messages import name_at_table
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, play, stands, tables
from tests.league.test_projections import dumped
from tests.league.test_verify import checked, exported, rechained, seq_of

pytestmark = pytest.mark.django_db
CUP = {**PLAN, "format": "knockout", "rounds": 0, "table_size": 2, "best_of": 3}


def match_in_play(cast: Cast, players: int = 2, **changes: Any) -> Competition:
    return in_play(cast, players, stages=[{**CUP, **changes}])


def game_of(table: Table) -> Game:
    """The game that is played at a table."""
    return table.games.latest("pk").game


def win(table: Table, seat: int) -> None:
    """Let a seat of the table win the game that is played there."""
    game = game_of(table)
    turn = ClubGame.objects.get(pk=game.pk).turn
    play(game, *(9 if number ^ turn == seat else 1 for number in (0, 1)))
    record_result(game_id=game.pk)


def only_table(competition: Competition) -> Table:
    (table,) = tables(competition)
    return table


def test_the_next_game_opens_by_itself_with_seats_changed(cast: Cast) -> None:
    table = only_table(match_in_play(cast))
    first = game_of(table)
    win(table, 0)
    second = game_of(table)
    assert first.pk != second.pk
    at_first, at_second = (
        [*Seat.objects.filter(game=game).order_by("number").values_list("player", flat=True)]
        for game in (first, second)
    )
    assert at_second == at_first[::-1]
    assert second.awaited == [0]


def test_the_rows_tell_the_match(cast: Cast) -> None:
    table = only_table(match_in_play(cast))
    for seat in (0, 1, 1):
        win(table, seat)
    table.refresh_from_db()
    assert table.status == "played"
    assert table.match and table.match["score"] == ["1", "2"]
    assert table.match and [each["scores"] for each in table.match["games"]] == [[9, 1], [1, 9], [1, 9]]
    assert [(seat.rank, seat.score) for seat in table.seats.all()] == [(2, 1), (1, 2)]


def test_a_score_says_whose_it_is_on_pages_and_in_the_own_evening(cast: Cast) -> None:
    competition = match_in_play(cast)
    table = only_table(competition)
    for seat in (0, 1, 1):
        win(table, seat)
    table.refresh_from_db()
    names = " – ".join(name_at_table(seat) for seat in table.seats.all())
    page = Client().get(f"/competitions/{competition.slug}/rounds/").content.decode()
    assert f"{names}: 1–2 (9–1, 1–9, 1–9)" in page
    assert own_match(table.match, 0) == "you – the other side: 1–2 (9–1, 1–9, 1–9)"
    assert own_match(table.match, 1) == "you – the other side: 2–1 (1–9, 9–1, 9–1)"


def test_a_rebuild_writes_the_same_rows(cast: Cast) -> None:
    competition = match_in_play(cast)
    win(only_table(competition), 0)
    compute_standings(competition.pk)
    before = dumped()
    standings.rebuild(competition.pk)
    assert dumped() == before


def test_who_leaves_in_the_second_game_loses_the_match(cast: Cast) -> None:
    competition = match_in_play(cast)
    table = only_table(competition)
    win(table, 0)
    leaver = table.seats.get(number=0).entry
    act(cast.olga, competition, ForfeitEntry, table=table.pk, entry=leaver.pk, reason="had to go")
    record_result(game_id=game_of(table).pk)
    table.refresh_from_db()
    assert (table.status, table.games.count()) == ("played", 2)
    assert table.match and table.match["score"] == ["1", "1"]
    assert [seat.rank for seat in table.seats.all()] == [2, 1]


def test_the_seat_of_who_has_withdrawn_is_gone_in_every_game(cast: Cast) -> None:
    competition = match_in_play(cast, format="swiss", rounds=1)
    table = only_table(competition)
    leaver = table.seats.get(number=0)
    for seat in (0, None):
        if seat is not None:
            win(table, seat)
        act(cast.olga, competition, WithdrawEntry, entry=leaver.entry_id)
        gone = {each.player.pk for each in seated(game_of(table)) if each.gone and each.player}
        assert gone <= {leaver.player_id}
    assert gone == {leaver.player_id}


def test_the_clock_of_the_next_game_stands_where_the_table_is_put_off(cast: Cast) -> None:
    competition = match_in_play(cast, format="swiss", rounds=1)
    table = only_table(competition)
    act(cast.olga, competition, PostponeTable, table=table.pk, reason="ill")
    win(table, 0)
    table.refresh_from_db()
    assert (table.status, table.games.count()) == ("postponed", 2)


def test_a_ruling_is_shown_by_the_seats_of_its_last_game(cast: Cast) -> None:
    competition = match_in_play(cast)
    table = only_table(competition)
    win(table, 0)
    games = [{"scores": [9, 1]}, {"scores": [8, 2]}]
    act(cast.olga, competition, SetResult, table=table.pk, seats=[], games=games)
    last = all_games().get(table=table, number=2)
    assert placings_of(last) == {1: {"rank": 1, "score": 2}, 0: {"rank": 2, "score": 0}}
    assert last.game.status == "abandoned"


class TestTheFile:
    def test_of_a_cup_is_verified(self, cast: Cast) -> None:
        competition = played_out(cast)
        report = checked(exported(competition))
        assert (report.code, report.running) == (0, 0)
        compute_standings(competition.pk)
        assert [standing.rank for standing in stands(competition)] == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("kind", "change"),
        [
            ("next_game", {"number": 3}),
            ("result_recorded", {"number": 2}),
            ("next_game", {"table": "00000000-0000-0000-0000-000000000000"}),
        ],
    )
    def test_with_another_game_is_refused(self, cast: Cast, kind: str, change: dict[str, Any]) -> None:
        lines = exported(played_out(cast))
        with pytest.raises(WrongFile):
            checked(rechained(lines, seq_of(lines, kind), lambda event: event.update(change)))

    def test_whose_second_game_ends_the_other_way_is_refused(self, cast: Cast) -> None:
        lines = exported(played_out(cast))
        with pytest.raises(WrongFile, match="needs no further game"):
            checked(rechained(lines, seq_of(lines, "next_game") + 1, turned))

    def test_whose_players_sit_as_in_the_game_before_is_refused(self, cast: Cast) -> None:
        lines = exported(played_out(cast))
        with pytest.raises(WrongFile, match="clock or players are not those of table"):
            checked(with_seats_as_drawn(lines))


def with_seats_as_drawn(lines: Sequence[str]) -> list[str]:
    """Exchange the logs of the first two games of a match: the second was dealt to the seats of the first."""
    at = [number for number, line in enumerate(lines) if line.startswith('{"game"')]
    first, second = (json.loads(lines[number])["game"] for number in at[:2])
    assert first != second
    changed = [*lines]
    changed[at[0]], changed[at[1]] = lines[at[1]], lines[at[0]]
    return changed


def turned(event: Any) -> None:
    one, other = event["seats"]
    event["seats"] = [{**other, "seat": 0}, {**one, "seat": 1}]


def played_out(cast: Cast) -> Competition:
    """A cup of four that is over."""
    competition = match_in_play(cast, 4)
    for number in (1, 2):
        for table in tables(competition, number):
            for seat in (0, 1, 0):
                win(table, seat)
        act(cast.olga, competition, CloseRound)
        if number == 1:
            act(cast.olga, competition, DrawRound)
            act(cast.olga, competition, PublishRound)
    act(cast.olga, competition, FinishCompetition)
    return competition
