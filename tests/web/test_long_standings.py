"""The page of a competition with many entries: in pages, and made once for all readers."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Competition, Player
from tests.api.web import get
from tests.web.test_public import text


def test_long_standings_are_shown_in_pages(
    client: Client, played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.web.competitions.STANDINGS_SHOWN", 3)
    address = f"/competitions/{played.slug}/"
    whole = get(f"/competitions/{played.pk}/standings/")["results"]
    names = []
    for number in (1, 2, 3):
        page = text(client, f"{address}?stage=1&page={number}")
        assert f"Page {number} of 3" in page
        names += [row["entry"]["name"] for row in whole if f'id="row-{row["entry"]["id"]}"' in page]
    assert names == [row["entry"]["name"] for row in whole]


def test_long_standings_are_with_the_first_tables_of_a_long_round(
    client: Client, played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/competitions/{played.slug}/"
    shown = text(client, address)
    count = shown.count('id="table-')
    assert count > 1 and "tables of this round" not in shown
    monkeypatch.setattr("league.web.competitions.TABLES_BELOW", 1)
    shown = text(client, f"{address}?stage=1")
    assert shown.count('id="table-') == 1 and f"All {count} tables of this round" in shown


def test_a_page_is_made_once_for_readers_without_cookies(client: Client, played: Competition) -> None:
    address = f"/competitions/{played.slug}/"
    with CaptureQueriesContext(connection) as queries:
        first = client.get(address)
    assert len(queries) <= 11
    with CaptureQueriesContext(connection) as queries:
        again = client.get(address)
    assert (len(queries), again.content, again["ETag"]) == (1, first.content, first["ETag"])
    Player.objects.update(name="Somebody Else", public_name="Somebody Else")
    assert client.get(address)["ETag"] != first["ETag"]
    assert "Somebody Else" in text(client, address)


def test_names_in_standings_lead_to_players_and_bots_are_marked(client: Client, played: Competition) -> None:
    player = played.entries.get(number=1).members.get().player
    row = f'<a href="/players/{player.pk}/">{player.name}</a>'
    address = f"/competitions/{played.slug}/"
    assert f"{row} <span" not in text(client, address)
    Player.objects.filter(pk=player.pk).update(bot=True)
    assert (
        f'{row} <span class="badge">bot</span>' in text(client, f"{address}?stage=1").partition("latest")[0]
    )
