"""The players' pages have a place for every rule, so that a refusal can link to it."""

import re
from pathlib import Path

import pytest

import games.rules.scamper
import games.rules.scamper_scorecard
from games.engine.replay import AnyRuleset
from games.packages import folder_of
from tests.rules.scamper.tables import SCAMPER
from tests.rules.scamper_scorecard.lines import CARD

BOTH = pytest.mark.parametrize("ruleset", [SCAMPER, CARD], ids=lambda ruleset: ruleset.key)


def anchors(ruleset: AnyRuleset) -> list[str]:
    page = (folder_of(ruleset) / "templates" / "rules.html").read_text(encoding="utf-8")
    return re.findall(r'<\w+ id="(S\d+)"', page)


@BOTH
def test_every_rule_has_one_anchor(ruleset: AnyRuleset) -> None:
    assert sorted(anchors(ruleset)) == sorted(ruleset.rule_numbers)


@pytest.mark.parametrize("package", [games.rules.scamper, games.rules.scamper_scorecard])
def test_refusals_quote_no_rule_but_those_of_the_page(package: object) -> None:
    folder = Path(package.__file__).parent  # type: ignore[attr-defined]
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    ruleset = SCAMPER if folder.name == "scamper" else CARD
    assert {*re.findall(r'"(S\d+)"', code)} <= {*ruleset.rule_numbers}


def page() -> str:
    return (folder_of(SCAMPER) / "templates" / "rules.html").read_text(encoding="utf-8")


READINGS = ("S2", "S4", "S9", "S12", "S13", "S14", "S17", "S18", "S23", "S32")


@pytest.mark.parametrize("rule", [pytest.param(rule, id=f"{rule}-is-a-reading") for rule in READINGS])
def test_a_reading_is_marked_beside_its_rule(rule: str) -> None:
    (paragraph,) = re.findall(rf'<p id="{rule}">.*?</p>', page())
    assert '<span class="why">' in paragraph
    assert "Reading: " in paragraph


@pytest.mark.parametrize("rule", [pytest.param("S6", id="S6-house"), pytest.param("S29", id="S29-house")])
def test_a_house_rule_is_marked_beside_its_rule(rule: str) -> None:
    (paragraph,) = re.findall(rf'<p id="{rule}">.*?</p>', page())
    assert "house" in paragraph.lower().partition('class="why">')[2]


def test_the_page_warns_of_the_preset_as_printed() -> None:
    (warning,) = re.findall(r'<p class="note warn">.*?</p>', page())
    assert "as printed" in warning
    assert "4, 6, 7 and 8" in warning
    assert SCAMPER.presets["as_printed"] == {"passing": "first", "melds": "challenge"}
