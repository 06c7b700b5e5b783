"""Every text with a number was read aloud; none has what no member understands, in both languages."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override

from league.core import portable
from league.core.events import apply, read
from league.core.state.competition import Competition
from league.words import catalogue
from tests.readable import LIST, as_lines, jargon_in, texts, told_of, wrong_in
from tests.recorded import FILES

LANGUAGES = ("en", "de")


def test_every_text_of_standings_or_with_a_number_is_on_the_list_of_those_that_were_read() -> None:
    """`WRITE_READABLE=yes pytest tests/test_readable.py` rewrites the list: read what is new there first."""
    found = as_lines([*texts(listed=True)])
    if os.environ.get("WRITE_READABLE"):
        LIST.write_text("".join(f"{each}\n" for each in found), encoding="utf-8")
    assert found == LIST.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_words_that_nobody_says(language: str) -> None:
    translations = catalogue.read("de")
    strings = {
        one: catalogue.strings_of(each)
        for each in catalogue.texts_in(translations)
        for one in catalogue.ids_of(each)
    }
    for told in texts():
        for each in strings[told] if language == "de" else (told,):
            shown = re.sub(r"%\(\w+\)\w|<[^>]+>", "%s", each)
            assert [*jargon_in(shown, language), *wrong_in(shown.replace("%%", "1 %"))] == [], each


def states_of(file: Path) -> Iterator[Competition]:
    """Yield the states of a recorded league: after each round that was published or closed, and the last."""
    with file.open(encoding="utf-8") as lines:
        events = [json.loads(line)["event"] for line in portable.read(lines).log]
    state = read(events[0]).begin()
    for event in events[1:]:
        state = apply(state, read(event))
        if event["type"] in ("drawn", "published", "round_closed"):
            yield state
    yield state


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", sorted(FILES.glob("*-0[1-9].jsonl")), ids=lambda file: file.stem)
def test_whatever_standings_say_of_a_recorded_league_can_be_read_aloud(file: Path, language: str) -> None:
    with override(language):
        told = [each for state in states_of(file) for each in told_of(state)]
    assert len(told) > 20
    assert {each: wrong for each in told if (wrong := wrong_in(each))} == {}
