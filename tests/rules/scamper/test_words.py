"""What Scamper says at the table: what the contract lacks, what is asked, and what moves would do."""

from typing import Any

import pytest

from games.engine.gestures import Gesture
from games.rules.scamper.judging import lacking
from tests.rules.by_hand import cards
from tests.rules.scamper.tables import SCAMPER, contract, group, groups, play, refusal, table

HAND = "7C 7D 7S 4H 5H 6H KD 9C"


@pytest.mark.parametrize(
    ("laid", "asked", "left"),
    [
        ("set 7C 7D 7S", "set 3,set 3", "1 set of 3"),
        ("set 7C 7D 7S", "set 3,run 4", "1 run of 4"),
        ("run 4H 5H 6H", "run 4,run 5", "1 run of 4, 1 run of 5"),
        ("run 4H 5H 6H 7H", "run 4,run 5", "1 run of 5"),
        ("set 7C 7D 7S 7H", "set 3", ""),
        ("", "set 3,set 3", "2 sets of 3"),
    ],
)
def test_what_the_contract_lacks(laid: str, asked: str, left: str) -> None:
    melds = [group(laid)] if laid else []
    assert lacking(melds, contract(asked)).in_words() == left


@pytest.mark.parametrize(
    ("aside", "picked", "told", "moves"),
    [
        (["7C 7D 7S"], "", ["The contract still lacks 1 run of 3."], []),
        (["7C 7D 7S"], "4H 5H 6H", [], ["meld"]),
        (["7C 7D KD"], "", [], ["meld"]),
        ([], "KD", [], ["discard", "discard"]),
    ],
)
def test_melds_that_are_no_contract_yet_are_told_what_they_lack(
    aside: list[str], picked: str, told: list[str], moves: list[str]
) -> None:
    state = table(HAND, asked="set 3,run 3", down=(), options={"declare_scamper": False})
    gesture = Gesture(cards(picked.split()), tuple(cards(each.split()) for each in aside))
    found = SCAMPER.meaning(state, 0, gesture)
    assert [note.text for note in found.notes] == told
    assert [type(move).__name__.lower() for move in found.moves] == moves[: len(found.moves)]


def test_two_sets_that_are_picked_together_are_laid_as_two() -> None:
    state = table("7C 7D 7S KC KD KH 4S 5S", asked="set 3,set 3", down=())
    found = SCAMPER.meaning(state, 0, Gesture(cards(["7C", "KC", "7D", "KD", "7S", "KH"])))
    (meld,) = found.moves
    assert [group.cards for group in meld.melds] == [("7C", "7D", "7S"), ("KC", "KD", "KH")]
    (judged,) = found.groups
    assert judged.refusal is None


def test_a_card_that_fits_a_meld_is_added_to_it_before_it_is_discarded() -> None:
    state = table("3H 9S 4S", down=(0,), melds="1 set 3C 3D 3S")
    kinds = [type(move).__name__ for move in SCAMPER.meaning(state, 0, Gesture(cards(["3H"]))).moves]
    assert kinds.index("LayOff") < kinds.index("Discard")


def test_a_contract_in_part_is_refused_with_what_it_lacks() -> None:
    state = table(HAND, asked="set 3,run 3", down=())
    assert refusal(state, 0, "meld", melds=groups("set 7C 7D 7S")) == "S15"


def test_the_seat_that_the_discard_is_offered_to_is_asked() -> None:
    state = play(table(phase="begin"), 0, "draw")
    asked = SCAMPER.meaning(state, 1, Gesture())
    assert asked.hint == "Do you want TH, which seat 0 leaves? A card from the stock comes with it."
    back = SCAMPER.meaning(play(table(phase="begin", turn=2), 0, "draw"), 1, Gesture())
    assert back.hint == (
        "TH is your own discard, which nobody took. Do you want it, with a card from the stock?"
    )
    (accepted,) = SCAMPER.meaning(state, 1, Gesture(onto="pile:discard")).moves
    assert SCAMPER.command(state, 1, accepted) == "Take TH and a card from the stock"
    assert (asked.standing, back.standing and type(back.standing.move).__name__) == (None, "Decline")


@pytest.mark.parametrize(
    ("picked", "down", "told"),
    [
        ("JK", (), "Pick the cards that it goes with: a wild card can only be discarded as your last card"),
        ("2C", (0,), "Tap a meld to lay it off: a wild card can only be discarded as your last card"),
    ],
)
def test_a_wild_card_that_is_picked_first_is_told_what_it_is_for(
    picked: str, down: tuple[int, ...], told: str
) -> None:
    state = table("7C 7D JK 2C KD", melds="0 set 4C 4D 4S", down=down)
    found = SCAMPER.meaning(state, 0, Gesture(cards([picked])))
    assert ([*found.moves], [note.rule for note in found.notes]) == ([], ["S23"])
    assert str(found.notes[0].text).startswith(told)
    assert SCAMPER.meaning(state, 0, Gesture(cards([picked]), onto="pile:discard")).moves


def test_a_discard_that_costs_points_is_not_the_first_choice() -> None:
    found = SCAMPER.meaning(table("7C KD"), 0, Gesture(cards(["KD"])))
    assert [(move.scamper, move in found.costly) for move in found.moves] == [(True, False), (False, True)]


MELDS = "1 set 7C 7D JK; 0 run 4H 5H 6H; 1 set 9C 9D 9H; 1 set 9C 9D 9S"
CALLED = {
    "meld:m1": "seat 1’s set of 7s",
    "meld:m2": "your run from 4H to 6H",
    "meld:m3": "seat 1’s set of 9s (9C 9D 9H)",
    "meld:m4": "seat 1’s set of 9s (9C 9D 9S)",
}


def test_melds_are_named_by_what_they_are_and_whose() -> None:
    assert SCAMPER.legends(table(melds=MELDS), 0) == CALLED


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ({"type": "take"}, "Take TH from the discard pile"),
        ({"type": "draw"}, "Leave TH and draw"),
        ({"type": "lay_off", "meld": "m1", "cards": ["7S"]}, "Lay off 7S onto seat 1’s set of 7s"),
        (
            {"type": "lay_off", "meld": "m2", "cards": ["7H"], "end": "high"},
            "Lay off 7H onto your run from 4H to 6H, at the high end",
        ),
        (
            {"type": "swap", "meld": "m1", "card": "7S", "wild": "JK"},
            "Give 7S to seat 1’s set of 7s and take JK",
        ),
        ({"type": "discard", "card": "9C", "scamper": True}, "Discard 9C and say Scamper"),
        ({"type": "concede"}, "Let the last turn stand"),
    ],
)
def test_a_list_says_what_a_move_would_do(move: Any, told: str) -> None:
    assert SCAMPER.command(table(melds=MELDS), 0, SCAMPER.read_move(move)) == told


@pytest.mark.parametrize(
    ("down", "picked", "targets"),
    [
        ((), "KD", ["pile:discard"]),
        ((0,), "KD", ["meld:m1", "meld:m2", "pile:discard"]),
        ((0,), "KD 7S", ["meld:m1", "meld:m2"]),
        ((0,), "", []),
    ],
)
def test_picked_cards_can_be_put_where_the_rules_let_them(
    down: tuple[int, ...], picked: str, targets: list[str]
) -> None:
    state = table("7S KD 3C 4C", melds="1 set 7C 7D JK; 0 run 4H 5H 6H", down=down)
    assert [*SCAMPER.meaning(state, 0, Gesture(cards(picked.split()))).targets] == targets


@pytest.mark.parametrize(("picked", "rules"), [("", []), ("KD", ["S8"])])
def test_cards_picked_before_a_card_is_taken_are_told_to_wait(picked: str, rules: list[str]) -> None:
    found = SCAMPER.meaning(table(HAND, phase="begin"), 0, Gesture(cards(picked.split())))
    assert [note.rule for note in found.notes] == rules


@pytest.mark.parametrize(
    ("picked", "told"),
    [
        ("6S TS 2C JK", "Between 6S and TS 3 cards are missing; there are 2 wild cards."),
        ("6S TS JK", "Between 6S and TS 3 cards are missing; there is 1 wild card."),
        ("QS AS", "pick at least one more card that belongs to it."),
        ("6S 7S 9C", "9C is not of the suit of 6S and 7S."),
        ("6S 7S 8S", None),
    ],
)
def test_cards_that_are_no_run_are_told_what_is_wrong_with_them(picked: str, told: str | None) -> None:
    (judged,) = SCAMPER.meaning(table(HAND, down=(0,)), 0, Gesture(cards(picked.split()))).groups
    said = str(judged.refusal.sentence) if judged.refusal else None
    assert said == told


@pytest.mark.parametrize(
    ("picked", "named"),
    [
        ("2H 3H JK", "the run 2H 3H JK"),
        ("2H 3H JK JK", "the run 2H 3H JK JK"),
        ("5C JK JK", "the set 5C JK JK"),
        ("2C 2D JK", "the set 2C 2D JK"),
        ("5C 5D JK", "the set 5C 5D JK"),
    ],
)
def test_wild_cards_make_what_the_natural_cards_fit(picked: str, named: str) -> None:
    (judged,) = SCAMPER.meaning(table(HAND, down=()), 0, Gesture(cards(picked.split()))).groups
    assert judged.text == named


@pytest.mark.parametrize(
    ("held", "titles", "rules"),
    [
        ("KD 9C", ["Discard KD and say Scamper", "Discard KD without saying Scamper"], ["S31"]),
        ("KD 9C 3C", ["Discard KD"], []),
    ],
)
def test_saying_scamper_is_a_choice_with_its_cost(held: str, titles: list[str], rules: list[str]) -> None:
    state = table(held, down=(0,), options={"declare_scamper": True})
    found = SCAMPER.meaning(state, 0, Gesture(cards(["KD"])))
    assert [SCAMPER.command(state, 0, move) for move in found.moves] == titles
    assert [note.rule for note in found.notes] == rules


@pytest.mark.parametrize(
    ("picked", "begun"), [("7C 7D", True), ("7C JK", True), ("4H 5H", True), ("7C 4H", False)]
)
def test_two_cards_that_belong_together_are_the_beginning_of_a_meld(picked: str, begun: bool) -> None:
    found = SCAMPER.meaning(table("7C 7D JK 4H 5H KD", down=()), 0, Gesture(cards(picked.split())))
    (group,) = found.groups
    assert (group.begun, group.refusal is not None) == (begun, True)
