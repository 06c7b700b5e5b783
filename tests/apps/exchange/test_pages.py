"""What public lists offer as files: the rows that they show."""

import csv
import json
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse

from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound
from league.models import Competition
from tests.api.web import ROOT
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.web.conftest import played
from tests.web.test_kept_answers import Noting, asked
from tests.web.test_lists import links, page_text

__all__ = ["played"]

LISTS = ("clubs/{club}/players/", "clubs/{club}/competitions/", "clubs/{club}/games/",
         "competitions/{competition}/entries/", "competitions/{competition}/log/", "players/{player}/",
         "competitions/{competition}/", "competitions/{competition}/rounds/")  # fmt: skip


@pytest.mark.parametrize("address", LISTS)
def test_a_list_can_be_downloaded_as_csv_and_json(
    client: Client, cast: Cast, played: Competition, address: str
) -> None:
    given = {"club": cast.club.slug, "competition": played.slug, "player": cast.paul_plays.pk}
    found = links(page_text(client, "/" + address.format(**given)), "/api/v1/")
    sheets = [each for each in found if ".csv" in each]
    lists = [
        each for each in found if each.partition("?")[0].endswith(("/", ".json")) and "/docs/" not in each
    ]
    assert sheets
    assert all(list(csv.reader(StringIO(page_text(client, each)))) for each in sheets)
    assert any(json.loads(page_text(client, each)) for each in lists if "/export/" not in each)


def test_players_and_their_files_can_be_filtered_by_name(client: Client, cast: Cast) -> None:
    for number in range(3):
        PlayerFactory.create(club=cast.club, name=f"Guest {number}")
    page = page_text(client, f"/clubs/{cast.club.slug}/players/?search=GUEST&active=true")
    (sheet,) = (each for each in links(page, "/api/v1/") if ".csv" in each)
    (listed,) = links(page, f"/api/v1/clubs/{cast.club.slug}/players/?")
    assert len(page_text(client, sheet).splitlines()) == 4
    assert json.loads(page_text(client, listed))["count"] == 3


def test_a_download_is_for_a_spreadsheet_in_the_language_of_its_page(
    client: Client, played: Competition
) -> None:
    page = page_text(client, f"/competitions/{played.slug}/?lang=de")
    (sheet,) = (each for each in links(page, "/api/v1/") if "standings.csv" in each)
    german = client.get(sheet.replace("&amp;", "&"))
    assert german.content.decode().startswith("\ufeffGruppe;Rang;Teilnehmer;")
    assert german["Content-Language"] == "de"
    address = sheet.partition("?")[0]
    assert page_text(client, address).startswith("group,rank,entry,"), "programs get what they always got"
    assert client.get(f"{address}?spreadsheet=xx").status_code == 400


def test_every_list_for_a_spreadsheet_has_words_above_its_columns(
    client: Client, cast: Cast, played: Competition
) -> None:
    lists = [(each, cast.club.slug) for each in ("ratings", "players", "competitions", "games")]
    lists += [(each, str(played.pk)) for each in ("standings", "results", "challenges", "entries", "events")]
    for name, of in lists:
        address = f"{reverse(f'api:{name}-csv', args=[of])}?{'ruleset=tally' if name == 'ratings' else ''}"
        keys = page_text(client, address).splitlines()[0].split(",")
        german = client.get(f"{address}&spreadsheet=de").content.decode("utf-8-sig")
        titles = german.splitlines()[0].split(";")
        assert [each for each in keys if each in titles and each != "id"] == [], name


def test_an_unpublished_draw_is_not_in_public_files(client: Client, cast: Cast, played: Competition) -> None:
    act(cast.olga, played, CloseRound)
    act(cast.olga, played, DrawRound)
    address = f"/api/v1/competitions/{played.pk}/events.csv"
    assert "Round 2 is drawn." not in page_text(client, address)
    client.force_login(cast.olga)
    desk = f"/admin/league/competition/{played.pk}/export/log.csv"
    assert "Round 2 is drawn." in page_text(client, desk)
    assert page_text(client, desk).startswith("\ufeff"), "the desk's files are for spreadsheets"
    assert "olga" not in page_text(client, address)


def test_a_file_of_the_api_is_made_once_however_its_address_is_written(
    played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr("league.apps.exchange.api._FILES", Noting(made))
    address = f"{ROOT}/competitions/{played.pk}/standings.csv"
    queries = "stage=1&spreadsheet=de", "&spreadsheet=de&&stage=01", "stage=1&format=x&spreadsheet=de"
    assert len(asked(address, *queries)) == len(made) == 1
