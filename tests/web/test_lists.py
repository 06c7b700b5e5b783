"""Every public list: its pages and its filters."""

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.models import Competition, Player
from tests import factories
from tests.factories import Cast
from tests.league.acting import act, enter
from tests.league.playing import opened
from tests.web.conftest import Outline


@pytest.fixture
def crowd(cast: Cast) -> list[Player]:
    """So many players that a list of them has three pages."""
    return [factories.PlayerFactory.create(club=cast.club, name=f"Guest {at:03}") for at in range(120)]


def links(page: str, start: str) -> list[str]:
    return [each["href"] for each in Outline(page).all("a") if each.get("href", "").startswith(start)]


def page_text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_players_can_be_filtered_by_name(client: Client, cast: Cast, crowd: list[Player]) -> None:
    page = page_text(client, f"/clubs/{cast.club.slug}/players/?search=GUEST 00&active=true")
    assert len(links(page, "/players/")) == 11


def test_pages_of_a_long_list_keep_its_filters(client: Client, cast: Cast, crowd: list[Player]) -> None:
    page = page_text(client, f"/clubs/{cast.club.slug}/players/?search=guest&page=2")
    assert len(links(page, "/players/")) == 50
    assert links(page, "?")[-1] == "?search=guest&page=3"


def test_competitions_and_games_can_be_filtered(client: Client, cast: Cast, played: Competition) -> None:
    opened(cast, name="Spring")
    address = f"/clubs/{cast.club.slug}"
    assert "Spring" not in page_text(client, f"{address}/competitions/?status=running")
    assert "Autumn" not in page_text(client, f"{address}/competitions/?status=preparing")
    assert "No games found." in page_text(client, f"{address}/games/?status=abandoned")
    assert len(links(page_text(client, f"{address}/games/?ruleset=tally@1"), "/games/")) == 2


def test_entries_can_be_filtered_by_name_and_are_paginated(
    client: Client, cast: Cast, crowd: list[Player]
) -> None:
    competition = opened(cast)
    enter(cast.olga, competition, crowd[:101])
    address = f"/competitions/{competition.slug}/entries/"
    assert [len(links(page_text(client, f"{address}?page={at}"), "/players/")) for at in (1, 2)] == [100, 1]
    assert len(links(page_text(client, f"{address}?name=GUEST 09"), "/players/")) == 11
    assert "No entry with this name." in page_text(client, f"{address}?name=nobody")
    assert "Did you mean one of these?" in page_text(client, f"{address}?name=gust 099")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Siobhan O'Brien", False), ("o’brien", False), ("obrien siobhan", False), ("Shioban O`Brian", True)],
)
def test_a_name_is_found_however_it_is_typed(client: Client, cast: Cast, typed: str, meant: bool) -> None:
    factories.PlayerFactory.create(club=cast.club, name="Siobhán O’Brien")
    page = page_text(client, f"/clubs/{cast.club.slug}/players/?{urlencode({'search': typed})}")
    assert "Siobhán O’Brien" in page
    assert "Paul Pike" not in page
    assert ("Did you mean one of these?" in page) == meant


def test_clubs_are_paginated(client: Client, cast: Cast) -> None:
    factories.ClubFactory.create_batch(70)
    assert [len(links(page_text(client, f"/?page={at}"), "/clubs/")) for at in (1, 2)] == [60, 12]


def test_rounds_are_paginated_with_the_last_first(
    client: Client, cast: Cast, played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.web.competitions.ROUNDS_SHOWN", 1)
    for verb in (CloseRound, DrawRound, PublishRound):
        act(cast.olga, played, verb)
    address = f"/competitions/{played.slug}/rounds/"
    for page, shown, other in ((1, "Round 2", "Round 1"), (2, "Round 1", "Round 2")):
        text = page_text(client, f"{address}?page={page}")
        assert f">{shown}</h2>" in text
        assert f">{other}</h2>" not in text


def test_a_log_can_be_filtered_by_event_type(client: Client, played: Competition) -> None:
    page = page_text(client, f"/competitions/{played.slug}/log/?kind=entered")
    assert page.count("Entered: ") == 8
    assert "is published" not in page


@pytest.mark.parametrize(
    "query", ["status=x", "ruleset=%00", "name=%00", "page=-1", "active=maybe", "kind=%27"]
)
def test_an_invalid_filter_is_ignored(client: Client, cast: Cast, played: Competition, query: str) -> None:
    club = f"clubs/{cast.club.slug}"
    for address in (f"{club}/players/", f"{club}/competitions/", f"{club}/games/"):
        assert 'class="empty"' not in page_text(client, f"/{address}?{query}")
    for part in ("log/", "entries/"):
        page_text(client, f"/competitions/{played.slug}/{part}?{query}")


def test_players_of_all_clubs_are_found_if_they_agreed(cast: Cast) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(findable=True)

    def found(typed: str) -> str:
        return Client().get(reverse("find_players"), {"search": typed}).content.decode()

    assert "Petra Plum" in found("plum") and cast.club.name in found("plum")
    assert "Nobody of this name" in found("Pike") and "Paul Pike" not in found("p")
    assert "at least 2 letters" in found(" p ") and "Petra" not in found("")
