"""The page on competitions tells of everything there is: events, formats, policies, tie-breaks, presets."""

from pathlib import Path
from typing import Final, get_args

import pytest

from league import formats, tie_breaks
from league.competition import events as e
from league.competition import values
from league.formats.presets import PRESETS

PAGE: Final = Path(__file__).parents[3].joinpath("docs", "competitions.md").read_text(encoding="utf-8")
WORDS: Final = [
    *e.EVENTS,
    *formats.BY_KEY,
    *tie_breaks.BY_KEY,
    *PRESETS,
    *get_args(values.Policy),
    *get_args(values.Lineup),
]


@pytest.mark.parametrize("word", WORDS)
def test_the_page_on_competitions_tells_of(word: str) -> None:
    assert f"`{word}`" in PAGE
