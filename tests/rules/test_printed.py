"""The pages of rules say of each rule how it differs from the printed texts.

The table was made from the texts of the authors, point by point. A rule that is not in it is as they print
it, and its page has no note there.
"""

import re
from typing import Final

import pytest

from games import rules
from games.packages import folder_of

# What a note must say it is, and a word of what it must tell.
POINTS: Final = {
    "scamper": {
        "S2": ("print reading", "two packs for every two"),
        "S4": ("reading", "sequences"),
        "S5": ("print reading", "draw again"),
        "S6": ("house", "20"),
        "S7": ("reading", "left"),
        "S9": ("print reading", "first player"),
        "S10": ("print reading", "before the discard"),
        "S12": ("reading", "three twos"),
        "S13": ("reading", "advanced"),
        "S14": ("reading", "in a set"),
        "S15": ("print", "more than the least"),
        "S17": ("print reading", "deal 8"),
        "S18": ("reading", "more melds"),
        "S19": ("reading", "ends"),
        "S20": ("print", "two natural"),
        "S21": ("print reading", "not from one"),
        "S23": ("reading", "only wild"),
        "S26": ("reading", "equal totals"),
        "S27": ("reading", "repeated"),
        "S28": ("print reading", "cannot go out"),
        "S29": ("house", "no limit"),
        "S30": ("print reading house", "advanced rules only"),
        "S31": ("print reading", "advanced rules only"),
        "S32": ("reading", "dealt again"),
        "S33": ("print reading house", "advanced rules only"),
        "time": ("house", "clock"),
    },
    "scoops": {
        "C1": ("reading", "jokers"),
        "C2": ("reading", "who begins"),
        "C3": ("reading", "order"),
        "C7": ("reading", "thirteen"),
        "C8": ("reading", "no other book"),
        "C9": ("reading", "own place"),
        "C10": ("reading", "pair"),
        "C11": ("reading", "each such book"),
        "C12": ("house", "target"),
        "C15": ("reading", "exactly like it"),
        "C16": ("reading", "after the card is taken"),
        "C17": ("reading", "one card left"),
        "C18": ("reading", "discarded"),
        "C19": ("", "letter of the source"),
        "C13": ("house", "limit"),
        "time": ("house", "clock"),
    },
    "scram": {
        "B2": ("print", "same size"),
        "B4": ("house", "another number"),
        "B5": ("print reading", "scored the same"),
        "B6": ("print reading", "with three"),
        "B7": ("print house", "turn limit"),
        "B8": ("print reading", "empty pile"),
        "B10": ("print", "single card"),
        "B11": ("print reading", "holes"),
        "B12": ("print reading", "ends"),
        "B14": ("print reading", "order"),
        "A0": ("print reading", "one campsite"),
        "A1": ("print reading", "complete"),
        "A2": ("print reading", "one before"),
        "A3": ("print reading", "deck"),
        "A4": ("print reading house", "memory"),
        "B16": ("print reading", "last turn"),
        "B17": ("print", "solo"),
        "B18": ("house", "penalty"),
        "time": ("house", "clock"),
    },
}
# Rules whose text is new beside the printed one must say the printed one themselves.
PRINTED_IN_THE_RULE: Final = {
    "scram": {"B18": ("don’t ask", "hint", "which cards you know", "face up", "strategy")},
}

LABELS: Final = {
    "": {"print": "Print:", "reading": "Readings?:", "house": "House:"},
    ".de": {"print": "Druck:", "reading": "Lesart(?:en)?:", "house": "Hausregel:"},
}
EACH = [pytest.param(key, rule, id=f"{key}-{rule}") for key, points in POINTS.items() for rule in points]
LANGUAGES = pytest.mark.parametrize("language", LABELS)


def sections(key: str, language: str) -> dict[str, tuple[str, str]]:
    """Return each rule's text, and all notes from it up to the next rule or heading."""
    page = (folder_of(rules.NEWEST[key]) / "templates" / f"rules{language}.html").read_text(encoding="utf-8")
    parts = re.split(r' id="([A-C]\d+|S\d+|[a-z-]+)"', page)
    return {rule: (part, " ".join(_notes(part))) for rule, part in zip(parts[1::2], parts[2::2], strict=True)}


def _notes(part: str) -> list[str]:
    return re.findall(r'class="why">(.*?)</(?:span|p)>', part, re.DOTALL)


def labelled(note: str, language: str) -> set[str]:
    return {label for label, pattern in LABELS[language].items() if re.search(rf"\b{pattern}", note)}


@pytest.mark.parametrize(("key", "rule"), EACH)
@LANGUAGES
def test_a_rule_that_is_not_as_printed_says_how(key: str, rule: str, language: str) -> None:
    labels, words = POINTS[key][rule]
    _, note = sections(key, language)[rule]
    assert note
    assert labelled(note, language) == {*labels.split()}
    assert language or words in note


@pytest.mark.parametrize("key", POINTS)
@LANGUAGES
def test_a_rule_without_a_point_has_no_note(key: str, language: str) -> None:
    assert {rule for rule, (_, note) in sections(key, language).items() if note} == {*POINTS[key]}


@pytest.mark.parametrize(
    ("key", "rule"), [(key, rule) for key, points in PRINTED_IN_THE_RULE.items() for rule in points]
)
def test_what_is_printed_about_talking_is_the_rule(key: str, rule: str) -> None:
    text, _ = sections(key, "")[rule]
    assert [word for word in PRINTED_IN_THE_RULE[key][rule] if word not in text] == []


@LANGUAGES
def test_the_score_card_says_that_its_table_is_printed_for_the_advanced_game(language: str) -> None:
    part, _ = sections("scamper-scorecard", language)["S32"]
    assert re.search("advanced rules only|nur für Fortgeschrittene", part)
