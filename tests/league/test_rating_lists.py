"""Rating lists follow the logs of a club's competitions, in whatever order tasks run."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import log as games
from games import rules
from games.engine import shapes
from games.engine.replay import Actor
from games.engine.values import replace
from games.models import Game, Seat
from games.rules.card_game.definition import Definition
from games.rules.card_game.shipped import HEARTS
from league import tasks
from league.core import ratings
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.start import StartCompetition
from league.models import Competition, GameRating, Rating, Table
from league.projections import ratings as rating_lists
from league.queries import due
from league.queries.records import rating_list
from league.services.automatic import record_result
from league.words.values import ruleset_title
from tests.factories import Cast
from tests.games.test_log import at_once
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, play, play_all, tables
from tests.league.test_projections import dumped

LISTS = ("league_rating", "league_gamerating", "league_ratings")


def listed() -> Mapping[str, list[str]]:
    """Return every row of the lists, as PostgreSQL writes it."""
    rows = dumped()
    return {table: rows[table] for table in LISTS}


def recomputed(cast: Cast) -> Mapping[str, list[str]]:
    rating_lists.rebuild(cast.club.pk)
    return listed()


def counted(competition: Competition, games: Sequence[UUID]) -> None:
    """Record games, the ratings following each of them."""
    for game in games:
        record_result(game_id=game)
        rating_lists.compute_ratings(competition.pk)


def figures() -> Mapping[str, tuple[int, int]]:
    """Return each player's rating and games by name."""
    return {row.player.name: (row.points, row.games) for row in Rating.objects.select_related("player")}


class TestAResult:
    def test_updates_the_ratings_of_all_players_by_the_model(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        (game,) = play_all(competition)
        counted(competition, [game])
        seats = Seat.objects.filter(game=game).order_by("-number")
        order = [str(seat.player) for seat in seats]
        shown = ratings.ratings([ratings.rated_game(order, range(4), [1, 2, 3, 4])])
        found = {str(row.player_id): (row.points, row.uncertainty, row.games) for row in Rating.objects.all()}
        assert found == {player: (now.points, now.uncertainty, 1) for player, now in shown.items()}

    def test_is_rated_once_by_repeated_tasks(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        counted(competition, play_all(competition) * 3)
        assert {games for _, games in figures().values()} == {1}
        assert not rating_lists.compute_ratings(competition.pk)

    def test_of_a_casual_game_is_not_rated(self, cast: Cast) -> None:
        play(cast.game("tally"))
        tasks.sweep()
        assert not Rating.objects.exists()

    def test_of_partners_rates_them_as_a_team(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tests.league.tally.Tally.teams", lambda self, seats: (0, 1, 0, 1))
        competition = in_play(cast, 4)
        counted(competition, play_all(competition))
        gained = list(GameRating.objects.order_by("seat").values_list("team", "gained"))
        assert [team for team, _ in gained] == [0, 1, 0, 1]
        assert gained[0] == gained[2] and gained[1] == gained[3]

    def test_of_scram_gives_fixed_partners_equal_ratings(self, cast: Cast) -> None:
        plan = {**PLAN, "table_size": 2}
        competition = opened(cast, ruleset="scram", stages=[plan], lineup="partners", team_size=2)
        given: dict[str, Any] = {"by": cast.olga, "competition": competition}
        people = [player.pk for player in cast.people(4)]
        for pair in (people[:2], people[2:]):
            act(verb=EnterPlayers, players=pair, **given)
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(verb=verb, **given)
        (game,) = Game.objects.all()
        for seat in (0, 2):
            # The system may have moved for the seat that left.
            game.refresh_from_db()
            actor, resign = Actor("seat", seat), {"type": "resign"}
            games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=resign, account=None)
        counted(competition, [game.pk])
        points = {row.player_id: row.points for row in Rating.objects.all()}
        assert points[people[0]] == points[people[1]] != points[people[2]] == points[people[3]]

    def test_is_rated_by_the_sweep_when_its_task_is_lost(self, cast: Cast) -> None:
        competition = in_play(cast, 4)
        record_result(game_id=play_all(competition)[0])
        assert due.ratings_to_compute() == [competition.pk]
        tasks.sweep()
        assert due.ratings_to_compute() == []
        assert Rating.objects.count() == 4


class TestACorrection:
    @pytest.fixture
    def competition(self, cast: Cast) -> Competition:
        competition = in_play(cast, 4)
        counted(competition, play_all(competition))
        return competition

    def verdict(self, cast: Cast, competition: Competition, verb: Any, **shown: Any) -> None:
        act(cast.olga, competition, verb, reason="a mistake", **shown)
        rating_lists.compute_ratings(competition.pk)

    def test_that_voids_a_table_removes_its_game(self, cast: Cast, competition: Competition) -> None:
        self.verdict(cast, competition, VoidTable, table=tables(competition)[0].pk)
        assert not Rating.objects.exists()
        assert recomputed(cast) == listed()

    def test_that_rules_on_a_table_rates_its_game_by_the_ruling(
        self, cast: Cast, competition: Competition
    ) -> None:
        (table,) = tables(competition)
        seats = [{"seat": seat, "rank": seat + 1, "score": 0} for seat in range(4)]
        self.verdict(cast, competition, SetResult, table=table.pk, seats=seats)
        gained = list(GameRating.objects.order_by("seat").values_list("gained", flat=True))
        assert gained == sorted(gained, reverse=True)


class TestTheOrder:
    @pytest.fixture
    def games(self, cast: Cast) -> list[tuple[Competition, UUID]]:
        """Games of three competitions, in the order in which they ended; no log knows of them yet."""
        competitions = [in_play(cast, 8, name=name) for name in ("Autumn", "Winter", "Spring")]
        return [(each, game) for each in competitions for game in play_all(each)]

    @given(order=st.permutations(range(6)), voided=st.integers(0, 5))
    @settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_of_recorded_results_changes_nothing(
        self, cast: Cast, games: list[tuple[Competition, UUID]], order: list[int], voided: int
    ) -> None:
        with transaction.atomic():
            for at in order:
                counted(games[at][0], [games[at][1]])
            competition, game = games[voided]
            table = Table.objects.get(games=game)
            act(cast.olga, competition, VoidTable, table=table.pk, reason="no light")
            rating_lists.compute_ratings(competition.pk)
            followed = listed()
            assert recomputed(cast) == followed
            transaction.set_rollback(True)

    def test_is_the_order_in_which_games_ended(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        first, second = play_all(competition)
        counted(competition, [second, first])
        ends = GameRating.objects.order_by("ended_at", "game_id").values_list("game", "ended_at").distinct()
        assert list(ends) == [(game, Game.objects.get(pk=game).moved_at) for game in (first, second)]


def ruled(cast: Cast, game: Definition, name: str) -> Competition:
    """Return a competition of four with a score card, whose table is decided and rated."""
    defined = {"definition": shapes.write(game)}
    competition = in_play(cast, 4, name=name, ruleset="card-game", options=defined)
    seats = [{"seat": seat, "rank": seat + 1, "score": seat} for seat in range(4)]
    act(cast.olga, competition, SetResult, table=tables(competition)[0].pk, seats=seats, reason="on paper")
    rating_lists.compute_ratings(competition.pk)
    return competition


MARIA: Final = replace(HEARTS, title="Black Maria")


def test_of_a_clubs_game_goes_on_when_its_words_are_mended(cast: Cast) -> None:
    before = ruled(cast, MARIA, "Autumn")
    mended = ruled(cast, replace(MARIA, summary="The queen counts 13."), "Winter")
    ruled(cast, replace(MARIA, target=50), "Spring")
    lists = Rating.objects.values_list("ruleset", flat=True)
    assert before.ruleset != mended.ruleset and len({*lists}) == 2
    for each in (before, mended):
        assert rating_list(cast.club, each.ruleset).get(player=cast.paul_plays).games == 2
    followed = listed()
    assert recomputed(cast) == followed
    with rules_never_met():
        assert ruleset_title(rules.game_key(mended.ruleset)) == "Black Maria"


def test_that_went_by_the_whole_definition_is_rebuilt_as_one(cast: Cast) -> None:
    both = [ruled(cast, MARIA, "Autumn"), ruled(cast, replace(MARIA, source="Ours."), "Winter")]
    followed = listed()
    for each in both:
        former = each.ruleset.partition("@")[0]
        GameRating.objects.filter(competition=each).update(ruleset=former)
        Rating.objects.update(ruleset=former)
    assert recomputed(cast) == followed


@contextmanager
def rules_never_met() -> Iterator[None]:
    """Let this process know no definitions, as after a restart."""
    met = {**rules._DEFINED}
    rules._DEFINED.clear()
    try:
        yield
    finally:
        rules._DEFINED.update(met)


@pytest.mark.django_db(transaction=True)
def test_several_concurrent_workers_rate_every_game_once(cast: Cast) -> None:
    competitions = [in_play(cast, 8, name=name) for name in ("Autumn", "Winter")]
    for each in competitions:
        for game in play_all(each):
            record_result(game_id=game)
    compute = [partial(rating_lists.compute_ratings, each.pk) for each in competitions]
    answers = at_once([*compute * 3, partial(rating_lists.rebuild, cast.club.pk)])
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert due.ratings_to_compute() == []
    followed = listed()
    assert len(followed["league_gamerating"]) == 16
    assert recomputed(cast) == followed
