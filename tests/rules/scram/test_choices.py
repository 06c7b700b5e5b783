"""What exactly a seat is offered; and at every size every type of move that would be accepted."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from games.engine.chance import Chance
from games.engine.refusals import Illegal
from games.rules.scram.actions import ACTIONS
from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target, Top
from games.rules.scram.state import State
from tests.rules.offered import about, lines
from tests.rules.randomplay import some_move
from tests.rules.scram.notation import SCRAM, act, begin, draw, exchange, play, swap, table


def tried(state: State) -> Iterator[Move]:
    """Yield moves of all types, all with which a type could be accepted in this state."""
    yield from (Draw("deck"), Draw("discard"), Discard(), Scram(), Exchange(do=False), Exchange(do=True))
    table = state.table
    places = [At(seat, index) for seat, row in enumerate(table.campsites) for index in range(len(row))]
    tops = [Top(depth) for depth in range(min(4, len(table.deck)))]
    targets: list[Target] = [*places, *tops]
    yield from (Replace((at,)) for at in places if at.seat == state.seat)
    yield from (Act((target,)) for target in targets)
    yield from (Act(pair) for pair in combinations(targets, 2))
    for seat, row in enumerate(table.campsites):
        yield Act(seat=seat, end="left")
        yield Act(seat=seat, cards=tuple(range(min(2, len(row)))), end="left")


def accepted(state: State) -> set[str]:
    """Return the types of which some move is accepted."""
    kinds: set[str] = set()
    for move in tried(state):
        kind = str(SCRAM.write_move(move)["type"])
        if kind not in kinds and is_legal(state, move):
            kinds.add(kind)
    return kinds


def is_legal(state: State, move: Any) -> bool:
    try:
        SCRAM.step(state, state.seat, move)
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("seats", [pytest.param(seats, id=f"B9-{seats}") for seats in (3, 4, 6)])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_type_that_would_be_accepted_is_listed_and_no_other(seats: int, seed: int) -> None:
    dice = random.Random(seed)
    state = SCRAM.start(SCRAM.read_options({"rounds": 1}, seats), seats, Chance(seed.to_bytes(32, "big")))
    while not SCRAM.is_over(state):
        choices = SCRAM.choices(state, state.seat)
        assert {choice.type for choice in choices} == accepted(state)
        state = SCRAM.step(state, state.seat, SCRAM.read_move(some_move(dice.choice(choices), dice)))


THREE = ("(7) 7 2", "3 (4)", "(5)")
MATES = ("7 7 = (3)", "3 4", "7 (=)", "3 4")
ONE = "replace cards=0.0|0.1|0.2"
TWO = "replace cards…=0.0,0.1|0.1,0.2 end=left|right slot?…="
ALL = "replace cards…=0.0,0.1,0.2 end=left|right slot?…= extra_ends?=left|right"
REPLACEMENTS = (ONE, TWO, ALL)


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        pytest.param(table(*THREE), ["draw from=deck|discard"], id="B8"),
        pytest.param(table(*THREE, pile=""), ["draw from=deck"], id="B8-no-pile"),
        pytest.param(begin(table(*THREE), "1"), ["discard", *REPLACEMENTS], id="B9"),
        pytest.param(play(table(*THREE), draw("discard")), [*REPLACEMENTS], id="B9-taken"),
        pytest.param(begin(table("7", "3 4"), "1"), ["discard", "replace cards=0.0"], id="B10-one-card"),
        pytest.param(begin(table("", "3 4"), "1"), ["discard"], id="B10-no-card"),
        pytest.param(
            begin(table(*MATES), "1"),
            [
                "discard",
                "replace cards=0.0|0.1|0.2|0.3",
                "replace cards…=0.0,0.1|0.1,0.2|0.2,0.3|0.0,2.0|0.0,2.1 end=left|right slot?…=",
                "replace cards…=0.0,0.1,2.0 end=left|right slot?…= extra_ends?=left|right",
                "replace cards…=0.0,0.1,0.2,0.3 end=left|right slot?…= "
                "extra_ends?=left|right|left,left|left,right|right,left|right,right",
            ],
            id="B11-B12-with-a-team-mate",
        ),
        pytest.param(
            begin(table(*THREE), "6"),
            ["discard", "act targets…=0.0|1.1|2.0|deck.0|deck.1", *REPLACEMENTS],
            id="A0-6",
        ),
        pytest.param(
            begin(table(*THREE), "9"),
            [
                "discard",
                "act seat=0 cards=0,1|0,2|1,2 end=left|right",
                "act seat=1 cards=0,1 end=left|right",
                "act seat=2 cards=0 end=left|right",
                *REPLACEMENTS,
            ],
            id="A0-9",
        ),
        pytest.param(
            begin(table("", "3 4", "5"), "9"),
            ["discard", "act seat=1 cards=0,1 end=left|right", "act seat=2 cards=0 end=left|right"],
            id="A0-9-an-empty-campsite",
        ),
        pytest.param(
            begin(table(*THREE), "10"), ["discard", "act targets…=0.0|1.1|2.0", *REPLACEMENTS], id="A0-10"
        ),
        pytest.param(
            begin(table(*THREE), "11"),
            [
                "discard",
                "act targets…=1.0,0.0|2.0,0.0|0.0,deck.0|0.1,1.0|0.1,2.0|0.1,deck.0|0.2,1.0|0.2,2.0|"
                "0.2,deck.0|2.0,1.0|1.0,deck.0|1.1,0.0|1.1,2.0|1.1,deck.0|2.0,deck.0",
                *REPLACEMENTS,
            ],
            id="A0-11",
        ),
        pytest.param(
            begin(table(*THREE), "12"),
            ["discard", "act targets…=0.0|0.1|0.2|1.0|1.1|2.0|deck.0|deck.1", *REPLACEMENTS],
            id="A0-12",
        ),
        pytest.param(
            begin(table(*THREE), "13"),
            ["discard", "act seat=0|1|2 end=left|right", *REPLACEMENTS],
            id="A0-13",
        ),
        pytest.param(
            play(begin(table(*THREE), "6"), act("0.0")), ["act targets=1.1|2.0"], id="A2-the-last-of-a-6"
        ),
        pytest.param(
            play(begin(table(*THREE), "7"), act("deck.0")), ["act targets…=deck.1|deck.2"], id="A1-A2-a-7"
        ),
        pytest.param(
            play(begin(table(*THREE), "12"), act("0.0")),
            ["act targets=0.1|0.2|1.0|1.1|2.0|deck.0|deck.1"],
            id="A2-a-12",
        ),
        pytest.param(
            play(begin(table(*THREE), "12"), act("0.0 1.0")), ["exchange do=False|True"], id="A0-a-12-looked"
        ),
    ],
)
def test_the_seat_in_play_is_offered_exactly(state: State, offered: list[str]) -> None:
    assert lines(SCRAM.choices(state, state.seat)) == offered


def test_what_is_not_listed_is_told() -> None:
    assert about(SCRAM.choices(begin(table(*THREE), "10"), 0)) == {
        "act.targets": "one, or at once up to 2 of face-down cards of any campsites",
        "replace.cards": "cards of your own and your team-mates' campsites, the first your own; together, "
        "one number or =",
        "replace.slot": "the index of the chosen card in your campsite that the new card replaces; the first "
        "if left out",
        "replace.extra_ends": "where each card that is added from the deck goes, in order; like the new card "
        "if left out",
    }
    eleven = about(SCRAM.choices(begin(table(*THREE), "11"), 0))
    assert eleven["act.targets"] == ACTIONS["11"].targets
    left = about(SCRAM.choices(play(begin(table(*THREE), "8"), act("0.0")), 0))
    assert (
        left["act.targets"]
        == "one, or at once up to 3 of face-down cards of any campsites, or the deck's top 4"
    )


@pytest.mark.parametrize(
    ("state", "move"),
    [
        pytest.param(table(*THREE), {"type": "draw", "from": "deck"}, id="begin"),
        pytest.param(begin(table(*THREE), "6"), {"type": "discard"}, id="play"),
        pytest.param(play(table(*THREE), draw("discard")), swap("0.0"), id="B9-taken"),
        pytest.param(play(begin(table(*THREE), "6"), act("0.0")), act("1.1"), id="act"),
        pytest.param(play(begin(table(*THREE), "12"), act("0.0 1.0")), exchange(do=False), id="exchange"),
    ],
)
def test_the_clock_plays(state: State, move: dict[str, Any]) -> None:
    assert SCRAM.write_move(SCRAM.default_move(state, state.seat)) == move


@pytest.mark.parametrize(
    ("card", "rule", "deed"),
    [
        ("5", (1, 1, True, False, False, True), "look"),
        ("6", (2, 2, True, False, False, True), "look"),
        ("7", (3, 3, True, False, False, True), "look"),
        ("8", (4, 4, True, False, False, True), "look"),
        ("9", (2, 0, False, False, False, False), "clear"),
        ("10", (2, 0, True, False, False, True), "turn up"),
        ("11", (2, 1, False, True, True, False), "exchange"),
        ("12", (2, 2, False, True, False, True), "look and exchange"),
        ("13", (1, 0, False, False, False, False), "place"),
    ],
)
def test_a0_the_table_of_actions_says(card: str, rule: tuple[Any, ...], deed: str) -> None:
    row = ACTIONS[card]
    assert (row.count, row.deck, row.face_down, row.mixed, row.apart, row.stepwise) == rule
    assert (row.card, row.deed) == (card, deed)


def test_players_read_the_table_of_actions() -> None:
    assert ACTIONS["5"].as_json() == {
        "card": "5",
        "action": "look at 1 card",
        "targets": "a face-down card of any campsite, or the deck's top card",
        "deck": 1,
        "known": "Number and kind: a published review of the game.",
        "inferred": "",
    }
    six = ACTIONS["6"].as_json()
    assert six["targets"] == "face-down cards of any campsites, or the deck's top 2"
