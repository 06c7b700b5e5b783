"""Who did what: both logs on the desk, searched by account, kind, entry, competition, time and reason."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.models.moves import Move
from league.callers import ByAccount
from league.core.verbs.adjustments import AdjustPoints
from league.models import Competition
from league.models.events import Event
from league.services.automatic import record_result
from league.services.play import make_move
from tests import factories
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, moved, opened, play_all
from tests.league.test_admin_scope import logged_in

EVENTS, MOVES = "/admin/league/event/", "/admin/games/move/"


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def played(cast: Cast) -> Competition:
    """A competition of Olga's in which otto, who helps her, has adjusted and penalised."""
    otto = factories.AccountFactory.create(username="otto")
    factories.MemberFactory.create(club=cast.club, account=otto, role="organiser")
    competition = in_play(cast, 8)
    entry = competition.entries.get(name="Paul Pike")
    act(otto, competition, AdjustPoints, entry=entry.pk, points="-1", reason="forgot his cards")
    game = competition.games.order_by("pk")[0].game
    penalty = {"type": "penalty", "seat": 0, "points": 5, "reason": "spoke out of turn"}
    make_move(ByAccount(otto), game_id=game.pk, seq=2, move=penalty)
    return competition


def listed(client: Client, address: str) -> list[Any]:
    return list(client.get(address).context["cl"].result_list)


def kinds(client: Client, query: str) -> list[str]:
    return [event.event["type"] for event in listed(client, f"{EVENTS}?{query}")]


class TestEvents:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("q=otto", ["adjusted"]),
            ("q=forgot his", ["adjusted"]),
            ("q=paul", ["adjusted", "entered"]),
            ("q=PÍKE", ["adjusted", "entered"]),
            ("q=adjusted", ["adjusted"]),
            ("q=nothing like it", []),
            ("kind=drawn", ["drawn"]),
            ("kind=published&q=autumn", ["published"]),
            ("role__exact=player", []),
        ],
    )
    def test_are_found(self, olga: Client, played: Competition, query: str, found: list[str]) -> None:
        assert kinds(olga, query) == found

    @pytest.mark.parametrize(
        ("term", "found"),
        [
            pytest.param("round 1", ["result_recorded"] * 2 + ["published", "drawn", "cut_off"], id="round"),
            pytest.param("drawn 1st round", ["drawn"], id="ordinal"),
            pytest.param("Table 2", ["result_recorded"], id="table"),
            pytest.param("round 1, table 2", ["result_recorded"], id="both"),
            pytest.param("Who set Paul Pike’s result in round 1?", ["result_recorded"], id="question"),
            pytest.param("round 2", [], id="another"),
            pytest.param("table 3", [], id="none"),
        ],
    )
    def test_are_found_by_round_and_table(
        self, olga: Client, cast: Cast, term: str, found: list[str]
    ) -> None:
        for game in play_all(in_play(cast, 8)):
            record_result(game_id=game)
        assert kinds(olga, f"q={term}") == found

    def test_are_found_by_account(self, olga: Client, cast: Cast, played: Competition) -> None:
        otto = Event.objects.get(event__type="adjusted").account
        assert kinds(olga, f"account={otto}") == ["adjusted"]
        hers = kinds(olga, f"account={cast.olga.pk}")
        assert (len(hers), "adjusted" in hers) == (played.events.count() - 1, False)

    def test_are_found_by_a_players_table(self, olga: Client, cast: Cast) -> None:
        for game in play_all(in_play(cast, 8)):
            record_result(game_id=game)
        assert kinds(olga, "q=pike") == ["result_recorded", "entered"]

    def test_are_found_by_competition_and_time(self, olga: Client, cast: Cast, played: Competition) -> None:
        other = opened(cast, name="Spring")
        assert kinds(olga, f"competition__id__exact={other.pk}") == ["opened"]
        assert kinds(olga, "at__year=1999") == []

    def test_say_who_when_why_and_whether_the_chain_holds(self, olga: Client, played: Competition) -> None:
        event = Event.objects.get(event__type="adjusted")
        page = olga.get(f"{EVENTS}{event.pk}/change/").content.decode()
        for each in (
            "The points of Paul Pike are adjusted by −1",
            "forgot his cards",
            "otto",
            "organiser",
            "✓ verified",
        ):
            assert each in page
        assert f'href="/competitions/{played.slug}/log/"' in page


class TestMoves:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("q=otto", ["penalty"]),
            ("q=out of turn", ["penalty"]),
            ("q=penalty", ["penalty"]),
            ("kind=penalty", ["penalty"]),
            ("role__exact=arbiter", ["penalty"]),
            ("q=nothing like it", []),
        ],
    )
    def test_are_found(self, olga: Client, played: Competition, query: str, found: list[str]) -> None:
        assert [move.move["type"] for move in listed(olga, f"{MOVES}?{query}")] == found

    def test_are_found_by_the_player_of_their_seat(self, olga: Client, cast: Cast) -> None:
        game = cast.game("tally")
        for seat, number in ((0, 3), (1, 4)):
            move = {"type": "say", "number": number}
            moved(game, seat, move)
        assert [move.seat for move in listed(olga, f"{MOVES}?q=petra")] == [1]
        assert len(listed(olga, f"{MOVES}?q={game.pk}")) == 3

    def test_link_to_the_earlier_view_and_have_the_mark(self, olga: Client, cast: Cast) -> None:
        game = cast.game("tally")
        for seat in (0, 1):
            move = {"type": "say", "number": seat}
            moved(game, seat, move)
        move_row = Move.objects.get(game=game, seq=3)
        page = olga.get(f"{MOVES}{move_row.pk}/change/").content.decode()
        for each in (f"/games/{game.pk}/?at=3", "✓ verified", "says 1", "Petra Plum"):
            assert each in page

    def test_of_a_running_game_have_a_mark_each(self, olga: Client, played: Competition) -> None:
        page = olga.get(MOVES).content.decode()
        assert "✓" in page
        assert "broken" not in page


@pytest.mark.parametrize("address", [EVENTS, MOVES])
def test_an_entry_that_was_tampered_with_is_marked(
    olga: Client, played: Competition, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database refuses to change an entry; so what is read is changed on its way."""
    model = Event if address == EVENTS else Move
    as_json = model.as_json
    monkeypatch.setattr(model, "as_json", lambda entry: {**as_json(entry), "seq": 99})
    assert "broken" in olga.get(address).content.decode()


@pytest.mark.parametrize("address", [EVENTS, MOVES])
def test_the_number_of_queries_does_not_depend_on_the_length_of_the_log(
    olga: Client, cast: Cast, address: str, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    in_play(cast, 12)
    for query in ("", "?q=player"):
        with django_assert_max_num_queries(20):
            assert olga.get(f"{address}{query}").status_code == 200
