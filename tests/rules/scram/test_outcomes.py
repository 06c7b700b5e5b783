"""A move that was made is told as what happened, and its words name no card that not everybody saw."""

from pathlib import Path
from typing import Any, Final

import pytest

from games.engine import describing, replay
from games.engine.common_moves import Forfeit
from games.engine.outcomes import DefaultMoves, of_last
from games.rules.scram.state import State
from tests.rules.recording import replayed
from tests.rules.scram.notation import SCRAM, act, begin, discard, draw, exchange, play, swap, table
from tests.rules.scram.scenarios import LOGS

CAMPSITES: Final = ("(7) 8 (9) (=)", "(1) 2", "(7) (9) 3", "4")


def told(state: State, move: dict[str, Any]) -> str:
    """Return a move of the seat in play as it is told when it was made."""
    made = SCRAM.read_move(move)
    return SCRAM.told(made, state.seat, SCRAM.outcome(state, made, play(state, move)))


def drawn(card: str, **fields: Any) -> State:
    return begin(table(*CAMPSITES, **fields), card)


def taken() -> State:
    return play(table(*CAMPSITES, pile="13 5"), draw("discard"))


def looked() -> State:
    return play(drawn("12"), act("0.1 1.0"))


TOLD: Final = [
    pytest.param(table(*CAMPSITES), draw(), "draws from the deck", id="B8-the-deck"),
    pytest.param(
        table(*CAMPSITES, pile="13 5"), draw("discard"), "takes the 5 from the discard pile", id="B8-the-pile"
    ),
    pytest.param(drawn("5"), discard(), "discards the 5", id="B13-discard"),
    pytest.param(
        drawn("5"), swap("0.1"), "replaces their own card 2 (8) with the drawn card", id="B10-one-card"
    ),
    pytest.param(
        taken(), swap("0.1"), "replaces their own card 2 (8) with the 5 of the discard pile", id="B9-taken"
    ),
    pytest.param(
        drawn("5"),
        swap("0.0 0.3 2.0", end="left"),
        "turns up their own cards 1 (7) and 4 (=) and card 1 (7) of seat 2: they match and are "
        "discarded, and the drawn card takes the place of their own card 1",
        id="B11-a-match",
    ),
    pytest.param(
        drawn("5"),
        swap("0.0 0.3", end="left", slot=3),
        "turns up their own cards 1 (7) and 4 (=): they match and are discarded, and the drawn "
        "card takes the place of their own card 4",
        id="B11-a-slot",
    ),
    pytest.param(
        drawn("5"),
        swap("0.0 2.1", end="right"),
        "turns up their own card 1 (7) and card 2 (9) of seat 2: they don't match and stay face up, and the "
        "drawn card is added at the right",
        id="B12-no-match",
    ),
    pytest.param(
        drawn("5"),
        swap("0.0 0.1 0.2 2.2", end="right", extra_ends=["left"]),
        "turns up their own cards 1 (7), 2 (8) and 3 (9) and card 3 (3) of seat 2: "
        "they don't match and stay face up, and the drawn card is added at the right, with 2 cards of the "
        "deck, at the left and the right",
        id="B12-cards-of-the-deck",
    ),
    pytest.param(
        drawn("6"), act("1.0 0.0"), "uses the 6: looks at card 1 of seat 1 and their own card 1", id="A0-6"
    ),
    pytest.param(
        play(drawn("6"), act("deck.0")),
        act("deck.1"),
        "goes on with the 6: looks at card 2 from the top of the deck",
        id="A2-one-by-one",
    ),
    pytest.param(
        drawn("9"),
        act(seat=0, cards=[0, 1], end="right"),
        "uses the 9: discards their own cards 1 (7) and 2 (8) and puts the 9 at the right of "
        "their own campsite, face up",
        id="A0-9",
    ),
    pytest.param(
        drawn("10"),
        act("1.0 2.1"),
        "uses the 10: turns up card 1 (1) of seat 1 and card 2 (9) of seat 2",
        id="A0-10",
    ),
    pytest.param(
        drawn("11"),
        act("1.0 deck.0"),
        "uses the 11: exchanges card 1 of seat 1 and the deck's top card, unseen",
        id="A0-11",
    ),
    pytest.param(
        drawn("12"), act("0.1 1.0"), "uses the 12: looks at their own card 2 and card 1 of seat 1", id="A0-12"
    ),
    pytest.param(
        drawn("12"),
        act("1.0 1.1"),
        "uses the 12: looks at cards 1 and 2 of seat 1; two cards of one campsite stay",
        id="A0-12-in-one-campsite",
    ),
    pytest.param(
        looked(), exchange(True), "exchanges their own card 2 and card 1 of seat 1", id="A0-exchanged"
    ),
    pytest.param(
        looked(),
        exchange(False),
        "leaves their own card 2 and card 1 of seat 1 where they are",
        id="A0-left",
    ),
    pytest.param(
        drawn("13"),
        act(seat=3, end="left"),
        "uses the 13: puts it at the left of the campsite of seat 3, face up",
        id="A0-13",
    ),
]


@pytest.mark.parametrize(("state", "move", "words"), TOLD)
def test_a_move_is_told_as_what_it_did(state: State, move: dict[str, Any], words: str) -> None:
    assert told(state, move) == words


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(LOGS.glob("*.jsonl"))])
def test_no_entry_of_a_golden_game_says_what_could_have_been(path: Path) -> None:
    for entry, position in replayed(path):
        if entry["move"]["type"] in SCRAM.moves:
            words = in_words(entry, position)
            assert " if " not in words and "or else" not in words and "uses an action" not in words


def in_words(entry: dict[str, Any], position: replay.Position) -> str:
    """Return a recorded entry as its log tells it."""
    move = replay.read_move(position.ruleset, entry["move"])
    return describing.told(position.ruleset, move, entry["seat"], of_last(position.ruleset, position.last))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(LOGS.glob("*.jsonl"))])
def test_an_outcome_names_only_cards_that_everybody_saw(path: Path) -> None:
    """A card that a move names lies face up or on the pile afterwards, if its deal is still played."""
    before = None
    for _, position in replayed(path):
        outcome = of_last(position.ruleset, position.last)
        if before and position.state and len(position.state.rows) == len(before.state.rows) and outcome:
            assert named(outcome) <= in_the_open(position.state)
        before = position if position.state else None


def named(outcome: Any) -> set[str]:
    timed_out = isinstance(outcome, DefaultMoves)
    single = [each for _, each in outcome.made if each] if timed_out else [outcome]
    return {face for each in single for face in (*each.faces, *([each.card] if each.card else []))}


def in_the_open(state: State) -> set[str]:
    view: Any = SCRAM.view(state, None)
    camped = [lying["card"] for campsite in view["campsites"] for lying in campsite if lying["up"]]
    return {*view["discard"], *camped, view["taken"]}


TOUCHED: Final = [
    pytest.param(drawn("5"), swap("0.1"), "at:0.1", id="one"),
    pytest.param(drawn("5"), swap("0.0 0.3", end="left", slot=3), "at:0.2", id="rows-close-up"),
    pytest.param(drawn("5"), swap("0.0 2.1", end="left"), "at:0.1 at:2.1 at:0.0", id="added-at-the-left"),
    pytest.param(
        drawn("5"),
        swap("0.0 0.1 0.2 2.2", end="right", extra_ends=["left"]),
        "at:0.1 at:0.2 at:0.3 at:2.2 at:0.5",
        id="added-at-both-ends",
    ),
    pytest.param(drawn("6"), act("1.0 0.0"), "at:1.0 at:0.0", id="looked-at"),
    pytest.param(drawn("11"), act("1.0 deck.0"), "at:1.0 top:0", id="exchanged"),
    pytest.param(looked(), exchange(True), "at:0.1 at:1.0", id="exchanged-by-a-12"),
    pytest.param(drawn("9"), act(seat=0, cards=[0, 1], end="right"), "at:0.2", id="a-9"),
    pytest.param(drawn("13"), act(seat=3, end="left"), "at:3.0", id="a-13"),
    pytest.param(drawn("5"), discard(), "", id="none"),
]


@pytest.mark.parametrize(("state", "move", "things"), TOUCHED)
def test_the_places_that_a_move_was_about_are_named_as_they_are_after_it(
    state: State, move: dict[str, Any], things: str
) -> None:
    made = SCRAM.read_move(move)
    outcome = SCRAM.outcome(state, made, play(state, move))
    assert outcome
    assert " ".join(SCRAM.touched(outcome)) == things


@pytest.mark.parametrize(
    ("state", "move", "crossed"),
    [
        (drawn("11"), act("1.0 0.0"), True),
        (looked(), exchange(True), True),
        (looked(), exchange(False), False),
        (drawn("6"), act("1.0 0.0"), False),
    ],
)
def test_only_cards_that_were_exchanged_have_taken_each_others_places(
    state: State, move: dict[str, Any], crossed: bool
) -> None:
    outcome = SCRAM.outcome(state, SCRAM.read_move(move), play(state, move))
    assert outcome
    assert SCRAM.exchanged(outcome) == (SCRAM.touched(outcome) if crossed else ())


def test_a_timeout_is_told_with_the_moves_that_it_played() -> None:
    entry, position = next(
        (entry, position)
        for entry, position in replayed(LOGS / "the-clock-finishes-everything.jsonl")
        if entry["move"]["type"] == "timeout"
    )
    words = in_words(entry, position)
    assert words.startswith(
        "runs out of time; the default moves are played: draws from the deck, discards the "
    )


def test_a_forfeit_is_told_as_the_clocks_or_as_the_arbiters() -> None:
    forfeit = Forfeit(1, "out of time")
    assert describing.told(SCRAM, forfeit, 1, None) == "runs out of time and forfeits"
    assert describing.told(SCRAM, forfeit, None, None).startswith("takes ")
