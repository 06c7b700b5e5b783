"""Everything that is offered can also be done with the hand: picked, put aside, and put onto something."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import rules
from games.engine import replay, shapes
from games.engine.cards import RunOrder, as_run
from games.engine.gestures import Gesture
from games.engine.jsontypes import JsonObject
from games.engine.meaning import Meant, meant
from games.engine.replay import AnyRuleset
from games.rules.scoops.state import IN_ORDER
from games.rules.scram.moves import Discard
from tests.rules.by_hand import cards, gesture_for, pointless, same
from tests.rules.randomplay import opened, plays
from tests.rules.scamper import tables as scamper
from tests.rules.scoops import tables as scoops
from tests.rules.scram import notation as scram

GAMES = [
    ("scoops", 3, {"target": 2}),
    ("scoops", 4, {"target": 3, "knocking": "anybody"}),
    ("scamper", 2, {}),
    ("scamper", 3, {"melds": "challenge"}),
    ("scram", 4, {}),
]


def meant_moves(ruleset: AnyRuleset, found: Meant) -> Iterator[JsonObject]:
    """Yield the moves that are offered, and each with what a question about it can be answered."""
    for move in found.moves:
        yield (written := replay.write_move(ruleset, move))
        for question in found.questions:
            if isinstance(move, question.of):
                yield from ({**written, question.field: value} for value, _ in question.answers)


def leads_to(position: replay.Position, seat: int, written: Any, found: Meant) -> bool:
    """Return whether a gesture can mean a move, or one that leads to the same state."""
    moves = [*meant_moves(position.ruleset, found)]
    if same(written) in map(same, moves):
        return True
    actor = replay.Actor("seat", seat)
    after, *others = (
        replay.played(position, actor, replay.read_move(position.ruleset, move)).state
        for move in (written, *moves)
    )
    return after in others


@pytest.mark.parametrize(
    ("key", "seats", "options"), GAMES, ids=[f"{key}-{seats}" for key, seats, _ in GAMES]
)
def test_what_is_offered_can_be_done_by_hand(key: str, seats: int, options: dict[str, Any]) -> None:
    ruleset = rules.find(key)
    done = set()
    for seed in range(3):
        for number, (position, seat, move) in enumerate(plays(ruleset, seats, seed, options)):
            if number > 250:
                break
            written = replay.write_move(ruleset, replay.read_move(ruleset, move))
            if pointless(written):
                continue
            found = meant(position, seat, gesture_for(written))
            assert leads_to(position, seat, written, found), written
            done.add(written["type"])
    assert len(done) >= 4


@pytest.mark.parametrize("key", ["scoops", "scamper", "scram"])
def test_a_gesture_never_fails_and_what_it_means_is_legal(key: str) -> None:
    ruleset = rules.find(key)
    things = [
        "card:8C",
        "card:JK",
        "at:0.0",
        "at:9.9",
        "at:03.00",
        "top:0",
        "top:0.1",
        "die:0",
        "die:1.2",
        "die:7",
        "seat:1",
        "what:ever",
        "at:1",
    ]
    named = [
        "pile:deck",
        "pile:discard",
        "pile:0",
        "pile:0.1",
        "meld:m1",
        "meld:0",
        "meld:0.1",
        "seat:3",
        "seat:0.1",
        "pile:99",
    ]
    for position, seat, _ in list(plays(ruleset, 4, 7))[:25]:
        for onto in (None, *named):
            for count in range(len(things)):
                gesture = Gesture(tuple(things[:count]), (tuple(things[count:]),) if count % 2 else (), onto)
                for move in meant(position, seat, gesture).moves:
                    replay.played(position, replay.Actor("seat", seat), move)


@pytest.mark.parametrize("key", ["scoops", "scamper"])
def test_what_is_put_where_nothing_goes_means_what_it_means_in_the_hand(key: str) -> None:
    ruleset, seen = rules.find(key), set()
    for position, seat, _ in list(plays(ruleset, 4, 7))[:25]:
        hand: Any = replay.view(position, seat)["hand"]
        for onto in ("pile:99", f"pile:{(seat + 1) % 4}", "what:ever"):
            gesture = Gesture(cards(hand[:1]), (), onto)
            put, held = meant(position, seat, gesture), meant(position, seat, replace(gesture, onto=None))
            if put.astray:
                assert replace(put, astray=None) == replace(held, refusal=None)
                seen.add((put.astray.rule, bool(put.moves)))
    assert (None, True) in seen
    assert (("C15", True) in seen) == (key == "scoops")


DRAW_FIRST, DRAWN = "Draw first: cards are laid and discarded after that.", "You have drawn a card already."
ONE_CARD = "You discard one card: pick that card alone."
OF_SCOOPS: list[tuple[str, str, str, str]] = [
    ("assign", "2C", "pile:0", "First assign the dice."),
    ("assign", "", "pile:deck", "First assign the dice."),
    ("draw", "2C", "pile:0", DRAW_FIRST),
    ("draw", "", "pile:0", "There is no card on that discard pile."),
    ("play", "", "pile:deck", DRAWN),
    ("play", "", "pile:1", DRAWN),
    ("play", "2C", "pile:1", "You discard onto your own pile."),
    ("play", "", "pile:0", ONE_CARD),
    ("play", "2C 4D", "pile:0", ONE_CARD),
]
OF_SCAMPER = [
    ("", "pile:deck", "You have taken or drawn already."),
    ("", "pile:discard", ONE_CARD),
    ("QC QD QH", "pile:discard", ONE_CARD),
]


def reason(ruleset: AnyRuleset, state: Any, picked: str, onto: str) -> str | None:
    position = replace(opened(ruleset, 2, 1), state=state)
    put = meant(position, 0, Gesture(cards(picked.split()), onto=onto))
    return str(put.astray.sentence) if put.astray else None


@pytest.mark.parametrize(("phase", "picked", "onto", "told"), OF_SCOOPS)
def test_what_can_not_be_put_on_a_pile_of_scoops_is_told_why(
    phase: str, picked: str, onto: str, told: str
) -> None:
    assigned = None if phase == "assign" else IN_ORDER
    state = scoops.table("Bowl", phase=phase, assigned=assigned, piles=("", "9D"))
    assert reason(scoops.SCOOPS, state, picked, onto) == told


@pytest.mark.parametrize("down", [(), (0,)])
@pytest.mark.parametrize(("picked", "onto", "told"), OF_SCAMPER)
def test_what_can_not_be_put_on_a_pile_of_scamper_is_told_why(
    down: tuple[int, ...], picked: str, onto: str, told: str
) -> None:
    assert reason(scamper.SCAMPER, scamper.table("QC QD QH 4S", down=down), picked, onto) == told


OWN_TEAM = "Choose cards of your own team's campsites."
TAKEN_BACK = [
    ("4", "at:1.0", [], OWN_TEAM),
    ("4", "at:0.0 at:1.0", ["Replace"], OWN_TEAM),
    ("4", "at:0.0 at:2.0", ["Replace", "Replace"], None),
    ("5", "at:1.0", ["Act"], None),
    ("5", "at:3.0", [], "The 5 is for a face-down card of any campsite, or the deck's top card."),
]


def test_a_card_that_does_not_fit_onto_a_meld_is_told_of_the_meld_not_of_its_wild_card() -> None:
    state = scamper.table("3C KD QS", melds="1 set 4C 4H JK", down=(0,))
    told = "These cards do not extend that meld there."
    assert reason(scamper.SCAMPER, state, "3C", "meld:m1") == told


@pytest.mark.parametrize(("drawn", "picked", "moves", "told"), TAKEN_BACK)
def test_a_card_of_others_that_no_move_is_about_is_taken_back_with_the_reason(
    drawn: str, picked: str, moves: list[str], told: str | None
) -> None:
    state = scram.begin(scram.table("3 (4)", "(1) (2)", "(1) (2)", "5 (2)"), drawn)
    position = replace(opened(scram.SCRAM, 4, 1), state=state)
    found = meant(position, 0, Gesture(tuple(picked.split())))
    assert ([*found.strays], found.astray and str(found.astray.sentence)) == (
        [picked.split()[-1]] if told else [],
        told,
    )
    assert [type(move).__name__ for move in found.moves if not isinstance(move, Discard)] == moves


def test_the_action_under_way_takes_back_a_card_that_it_is_not_for() -> None:
    state = scram.begin(scram.table("3 (4)", "(1) (2)", "(1) (2)", "5 (2)"), "6")
    looked = scram.play(state, {"type": "act", "targets": [{"seat": 1, "index": 0}]})
    position = replace(opened(scram.SCRAM, 4, 1), state=looked)
    found = meant(position, 0, Gesture(("at:3.0", "at:1.1")))
    assert (found.strays, len(found.moves)) == (("at:3.0",), 1)


def test_what_a_chosen_action_can_be_for_next_is_known_before_and_after_a_card_is_picked() -> None:
    state = scram.begin(scram.table("3 (4)", "(1)", "(2)", "5 (2)"), "6")
    looked = scram.play(state, {"type": "act", "targets": [{"seat": 1, "index": 0}]})
    found = [
        meant(replace(opened(scram.SCRAM, 4, 1), state=each), 0, Gesture(picked, kind=kind)).choices
        for each, picked, kind in (
            (state, (), None),
            (state, (), "act"),
            (state, ("at:1.0",), "act"),
            (looked, (), None),
        )
    ]
    unchosen, first, picked, later = map(sorted, found)
    assert first == ["at:0.1", "at:1.0", "at:2.0", "at:3.1", "top:0", "top:1"]
    assert (unchosen, picked, later) == ([], later, ["at:0.1", "at:2.0", "at:3.1"])


def test_nothing_is_meant_out_of_turn() -> None:
    position, seat, _ = next(plays(rules.find("scoops"), 2, 1))
    assert meant(position, 1 - seat, Gesture(onto="pile:deck")) == Meant()


def test_a_gesture_is_read_strictly() -> None:
    read = shapes.read(Gesture, {"picked": ["card:8C"], "onto": "pile:deck"})
    assert read == Gesture(("card:8C",), (), "pile:deck")


@pytest.mark.parametrize(
    ("picked", "run"),
    [
        ("7C 5C 6C", "5C 6C 7C"),
        ("5C JK 6C", "5C 6C JK"),
        ("JK 5C 6C", "JK 5C 6C"),
        ("QC AC KC", "QC KC AC"),
        ("JK KC AC", "JK KC AC"),
        ("AC JK KC", "JK KC AC"),
        ("5C 7C JK", "5C JK 7C"),
        ("5C 9C 7D", "5C 9C 7D"),
    ],
)
def test_picked_cards_are_put_in_the_order_of_a_run(picked: str, run: str) -> None:
    order = RunOrder("23456789TJQKA")
    assert " ".join(as_run(picked.split(), order, {"JK"}.__contains__)) == run  # type: ignore[arg-type]
