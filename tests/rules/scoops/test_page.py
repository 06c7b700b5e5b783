"""The players' page has a place for every rule, so that a refusal can link to it."""

import re
from pathlib import Path

import pytest

import games.rules.scoops

CODE = Path(games.rules.scoops.__file__).parent
PAGE = CODE / "templates" / "rules.html"


@pytest.mark.parametrize("number", range(1, 20), ids=lambda number: f"C{number}")
def test_a_rule_has_its_anchor(number: int) -> None:
    assert f'<p id="C{number}"><b>C{number}</b>' in PAGE.read_text(encoding="utf-8")


def test_refusals_quote_no_rule_but_those_of_the_page() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in CODE.glob("*.py"))
    quoted = {*re.findall(r'"(C\d+)"', code)}
    assert quoted >= {"C4", "C7", "C8", "C9", "C10", "C14", "C15", "C16", "C17", "C18"}
    assert quoted <= {f"C{number}" for number in range(1, 20)}
