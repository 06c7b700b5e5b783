"""Games that members open: nobody plays, waits or loses who has not agreed."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from games import log, rebuilding
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.refusals import Illegal
from games.models import Game
from league import tasks
from league.callers import ByAccount
from league.models import Account
from league.queries.games import games_of_player, invitations_of, seated
from league.queries.own_tables import ended_tables
from league.services.casual_games import (
    MOST_OPEN,
    accept_game,
    choose_to_be_asked,
    decline_game,
    open_casual_game,
    open_rematch,
)
from league.services.play import make_move
from tests.api.web import say
from tests.factories import Cast
from tests.league.acting import calling
from tests.league.test_admin_scope import logged_in


def opened(cast: Cast, by: Account | None = None, clock: Clock = NO_CLOCK) -> Game:
    return open_casual_game(
        by=by or cast.paul,
        club=cast.club,
        ruleset="tally",
        options={},
        players=[player.pk for player in cast.people(2)],
        clock=clock,
    )


def status(game: Game) -> tuple[str, list[int]]:
    now = Game.objects.get(pk=game.pk)
    return now.status, now.unanswered


def test_a_members_game_waits_for_the_others_without_a_clock(cast: Cast) -> None:
    game = opened(cast, clock=Clock(move=60))
    assert (*status(game), game.deadline, game.awaited) == ("invited", [1], None, [])
    assert [each.club_game.pk for each in invitations_of(cast.petra)] == [game.pk]
    assert not invitations_of(cast.paul)
    begun = accept_game(by=cast.petra, game_id=game.pk)
    assert (begun.status, begun.seq, begun.awaited) == ("active", 2, [0]) and begun.deadline
    rebuilding.rebuild([game.pk])
    again = Game.objects.get(pk=game.pk)
    assert (again.status, again.deadline, again.unanswered) == ("active", begun.deadline, [])


def test_an_organisers_game_begins_at_once_unless_the_token_is_no_organisers(cast: Cast) -> None:
    assert status(opened(cast, by=cast.olga)) == ("active", [])
    assert status(opened(cast, by=calling(cast.olga, "play"))) == ("invited", [0, 1])


def test_whoever_agreed_beforehand_is_not_asked(cast: Cast) -> None:
    choose_to_be_asked(by=cast.petra, club=cast.club, asked=False)
    assert status(opened(cast)) == ("active", [])
    choose_to_be_asked(by=cast.petra, club=cast.club, asked=True)
    assert status(opened(cast)) == ("invited", [1])
    with pytest.raises(PermissionDenied):
        choose_to_be_asked(by=cast.nora, club=cast.club, asked=False)


def test_answers_can_be_repeated(cast: Cast) -> None:
    game = opened(cast)
    assert [accept_game(by=cast.petra, game_id=game.pk).seq for _ in range(2)] == [2, 2]
    with pytest.raises(Illegal):
        decline_game(by=cast.petra, game_id=game.pk)
    other = opened(cast)
    assert [decline_game(by=cast.petra, game_id=other.pk).seq for _ in range(2)] == [2, 2]
    with pytest.raises(Illegal):
        accept_game(by=cast.petra, game_id=other.pk)


def test_who_is_not_invited_does_not_answer_and_an_organiser_begins(cast: Cast) -> None:
    game = opened(cast)
    for answer in (accept_game, decline_game):
        with pytest.raises(PermissionDenied):
            answer(by=cast.nora, game_id=game.pk)
    with pytest.raises(PermissionDenied):
        accept_game(by=calling(cast.olga, "play"), game_id=game.pk)
    accept_game(by=cast.olga, game_id=game.pk)
    assert status(game) == ("active", [])


def test_a_game_that_never_began_is_nowhere_counted(cast: Cast) -> None:
    game = opened(cast)
    decline_game(by=cast.petra, game_id=game.pk)
    assert status(game) == ("abandoned", [1])
    assert not games_of_player(cast.petra_plays).exists() and not ended_tables(cast.petra)
    assert log.verified(Game.objects.get(pk=game.pk)).result is None


def test_an_invitation_lapses_after_seven_days(cast: Cast) -> None:
    game = opened(cast)
    with time_machine.travel(timezone.now() + timedelta(days=6, hours=23)):
        tasks.sweep()
        assert status(game)[0] == "invited"
    with time_machine.travel(timezone.now() + timedelta(days=7, minutes=1)):
        tasks.sweep()
        assert status(game)[0] == "abandoned"


def test_a_member_can_not_flood_others_with_games(cast: Cast) -> None:
    games = [opened(cast) for _ in range(MOST_OPEN)]
    with pytest.raises(Illegal, match="wait for answers"):
        opened(cast)
    decline_game(by=cast.paul, game_id=games[0].pk)
    opened(cast)


# ---- Rematches -----------------------------------------------------------------------------------


def finished(cast: Cast) -> Game:
    game = cast.game("tally", {"rounds": 1})
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=say(5))
    return game


def test_a_rematch_has_the_same_settings_and_other_seats_and_waits_for_the_others(cast: Cast) -> None:
    game = finished(cast)
    rematch, created = open_rematch(by=cast.paul, game_id=game.pk)
    assert (created, rematch.options, rematch.unanswered) == (True, game.options, [0])
    assert [seat.player for seat in seated(rematch)] == [cast.petra_plays, cast.paul_plays]
    accepted, created = open_rematch(by=cast.petra, game_id=game.pk)
    assert (accepted.pk, accepted.status, created) == (rematch.pk, "active", False)


def test_a_rematch_that_was_declined_can_be_asked_for_again(cast: Cast) -> None:
    game = finished(cast)
    rematch, _ = open_rematch(by=cast.paul, game_id=game.pk)
    decline_game(by=cast.petra, game_id=rematch.pk)
    again, created = open_rematch(by=cast.petra, game_id=game.pk)
    assert created and again.pk != rematch.pk
    assert accept_game(by=cast.paul, game_id=again.pk).status == "active"


def test_only_who_played_asks_for_a_rematch_of_a_finished_game(cast: Cast) -> None:
    with pytest.raises(PermissionDenied):
        open_rematch(by=cast.olga, game_id=finished(cast).pk)
    with pytest.raises(Illegal):
        open_rematch(by=cast.paul, game_id=cast.game("tally").pk)


def test_a_finished_game_has_a_rematch_for_its_players(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 1})
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=say(5))
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=say(5))
    page, button = reverse("game", args=[game.pk]), reverse("rematch", args=[game.pk])
    assert button in logged_in(cast.petra).get(page).content.decode()
    assert button not in logged_in(cast.nora).get(page).content.decode()
    asked = logged_in(cast.petra).post(button)
    accepted = logged_in(cast.paul).post(button)
    assert asked["Location"] == accepted["Location"] != page
