"""Byes on request on a competition's page, for a player with an account."""

import pytest

from tests.factories import Cast
from tests.league.test_byes import begun, page
from tests.web.conftest import Visit

pytestmark = pytest.mark.django_db


def test_a_player_asks_on_the_competitions_page_and_takes_it_back(cast: Cast, as_account: Visit) -> None:
    competition = begun(cast)
    paul = as_account(cast.paul)
    assert "Ask for a bye" in page(paul, competition)
    form = {"request-bye-round": "2"}
    paul.post(f"/competitions/{competition.slug}/me/request-bye/", form)
    assert "You have a bye in round 2, as you asked." in page(paul, competition)
    assert "Ask for a bye" not in page(paul, competition)
    paul.post(f"/competitions/{competition.slug}/me/present/", {"present-round": "2"})
    assert "Ask for a bye" in page(paul, competition)


def test_a_second_click_gives_no_second_bye_and_no_error(cast: Cast, as_account: Visit) -> None:
    competition = begun(cast, requested_byes=2)
    paul = as_account(cast.paul)
    for _ in range(2):
        said = paul.post(
            f"/competitions/{competition.slug}/me/request-bye/", {"request-bye-round": "1"}, follow=True
        )
        assert "You have a bye in that round." in said.content.decode()
    assert competition.events.filter(event__type="bye_requested").count() == 1
