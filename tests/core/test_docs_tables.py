"""The page on competitions mentions all events, formats, policies, tie-breaks and presets."""

from pathlib import Path
from typing import Final, get_args

import pytest

from league.core import formats
from league.core.presets import PRESETS
from league.core.standings import tie_breaks
from league.core.state import values
from league.core.verbs import EVENTS
from league.ops.folders import TOP
from league.words.reference import TABLES, filled

DOCS: Final = TOP / "docs"
PAGE: Final = (DOCS / "competitions.md").read_text(encoding="utf-8")
WORDS: Final = [
    *EVENTS,
    *formats.BY_KEY,
    *tie_breaks.BY_KEY,
    *PRESETS,
    *get_args(values.Policy),
    *get_args(values.Lineup),
]


@pytest.mark.parametrize("word", WORDS)
def test_the_page_on_competitions_mentions(word: str) -> None:
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_generated_tables_match_the_declarations(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert filled(page) == page, "run `python3 manage.py docs`"


def test_every_generated_table_is_on_one_page() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert [name for name in TABLES if pages.count(f"manage.py docs: {name} -->") != 1] == []
