"""What Scoops says at the table: what dice give, what is still lacking, and what moves would do."""

from typing import Any

import pytest

from games.engine.gestures import Gesture
from games.rules.scoops import dice
from games.rules.scoops.gestures import KNOCK
from games.rules.scoops.moves import Discard, Meld
from tests.rules.by_hand import cards
from tests.rules.scoops.tables import SCOOPS, groups, table, with_melds

ROLLED = (3, 4, 3, 5)
BANANA, STRAWBERRY = "Banana: jokers wild, runs go round the corner", "Strawberry: aces low, jokers and red"
PICKED: dict[str, tuple[list[int], list[str], list[str]]] = {
    "nothing": ([], [], []),
    "half the special": ([0], ["Special: with 3 6s, with 4 7s, with 5 8s."], []),
    "the special": (
        [0, 1],
        ["Special: 7s.", f"Rule {BANANA}; goal Float", f"Rule {STRAWBERRY}"],
        ["Special 7s, rule Banana, goal Float", "Special 7s, rule Strawberry, goal Cone"],
    ),
    "the rule": (
        [0, 1, 3],
        ["Special: 7s.", f"Rule {STRAWBERRY}", "Goal Cone: a set of four, a set of three and a pair."],
        ["Special 7s, rule Strawberry, goal Cone"],
    ),
    "all": ([0, 1, 3, 2], ["Special: 7s.", "Rule ", "Goal Cone"], ["Special 7s, rule Strawberry, goal Cone"]),
    "one twice": ([0, 0], [], []),
}


@pytest.mark.parametrize(("picked", "notes", "moves"), PICKED.values(), ids=PICKED)
def test_picked_dice_tell_what_they_give(picked: list[int], notes: list[str], moves: list[str]) -> None:
    found = dice.meaning(ROLLED, [f"die:{number}" for number in picked])
    assert len(found.notes) == len(notes)
    assert all(note.text.startswith(told) for note, told in zip(found.notes, notes, strict=True))
    assert [dice.in_words(ROLLED, move) for move in found.moves] == moves


def test_cards_picked_before_the_dice_are_assigned_are_told_to_wait() -> None:
    found = SCOOPS.meaning(table(assigned=None, phase="assign"), 0, Gesture(("card:2C",)))
    assert [note.text for note in found.notes] == ["First assign the dice."]


def test_dice_that_nobody_has_assigned_tell_what_each_can_be() -> None:
    state = table("Cone", "Raspberry", "7", assigned=None, phase="assign")
    legends = SCOOPS.legends(state, None)
    assert legends["die:2"].startswith("Rule Raspberry: aces low, jokers and specials wild. Goal ")
    assert legends["die:3"].endswith("Goal Cone: a set of four, a set of three and a pair.")
    assert [*SCOOPS.legends(table("Cone"), None)] == ["rule", "goal"]


@pytest.mark.parametrize(
    ("goal", "counts"),
    [
        ("Cone", "a book of these wins 1 point more"),
        ("Coffee", "counts 2; a book of these wins 1 point more"),
    ],
)
def test_c11_the_table_says_what_the_special_rank_counts(goal: str, counts: str) -> None:
    assert SCOOPS.legends(table(goal, "Vanilla", "8"), None)["special"] == counts


BOWL = "2C 2D 2H 5C 6C 7C 9S QD KH"
LACKS: list[tuple[str, list[str], str, str | None]] = [
    ("Bowl", ["2C 2D 2H"], "", "Bowl still lacks 2 sets of 3 cards."),
    ("Bowl", ["2C 2D 2H"], "5C 6C 7C", "Bowl still lacks 1 set of 3 cards."),
    ("Bowl", ["2C 2D 9S"], "", None),
    ("Cone", ["2C 2D 2H"], "", "Cone still lacks 1 set of 4 cards and 1 pair."),
    ("Sandwich", ["2C 2D"], "", "Sandwich still lacks 1 run of 5 and 1 pair."),
    ("Bowl", [], "9S", None),
    ("Coffee", ["2C 2D 2H"], "", str(KNOCK.text)),
    ("Coffee", ["2C 2D 2H"], "9S", None),
    ("Float", ["2C 2D 2H"], "", None),
]


@pytest.mark.parametrize(("goal", "aside", "picked", "told"), LACKS)
def test_what_groups_still_lack_is_told_without_a_refusal(
    goal: str, aside: list[str], picked: str, told: str | None
) -> None:
    gesture = Gesture(cards(picked.split()), tuple(cards(group.split()) for group in aside))
    found = SCOOPS.meaning(table(goal, "Vanilla", None, BOWL), 0, gesture)
    assert [note.text for note in found.notes] == ([told] if told else [])


@pytest.mark.parametrize(("picked", "apart"), [
    ("2C 2D 2H 5C 6C 7C", ["2C 2D 2H", "5C 6C 7C"]), ("2C 5C 2D 6C 7C 2H", ["2C 2D 2H", "5C 6C 7C"]),
    ("2C 2D 2H 5C 6C 9S", ["2C 2D 2H 5C 6C 9S"]), ("2C 2D 2H", ["2C 2D 2H"]),
])  # fmt: skip
def test_sets_that_are_picked_together_are_told_apart(picked: str, apart: list[str]) -> None:
    for gesture in (Gesture(cards(picked.split())), Gesture((), aside=(cards(picked.split()),))):
        found = SCOOPS.meaning(table("Float", "Vanilla", None, BOWL), 0, gesture)
        (meld,) = (move for move in found.moves if isinstance(move, Meld))
        assert {frozenset(group.cards) for group in meld.groups} == {
            frozenset(each.split()) for each in apart
        }
        assert len(found.groups) == 1
        assert (found.groups[0].refusal is None) == (len(apart) > 1 or len(picked.split()) == 3)


@pytest.mark.parametrize("goal", ["Bowl", "Shake", "Float", "Coffee"])
def test_a_pair_is_refused_where_the_goal_asks_for_sets(goal: str) -> None:
    gesture = Gesture((), aside=(cards(["2C", "2D"]),))
    found = SCOOPS.meaning(table(goal, "Vanilla", None, BOWL), 0, gesture)
    (judged,) = found.groups
    assert judged.refusal and (judged.refusal.rule, found.notes) == ("C10", [])
    assert not judged.begun


@pytest.mark.parametrize(("goal", "picked", "begun"), [
    ("Bowl", "2C 2D", True), ("Bowl", "2C 3C", True), ("Bowl", "2C 3D", False), ("Sandwich", "2C 2D", False),
    ("Sandwich", "2C 3C", True),
])  # fmt: skip
def test_two_picked_cards_are_the_beginning_of_a_set(goal: str, picked: str, begun: bool) -> None:
    found = SCOOPS.meaning(table(goal, "Vanilla", None, BOWL), 0, Gesture(cards(picked.split())))
    assert found.groups[0].begun == begun


@pytest.mark.parametrize(("picked", "begun"), [("9S TS", True), ("9S JS", False), ("JS JD", True)])
def test_cards_that_go_into_no_run_begin_none(picked: str, begun: bool) -> None:
    found = SCOOPS.meaning(
        table("Bowl", "Chocolate", None, "9S TS JS JD 2C 3C 4C 5C 6C"), 0, Gesture(cards(picked.split()))
    )
    assert found.groups[0].begun == begun


COMMANDS: dict[str, tuple[dict[str, Any], str]] = {
    "deck": ({"type": "draw", "from": "deck"}, "Draw from the deck"),
    "own-pile": ({"type": "draw", "from": 0}, "Take 9D from your own discard pile"),
    "pile": ({"type": "draw", "from": 1}, "Take 4H from the discard pile of seat 1"),
    "meld": ({"type": "meld", "groups": groups("book 2C 2D 2H")}, "Lay down the book 2C 2D 2H"),
    "book": ({"type": "float", "meld": 0, "cards": ["7S"]}, "Float 7S onto seat 1’s book of 7s"),
    "run": (
        {"type": "float", "meld": 1, "cards": ["9C"], "end": "low"},
        "Float 9C onto seat 1’s run from TC to QC, at the low end",
    ),
    "knock": ({"type": "discard", "card": "9C", "knock": True}, "Discard 9C and knock"),
    "keep": ({"type": "keep"}, "Keep the last card"),
}


@pytest.mark.parametrize(("move", "told"), COMMANDS.values(), ids=COMMANDS)
def test_a_list_says_what_a_move_would_do(move: dict[str, Any], told: str) -> None:
    state = with_melds(table("Float", piles=("9D", "4H")), (1, "book 7C 7D 7H"), (1, "run TC JC QC"))
    assert SCOOPS.command(state, 0, SCOOPS.read_move(move)) == told


@pytest.mark.parametrize(
    ("onto", "moves"), [("pile:0", 1), ("pile:1", 0), ("pile:deck", 0), (None, 1)], ids=str
)
def test_a_card_is_discarded_onto_the_own_pile_alone(onto: str | None, moves: int) -> None:
    found = SCOOPS.meaning(table("Bowl"), 0, Gesture(("card:2C",), onto=onto))
    assert len([move for move in found.moves if isinstance(move, Discard)]) == moves


def test_of_a_discard_and_a_knock_the_discard_comes_first() -> None:
    found = SCOOPS.meaning(table("Coffee"), 0, Gesture(("card:2C",), onto="pile:0"))
    assert [getattr(move, "knock", None) for move in found.moves] == [False, True]
    assert {str(SCOOPS.tap(move)) for move in found.moves} == {"Discard here"}


@pytest.mark.parametrize(
    ("picked", "piles", "hint", "told"),
    [
        ("", ("9D", ""), "Draw from the deck, or take the top card of a discard pile.", []),
        ("", ("", ""), "Draw from the deck.", []),
        ("2C", ("", ""), "Draw from the deck.", ["Draw first: cards are laid and discarded after that."]),
    ],
)
def test_a_turn_begins_with_a_card_from_where_one_lies(
    picked: str, piles: tuple[str, str], hint: str, told: list[str]
) -> None:
    found = SCOOPS.meaning(table("Bowl", phase="draw", piles=piles), 0, Gesture(cards(picked.split())))
    assert (found.hint, [note.text for note in found.notes]) == (hint, told)
