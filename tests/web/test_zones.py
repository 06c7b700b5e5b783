"""The reader's own time zone: on pages and in emails about its games, beside that of the club."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Malformed
from games.models import Game
from league.models import Club
from league.services.accounts import choose_zone
from league.services.casual_games import open_casual_game
from tests.factories import Cast
from tests.league.playing import in_play, play_all
from tests.web.conftest import Visit
from tests.web.test_game import page_text
from tests.web.test_replays import answer_of, golden

AUCKLAND = "Pacific/Auckland"
NOON = datetime(2099, 7, 1, 12, tzinfo=UTC)
IN_LISBON, IN_AUCKLAND = "1 Jul 2099, 13:00 WEST", "2 Jul 2099, 00:00 NZST"


@pytest.fixture(autouse=True)
def _lisbon(cast: Cast) -> None:
    """The club is in Lisbon, sleeps never, and can send Paul emails, who lives in Auckland."""
    Club.objects.update(timezone="Europe/Lisbon")
    cast.club.refresh_from_db()
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    choose_zone(by=cast.paul, timezone=AUCKLAND)


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game that has waited for Paul since midnight, whose move is due at noon UTC."""
    game = cast.game("tally")
    clock = {"move": 43200, "reminder": 3600}
    since = datetime(2099, 7, 1, 0, tzinfo=UTC)
    Game.objects.filter(pk=game.pk).update(since=[since, None], awaited=[0], clock=clock, deadline=NOON)
    game.refresh_from_db()
    return game


class TestADeadline:
    def test_is_in_the_readers_zone_on_the_page_of_a_game(
        self, as_account: Visit, cast: Cast, game: Game
    ) -> None:
        for address in (f"/games/{game.pk}/", f"/games/{game.pk}/news/?after=1"):
            page = page_text(as_account(cast.paul).get(address))
            assert f">{IN_AUCKLAND}<" in page and IN_LISBON not in page

    def test_is_in_the_clubs_zone_for_all_who_have_none(
        self, client: Client, as_account: Visit, cast: Cast, game: Game
    ) -> None:
        for visitor in (client, as_account(cast.petra)):
            for address in (f"/games/{game.pk}/", f"/games/{game.pk}/news/?after=1"):
                page = page_text(visitor.get(address))
                assert f">{IN_LISBON}<" in page and IN_AUCKLAND not in page

    @pytest.mark.parametrize("mine", [True, False])
    def test_is_in_the_list_of_own_tables(
        self, as_account: Visit, cast: Cast, game: Game, mine: bool
    ) -> None:
        page = page_text(as_account(cast.paul if mine else cast.petra).get("/account/"))
        assert (IN_AUCKLAND in page) is mine
        assert (IN_LISBON in page) is not mine

    def test_of_a_round_is_in_the_list_of_own_tables(self, as_account: Visit, cast: Cast) -> None:
        competition = in_play(cast, 2)
        competition.stages.get().rounds.update(deadline=NOON)
        page = page_text(as_account(cast.paul).get("/account/"))
        assert "The round must be finished by" in page and IN_AUCKLAND in page
        play_all(competition)
        assert "The round must be finished by" not in page_text(as_account(cast.paul).get("/account/"))


def test_the_page_of_a_competition_is_in_the_clubs_zone(as_account: Visit, cast: Cast) -> None:
    competition = in_play(cast, 2)
    competition.stages.get().rounds.update(deadline=NOON)
    page = page_text(as_account(cast.paul).get(f"/competitions/{competition.slug}/rounds/"))
    assert IN_LISBON in page and IN_AUCKLAND not in page


def test_an_invitation_to_play_is_in_the_readers_zone(as_account: Visit, cast: Cast) -> None:
    players = [player.pk for player in cast.people(2)]
    game = open_casual_game(by=cast.petra, club=cast.club, ruleset="tally", options={}, players=players)
    for address in ("/account/", f"/games/{game.pk}/"):
        assert " NZ" in page_text(as_account(cast.paul).get(address))
    assert " WE" in page_text(as_account(cast.petra).get(f"/games/{game.pk}/"))


def test_pages_of_no_club_are_in_the_readers_zone(as_account: Visit, cast: Cast) -> None:
    Club.objects.update(timezone="UTC")
    client = as_account(cast.paul)
    client.post("/account/", {"name": "My bot", "scopes": ["read:private"]})
    assert " NZ" in page_text(client.get("/account/"))


def test_a_replay_has_the_times_of_its_reader_and_a_tag_of_its_own(
    client: Client, as_account: Visit, cast: Cast
) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    paul, address = as_account(cast.paul), f"/games/{game.pk}/frames/"
    everybodys = client.get(address)
    own = paul.get(address, headers={"If-None-Match": everybodys["ETag"]})
    assert own.status_code == 200 and own.content != everybodys.content
    assert answer_of(as_account(cast.petra), game) == everybodys.json()
    for move in own.json()["moves"]:
        assert move.partition("<a")[2].strip() in page_text(paul.get(f"/games/{game.pk}/?moves=all"))
    embedded = paul.get(f"/embed{address}")
    assert embedded.content == everybodys.content and "Cookie" not in embedded.get("Vary", "")


def test_a_page_takes_no_query_more(as_account: Visit, cast: Cast, game: Game) -> None:
    def queries(client: Client) -> int:
        with CaptureQueriesContext(connection) as made:
            client.get(f"/games/{game.pk}/news/?after=1")
        return len(made)

    assert queries(as_account(cast.paul)) == queries(as_account(cast.petra))


class TestTheChoice:
    def test_is_made_on_a_page_of_the_account(self, as_account: Visit, cast: Cast) -> None:
        client = as_account(cast.petra)
        assert '<option value="" selected>' in page_text(client.get("/account/zone/"))
        client.post("/account/zone/", {"timezone": "Asia/Tokyo"})
        cast.petra.refresh_from_db()
        assert cast.petra.timezone == "Asia/Tokyo"
        assert '<option value="Asia/Tokyo" selected>' in page_text(client.get("/account/zone/"))
        client.post("/account/zone/", {"timezone": ""})
        cast.petra.refresh_from_db()
        assert cast.petra.timezone == ""

    def test_is_a_known_zone(self, as_account: Visit, cast: Cast) -> None:
        answer = as_account(cast.paul).post("/account/zone/", {"timezone": "Atlantis/Capital"})
        assert answer.status_code == 422
        with pytest.raises(Malformed):
            choose_zone(by=cast.paul, timezone="Atlantis/Capital")
        cast.paul.refresh_from_db()
        assert cast.paul.timezone == AUCKLAND

    def test_is_offered_with_the_zones_that_are_shown_now(self, as_account: Visit, cast: Cast) -> None:
        assert 'data-zones="Europe/Lisbon"' in page_text(as_account(cast.petra).get("/account/"))
        assert "data-zones" not in page_text(as_account(cast.paul).get("/account/"))
        assert f'data-zones="{AUCKLAND}"' in page_text(as_account(cast.paul).get("/account/zone/"))
