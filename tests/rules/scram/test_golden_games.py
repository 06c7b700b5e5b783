"""The golden games between them use every action and see every ending: read off their replay."""

import re
from pathlib import Path
from typing import Final

import pytest

import games.rules.scram
from games.rules.scram.actions import ROWS
from tests.rules.recording import as_recorded
from tests.rules.scram.scenarios import LOGS, SCENARIOS, WITHOUT_BOTS
from tests.rules.scram.sights import of_file

RULES: Final = [*(f"B{number}" for number in range(1, 19)), *(f"A{number}" for number in range(5))]
LOOKS: Final = ("5", "6", "7", "8")
MUST_BE_SEEN: Final = {
    *("3 campers", "4 campers", "6 campers", "option memory_aid", "option rounds", "option turn_limit"),
    *("draw from the deck", "draw from the discard", "discard", "scram", "exchange done", "exchange left"),
    *(f"{card} on {where}" for card in LOOKS for where in ("campsites", "the deck")),
    *(f"{card} one by one" for card in ("6", "7", "8", "10", "12")),
    *("9 for 1 at the left", "9 for 2 at the left", "9 for 2 at the right", "9 for =", "10 on campsites"),
    *("11 on campsites", "11 on both", "12 on campsites", "12 on the deck", "12 on both"),
    *("13 in a campsite", "13 in an empty campsite", "13 at the left", "13 at the right"),
    "fewer targets than the card says",
    *("replace one", "replace several: match", "replace a team-mate's card", "replace = with numbers"),
    *(f"replace several: {count} numbers" for count in (2, 3, 4, 5)),
    *("no match: added at the left", "no match: added at the right", "no match: added at both ends"),
    *("replace into a slot", "12 in one campsite", "a penalty of a round without an end"),
    *("replace with a card from the deck", "replace with a card from the pile"),
    *("the round ends: deck", "the round ends: last_turns", "the round ends: turn_limit"),
    *("scram is won", "scram is level", "scram is lost", "scram of the solo", "scram of the duo"),
    *("scram, then last_turns", "scram, then deck"),
    *("decided by the total", "decided by the last round", "decided by a round before"),
    *("decided by the solo's right", "nobody wins", "a whole team is out", "no result"),
    *("penalty by the arbiter", "forfeit by the arbiter", "abandon by the arbiter", "resign by the seat"),
    *("timeout in begin", "timeout in play", "timeout in play with a card from the pile"),
    *("timeout in act", "timeout in exchange", "ready by the seat", "a move for a seat that is out"),
}


def test_the_golden_games_see_every_action_and_every_end() -> None:
    seen = {sight for path in LOGS.glob("*.jsonl") for sight in of_file(path)}
    assert not MUST_BE_SEEN - seen


def test_every_action_in_the_table_must_be_seen() -> None:
    named = {sight.split()[0] for sight in MUST_BE_SEEN}
    assert {row.card for row in ROWS} <= named


def test_every_golden_game_has_its_scenario() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}


@pytest.mark.parametrize("name", WITHOUT_BOTS)
def test_a_scenario_without_bots_records_its_game_to_the_letter(name: str) -> None:
    assert as_recorded(SCENARIOS[name](), LOGS / f"{name}.jsonl")


@pytest.mark.parametrize("rule", RULES)
def test_a_case_is_named_by_the_rule(rule: str) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert re.search(rf'id="{rule}-|id=f"{rule}-|def test_{rule.lower()}_', sources)


NOTED: Final = {
    **dict.fromkeys(("B5", "B6", "B8", "B11", "B12", "B14", "B16", "A0", "A1", "A2", "A3", "A4"), "Reading:"),
    **dict.fromkeys(("B4", "B7", "B18"), "House:"),
}
"""The rules of which something is ours, with the word that their note has."""


@pytest.mark.parametrize("rule", NOTED)
def test_the_players_page_says_what_the_print_says_and_what_is_ours(rule: str) -> None:
    page = Path(games.rules.scram.__file__).parent / "templates" / "rules.html"
    (shown,) = re.findall(rf'<p id="{rule}">(.*)</p>', page.read_text(encoding="utf-8"))
    _, _, note = shown.partition('<span class="why">')
    assert NOTED[rule] in note
    assert "rint" in note


def test_the_players_page_has_an_anchor_for_every_rule() -> None:
    page = Path(games.rules.scram.__file__).parent / "templates" / "rules.html"
    anchors = re.findall(r'id="([AB]\d+)"', page.read_text(encoding="utf-8"))
    assert sorted(anchors) == sorted(RULES)
