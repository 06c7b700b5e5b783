"""Finished games in a frame of the websites that a club names."""

from html import escape

import pytest
from django.test import Client

from league.models import Club
from tests.factories import Cast
from tests.web.conftest import Visit
from tests.web.test_game import page_text
from tests.web.test_replays import golden

SITES = ["https://club.example", "http://hall.example:8080"]


def desk(cast: Cast) -> str:
    return f"/admin/league/club/{cast.club.pk}/change/"


def form(cast: Cast, sites: str) -> dict[str, str]:
    """Return the desk's form of the club with these lines of websites."""
    return {
        "name": cast.club.name,
        "timezone": "UTC",
        "quiet": "",
        "mail_note": "",
        "names": "full",
        "paper": "a4",
        "embed_on": sites,
    }


def test_an_organiser_lists_the_websites(as_account: Visit, cast: Cast) -> None:
    typed = " https://Club.example/\r\n\r\nhttp://hall.example:8080\r\nhttps://club.example"
    assert as_account(cast.olga).post(desk(cast), form(cast, typed)).status_code == 302
    assert Club.objects.get(pk=cast.club.pk).embed_on == SITES
    page = page_text(as_account(cast.olga).get(desk(cast)))
    assert "https://club.example\nhttp://hall.example:8080</textarea>" in page


@pytest.mark.parametrize(
    "site",
    [
        *("club.example", "*", "https://*.example", "https://club.example/path", "javascript:alert(1)"),
        *("https://club.example; script-src *", "https://a@club.example", "'self'", "https://club.example:x"),
    ],
)
def test_what_is_no_address_of_a_website_is_refused_at_its_field(
    as_account: Visit, cast: Cast, site: str
) -> None:
    answer = as_account(cast.olga).post(desk(cast), form(cast, f"https://fine.example\n{site}"))
    assert "This is not the address of a website" in page_text(answer)
    assert Club.objects.get(pk=cast.club.pk).embed_on == []


def test_a_finished_game_shows_in_frames_of_these_sites_and_asks_for_no_cookie(
    client: Client, cast: Cast
) -> None:
    cast.club.embed_on = SITES
    cast.club.save()
    game = golden(cast, "scoops/the-knocker-leaves")
    for address in (f"/embed/games/{game.pk}/", f"/embed/games/{game.pk}/frames/"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert not answer.cookies
        assert "Cookie" not in answer["Vary"]
    page = client.get(f"/embed/games/{game.pk}/?at=3")
    assert f"frame-ancestors {' '.join(SITES)}" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert "Move 3 of" in page_text(page)


def test_without_a_list_no_site_may_show_a_game(client: Client, cast: Cast) -> None:
    answer = client.get(f"/embed/games/{golden(cast, 'scoops/the-knocker-leaves').pk}/")
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


def test_a_game_that_is_not_finished_is_not_embedded(client: Client, cast: Cast) -> None:
    assert client.get(f"/embed/games/{cast.game('scoops').pk}/").status_code == 404


def test_the_page_of_the_game_has_the_html_for_these_sites(client: Client, cast: Cast) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    address = f'<iframe src="http://testserver/embed/games/{game.pk}/" title="Scoops"'
    assert escape(address) not in page_text(client.get(f"/games/{game.pk}/"))
    cast.club.embed_on = SITES
    cast.club.save()
    assert escape(address) in page_text(client.get(f"/games/{game.pk}/"))
