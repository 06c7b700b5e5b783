"""The lessons of a practice game say what is true in the state of the game."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.template.loader import render_to_string

from games.engine.replay import AnyRuleset
from tests.rules.scamper.tables import SCAMPER
from tests.rules.scamper.tables import table as of_scamper
from tests.rules.scoops.tables import SCOOPS, with_melds
from tests.rules.scoops.tables import table as of_scoops


def told(ruleset: AnyRuleset, state: Any, template: str = "guide", sheet: Any = None) -> str:
    """Return what seat 0 is told in this state."""
    view = ruleset.view(state, 0)
    view = view if sheet is None else {**view, "sheet": sheet}
    offered = {choice.type for choice in ruleset.choices(state, 0)}
    mine = SimpleNamespace(number=0, to_act=0 in ruleset.to_act(state))
    names = {0: "Anna", 1: "Ben"}
    table = SimpleNamespace(
        offered=offered, mine=mine, view=view, legends=ruleset.legends(state, 0), names=names
    )
    page = f"rulesets/{ruleset.key}/{template}.html"
    return " ".join(render_to_string(page, {"table": table, "view": view}).split())


COFFEE = ("Coffee", "Vanilla", None)
FLOAT = ("Float", "Vanilla", None)
SCOOPS_SAYS: dict[str, tuple[Any, str]] = {
    "begin": (of_scoops(phase="draw"), "First take a card"),
    "knock": (of_scoops(*COFFEE), "Put your sets aside, then pick a card"),
    "draw-knocked": (of_scoops(*COFFEE, knocker=1, phase="draw"), "This is your last turn"),
    "discard-knocked": (of_scoops(*COFFEE, knocker=1), "This is your last turn"),
    "own-knock": (of_scoops(*COFFEE, knocker=0, seat=1, phase="draw"), "You have knocked"),
    "assign": (of_scoops(assigned=None, phase="assign"), "You choose the goal"),
    "others-assign": (of_scoops(assigned=None, phase="assign", seat=1), "chooses what the dice mean"),
    "won": (of_scoops("Bowl", "Vanilla", None, "2C 2D 2H 5C 6C 7C 9S 9D 9H"), "Your hand fulfils the goal"),
    "no-set": (of_scoops(*FLOAT, "2C 4D 6H 8S"), "Nothing to lay or to float now"),
    "no-float": (
        with_melds(of_scoops(*FLOAT, "2C 4D 6H"), (0, "run 3C 4C 5C"), (1, "book 7C 7D 7H")),
        "Nothing to lay or to float now",
    ),
    "set": (of_scoops(*FLOAT, "2C 2D 2H 8S"), "You hold a set"),
    "float": (
        with_melds(of_scoops(*FLOAT, "7S 4D 6H"), (0, "run 3C 4C 5C"), (1, "book 7C 7D 7H")),
        "gets a dashed frame and a +, and a tap lays them there for good",
    ),
    "discard": (of_scoops("Bowl", "Vanilla", None, "2C 4D 6H 8S TC QD 3H 5S 9C"), "tap your pile"),
}


@pytest.mark.parametrize(("state", "words"), SCOOPS_SAYS.values(), ids=SCOOPS_SAYS)
def test_a_lesson_of_scoops_is_about_the_state(state: Any, words: str) -> None:
    assert words in told(SCOOPS, state)


@pytest.mark.parametrize(
    ("played", "words"), [(["Bowl"], "The goal is Coffee now: the lowest count"), (["Bowl", "Coffee"], "")]
)
def test_a_later_deal_of_scoops_has_a_lesson_where_its_goal_is_new(played: list[str], words: str) -> None:
    found = told(SCOOPS, of_scoops(*COFFEE, phase="draw"), "guide_later", [{"goal": goal} for goal in played])
    assert found.startswith(words) and bool(found) == bool(words)


def test_who_assigns_the_dice_is_told_how_in_every_deal() -> None:
    state = of_scoops(assigned=None, phase="assign")
    assert "You choose the goal" in told(SCOOPS, state, "guide_later", [{"goal": "Bowl"}])


LAID = "1 set 7C 7D 7H"
SCAMPER_SAYS: dict[str, tuple[Any, str]] = {
    "begin": (of_scamper(phase="begin", down=()), "Collect the contract"),
    "begin-down": (of_scamper(phase="begin"), "Your contract is down. Take the discard"),
    "offer": (of_scamper(phase="offer", seat=1, down=()), "It is still somebody else’s turn"),
    "offer-down": (of_scamper(phase="offer", seat=1), "two more cards would count against you"),
    "contract": (of_scamper("7C 7D 7S KD", down=()), "You hold the whole contract"),
    "lay-off": (of_scamper("7S KD 3C", melds=LAID), "a tap lays them there for good"),
    "discard": (of_scamper("9S KD 3C 4D", down=()), "keep what may become a set or a run"),
    "discard-down": (
        of_scamper("9S KD 3C", melds=LAID),
        "pick the card that counts most, and tap the discard pile",
    ),
    "others": (of_scamper(seat=1, down=()), "The discard may become useful"),
}


@pytest.mark.parametrize(("state", "words"), SCAMPER_SAYS.values(), ids=SCAMPER_SAYS)
def test_a_lesson_of_scamper_is_about_the_state(state: Any, words: str) -> None:
    found = told(SCAMPER, state)
    assert words in found
    assert "deck" not in found


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (of_scamper(phase="begin", down=(), asked="run 3,run 4"), "of its own: run of 3, run of 4."),
        (of_scamper("7S KD 3C", melds=LAID), "a tap lays them there for good"),
        (of_scamper("9S KD 3C 4D", down=()), ""),
    ],
    ids=["contract", "lay-off", "discard"],
)
def test_a_later_deal_of_scamper_has_a_lesson_of_what_is_new(state: Any, words: str) -> None:
    found = told(SCAMPER, state, "guide_later")
    assert words in found and bool(found) == bool(words)
