"""A club's address follows its name; earlier ones stay reserved and lead there. Time zones are in a list."""

from typing import Any

import pytest
from django.test import Client

from api.views.docs import document
from games.engine.refusals import Malformed
from league.models import Club, FormerAddress
from league.services.clubs import change_club, create_club
from league.words.times import COMMON, zone_choices
from tests.api.web import ROOT, bearer
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in


def renamed(cast: Cast, *names: str) -> list[str]:
    """Give the cast's club these names; return the address after each."""
    addresses = []
    for name in names:
        club = Club.objects.get(pk=cast.club.pk)
        addresses.append(change_club(by=cast.olga, club=club, name=name, timezone="UTC").slug)
    return addresses


def test_the_address_follows_the_name(cast: Cast) -> None:
    first = cast.club.slug
    assert renamed(cast, "Quay Cards", "Quay  cards", "Dock Cards", "Quay Cards") == [
        *("quay-cards", "quay-cards", "dock-cards", "quay-cards"),
    ]
    assert {*FormerAddress.objects.values_list("slug", flat=True)} == {first, "dock-cards"}


def test_a_name_without_latin_letters_keeps_the_address(cast: Cast) -> None:
    assert renamed(cast, "カード") == [cast.club.slug]


def test_letters_of_other_languages_are_plain_ones_in_an_address(cast: Cast) -> None:
    assert create_club(by=cast.olga, name="Größe & Łódź").slug == "grosse-lodz"


def test_a_new_club_without_an_address_has_that_of_its_name(cast: Cast) -> None:
    made = [create_club(by=cast.olga, name=name).slug for name in ("Dock Cards", "Dock Cards", "カード")]
    assert made == ["dock-cards", "dock-cards-2", "club"]


def test_an_earlier_address_is_nobody_elses(cast: Cast) -> None:
    first = cast.club.slug
    renamed(cast, "Quay Cards", "Dock Cards")
    with pytest.raises(Malformed) as refused:
        create_club(by=cast.olga, name="New", slug=first)
    assert [*refused.value.errors] == ["slug"]
    other = create_club(by=cast.olga, name="Quay Cards")
    assert other.slug == "quay-cards-2"


def test_an_earlier_address_leads_to_the_present_one(client: Client, cast: Cast) -> None:
    first = cast.club.slug
    renamed(cast, "Quay Cards", "Dock Cards")
    for old in (first, "quay-cards"):
        for page in ("", "players/?search=paul", "competitions/", "games/", "ratings/"):
            answer = client.get(f"/clubs/{old}/{page}")
            assert (answer.status_code, answer["Location"]) == (301, f"/clubs/dock-cards/{page}")
            assert answer["Cache-Control"] == "no-cache"
    assert client.get("/clubs/nowhere/").status_code == 404


def test_the_api_takes_an_earlier_address_in_paths_filters_and_bodies(cast: Cast) -> None:
    first = cast.club.slug
    renamed(cast, "Quay Cards")
    olga = bearer(cast.olga, "organise")
    assert olga.get(f"{ROOT}/clubs/{first}/").json()["slug"] == "quay-cards"
    assert olga.get(f"{ROOT}/clubs/{first}/players/").json()["results"]
    stage = {"name": "League", "format": "rounds", "rounds": 1, "table_size": 2}
    body: dict[str, Any] = {"club": first, "name": "Cup", "ruleset": "tally", "stages": [stage]}
    assert olga.post(f"{ROOT}/competitions/", body).status_code == 201
    (found,) = olga.get(f"{ROOT}/competitions/?club={first}").json()["results"]
    assert (found["name"], found["club"]) == ("Cup", "quay-cards")
    paul, pair = bearer(cast.paul), [str(cast.paul_plays.pk), str(cast.petra_plays.pk)]
    body = {"club": first, "ruleset": "tally", "players": pair}
    assert paul.post(f"{ROOT}/games/", body).json()["club"] == "quay-cards"
    (found,) = paul.get(f"{ROOT}/games/?club={first}").json()["results"]
    assert found["club"] == "quay-cards"


def test_every_address_of_the_api_takes_an_earlier_one_of_the_club(cast: Cast) -> None:
    first, olga = cast.club.slug, bearer(cast.olga)
    renamed(cast, "Quay Cards")
    of_clubs = [path for path in document()["paths"] if "/clubs/{slug}/" in path and "id}" not in path]
    for path in of_clubs:
        query = "?ruleset=tally" if "ratings" in path else "?wait=0" if "stream" in path else ""
        now, before = (olga.get(path.format(slug=slug) + query) for slug in ("quay-cards", first))
        assert before.status_code == now.status_code, path
        assert now.streaming or before.content == now.content, path


def test_the_desk_renames_and_says_what_happens_to_the_address(cast: Cast) -> None:
    olga, address = logged_in(cast.olga), f"/admin/league/club/{cast.club.pk}/change/"
    form = olga.get(address).content.decode()
    assert "The address of the club’s pages follows the name." in form
    assert "Europe/Dublin (UTC" in form
    assert 'type="search"' in form
    sent = {"name": "Quay Cards", "timezone": "Asia/Tokyo", "quiet": "", "mail_note": "", "names": "full"}
    sent["paper"] = "letter"
    assert olga.post(address, sent).status_code == 302
    club = Club.objects.get(pk=cast.club.pk)
    assert (club.slug, club.timezone, club.paper) == ("quay-cards", "Asia/Tokyo", "letter")
    assert (
        "Mars"
        not in olga.post(address, {**sent, "timezone": "Mars/Olympus"}).content.decode().split("alert")[-1]
    )


def test_zones_are_listed_once_the_common_ones_first_with_their_offset() -> None:
    zones = zone_choices()
    assert [name for name, _ in zones[: len(COMMON)]] == [*COMMON]
    assert len({name for name, _ in zones}) == len(zones)
    titles = dict(zones)
    assert titles["Asia/Kolkata"] == "Asia/Kolkata (UTC+5:30)"
    assert titles["UTC"] == "UTC"
    assert titles["America/Sao_Paulo"] == "America/Sao Paulo (UTC−3)"
