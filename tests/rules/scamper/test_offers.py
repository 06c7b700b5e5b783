"""What seats are offered and what anybody sees: choices and views."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scamper import offers
from games.rules.scamper.state import State
from tests.rules.offered import about, lines
from tests.rules.randomplay import plays
from tests.rules.scamper.tables import SCAMPER, discard, groups, melds, play, table


def offered(state: State, seat: int = 0) -> dict[str, list[Any]]:
    """Return the choices of a seat by type."""
    found: dict[str, list[Any]] = {}
    for each in SCAMPER.choices(state, seat):
        found.setdefault(each.type, []).append(each.as_json()["fields"])
    return found


def values(fields: Any, name: str) -> list[Any]:
    return list(fields[name]["values"])


def test_the_contract_is_offered_where_the_hand_holds_it() -> None:
    state = table("7C 7D 7S 4H 5H 6H KD", asked="set 3,run 3", down=())
    (meld,) = offered(state)["meld"]
    assert values(meld, "melds") == [groups("run 4H 5H 6H + set 7C 7D 7S")]
    assert meld["melds"]["complete"] is False
    assert "fewest points" in meld["melds"]["about"]


def test_no_meld_is_offered_where_there_is_none() -> None:
    assert [*offered(table("7C 7D 8S 4H 6H KD", asked="set 3,run 3", down=()))] == ["discard"]


def test_more_melds_are_offered_together_and_alone() -> None:
    (meld,) = offered(table("7C 7D 7S 4H 5H 6H KD"))["meld"]
    run, trio = groups("run 4H 5H 6H")[0], groups("set 7C 7D 7S")[0]
    assert values(meld, "melds") == [[run, trio], [run], [trio]]


@pytest.mark.parametrize(
    ("hand", "cards", "scamper"),
    [
        pytest.param("3C JK 4D 4D", ["3C", "4D"], False, id="S23-natural-cards"),
        pytest.param("JK 2C", ["JK", "2C"], True, id="S23-nothing-but-wild-cards"),
        pytest.param("3C", ["3C"], False, id="S24-the-last-one"),
        pytest.param("3C 4D", ["3C", "4D"], True, id="S31-scamper-is-due"),
    ],
)
def test_discards_are_offered(hand: str, cards: list[str], scamper: bool) -> None:
    (fields,) = offered(table(hand))["discard"]
    assert values(fields, "card") == cards
    assert ("scamper" in fields) == scamper


def test_where_nobody_checks_anything_is_offered_beside_what_is_legal() -> None:
    state = table("7C 7D 7S KD", melds="1 set 8C 8D 8H", options={"melds": "challenge"})
    legal, unchecked = offered(state)["meld"]
    assert values(legal, "melds") == [groups("set 7C 7D 7S")]
    assert groups("set KD") in values(unchecked, "melds")
    assert unchecked["melds"]["about"] == offers.UNCHECKED


def test_whoever_may_challenge_is_offered_it() -> None:
    state = table("7C 7D 7S KD 3C", "8H", "8D", options={"melds": "challenge"}, down=())
    state = discard(melds(state, "set 7C 7D 7S"), "3C")
    assert [*offered(state, 1)] == ["take", "draw", "challenge"]
    assert [*offered(state, 2)] == ["challenge"]
    assert [*offered(state, 0)] == []


def test_the_next_seat_may_concede() -> None:
    state = table("7C 7D 7S 3C", "8H", "8D", options={"melds": "challenge"}, down=())
    state = discard(melds(state, "set 7C 7D 7S"), "3C")
    assert [*offered(state, 1)] == ["concede", "challenge"]
    assert [*offered(state, 2)] == ["challenge"]


def test_nothing_is_offered_when_the_game_is_over() -> None:
    assert offered(discard(table("3C"), "3C")) == {}


@pytest.mark.parametrize("options", [{}, {"melds": "challenge"}, {"strict_ratio": True, "passing": "forced"}])
def test_a_meld_that_is_offered_as_the_contract_always_is_it(options: Any) -> None:
    for position, seat, _ in plays(SCAMPER, 3, 4, {**options, "rounds": 3}):
        for fields in offered(position.state, seat).get("meld", []):
            if fields["melds"]["about"] != offers.UNCHECKED:
                for each in values(fields, "melds"):
                    after = SCAMPER.step(
                        position.state, seat, SCAMPER.read_move({"type": "meld", "melds": each})
                    )
                    assert seat in after.round.down


def test_a_view_has_the_names_of_the_public_contract() -> None:
    state = table("7C KD 3C", "8H", melds="1 set 8C 8D JK", asked="set 3,run 4")
    view: Any = SCAMPER.view(state, 0)
    answer = {name: view[name] for name in ("round", "rounds", "turn", "phase", "contract", "dealer")}
    assert answer == {
        "round": 1,
        "rounds": 1,
        "turn": 0,
        "phase": "play",
        "contract": {"sets": [3], "runs": [4]},
        "dealer": 1,
    }
    assert (view["hand"], view["hands"]) == (["3C", "7C", "KD"], [3, 1])
    assert (view["discard"], view["discards"], view["stock"]) == ("TH", ["9H", "TH"], 4)
    assert view["melds"] == [{"id": "m1", "seat": 1, "kind": "set", "cards": ["8C", "8D", "JK"]}]
    assert (view["down"], view["offer"], view["challenge"]) == ([0], None, None)


def test_a_replay_opens_all_hands_and_the_stock() -> None:
    state = table("KD 7C", "8H")
    assert SCAMPER.open_hands(state) == (("7C", "KD"), ("8H",))
    assert SCAMPER.open_deck(state) == ("3D", "4D", "5D", "6D")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"type": "take"}, "takes the discard"),
        ({"type": "draw"}, "chooses to draw from the stock"),
        ({"type": "accept"}, "accepts the discard and a card with it"),
        ({"type": "decline"}, "declines the discard"),
        ({"type": "meld", "melds": groups("set 7C 7D JK + run 4H 5H 6H")},
         "lays the set 7C 7D JK, the run 4H 5H 6H"),
        ({"type": "lay_off", "meld": "m2", "cards": ["9H"], "end": "high"},
         "lays off 9H onto the high end of a run"),
        ({"type": "lay_off", "meld": "m1", "cards": ["7S"]}, "lays off 7S onto a set"),
        ({"type": "swap", "meld": "m1", "card": "7S", "wild": "JK"}, "swaps 7S for the wild card JK"),
        ({"type": "discard", "card": "9C"}, "discards 9C"),
        ({"type": "discard", "card": "9C", "scamper": True}, "discards 9C and says Scamper"),
        ({"type": "challenge"}, "challenges the last turn"),
        ({"type": "concede"}, "lets the last turn stand"),
    ],
    ids=lambda each: each["type"] if isinstance(each, dict) else "",
)  # fmt: skip
def test_a_move_is_told_in_words(move: Any, words: str) -> None:
    assert SCAMPER.describe(SCAMPER.read_move(move)) == words


@pytest.mark.parametrize(
    ("phase", "kind", "words"),
    [
        ("begin", "take", "takes TH from the discard pile"),
        ("begin", "draw", "chooses to draw from the stock"),
        ("offer", "accept", "takes TH from the discard pile and a card from the stock"),
    ],
)
def test_a_discard_that_is_taken_is_named(phase: str, kind: str, words: str) -> None:
    state, seat, move = table(phase="begin"), 0, SCAMPER.read_move({"type": kind})
    if phase == "offer":
        state, seat = play(state, 0, "draw"), 1
    found = SCAMPER.outcome(state, move, SCAMPER.step(state, seat, move))
    assert SCAMPER.told(move, seat, found) == words


def test_who_is_not_awaited_is_still_refused_by_the_rule_of_turns() -> None:
    state = table("7C 7D 7S KD 3C", "8H", "8D", options={"melds": "challenge"}, down=())
    state = discard(melds(state, "set 7C 7D 7S"), "3C")
    with pytest.raises(Illegal) as caught:
        SCAMPER.step(state, 2, SCAMPER.read_move({"type": "draw"}))
    assert caught.value.rule == SCAMPER.turn_rule


TWO_MELDS = "1 set 8C 8D JK; 1 run 6H 7H 8H"
UNCHECKED = {"melds": "challenge"}
ANY_SWAP = (
    "swap meld=m1 card={0} wild=8C|8D|JK",
    "swap meld=m2 card={0} wild=6H place=0",
    "swap meld=m2 card={0} wild=7H place=1",
    "swap meld=m2 card={0} wild=8H place=2",
)


def any_lay_off(cards: str) -> list[str]:
    places = ("m1", "m2", "m2"), ("", " end=low", " end=high")
    return [f"lay_off meld={meld} cards…={cards}{end}" for meld, end in zip(*places, strict=True)]


def any_swap(cards: str) -> list[str]:
    return [each.format(cards) for each in ANY_SWAP]


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        pytest.param(
            table("8S 5H JK 3C", melds="1 set 8C 8D 8H; 1 run 6H 7H 8H"),
            [
                "lay_off meld=m1 cards=8S|JK|8S,JK",
                "lay_off meld=m2 cards=5H|JK|5H,JK end=low",
                "lay_off meld=m2 cards=JK end=high",
                "discard card=8S|5H|3C",
            ],
            id="S19",
        ),
        pytest.param(
            table("8S 7H 3C", melds="1 set 8C 8D JK; 1 run 6H 2C 8H; 0 set 9C 9D JK"),
            [
                "lay_off meld=m1 cards=8S",
                "swap meld=m1 card=8S wild=JK",
                "swap meld=m2 card=7H wild=2C place=1",
                "discard card=8S|7H|3C",
            ],
            id="S21",
        ),
        pytest.param(
            table("JK JK JK 2C 2D 4H 5H 9H TH 3C", melds="1 run 6H 7H 8H"),
            [
                "meld melds…=run:4H,5H,JK,JK,JK,9H,TH,2C,2D",
                "lay_off meld=m1 cards…=2C|2D|5H|JK|2C,2D|2C,4H|2C,JK|2D,2C|2D,4H|2D,JK|5H,2C|5H,2D end=low",
                "lay_off meld=m1 cards…=2C|2D|9H|JK|2C,2D|2C,JK|2C,TH|2D,2C|2D,JK|2D,TH|9H,2C|9H,2D end=high",
                "discard card=4H|5H|9H|TH|3C",
            ],
            id="S19-twelve-are-listed",
        ),
        pytest.param(
            table("7C KD", melds=TWO_MELDS, options=UNCHECKED),
            [
                "meld melds…=set:7C|set:KD",
                *any_lay_off("7C|KD"),
                *any_swap("7C|KD"),
                "discard card=7C|KD scamper?=True",
            ],
            id="S30-down-with-two-cards",
        ),
        pytest.param(
            table("KD", melds=TWO_MELDS, options=UNCHECKED),
            [*any_swap("KD"), "discard card=KD"],
            id="S30-down-with-one-card",
        ),
        pytest.param(
            table("7C KD 3C", melds=TWO_MELDS, options=UNCHECKED, down=()),
            [
                "meld melds…=set:7C|set:KD|set:3C",
                *any_lay_off("7C|KD|3C"),
                *any_swap("7C|KD|3C"),
                "discard card=7C|KD|3C",
            ],
            id="S30-not-down-with-three-cards",
        ),
        pytest.param(
            table("7C KD", melds=TWO_MELDS, options=UNCHECKED, down=()),
            ["meld melds…=set:7C|set:KD", *any_swap("7C|KD"), "discard card=7C|KD scamper?=True"],
            id="S30-not-down-with-two-cards",
        ),
        pytest.param(
            table("KD", melds=TWO_MELDS, options=UNCHECKED, down=()),
            ["discard card=KD"],
            id="S30-not-down-with-one-card",
        ),
    ],
)
def test_the_seat_in_play_is_offered_exactly(state: State, offered: list[str]) -> None:
    assert lines(SCAMPER.choices(state, 0)) == offered


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (
            table("7C 7D 7S 4H 5H 6H KD", asked="set 3,run 3", down=()),
            {"meld.melds": "Any melds of your hand that hold the contract. These leave the fewest points."},
        ),
        (
            table("7C 7D 7S 5H JK", melds="1 run 6H 7H 8H"),
            {
                "meld.melds": "Any melds of your hand. These leave the fewest points.",
                "lay_off.cards": "On a run from its end outward; several cards at once too.",
            },
        ),
        (
            table("7C KD", melds=TWO_MELDS, options=UNCHECKED),
            {
                **dict.fromkeys(("meld.melds", "lay_off.cards", "swap.card"), str(offers.UNCHECKED)),
                "discard.scamper": "Without it 20 points (S31).",
            },
        ),
    ],
)
def test_what_is_offered_is_explained(state: State, words: dict[str, str]) -> None:
    assert about(SCAMPER.choices(state, 0)) == words


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (table("KC KD KS 9H", phase="begin"), {"type": "draw"}),
        (table("KC KD KS 9H", phase="offer"), {"type": "decline"}),
        (table("KC KD KS 9H", phase="answer"), {"type": "concede"}),
        (table("9H KD KC QS"), {"type": "discard", "card": "KC"}),
        (table("9H QC KD KH"), {"type": "discard", "card": "KD"}),
        (table("3C JK 2C 4D"), {"type": "discard", "card": "4D"}),
        (table("KC KD KS 9H", drawn=True), {"type": "discard", "card": "9H"}),
        (table("KC KD JK", drawn=True), {"type": "discard", "card": "KC"}),
        (table("2C JK"), {"type": "discard", "card": "JK", "scamper": True}),
    ],
)
def test_the_clock_plays(state: State, move: object) -> None:
    assert SCAMPER.write_move(SCAMPER.default_move(state, 0)) == move


def test_the_printed_form_has_a_row_for_each_round_with_its_contract_and_wild_limits() -> None:
    form = SCAMPER.form(SCAMPER.read_options({"rounds": 2, "first_dealer_bonus": -10}, 4))
    assert [(row.round, row.task, row.hint) for row in form.rows] == [
        (1, "2 sets of 3", "wild, at most: 1 in a set"),
        (2, "2 runs of 3", "wild, at most: 1 in a run"),
    ]
    assert form.legend[2] == "First dealer: −10 in deal 1."
    assert form.first_dealer == 0
    without = SCAMPER.form(SCAMPER.read_options({"wild_cards": "none"}, 4))
    assert {row.hint for row in without.rows} == {"no wild cards"}
