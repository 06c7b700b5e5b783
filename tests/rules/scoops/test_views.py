"""What is shown, said and read of a game of Scoops: views by viewer, moves in words, what is malformed."""

from typing import Any

import pytest

from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal, Malformed
from games.rules.scoops.state import State
from tests.rules.scoops.scenarios import opened, the_last_turns_are_late
from tests.rules.scoops.tables import SCOOPS, groups, play, table, with_melds


def three_seats(**changes: Any) -> State:
    return table("Float", "Cherry", "T", "2C 9D", "3C", "4C 4D 4H", piles=("", "8S 9S", ""), **changes)


def test_a_view_counts_what_is_hidden_and_lists_what_lies_open() -> None:
    view = SCOOPS.view(with_melds(three_seats(), (1, "run QS KS AS")), None)
    assert (view["hands"], view["deck"], view["discards"]) == ([2, 1, 3], 4, [[], ["8S", "9S"], []])
    assert view["melds"] == [{"id": 0, "seat": 1, "kind": "run", "cards": ["QS", "KS", "AS"]}]
    assert (view["special"], view["rule"], view["goal"]) == ("T", "Cherry", "Float")


def test_c5_no_special_is_shown_as_null() -> None:
    view = SCOOPS.view(table("Bowl", "Vanilla", None), None)
    assert (view["special"], view["assigned"]) == (None, {"special": [0, 1], "rule": 2, "goal": 3})


def test_c15_a_taken_card_that_has_been_laid_is_shown_no_more() -> None:
    state = table("Float", "Vanilla", None, "9D 9C 2C", piles=("", "9S"), phase="draw")
    state = play(state, 0, type="draw", source=1)
    state = play(state, 0, type="meld", groups=groups("book 9D 9C 9S"))
    assert SCOOPS.view(state, 0)["taken"] is None


def test_a_replay_opens_every_hand_and_the_deck() -> None:
    state = three_seats()
    assert SCOOPS.open_hands(state) == (("2C", "9D"), ("3C",), ("4C", "4D", "4H"))
    assert SCOOPS.open_deck(state) == ("2D", "3D", "4D", "5D")


def test_the_sheet_tells_how_each_round_ended() -> None:
    laid = groups("book TC TD TH + book 2C 2D 2H + run 5S 6S 7S")
    state = table("Bowl", "Vanilla", "T", "TC TD TH 2C 2D 2H 5S 6S 7S", penalties=(0, -1))
    (row,) = SCOOPS.sheet(play(state, 0, type="lay_down", groups=laid))
    answer = {
        name: row[name] for name in ("round", "scores", "penalties", "ending", "winner", "bonus", "counts")
    }
    assert answer == {
        "round": 1,
        "scores": [2, -1],
        "penalties": [0, -1],
        "ending": "lay_down",
        "winner": 0,
        "bonus": 1,
        "counts": None,
    }


SAID: dict[str, tuple[JsonObject, str]] = {
    "C4": (
        {"type": "assign", "special": [0, 2], "rule": 1, "goal": 3},
        "makes dice 1 and 3 the special, die 2 the rule and die 4 the goal",
    ),
    "C14-deck": ({"type": "draw", "from": "deck"}, "draws from the deck"),
    "C14-pile": ({"type": "draw", "from": 2}, "takes the discard of seat 2"),
    "C15": ({"type": "discard", "card": "9C"}, "discards 9C"),
    "C16": (
        {"type": "lay_down", "groups": groups("book 2C 2D 2H 2S + run 3C 4C 5C 6C"), "discard": "9C"},
        "lays down the book 2C 2D 2H 2S, the run 3C 4C 5C 6C and discards 9C",
    ),
    "C17-meld": ({"type": "meld", "groups": groups("book 2C 2D 2H")}, "lays the book 2C 2D 2H"),
    "C17-float": (
        {"type": "float", "meld": 3, "cards": ["9C"], "end": "low"},
        "floats 9C onto the low end of a run",
    ),
    "C17-float-onto-a-book": ({"type": "float", "meld": 3, "cards": ["9C"]}, "floats 9C onto a book"),
    "C17-keep": ({"type": "keep"}, "keeps the last card"),
    "C18": (
        {"type": "discard", "card": "9C", "knock": True, "melds": groups("book 2C 2D 2H")},
        "discards 9C and knocks, laying the book 2C 2D 2H",
    ),
}


@pytest.mark.parametrize(("move", "text"), SAID.values(), ids=SAID)
def test_a_move_is_said_in_words(move: JsonObject, text: str) -> None:
    assert SCOOPS.describe(SCOOPS.read_move(move)) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("deck", "draws from the deck"),
        (0, "takes 9S from their own discard pile"),
        (1, "takes TS from the discard pile of seat 1"),
    ],
)
def test_a_card_taken_from_a_pile_is_named_and_one_from_the_deck_is_not(source: int | str, text: str) -> None:
    before = table(piles=("9S", "8H TS"), phase="draw")
    move = SCOOPS.read_move({"type": "draw", "from": source})
    found = SCOOPS.outcome(before, move, SCOOPS.step(before, 0, move))
    assert SCOOPS.told(move, 0, found) == text


MALFORMED: dict[str, tuple[JsonObject, str]] = {
    "no-card": ({"type": "discard"}, "card"),
    "not-a-card": ({"type": "discard", "card": "1C"}, "card"),
    "no-such-field": ({"type": "keep", "card": "2C"}, "card"),
    "from-a-word": ({"type": "draw", "from": "stock"}, "from"),
    "from-a-tenth-seat": ({"type": "draw", "from": 9}, "from"),
    "a-fifth-die": ({"type": "assign", "special": [0, 4], "rule": 1, "goal": 2}, "special.1"),
    "three-dice": ({"type": "assign", "special": [0, 1, 2], "rule": 1, "goal": 2}, "special"),
    "a-kind-that-is-none": ({"type": "meld", "groups": [{"kind": "set", "cards": ["2C"]}]}, "groups.0.kind"),
    "an-end-that-is-none": ({"type": "float", "meld": 0, "cards": ["2C"], "end": "left"}, "end"),
    "a-knock-that-is-a-number": ({"type": "discard", "card": "2C", "knock": 1}, "knock"),
}


@pytest.mark.parametrize(("move", "path"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_move_names_its_field(move: JsonObject, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        SCOOPS.read_move(move)
    assert {*caught.value.errors} == {path}


def test_a_seat_that_is_out_draws_and_discards_in_the_last_turns() -> None:
    game = the_last_turns_are_late()
    moves = [(entry["role"], entry["move"]["type"]) for entry in game.entries]
    assert moves[moves.index(("arbiter", "forfeit")) :][:4] == [
        *[("arbiter", "forfeit"), ("clock", "timeout")],
        *[("system", "draw"), ("system", "discard")],
    ]


def test_a_seat_that_leaves_before_the_deal_has_left_the_first_round() -> None:
    game = opened(1, 3, {}, entropy=True)
    game.seat(1, {"type": "resign"})
    for seat in (0, 2):
        game.seat(seat, {"type": "ready"})
    assert game.position.state.out == (1,)


REFUSED: dict[str, tuple[State, JsonObject, str]] = {
    "C14": (table(phase="draw"), {"type": "keep"}, "First draw a card."),
    "C15-not-held": (table(), {"type": "discard", "card": "KH"}, "You do not hold KH."),
    "C15-taken": (
        table("Bowl", "Vanilla", None, "2C 9D", taken="9D"),
        {"type": "discard", "card": "9D"},
        "You took 9D from a discard pile: you can't discard it in this turn.",
    ),
    "C16-too-few": (
        table("Bowl", "Vanilla", None, "2C 2D 2H"),
        {"type": "lay_down", "groups": groups("book 2C 2D 2H")},
        "Bowl asks for exactly three sets of exactly three.",
    ),
    "C16-no-discard": (
        table("Shake", "Vanilla", None, "2C 2D 2H 2S 5S 6S 7S 8S"),
        {"type": "lay_down", "groups": groups("book 2C 2D 2H 2S + run 5S 6S 7S 8S")},
        "Shake is won with a discard.",
    ),
    "C16-a-discard-too-many": (
        table("Bowl", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD KS"),
        {
            "type": "lay_down",
            "groups": groups("book 2C 2D 2H + run 5S 6S 7S + book KC KD KS"),
            "discard": "KS",
        },
        "Bowl is won without a discard.",
    ),
    "C17-not-held": (
        table("Float", "Vanilla", None, "2C 3D"),
        {"type": "meld", "groups": groups("book 2C 2D 2H")},
        "You do not hold 2D or 2H.",
    ),
    "C17-the-last-card": (
        table("Float", "Vanilla", None, "2C"),
        {"type": "discard", "card": "2C"},
        "You may not discard your last card: keep it.",
    ),
    "C18-knocked": (
        table("Coffee", "Vanilla", None, "2C 3D", "4C", "5C", knocker=1, seat=0),
        {"type": "discard", "card": "2C", "knock": True},
        "Seat 1 has knocked already: this is your last turn.",
    ),
}


@pytest.mark.parametrize(("state", "move", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_says_what_is_wrong(state: State, move: JsonObject, sentence: str) -> None:
    with pytest.raises(Illegal) as caught:
        SCOOPS.step(state, 0, SCOOPS.read_move(move))
    assert caught.value.sentence == sentence
