"""Unconfirmed score cards on the organisers' desk."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import rules
from games.models import Game
from league.admin import needs
from league.models import Club, Standing
from league.projections import competitions as projections
from league.queries.games import seated
from league.queries.score_cards import unconfirmed_score_cards
from league.services.play import make_move
from league.services.results import record_result
from tests.factories import Cast
from tests.league.playing import PLAN, in_play
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


def card(cast: Cast, *moves: dict[str, Any]) -> Game:
    """Return a card on which Paul, then Petra, then Paul … has written."""
    game = cast.game("high-card-on-paper")
    for at, move in enumerate(moves):
        by = (cast.paul, cast.petra)[at % 2]
        make_move(by=by, game_id=game.pk, seq=at + 2, move=move)
    return game


ROUND: dict[str, Any] = {"type": "round", "round": 1, "lines": lines(1, 0)}
CORRECTION: dict[str, Any] = {"type": "correct", "replaces": 1, "lines": lines(0, 1)}
CONFIRMATION: dict[str, Any] = {"type": "confirm", "round": 1}


def unconfirmed(cast: Cast) -> list[tuple[Any, ...]]:
    clubs = Club.objects.filter(pk=cast.club.pk)
    cards = [each.game for among in (False, True) for each in unconfirmed_score_cards(clubs, disputed=among)]
    return [(game.pk, game.unconfirmed, game.disputed) for game in cards]


def test_a_card_waits_until_an_entered_round_is_confirmed(cast: Cast) -> None:
    card(cast)
    card(cast, ROUND, CONFIRMATION)
    waiting, disputed = card(cast, ROUND), card(cast, ROUND, CORRECTION)
    card(cast, ROUND, CORRECTION, CONFIRMATION)
    assert unconfirmed(cast) == [(waiting.pk, [1], []), (disputed.pk, [1], [1])]


def test_other_clubs_other_games_and_finished_cards_are_left_out(cast: Cast) -> None:
    cast.game("scoops")
    over = card(cast, ROUND)
    make_move(by=cast.olga, game_id=over.pk, seq=3, move={"type": "abandon", "reason": "lost"})
    card(cast, ROUND)
    assert not unconfirmed_score_cards(Club.objects.exclude(pk=cast.club.pk), disputed=False)
    assert len(unconfirmed(cast)) == 1


def test_the_number_of_queries_does_not_depend_on_the_number_of_cards(cast: Cast) -> None:
    for _ in range(3):
        card(cast, ROUND)
    with CaptureQueriesContext(connection) as queries:
        unconfirmed(cast)
    assert len(queries) == 2


def test_a_confirmed_card_counts_in_its_competition(cast: Cast) -> None:
    options = {"rounds": 1}
    plan = {**PLAN, "rounds": 1, "table_size": 2}
    competition = in_play(cast, 2, ruleset="high-card-on-paper", options=options, stages=[plan])
    (place,) = competition.games.all()
    players = [seat.player for seat in seated(place.game)]
    by = dict(zip(players, (ROUND, CONFIRMATION), strict=True))
    for seq, (player, move) in enumerate(by.items(), 2):
        assert player and player.account
        make_move(by=player.account, game_id=place.pk, seq=seq, move=move)
    record_result(game_id=place.pk)
    projections.compute_standings(competition.pk)
    first, second = Standing.objects.filter(entry__competition=competition, round=None).order_by("rank")
    assert first.entry.name == str(players[0]) and first.rank < second.rank


@pytest.mark.parametrize(("minutes", "needed"), [(29, 0), (31, 1)])
def test_the_desk_shows_a_card_after_half_an_hour(cast: Cast, minutes: int, needed: int) -> None:
    game = card(cast, ROUND)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(minutes=minutes))
    found = list(needs.score_cards_to_confirm(Club.objects.filter(pk=cast.club.pk)))
    assert len(found) == needed
    assert all(need.text == "Score card: round 1 is not confirmed." for need in found)
    assert all(need.address == f"/games/{game.pk}/scores/" for need in found)


def test_the_desk_shows_a_disputed_card_at_once(cast: Cast) -> None:
    game = card(cast, ROUND, CORRECTION)
    (need,) = needs.disputed_score_cards(Club.objects.filter(pk=cast.club.pk))
    assert (need.text, need.address) == ("Score card: round 1 is disputed.", f"/games/{game.pk}/scores/")
    make_move(by=cast.olga, game_id=game.pk, seq=4, move={**CORRECTION, "lines": lines(1, 0)})
    assert not list(needs.disputed_score_cards(Club.objects.filter(pk=cast.club.pk)))
