"""The one line above the buttons of a seat."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.scripts.node import found

AROUND = {"busy": False, "lesson": "", "deed": "", "wait": "", "several": ""}
NOTHING: Mapping[str, Any] = {
    "groups": [],
    "refused": None,
    "astray": None,
    "hint": "",
    "notes": [],
}
FITS, BAD = {"text": "set", "refused": None}, {"text": "run", "refused": {"text": "Gap."}}
LACKING = {"text": "Lacks a set.", "rule": "S15", "address": "/r#S15"}
NOTE: Mapping[str, Any] = {"notes": [LACKING]}
CITED = 'Lacks a set. <a href="/r#S15">S15</a>'
IDLE, BUSY = {"hint": "Pick."}, {"busy": True}
LESSON, DEED = {"lesson": "Now pick."}, {"deed": "12: look."}


@pytest.mark.parametrize(
    ("meaning", "around", "line"),
    [
        (IDLE, {}, "Pick."),
        (IDLE, LESSON, "Now pick."),
        (IDLE, DEED, "12: look. Pick."),
        (IDLE, {**LESSON, **DEED}, "Now pick. 12: look."),
        ({}, {"wait": "Others."}, "Others."),
        (IDLE, BUSY, ""),
        (IDLE, {**BUSY, **LESSON}, "Now pick."),
        (NOTE, {**BUSY, **LESSON, **DEED}, CITED),
        ({**NOTE, "groups": [FITS]}, BUSY, f'<span class="fits">Set.</span> {CITED}'),
        ({**NOTE, "groups": [BAD, FITS]}, {**BUSY, "aside": 2}, '<span class="lacks">Gap.</span>'),
        ({**NOTE, "groups": [BAD, BAD]}, {**BUSY, "aside": 1}, '<span class="lacks">Run: Gap.</span>'),
        ({**NOTE, "groups": [BAD], "refused": BAD["refused"]}, BUSY, '<span class="lacks">Run: Gap.</span>'),
        ({"groups": [BAD | {"begun": True}]}, BUSY, '<span class="soft">Run: Gap.</span>'),
        ({**NOTE, "refused": BAD["refused"]}, BUSY, '<span class="lacks">Gap.</span>'),
        (
            {**NOTE, "groups": [FITS], "astray": BAD["refused"]},
            BUSY,
            f'<span class="lacks">Gap.</span> <span class="fits">Set.</span> {CITED}',
        ),
        (
            {**NOTE, "hint": IDLE["hint"], "astray": LACKING | {"text": "Draw first."}},
            LESSON,
            f'<span class="lacks">Draw first. <a href="/r#S15">S15</a></span> {CITED}',
        ),
        ({**NOTE, "astray": LACKING}, BUSY, f'<span class="lacks">{CITED}</span>'),
        (
            {**IDLE, "astray": BAD["refused"], "strays": ["at:0.1"]},
            DEED,
            '<span class="lacks">Gap.</span> Pick.',
        ),
        (NOTE, {**BUSY, "several": "Choose."}, f"Choose. {CITED}"),
    ],
)
def test_one_line_says_what_matters_most(
    meaning: Mapping[str, Any], around: Mapping[str, Any], line: str
) -> None:
    given = [{**NOTHING, **meaning}, {**AROUND, **around}]
    assert found("line.js", "return made.lineOf(...given);", given) == line
