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
