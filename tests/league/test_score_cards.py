"""Unconfirmed score cards on the organisers' desk."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import rules
from games.engine.refusals import Illegal
from games.models import Game
from league.admin import needs
from league.callers import ByAccount
from league.core.verbs.rounds import CloseRound
from league.models import Club, Competition, Table
from league.projections.standings import compute_standings
from league.queries import due
from league.queries.events import events_of
from league.queries.games import seated
from league.queries.score_cards import unconfirmed_score_cards
from league.services.automatic import record_result
from league.services.play import make_move, make_moves
from league.words.event_text import event_lines
from tests.factories import Cast, MemberFactory
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, stands
from tests.league.test_admin_scope import logged_in
from tests.league.test_deadlines import later, with_hours
from tests.league.test_desk_verbs import ask, page_text
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
        make_move(ByAccount(by), game_id=game.pk, seq=at + 2, move=move)
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
    make_move(ByAccount(cast.olga), game_id=over.pk, seq=3, move={"type": "abandon", "reason": "lost"})
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
        make_move(ByAccount(player.account), game_id=place.pk, seq=seq, move=move)
    recorded = record_result(game_id=place.pk)
    assert recorded
    event = competition.events.get(seq=recorded.competition.seq)
    assert (event.role, event.account) == ("system", str(players[1].account.pk))  # type: ignore[union-attr]
    compute_standings(competition.pk)
    first, second = stands(competition)
    assert first.entry.name == str(players[0]) and first.rank < second.rank


def test_results_recorded_together_are_of_cards_that_one_account_wrote_last(cast: Cast) -> None:
    plan = {**PLAN, "rounds": 1, "table_size": 2}
    competition = in_play(cast, 6, ruleset="scoops-scorecard", options={"target": 1}, stages=[plan])
    others, own, again = (each.game_id for each in competition.games.order_by("table__number"))
    sven = MemberFactory.create(club=cast.club, role="scorekeeper").account
    won = {"type": "round", "round": 1, "goal": "Bowl", "winner": 0}
    for by, game in ((sven, others), (cast.olga, own), (cast.olga, again)):
        make_move(ByAccount(by), game_id=game, seq=2, move=won)
    record_result(game_id=own)
    assert due.games_to_record() == [others]


@pytest.mark.parametrize("verb", ["close-early", "void"])
def test_what_ends_a_card_that_nobody_confirmed_says_so_with_a_link_to_it(cast: Cast, verb: str) -> None:
    plan = {**PLAN, "rounds": 1, "table_size": 2}
    competition = in_play(cast, 2, ruleset="high-card-on-paper", options={"rounds": 1}, stages=[plan])
    olga, place = logged_in(cast.olga), competition.games.get()
    page = page_text(ask(olga, competition, verb, f"?table={place.table_id}"))
    assert "not confirmed" not in page
    player = seated(place.game)[0].player
    assert player and player.account
    make_move(ByAccount(player.account), game_id=place.pk, seq=2, move=ROUND)
    page = page_text(ask(olga, competition, verb, f"?table={place.table_id}"))
    assert "Round 1, table 1: the scores of deal 1 are not confirmed." in page
    assert f'href="/games/{place.pk}/scores/">Confirm the scores</a>' in page


@pytest.mark.parametrize(("minutes", "needed"), [(29, 0), (31, 1)])
def test_the_desk_shows_a_card_after_half_an_hour(cast: Cast, minutes: int, needed: int) -> None:
    game = card(cast, ROUND)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(minutes=minutes))
    found = list(needs.score_cards_to_confirm(Club.objects.filter(pk=cast.club.pk)))
    assert len(found) == needed
    assert all(need.text == "Score card: the scores of deal 1 are not confirmed." for need in found)
    assert all(need.address == f"/games/{game.pk}/scores/" for need in found)


def test_the_desk_shows_a_disputed_card_at_once(cast: Cast) -> None:
    game = card(cast, ROUND, CORRECTION)
    (need,) = needs.disputed_score_cards(Club.objects.filter(pk=cast.club.pk))
    assert (need.text, need.address) == (
        "Score card: the scores of deal 1 are disputed.",
        f"/games/{game.pk}/scores/",
    )
    make_move(ByAccount(cast.olga), game_id=game.pk, seq=4, move={**CORRECTION, "lines": lines(1, 0)})
    assert not list(needs.disputed_score_cards(Club.objects.filter(pk=cast.club.pk)))


def test_what_a_player_wrote_is_still_shown_where_a_scorekeeper_has_corrected_it(cast: Cast) -> None:
    game = card(cast, ROUND, CORRECTION)
    make_move(ByAccount(cast.olga), game_id=game.pk, seq=4, move={**CORRECTION, "lines": lines(1, 0)})
    for account, page in ((cast.olga, "scores/"), (cast.olga, ""), (cast.paul, ""), (cast.petra, "")):
        shown = page_text(logged_in(account).get(f"/games/{game.pk}/{page}"))
        (told,) = re.findall(r'<details class="written">(.*?)</details>', shown, re.DOTALL)
        written = [line.split()[0] for line in re.findall(r"<li>(.*?)</li>", told, re.DOTALL)]
        assert written == ["Paul", "Petra", "An"], page
    untouched = page_text(logged_in(cast.olga).get(f"/games/{card(cast, ROUND).pk}/"))
    assert 'class="written"' not in untouched


@pytest.mark.parametrize("entered", [False, True])
def test_a_late_score_card_says_what_it_waits_for_and_by_whom(cast: Cast, entered: bool) -> None:
    plan = {**PLAN, "rounds": 1, "table_size": 2, "hours": 24}
    settings = {"ruleset": "high-card-on-paper", "options": {"rounds": 1}, "overdue": "forfeit"}
    competition = with_hours(cast, 2, stages=[plan], **settings)
    with later(26):
        if entered:
            player = seated(competition.games.get().game)[0].player
            assert player and player.account
            make_move(ByAccount(player.account), game_id=competition.games.get().pk, seq=2, move=ROUND)
        found = needs.late_tables(Club.objects.filter(pk=cast.club.pk))
        (text,) = (str(each.text) for each in found)
    what = "the scores of deal 1 wait to be confirmed" if entered else "its scores wait to be entered"
    assert text.startswith(f"Round 1, table 1 is late; {what}, by ")
    assert "Paul Pike" in text and "Petra Plum" in text and "–" not in text


class TestACorrectionOfAFullCard:
    """Its result is recorded again; without an end the table is played on."""

    @pytest.fixture
    def game(self, cast: Cast) -> Game:
        plan = {**PLAN, "rounds": 1, "table_size": 2}
        competition = in_play(cast, 2, ruleset="scoops-scorecard", options={"target": 1}, stages=[plan])
        game: Game = competition.games.get().game
        won = {"type": "round", "round": 1, "goal": "Bowl", "winner": 0}
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=2, move=won)
        record_result(game_id=game.pk)
        return game

    def correct(self, cast: Cast, game: Game, **result: Any) -> None:
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=3, move=self.correction(**result))

    def correction(self, **result: Any) -> dict[str, Any]:
        return {"type": "correct", "replaces": 1, "goal": "Bowl", **result}

    def table(self, game: Game) -> Table:
        return Table.objects.get(games__game=game)

    def test_changes_its_result(self, cast: Cast, game: Game) -> None:
        self.correct(cast, game, winner=1)
        assert due.games_to_record() == [game.pk]
        record_result(game_id=game.pk)
        assert due.games_to_record() == []
        assert [seat.rank for seat in self.table(game).seats.order_by("number")] == [2, 1]

    def test_is_told_with_what_was_before(self, cast: Cast, game: Game) -> None:
        self.correct(cast, game, winner=1)
        record_result(game_id=game.pk)
        competition = Competition.objects.get()
        results = events_of(competition).filter(event__type="result_recorded").order_by("seq")
        first, corrected = (line.sentence for line in event_lines(list(results)))
        before = first.removeprefix("Round 1, table 1 has finished: ").removesuffix(".")
        assert before in corrected and corrected.startswith("Round 1, table 1: the score card is corrected: ")
        assert before != corrected.partition(" → ")[2].removesuffix(".")

    def test_lets_the_table_play_on(self, cast: Cast, game: Game) -> None:
        self.correct(cast, game)
        assert due.games_to_record() == [game.pk]
        record_result(game_id=game.pk)
        assert due.games_to_record() == []
        assert self.table(game).status == Table.Status.PLAYING
        won = {"type": "round", "round": 2, "goal": "Bowl", "winner": 1}
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=4, move=won)
        record_result(game_id=game.pk)
        assert self.table(game).status == Table.Status.PLAYED

    def test_is_an_organisers_ruling_once_the_round_is_closed(self, cast: Cast, game: Game) -> None:
        act(cast.olga, Competition.objects.get(), CloseRound)
        with pytest.raises(Illegal, match="The card is closed"):
            self.correct(cast, game, winner=1)
        with pytest.raises(Illegal, match="The card is closed"):
            make_moves(ByAccount(cast.olga), game_id=game.pk, seq=3, moves=[self.correction(winner=1)])

    def test_is_not_made_by_a_player(self, cast: Cast, game: Game) -> None:
        player = Table.objects.get(games__game=game).seats.get(number=0).player
        assert player.account is not None
        with pytest.raises(Illegal, match="The game is over"):
            make_move(ByAccount(player.account), game_id=game.pk, seq=3, move=self.correction(winner=1))
