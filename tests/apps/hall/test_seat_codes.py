"""Codes of seats: who may make them, what they are good for, how long, and how hopeless guessing is."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
import time_machine
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.utils import timezone

from games import log, rules
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league.apps.hall.holders import ByCode
from league.apps.hall.models import SeatCode
from league.apps.hall.queries import ALPHABET, read_code, shown
from league.apps.hall.services import (
    KEPT,
    MOST_AT_TABLE,
    MOST_OF_CLIENT,
    WINDOW,
    TooManyTries,
    make_codes,
    try_code,
    withdraw_codes,
)
from league.callers import ByAccount
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import CloseRound, PublishRound, WithdrawRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import PostponeTable
from league.models import Competition, Table
from league.queries.reading import choices_of
from league.services.automatic import record_result
from league.services.play import make_move
from league.services.verbs import perform
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, tables
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS

HERE: Final = "192.0.2.1"
ROUND: Final[dict[str, Any]] = {"type": "round", "round": 1, "lines": lines(1, 0, 0, 0)}
DECIDED: Final[dict[str, Any]] = {
    "seats": [{"seat": seat, "score": 4 - seat} for seat in range(4)],
    "reason": "x",
}
CONFIRM: Final[dict[str, Any]] = {"type": "confirm", "round": 1}


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    cache.clear()
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """Two tables of four with score cards, being played."""
    return in_play(cast, 8, ruleset="high-card-on-paper", options={"rounds": 1})


@pytest.fixture
def table(competition: Competition) -> Table:
    return tables(competition)[0]


@pytest.fixture
def codes(cast: Cast, competition: Competition, table: Table) -> list[str]:
    """The codes of the first table, in the order of its seats."""
    made = make_codes(by=cast.olga, competition=competition, tables=[table])
    return [code for _, code in sorted(made.items())]


def game_of(table: Table) -> Game:
    return table.games.get().game


def is_good(code: str, client: str = HERE) -> bool:
    try:
        return try_code(typed=code, client=client).pk is not None
    except Illegal:
        return False


def with_other_end(code: str) -> Iterator[str]:
    """Yield codes with the same first half as a code, and other second halves."""
    return (other for end in ("AAAA", "BBBB", "CCCC") for other in [code[:4] + end] if other != code)


def miss(code: str, times: int) -> None:
    """Try wrong second halves of a code."""
    wrong = next(with_other_end(code))
    for number in range(times):
        with pytest.raises(Illegal):
            try_code(typed=wrong, client=f"198.51.100.{number}")


class TestACode:
    def test_has_forty_random_bits_in_eight_characters(self, codes: list[str]) -> None:
        assert len(ALPHABET) ** 8 == 2**40 and not {*"ILOU"} & {*ALPHABET}
        assert all(len(code) == 8 and {*code} <= {*ALPHABET} for code in codes)
        assert len({*codes}) == 4

    def test_is_stored_as_keyed_hashes_alone(self, codes: list[str], settings: Any) -> None:
        stored = str(list(SeatCode.objects.values()))
        assert not any(code in stored or code[:4] in stored for code in codes)
        settings.SECRET_KEY = "x" * 50
        assert not is_good(codes[0])

    def test_names_its_seat_and_table(self, codes: list[str], table: Table) -> None:
        for seat, code in enumerate(codes):
            held = try_code(typed=code, client=HERE)
            assert (held.table, held.seat) == (table.pk, seat)

    @pytest.mark.parametrize("typed", ["k7qd-2m9x", " K7QD 2M9X ", "K7QD2M9X"])
    def test_is_read_as_people_type_it(self, typed: str) -> None:
        assert shown(read_code(typed)) == "K7QD-2M9X"
        assert read_code("OIL0-1234") == "01101234"

    @pytest.mark.parametrize("typed", ["", "K7QD-2M9", "K7QD-2M9XA", "K7QD-2M9U", "K7QD-2M9é"])
    def test_is_refused_at_its_field_where_it_can_be_none(self, db: None, typed: str) -> None:
        with pytest.raises(Malformed) as refused:
            try_code(typed=typed, client=HERE)
        assert {*refused.value.errors} == {"code"}


class TestWhoHasACode:
    def test_enters_and_another_seat_confirms(self, codes: list[str], table: Table) -> None:
        game, first, second = game_of(table), *(try_code(typed=code, client=HERE) for code in codes[:2])
        make_move(ByCode(first), game_id=game.pk, seq=2, move=ROUND)
        with pytest.raises(Illegal):
            make_move(ByCode(first), game_id=game.pk, seq=3, move=CONFIRM)
        make_move(ByCode(second), game_id=game.pk, seq=3, move=CONFIRM)
        written = [(entry.role, entry.seat, entry.account) for entry in log.entries(game, 1)]
        assert written == [("code", 0, None), ("code", 1, None)]
        game.refresh_from_db()
        assert game.status == "finished" and log.verified(game)

    def test_writes_at_no_other_table(self, codes: list[str], competition: Competition) -> None:
        other = game_of(tables(competition)[1])
        code = try_code(typed=codes[0], client=HERE)
        with pytest.raises(PermissionDenied):
            make_move(ByCode(code), game_id=other.pk, seq=2, move=ROUND)

    @pytest.mark.parametrize(
        "move", [{"type": "resign"}, {"type": "penalty", "seat": 1, "points": 1, "reason": "x"}]
    )
    def test_does_nothing_but_write_the_card(
        self, codes: list[str], table: Table, move: dict[str, Any]
    ) -> None:
        code = try_code(typed=codes[0], client=HERE)
        with pytest.raises(Illegal):
            make_move(ByCode(code), game_id=game_of(table).pk, seq=2, move=move)


class TestCodesEnd:
    @pytest.mark.parametrize(
        "end",
        [
            lambda cast, competition, table: act(cast.olga, competition, CloseRound, void_undecided="x"),
            lambda cast, competition, table: act(cast.olga, competition, WithdrawRound, reason="x"),
            lambda cast, competition, table: act(
                cast.olga, competition, SetResult, table=table.pk, **DECIDED
            ),
        ],
        ids=["closed", "withdrawn", "table decided"],
    )
    def test_with_the_round_or_the_table(
        self,
        cast: Cast,
        competition: Competition,
        table: Table,
        codes: list[str],
        end: Callable[[Cast, Competition, Table], Any],
    ) -> None:
        held, game = try_code(typed=codes[0], client=HERE), game_of(table)
        end(cast, competition, table)
        assert not is_good(codes[0])
        with pytest.raises(PermissionDenied):
            make_move(ByCode(held), game_id=game.pk, seq=2, move=ROUND)

    def test_at_one_table_while_the_others_go_on(
        self, cast: Cast, competition: Competition, table: Table, codes: list[str]
    ) -> None:
        other = tables(competition)[1]
        act(cast.olga, competition, SetResult, table=other.pk, **DECIDED)
        assert is_good(codes[0])

    def test_only_when_a_table_that_is_put_off_is_decided(
        self, cast: Cast, competition: Competition, table: Table, codes: list[str]
    ) -> None:
        act(cast.olga, competition, PostponeTable, table=table.pk, reason="ill")
        act(cast.olga, competition, CloseRound, void_undecided="x")
        assert is_good(codes[0])
        act(cast.olga, competition, SetResult, table=table.pk, **DECIDED)
        assert not is_good(codes[0])

    def test_are_made_anew_by_each_print_and_the_last_ones_are_good(
        self, cast: Cast, competition: Competition, table: Table, codes: list[str]
    ) -> None:
        for _ in range(KEPT - 1):
            make_codes(by=cast.olga, competition=competition, tables=[table])
        assert is_good(codes[0])
        make_codes(by=cast.olga, competition=competition, tables=[table])
        assert not is_good(codes[0])
        assert SeatCode.objects.filter(table=table.pk, seat=0).count() == KEPT

    def test_when_a_sheet_was_lost(self, cast: Cast, competition: Competition, codes: list[str]) -> None:
        assert withdraw_codes(by=cast.olga, competition=competition) == 4
        assert not is_good(codes[0])

    def test_not_when_rows_are_rebuilt(self, competition: Competition, codes: list[str]) -> None:
        call_command("rebuild", verbosity=0)
        assert is_good(codes[0])


class TestMaking:
    def test_is_for_organisers_and_scorekeepers(
        self, cast: Cast, competition: Competition, table: Table
    ) -> None:
        for account in (cast.paul, cast.nora):
            with pytest.raises(PermissionDenied):
                make_codes(by=account, competition=competition, tables=[table])
            with pytest.raises(PermissionDenied):
                withdraw_codes(by=account, competition=competition)

    def test_gives_none_for_a_round_that_is_not_published(self, cast: Cast) -> None:
        competition = opened(cast, 4, ruleset="high-card-on-paper")
        for verb in (StartCompetition, DrawRound):
            act(cast.olga, competition, verb)
        assert make_codes(by=cast.olga, competition=competition, tables=tables(competition)) == {}
        act(cast.olga, competition, PublishRound)
        assert len(make_codes(by=cast.olga, competition=competition, tables=tables(competition))) == 4

    def test_gives_none_for_tables_of_another_competition(
        self, cast: Cast, competition: Competition, table: Table
    ) -> None:
        other = in_play(cast, 4, ruleset="high-card-on-paper", name="Other")
        assert make_codes(by=cast.olga, competition=other, tables=[table]) == {}

    def test_gives_none_where_cards_are_dealt(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        assert make_codes(by=cast.olga, competition=competition, tables=tables(competition)) == {}


class TestGuessing:
    def test_is_told_to_stop_after_some_wrong_codes(self, codes: list[str]) -> None:
        for _ in range(MOST_OF_CLIENT):
            with pytest.raises(Illegal) as refused:
                try_code(typed="ZZZZZZZZ", client=HERE)
            assert not isinstance(refused.value, TooManyTries)
        with pytest.raises(TooManyTries):
            try_code(typed="ZZZZZZZZ", client=HERE)
        with pytest.raises(Illegal) as elsewhere:
            try_code(typed="ZZZZZZZZ", client="192.0.2.2")
        assert not isinstance(elsewhere.value, TooManyTries)

    def test_is_refused_as_ever_where_the_count_ends_meanwhile(
        self, codes: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cache, "add", lambda *_: False)
        with pytest.raises(Illegal):
            try_code(typed="ZZZZZZZZ", client=HERE)

    def test_keeps_nobody_out_who_has_a_code(self, codes: list[str]) -> None:
        for _ in range(MOST_OF_CLIENT + 5):
            assert not is_good("ZZZZZZZZ")
        assert all(is_good(code) for code in codes)

    def test_of_second_halves_stops_at_the_table(self, codes: list[str]) -> None:
        miss(codes[0], MOST_AT_TABLE - 1)
        assert is_good(codes[0])
        miss(codes[0], 1)
        with pytest.raises(TooManyTries):
            try_code(typed=codes[0], client="203.0.113.9")
        assert all(is_good(code) for code in codes[1:])

    def test_counts_the_tries_of_a_whole_table(self, codes: list[str]) -> None:
        miss(codes[0], MOST_AT_TABLE // 2)
        miss(codes[1], MOST_AT_TABLE - MOST_AT_TABLE // 2)
        assert [is_good(code) for code in codes] == [False, False, True, True]

    def test_is_forgotten_after_a_while(self, codes: list[str]) -> None:
        miss(codes[0], MOST_AT_TABLE)
        assert not is_good(codes[0])
        with time_machine.travel(timezone.now() + WINDOW + timedelta(seconds=1)):
            assert is_good(codes[0])
            miss(codes[0], 1)
            assert is_good(codes[0])

    def test_leaves_other_tables_alone(self, cast: Cast, competition: Competition, codes: list[str]) -> None:
        other = tables(competition)[1]
        made = make_codes(by=cast.olga, competition=competition, tables=[other])
        miss(codes[0], MOST_AT_TABLE)
        assert all(is_good(code) for code in made.values())


def test_partners_do_not_confirm_for_each_other_and_two_teams_are_first_and_second(cast: Cast) -> None:
    teams: dict[str, Any] = {
        "lineup": "partners",
        "team_size": 2,
        "stages": [{**PLAN, "rounds": 1, "table_size": 2}],
    }
    competition = opened(cast, ruleset="high-card-on-paper", options={"rounds": 1}, **teams)
    one, two, three, four = (str(player.pk) for player in cast.people(4))
    pairs = [EnterPlayers((one, two)), EnterPlayers((three, four))]
    verbs = [*pairs, StartCompetition(), DrawRound(), PublishRound()]
    perform(ByAccount(cast.olga), competition=competition, verb=verbs)
    (table,) = tables(competition)
    game, made = game_of(table), make_codes(by=cast.olga, competition=competition, tables=[table])
    codes = [try_code(typed=code, client=HERE) for _, code in sorted(made.items())]
    for seat, (seq, move) in enumerate([(2, ROUND), (3, CONFIRM)]):
        if seat:
            with pytest.raises(Illegal, match="An opponent must confirm"):
                make_move(ByCode(codes[2]), game_id=game.pk, seq=seq, move=move)
            listed = choices_of(log.latest(game), 2, tuple, lambda: table)
            assert "confirm" not in [each.type for each in listed]
        make_move(ByCode(codes[seat]), game_id=game.pk, seq=seq, move=move)
    record_result(game_id=game.pk)
    assert [seat.rank for seat in table.seats.all()] == [1, 2, 1, 2]
