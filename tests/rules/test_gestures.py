"""Everything that is offered can also be done with the hand: picked, put aside, and put onto something."""

from typing import Any

import pytest

from games import rules
from games.engine import replay, shapes
from games.engine.gestures import Gesture
from games.engine.meaning import Meant, meant
from games.engine.melds import RunOrder, as_run
from games.engine.replay import AnyRuleset
from tests.rules.by_hand import gesture_for, pointless, same
from tests.rules.randomplay import plays

GAMES = [
    ("scoops", 3, {"target": 2}),
    ("scamper", 2, {}),
    ("scamper", 3, {"melds": "challenge"}),
    ("scram", 4, {}),
]


def legal(ruleset: AnyRuleset, found: Meant) -> list[str]:
    return [same(replay.write_move(ruleset, move)) for move in found.moves]


def leads_to(position: replay.Position, seat: int, written: Any, found: Meant) -> bool:
    """Return whether a gesture can mean a move, or one that leads to the same state."""
    if same(written) in legal(position.ruleset, found):
        return True
    actor = replay.Actor("seat", seat)
    after = replay.played(position, actor, replay.read_move(position.ruleset, written)).state
    return any(replay.played(position, actor, move).state == after for move in found.moves)


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
            written = {**replay.write_move(ruleset, replay.read_move(ruleset, move))}
            written.pop("extra_ends", None)
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
        "top:0",
        "die:0",
        "die:7",
        "seat:1",
        "what:ever",
        "at:1",
    ]
    for position, seat, _ in list(plays(ruleset, 4, 7))[:25]:
        for onto in (None, "pile:deck", "pile:discard", "pile:0", "meld:m1", "meld:0", "seat:3", "pile:99"):
            for count in range(len(things)):
                gesture = Gesture(tuple(things[:count]), (tuple(things[count:]),) if count % 2 else (), onto)
                for move in meant(position, seat, gesture).moves:
                    replay.played(position, replay.Actor("seat", seat), move)


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
