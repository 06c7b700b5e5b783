"""The way to a score card and back: from a printed code, from the list of tables, from the desk."""

import re
from typing import Any

import pytest
from django.test import Client

from games import log
from games.models import Game
from league.models import Competition, Table
from tests.factories import Cast
from tests.league.playing import PLAN, in_play
from tests.web.conftest import Outline, Visit

LOG_IN = "Log in to enter scores"
DESK = "Run this competition on the organiser’s desk"


@pytest.fixture
def on_paper(cast: Cast) -> Competition:
    stages = [{**PLAN, "table_size": 3}]
    return in_play(cast, 3, ruleset="scamper-scorecard", stages=stages)


def page_text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def card(competition: Competition) -> str:
    """Return the address of the only table's card."""
    return f"/games/{Table.objects.get(round__stage__competition=competition).games.get().pk}/"


def points(*typed: str) -> dict[str, str]:
    """Return what is typed into the first row of the only card."""
    game = Game.objects.get()
    return {f"{game.pk}.1.seats-{seat}-cards": text for seat, text in enumerate(typed)}


def test_a_card_asks_visitors_to_log_in_and_brings_them_back(client: Client, on_paper: Competition) -> None:
    address = card(on_paper)
    page = page_text(client, address)
    assert LOG_IN in page
    assert f'href="/account/login/?next={address}play/"' in page
    asked = page_text(client, f"/account/login/?next={address}play/")
    assert "Log in to enter scores or to play: " in asked
    assert "round 1, table 1" in asked and "Autumn" in asked


@pytest.mark.parametrize("address", ["/account/", "", "//evil.example/", "/games/nothing/play/", "[broken"])
def test_the_login_page_names_no_game_for_other_addresses(client: Client, db: None, address: str) -> None:
    assert "to enter scores" not in page_text(client, f"/account/login/?next={address}")


def test_a_card_says_who_enters_scores(as_account: Visit, cast: Cast, on_paper: Competition) -> None:
    page = page_text(as_account(cast.nora), card(on_paper))
    assert "Only the players at this table, scorekeepers and organisers of the club enter scores." in page
    assert LOG_IN not in page
    page = page_text(as_account(cast.olga), card(on_paper))
    assert "Only the players at this table" not in page


def test_a_game_that_is_dealt_here_asks_nobody_to_enter_scores(client: Client, cast: Cast) -> None:
    assert LOG_IN not in page_text(client, f"/games/{cast.game('scoops').pk}/")


def test_a_saved_round_is_said_at_the_top(as_account: Visit, cast: Cast, on_paper: Competition) -> None:
    address, olga = card(on_paper), as_account(cast.olga)
    sent = {"seq": "2", "type": "round", **points("0", "35", "20")}
    answer = olga.post(f"{address}play/", sent)
    assert answer["Location"] == f"{address}#messages"
    page = page_text(olga, address)
    (message,) = [tag for tag in Outline(page).all("div") if tag.get("id") == "messages"]
    assert message["tabindex"] == "-1"
    assert "Saved." in page and "confirms it" not in page


def test_only_a_refused_ruling_unfolds_the_rulings(
    as_account: Visit, cast: Cast, on_paper: Competition
) -> None:
    address, olga = card(on_paper), as_account(cast.olga)
    sent = {"seq": "2", "type": "round", **points("7", "0", "5")}
    folded, unfolded = '<details class="no-print">', '<details class="no-print" open>'
    page = olga.post(f"{address}play/", sent).content.decode()
    assert "Not saved." in page
    assert folded in page and unfolded not in page
    page = olga.post(f"{address}play/", {"seq": "2", "type": "abandon"}).content.decode()
    assert unfolded in page
    assert len(log.entries(Game.objects.get())) == 1


def test_each_table_of_a_game_on_paper_has_a_link_to_its_card(
    client: Client, cast: Cast, on_paper: Competition
) -> None:
    for part in ("", "rounds/"):
        page = page_text(client, f"/competitions/{on_paper.slug}/{part}")
        assert f'<a href="{card(on_paper)}play/">Score card<' in page
    dealt = in_play(cast, 4, name="Dealt")
    assert "Score card" not in page_text(client, f"/competitions/{dealt.slug}/rounds/")


def test_only_organisers_get_a_link_to_the_desk(
    client: Client, as_account: Visit, cast: Cast, on_paper: Competition
) -> None:
    address = f"/competitions/{on_paper.slug}/rounds/"
    page = page_text(as_account(cast.olga), address)
    assert DESK in page
    assert f'href="/admin/league/competition/{on_paper.pk}/change/"' in page
    for reader in (client, as_account(cast.paul)):
        assert DESK not in page_text(reader, address)


@pytest.mark.parametrize(("ruleset", "has"), [("scamper-scorecard", True), ("tally", False)])
def test_the_desk_offers_score_sheets_where_the_game_has_some(
    as_account: Visit, cast: Cast, ruleset: str, has: bool
) -> None:
    competition = in_play(cast, 4, ruleset=ruleset)
    page = page_text(as_account(cast.olga), f"/admin/league/competition/{competition.pk}/change/")
    assert "Pairings of the round" in page
    assert ("Score sheets" in page) is has


class TestWinner:
    """Who won a round is chosen, "Nobody" too: no form is sent with a winner that nobody chose."""

    def enter(self, client: Client, game: Game, winner: str) -> Any:
        fields = {"goal": "Float", "winner": winner, "bonus": ""}
        sent = {f"{game.pk}.1.{name}": text for name, text in fields.items()}
        return client.post(f"/games/{game.pk}/play/", {"seq": "2", "type": "round", **sent})

    def chosen(self, page: str) -> list[str]:
        """Return the values of the lists of players that are selected."""
        lists = re.findall(r'<select[^>]*\.winner".*?</select>', page, re.S)
        return re.findall(r'<option value="([^"]*)" selected', "".join(lists))

    def test_must_be_chosen(self, as_account: Visit, cast: Cast) -> None:
        game, paul = cast.game("scoops-scorecard"), as_account(cast.paul)
        assert self.chosen(page_text(paul, f"/games/{game.pk}/")) == []
        answer = self.enter(paul, game, "?")
        assert answer.status_code == 400
        assert "Choose a player, or “Nobody”." in answer.content.decode()
        assert len(log.entries(game)) == 1

    @pytest.mark.parametrize(("winner", "written"), [("nobody", None), ("1", 1)])
    def test_may_be_nobody_and_is_shown_again_in_a_correction(
        self, as_account: Visit, cast: Cast, winner: str, written: int | None
    ) -> None:
        game, paul = cast.game("scoops-scorecard"), as_account(cast.paul)
        assert self.enter(paul, game, winner).status_code == 302
        game.refresh_from_db()
        assert log.entries(game)[1].move.get("winner") == written
        assert self.chosen(page_text(paul, f"/games/{game.pk}/?form=correct-1")) == [winner]
