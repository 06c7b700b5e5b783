"""The pages of the rules."""

import re

import pytest
from django.test import Client
from django.utils.html import conditional_escape

from games import rules
from games.engine.kinds import SCHEMAS
from league.web.rules import RANGES, options_of
from tests.web.conftest import Outline

GAMES = [key for key in rules.NEWEST if key != "tally"]


@pytest.mark.django_db
@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_page_with_its_options(client: Client, key: str) -> None:
    page = client.get(f"/rules/{key}/").content.decode()
    ruleset = rules.find(key)
    assert f"<h1>{conditional_escape(ruleset.title)}</h1>" in page
    assert all(option["help"] and option["range"] for option in options_of(ruleset))


def test_every_kind_of_value_has_a_range_in_words() -> None:
    assert {*RANGES} == {*SCHEMAS}


def test_an_optional_value_is_marked() -> None:
    (rounds,) = (option for option in options_of(rules.find("scram")) if option["name"] == "rounds")
    assert (rounds["range"], rounds["default"]) == ("1 to 10 or empty", "empty")


@pytest.mark.django_db
@pytest.mark.parametrize("key", GAMES)
def test_every_rule_named_in_refusals_has_an_anchor(client: Client, key: str) -> None:
    page = client.get(f"/rules/{key}/").content.decode()
    anchors = {each["id"] for _, each in Outline(page).tags if "id" in each}
    assert rules.find(key).turn_rule in anchors


@pytest.mark.django_db
def test_the_page_of_scram_shows_its_actions_as_the_data_has_them(client: Client) -> None:
    page = client.get("/rules/scram/").content.decode()
    for row in rules.find("scram").tables["actions"]:
        answer = (row["card"], row["action"], row["targets"], row["known"], row["inferred"] or "nothing")
        assert all(conditional_escape(str(cell)) in page for cell in answer)


@pytest.mark.django_db
def test_the_list_links_to_every_game(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    assert all(f"/rules/{key}/" in page for key in GAMES)


def test_a_game_without_its_own_page_shows_its_options(client: Client, cast: object) -> None:
    assert "Rounds" in client.get("/rules/tally/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("key", GAMES)
def test_german_rules_have_the_parts_of_the_english_ones(client: Client, key: str) -> None:
    english, german = (
        Outline(client.get(f"/rules/{key}/", headers={"Accept-Language": language}).content.decode())
        for language in ("en", "de")
    )
    assert ids_and_cells(german) == ids_and_cells(english)


def ids_and_cells(outline: Outline) -> list[tuple[str, str]]:
    """Return the tags of a page's rules and tables, each with its id, in order."""
    kept = {"p", "h2", "h3", "li", "tr", "th", "td"}
    return [(tag, each.get("id", "")) for tag, each in outline.tags if tag in kept]


@pytest.mark.django_db
@pytest.mark.parametrize("key", GAMES)
def test_what_chance_decides_can_be_read_beside_the_rules_of_a_dealt_game(client: Client, key: str) -> None:
    answer, link = client.get(f"/rules/{key}/chance.md"), f"/rules/{key}/chance.md"
    dealt = rules.find(key).dealt
    assert (link in client.get(f"/rules/{key}/").content.decode()) == dealt
    assert answer.status_code == (200 if dealt else 404)
    assert ("Purposes of chance" in answer.content.decode()) == dealt


@pytest.mark.django_db
@pytest.mark.parametrize("key", [key for key in GAMES if rules.find(key).dealt])
def test_what_chance_decides_is_told_in_german_with_the_same_names_and_rules(
    client: Client, key: str
) -> None:
    german, english = (
        client.get(f"/rules/{key}/chance.md", headers={"Accept-Language": language}).content.decode()
        for language in ("de", "en")
    )
    assert german.startswith("# Was in ") and english.startswith("# Purposes of chance")
    for told in (r"`[^`]+`", r"\b[BCS][0-9]+\b"):
        assert set(re.findall(told, german)) == set(re.findall(told, english))
