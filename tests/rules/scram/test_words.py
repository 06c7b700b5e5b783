"""What Scram! says at the table: what can be picked, and what moves would do."""

from typing import Any

import pytest

from games.engine.gestures import Gesture
from games.rules.scram.moves import At, Replace
from tests.rules.scram.notation import SCRAM, begin, play, table

CAMPSITES = ("3 3 = 4 (3) 5", "(1) (2)", "(1) (2)", "(1) (2)")
FROM_PILE = {"type": "draw", "from": "discard"}
AT_LEFT = "Replace; if they don't match, add it at the left"
AT_RIGHT = "Replace; if they don't match, add it at the right"


@pytest.mark.parametrize(
    ("drawn", "hint"),
    [
        ("=", "Pick cards of your team that the drawn one replaces, or discard it."),
        ("4", "Pick cards of your team that the drawn one replaces, or discard it."),
        ("5", "Pick cards of your team that the drawn one replaces, or what its action is for."),
        (
            "13",
            "Pick cards of your team that the drawn one replaces, or a card of the campsite where it is put.",
        ),
    ],
)
def test_a_hint_names_the_action_of_cards_that_have_one(drawn: str, hint: str) -> None:
    assert SCRAM.meaning(begin(table(*CAMPSITES), drawn), 0, Gesture()).hint == hint


@pytest.mark.parametrize(
    ("picked", "onto", "moves"),
    [
        ([], None, []),
        (["at:0.0"], None, ["Replace"]),
        (["at:1.0"], None, []),
        (["top:0"], None, []),
        ([], "pile:discard", ["Discard"]),
    ],
)
def test_a_card_from_the_pile_is_refused_only_what_is_tried(
    picked: list[str], onto: str | None, moves: list[str]
) -> None:
    found = SCRAM.meaning(play(table(*CAMPSITES), FROM_PILE), 0, Gesture(tuple(picked), (), onto))
    assert [type(move).__name__ for move in found.moves] == moves


@pytest.mark.parametrize(
    ("picked", "titles", "rules"),
    [
        ("0 1", ["Replace"], []),
        ("0 2", ["Replace"], []),
        ("0 4", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0 3", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0 1 4", [AT_RIGHT, AT_LEFT], ["B12"]),
        ("0", ["Replace"], ["B11"]),
        ("4", ["Replace"], ["B11"]),
    ],
)
def test_an_end_is_asked_for_only_where_cards_may_not_match(
    picked: str, titles: list[str], rules: list[str]
) -> None:
    state = play(table(*CAMPSITES), FROM_PILE)
    found = SCRAM.meaning(state, 0, Gesture(tuple(f"at:0.{place}" for place in picked.split())))
    assert [SCRAM.button(state, move) for move in found.moves] == titles
    assert [note.rule for note in found.notes] == rules


DRAW_FIRST = "Draw a card first: cards are picked after that."
OWN_TOO = "To replace it, tap a card of your own campsite, too."
CHOSEN: Any = [
    ("9", "0.0", "act", [], ["For the action of the 9 tap another card of that campsite."]),
    ("9", "0.0 0.1", "act", ["Act", "Act"], []),
    ("9", "0.0 0.1", None, ["Replace", "Act", "Act"], []),
    ("9", "0.0 0.1", "replace", ["Replace"], []),
    ("11", "2.0", None, [], [OWN_TOO, "For the action of the 11 tap the card to exchange it with."]),
    ("11", "2.0", "act", [], ["For the action of the 11 tap the card to exchange it with."]),
    ("11", "2.0 1.0", None, ["Act"], []),
    ("8", "0.4", None, ["Replace", "Act"], []),
    ("8", "2.0", "act", ["Act"], ["Use the action now, or pick up to 3 more cards first."]),
    ("4", "2.0", None, [], [OWN_TOO]),
    ("13", "2.0", "act", ["Act", "Act"], []),
    (None, "0.0", None, ["Draw", "Draw", "Scram"], [DRAW_FIRST]),
]


@pytest.mark.parametrize(("drawn", "picked", "kind", "moves", "notes"), CHOSEN)
def test_what_is_picked_first_is_told_what_it_can_become(
    drawn: str | None, picked: str, kind: str | None, moves: list[str], notes: list[str]
) -> None:
    state = begin(table(*CAMPSITES), drawn) if drawn else table(*CAMPSITES)
    found = SCRAM.meaning(state, 0, Gesture(tuple(f"at:{at}" for at in picked.split()), kind=kind))
    assert [type(move).__name__ for move in found.moves] == moves
    assert [str(note.text) for note in found.notes if note.rule not in ("B11", "B12")] == notes
    assert found.strays == ()


@pytest.mark.parametrize(
    ("drawn", "picked", "stray", "told"),
    [
        ("9", "0.0 1.0", "1.0", "The 9 is for cards of one campsite."),
        ("13", "0.0 1.0", "1.0", "The 13 is put in one campsite."),
        ("6", "0.0", "0.0", "The 6 is for face-down cards of any campsites, or the deck's top 2."),
        ("5", "1.0 1.1", "1.1", "The 5 is for 1 card at most."),
    ],
)
def test_a_chosen_action_refuses_what_it_is_not_for(drawn: str, picked: str, stray: str, told: str) -> None:
    things = tuple(f"at:{at}" for at in picked.split())
    found = SCRAM.meaning(begin(table(*CAMPSITES), drawn), 0, Gesture(things, kind="act"))
    assert (found.strays, str(found.astray and found.astray.sentence)) == ((f"at:{stray}",), told)


@pytest.mark.parametrize("picked", ["2.0 0.0 0.1", "0.0 2.0 0.1", "2.1 2.0 0.0"])
def test_cards_to_replace_are_picked_in_any_order(picked: str) -> None:
    things = tuple(f"at:{at}" for at in picked.split())
    found = SCRAM.meaning(begin(table(*CAMPSITES), "4"), 0, Gesture(things))
    assert found.strays == ()
    assert [(type(move), move.cards[0]) for move in found.moves] == [(Replace, At(0, 0))] * 2


def test_a_hint_does_not_offer_a_pile_that_nothing_can_be_drawn_from() -> None:
    for state in (table(*CAMPSITES, pile=""), table("", *CAMPSITES[1:])):
        assert str(SCRAM.meaning(state, 0, Gesture()).hint) == "Draw a card from the deck."


def test_a_tally_asks_only_about_cards_that_are_hidden() -> None:
    called = SCRAM.legends(table("3 4 (9)", "2 =", "(1)", ""), None)
    assert [called[f"tally:{seat}"] for seat in range(4)] == ["7 + 1?", "4", "0 + 1?", "0"]
