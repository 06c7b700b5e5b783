"""Casual games and moves: who may move for which seat."""

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Illegal, Malformed, Stale
from games.models import Game
from games.models.moves import Move
from league.callers import ByAccount
from league.models import ClubGame
from league.queries.games import seated
from league.services.casual_games import open_casual_game
from league.services.play import make_move
from tests.factories import Cast


def say(number: int) -> dict[str, object]:
    return {"type": "say", "number": number}


def test_a_member_opens_a_casual_game_of_the_club(cast: Cast) -> None:
    game = open_casual_game(
        by=cast.paul,
        club=cast.club,
        ruleset="tally",
        options={},
        players=[cast.petra_plays.pk, cast.paul_plays.pk],
    )
    assert [seat.player for seat in seated(game)] == [cast.petra_plays, cast.paul_plays]
    assert ClubGame.objects.get().club == cast.club


def test_a_stranger_can_not_open_a_game_of_the_club(cast: Cast) -> None:
    with pytest.raises(PermissionDenied):
        open_casual_game(by=cast.nora, club=cast.club, ruleset="tally", options={}, players=[])


def test_players_who_cannot_sit_down_are_named_by_seat(cast: Cast) -> None:
    with pytest.raises(Malformed) as refused:
        cast.game("tally", players=[cast.paul_plays.pk, uuid4(), cast.paul_plays.pk])
    assert list(refused.value.errors) == ["players.1", "players.2"]
    assert not Game.objects.exists()


def test_players_move_for_their_own_seat_and_the_log_has_their_accounts(cast: Cast) -> None:
    game = cast.game("tally")
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    last = make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=say(7))
    answer = Move.objects.filter(game=game, seq__gt=1).values_list("seat", "account").order_by("seq")
    assert list(answer) == [(0, str(cast.paul.pk)), (1, str(cast.petra.pk))]
    assert last.game.status == "finished"


@pytest.mark.parametrize("who", ["olga", "nora"])
def test_an_account_without_a_seat_can_not_move(cast: Cast, who: str) -> None:
    game = cast.game("tally")
    with pytest.raises(PermissionDenied):
        make_move(ByAccount(getattr(cast, who)), game_id=game.pk, seq=2, move=say(5))


@pytest.mark.parametrize(("who", "may"), [("olga", True), ("paul", False), ("nora", False)])
def test_an_arbiter_is_an_organiser_of_the_club(cast: Cast, who: str, may: bool) -> None:
    game = cast.game("tally")
    penalty = {"type": "penalty", "seat": 1, "points": 3, "reason": "late"}
    if may:
        assert make_move(ByAccount(getattr(cast, who)), game_id=game.pk, seq=2, move=penalty).created
    else:
        with pytest.raises(PermissionDenied):
            make_move(ByAccount(getattr(cast, who)), game_id=game.pk, seq=2, move=penalty)


def test_a_repeated_move_succeeds_and_another_is_stale(cast: Cast) -> None:
    game = cast.game("tally")
    first = make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    again = make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    assert (again.entry, again.created) == (first.entry, False)
    with pytest.raises(Stale):
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(6))


@pytest.mark.parametrize(
    "move", [None, [], "say", {}, {"type": []}, {"type": "say"}, {"type": "say", "x": 1}]
)
def test_an_invalid_move_is_malformed(cast: Cast, move: object) -> None:
    game = cast.game("tally")
    with pytest.raises(Malformed):
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=move)


def test_a_move_against_the_rules_changes_nothing(cast: Cast) -> None:
    game = cast.game("tally")
    with pytest.raises(Illegal) as refused:
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(13))
    assert refused.value.rule == "T2"
    assert Move.objects.filter(game=game).count() == 1


@pytest.mark.parametrize("move", [say(1), {"type": "abandon", "reason": "no"}])
def test_an_unknown_game_is_not_found(cast: Cast, move: object) -> None:
    with pytest.raises(Game.DoesNotExist):
        make_move(ByAccount(cast.paul), game_id=uuid4(), seq=2, move=move)


def test_the_number_of_queries_does_not_depend_on_the_number_of_moves(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 40})
    costs = []
    for seq in range(2, 70):
        account = cast.paul if seq % 2 == 0 else cast.petra
        with CaptureQueriesContext(connection) as queries:
            make_move(ByAccount(account), game_id=game.pk, seq=seq, move=say(1))
        costs.append(len(queries))
    assert set(costs) == {7}
