"""Who partners whom in a round of a game in which partners change, wherever a seat is told."""

import csv
import re
from html import unescape
from io import StringIO

import pytest
from django.test import Client

from games.rules.card_game import CardGame
from league.models import Competition
from league.words.values import company
from tests.factories import Cast
from tests.league.playing import in_play, tables


@pytest.fixture
def jass(cast: Cast) -> Competition:
    """An evening of eight, two against two at a table, whose first round is being played."""
    return in_play(cast, ruleset="card-game", options=CardGame.shipped["jass"])


@pytest.fixture
def four(jass: Competition) -> list[str]:
    """The names at the first table, in the order of seats."""
    return [seat.player.name for seat in tables(jass)[0].seats.order_by("number")]


def read(client: Client, path: str) -> str:
    """Return the words of a page, without markup."""
    page = client.get(path).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_the_page_of_rounds_parts_the_sides(client: Client, jass: Competition, four: list[str]) -> None:
    one, two, three, other = four
    said = read(client, f"/competitions/{jass.slug}/rounds/")
    assert f"{one} {three} against {two} {other}" in said


def test_the_hall_names_partners(client: Client, jass: Competition, four: list[str]) -> None:
    one, two, three, other = four
    said = read(client, f"/competitions/{jass.slug}/hall/")
    assert f"{one} & {three} against {two} & {other}" in said
    assert f"{one} with {three}" in said and f"{other} with {two}" in said


def test_an_own_evening_says_with_and_against_whom(jass: Competition, four: list[str]) -> None:
    seat = tables(jass)[0].seats.get(number=1)
    one, _mine, three, other = four
    assert company(seat, jass.ruleset) == f"with {other} against {one} & {three}"


def test_results_and_the_api_have_the_sides(client: Client, jass: Competition, four: list[str]) -> None:
    base = f"/api/v1/competitions/{jass.pk}"
    rows = list(csv.DictReader(StringIO(client.get(f"{base}/results.csv").content.decode("utf-8-sig"))))
    partners = {row["player"]: row["partners"] for row in rows}
    assert [partners[name] for name in four] == [four[2], four[3], four[0], four[1]]
    assert [each["sides"] for each in client.get(f"{base}/tables/").json()["results"]] == [
        [[0, 2], [1, 3]]
    ] * 2


def test_the_page_of_the_competition_says_that_partners_change(client: Client, jass: Competition) -> None:
    assert "each plays with each as evenly as can be" in read(client, f"/competitions/{jass.slug}/")
