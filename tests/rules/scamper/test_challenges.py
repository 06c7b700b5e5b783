"""Challenges (S30): who may doubt, what is found, what goes back, and what it costs."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.jsontypes import JsonObject
from games.rules.scamper.state import State
from tests.rules.scamper.tables import (
    SCAMPER,
    discard,
    given,
    groups,
    hand,
    lay_off,
    melds,
    on_table,
    play,
    refusal,
    table,
)

HELD = "7C 7D 7S 9C 9D JK JK KD 3C 4D"


def challenge_table(*hands: str, **changes: Any) -> State:
    """Return a state of three seats in which nobody checks what seat 0 lays."""
    options = {"melds": "challenge", "declare_scamper": False, **changes.pop("options", {})}
    hands = (*(hands or (HELD,)), *["8H KC"] * (3 - max(1, len(hands))))
    return table(*hands, options=options, **{"down": (), "rounds": 2, **changes})


WRONG: list[Any] = [
    pytest.param("set 7C 9C KD", "wrong_meld", 50, id="S30-no-set"),
    pytest.param("set 7C 7D", "wrong_meld", 50, id="S30-too-short"),
    pytest.param("run 7C 7D 7S", "wrong_meld", 50, id="S30-no-run"),
    pytest.param("set 9C JK JK", "too_many_wilds", 20, id="S30-too-many-wild-cards"),
    pytest.param("set 9C 9D JK JK", "too_many_wilds", 20, id="S30-too-many-for-a-contract"),
    pytest.param("set 9C JK JK + set 7C 7D KD", "wrong_meld", 50, id="S30-not-the-only-fault"),
    pytest.param("set JK JK", "wrong_meld", 50, id="S30-nothing-natural"),
]


@pytest.mark.parametrize(("text", "name", "points"), WRONG)
def test_s30_all_that_was_laid_goes_back_and_the_discard_stays(text: str, name: str, points: int) -> None:
    state = play(discard(melds(challenge_table(), text), "3C"), 2, "challenge")
    assert hand(state) == " ".join(sorted(HELD.replace(" 3C", "").split()))
    assert (on_table(state), state.round.down) == ([], ())
    assert (state.round.discards[-1], given(state)) == ("3C", [(0, name, points)])
    assert (state.round.seat, state.round.phase) == (1, "begin")


def test_too_many_wild_cards_cost_as_much_as_any_wrong_meld_without_the_points_of_advanced_play() -> None:
    state = challenge_table(options={"advanced_points": False})
    state = play(discard(melds(state, "set 9C JK JK"), "3C"), 1, "challenge")
    assert given(state) == [(0, "wrong_meld", 50)]


WILDS = ("too_many_wilds", "S20")
THEIRS = "1 run 6H 7H 8H; 1 set 9C 9D JK"


@pytest.mark.parametrize(
    ("asked", "moves", "name", "rule"),
    [
        pytest.param("set 3", ["set 3C JK JK"], *WILDS, id="S30-wilds-alone"),
        pytest.param("set 3,set 3", ["set 3C JK JK"], "wrong_meld", "S15", id="S15-one-set-for-two"),
        pytest.param("set 3,set 3", ["set 7C 7D 7S"], "wrong_meld", "S15", id="S15-a-fine-set-for-two"),
        pytest.param("set 4", ["set 3C JK JK"], "wrong_meld", "S15", id="S15-too-short-and-too-wild"),
        pytest.param("set 3", ["run 4H JK JK"], "wrong_meld", "S15", id="S15-a-run-for-a-set"),
        pytest.param("set 3", ["set JK JK 2C"], "wrong_meld", "S12", id="S12-wild-cards-alone"),
        pytest.param(
            "set 3", ["set 7C 7D 7S + set JK JK 2C"], "wrong_meld", "S12", id="S12-beside-the-contract"
        ),
        pytest.param("set 4", ["set 9C 9D JK JK"], "too_many_wilds", "S17", id="S17-of-the-contract"),
        pytest.param("set 3", ["set 3C JK JK", "lay m2 9S"], *WILDS, id="S30-then-a-fine-lay-off"),
        pytest.param("set 3", ["set 3C JK JK", "swap 9S m2 JK"], *WILDS, id="S30-then-a-fine-swap"),
        pytest.param("set 3", ["set 3C JK JK", "set 7C 7D 7S"], *WILDS, id="S30-then-a-fine-set"),
        pytest.param(
            "set 3,set 3", ["set 3C JK JK", "lay m2 9S"], "wrong_meld", "S15", id="S16-then-a-lay-off"
        ),
        pytest.param("set 3,set 3", ["lay m2 9S"], "wrong_meld", "S16", id="S16-a-lay-off-alone"),
        pytest.param("set 3,set 3", ["swap 9S m2 JK"], "wrong_meld", "S16", id="S16-a-swap-alone"),
        pytest.param(
            "set 3", ["lay m2 9S", "set 3C JK JK"], "wrong_meld", "S16", id="S16-before-a-wild-contract"
        ),
        pytest.param(
            "set 3", ["set 3C JK JK", "lay m2 4H"], "wrong_meld", "S19", id="S19-after-a-wild-contract"
        ),
        pytest.param(
            "set 3", ["set 3C JK JK", "set 7C 7D"], "wrong_meld", "S12", id="S12-after-a-wild-contract"
        ),
        pytest.param("set 3", ["set 7C 7D 7S", "lay m2 9S"], "wrong_challenge", "S30", id="S30-all-legal"),
    ],
)
def test_each_fault_is_named_with_its_rule(asked: str, moves: list[str], name: str, rule: str) -> None:
    state = challenge_table(f"{HELD} 9S 4H 2C", asked=asked, melds=THEIRS)
    for each in moves:
        state = laid_in(state, each)
    fined = play(discard(state, "KD"), 2, "challenge").round.adjustments[0]
    assert (fined.name, fined.rule) == (name, rule)
    assert fined.points == {"wrong_meld": 50}.get(name, 20)
    assert fined.why


def laid_in(state: State, text: str) -> State:
    """Return the state after a move such as ``set 7C 7D 7S``, ``lay m2 9S`` or ``swap 9S m2 JK``."""
    match text.split():
        case ["lay", meld, card]:
            return lay_off(state, meld, card)
        case ["swap", card, meld, wild]:
            return play(state, 0, "swap", meld=meld, card=card, wild=wild)
        case _:
            return melds(state, text)


def test_s30_a_seat_that_laid_no_contract_is_down_once_nobody_challenged_it() -> None:
    state = melds(challenge_table(asked="set 3,set 3", melds=THEIRS), "set 7C 7D 7S")
    state = play(play(discard(state, "KD"), 1, "take"), 1, "discard", card="KD")
    state = play(play(state, 2, "take"), 2, "discard", card="KD")
    state = lay_off(play(state, 0, "take"), "m2", "9C")
    assert state.round.down == (0,)
    assert given(play(discard(state, "KD"), 1, "challenge")) == [(1, "wrong_challenge", 20)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(
            "set 9C JK JK",
            "Seat 2 challenged the set 9C JK JK. A meld needs at least two natural cards.",
            id="S30-upheld",
        ),
        pytest.param(
            "set 7C 7D 7S + run 9C 9D KD",
            "Seat 2 challenged the run 9C 9D KD. A run is three or more cards of one suit in sequence, "
            "written from low to high, the ace high.",
            id="S30-the-meld-that-is-wrong",
        ),
        pytest.param("set 7C 7D 7S", "The challenged turn of seat 0 broke no rule.", id="S30-rejected"),
    ],
)
def test_view_and_sheet_say_why(text: str, why: str) -> None:
    state = play(discard(melds(challenge_table(rounds=1), text), "3C"), 2, "challenge")
    view: Any = SCAMPER.view(state, None)
    (fined,) = view["adjustments"]
    assert fined["why"] == why
    out = table("3C", "KD", options={"melds": "challenge"})
    out = replace(out, round=replace(out.round, adjustments=state.round.adjustments))
    row: Any = SCAMPER.sheet(play(discard(out, "3C"), 1, "concede"))[0]
    assert row["adjustments"] == [fined]


def test_s30_who_doubts_a_turn_in_which_nothing_was_laid_pays() -> None:
    assert given(play(discard(challenge_table(), "3C"), 1, "challenge")) == [(1, "wrong_challenge", 20)]


def test_s30_each_other_seat_may_doubt_once_until_the_next_begins() -> None:
    state = discard(melds(challenge_table(), "set 7C 7D 7S"), "3C")
    assert (SCAMPER.to_act(state), SCAMPER.awaited(state)) == ((1, 2), (1,))
    state = play(state, 2, "challenge")
    assert SCAMPER.to_act(state) == (1,)
    assert refusal(state, 2, "challenge") == "S30"
    state = play(play(state, 1, "challenge"), 1, "take")
    assert SCAMPER.to_act(state) == (1,)


@pytest.mark.parametrize(
    "move", [pytest.param(move, id=f"S30-closed-by-{move}") for move in ("take", "draw")]
)
def test_the_next_seats_first_move_closes_the_window(move: str) -> None:
    state = play(discard(melds(challenge_table(), "set 7C 9C KD"), "3C"), 1, move)
    assert refusal(state, 2, "challenge") == "S30"
    assert on_table(state) == ["0 set 7C 9C KD"]


ON_TABLE = "1 run 6H 7H 8H; 1 set 9C 9D JK; 0 set KC KS JK"


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        pytest.param(
            [("lay_off", {"meld": "m1", "cards": ["KD"], "end": "high"})], "wrong_meld", id="S30-lay-off"
        ),
        pytest.param([("lay_off", {"meld": "m3", "cards": ["KD"]})], None, id="S30-a-legal-lay-off"),
        pytest.param([("swap", {"meld": "m2", "card": "KD", "wild": "JK"})], "wrong_meld", id="S30-swap"),
        pytest.param([("swap", {"meld": "m3", "card": "KD", "wild": "JK"})], "wrong_meld", id="S30-own-meld"),
        pytest.param([("swap", {"meld": "m2", "card": "9C", "wild": "JK"})], None, id="S30-a-legal-swap"),
        pytest.param(
            [("swap", {"meld": "m1", "card": "6H", "wild": "6H", "place": 0})], "wrong_meld", id="S30-natural"
        ),
        pytest.param(
            [("meld", {"melds": groups("set 3C 3D JK JK")})],
            None,
            id="S30-many-wild-cards-after-the-contract",
        ),
        pytest.param([("meld", {"melds": groups("set 3C JK JK")})], "too_many_wilds", id="S30-one-natural"),
        pytest.param(
            [("meld", {"melds": groups("set 3C JK 9C")}), ("lay_off", {"meld": "m4", "cards": ["3D"]})],
            "wrong_meld",
            id="S30-a-lay-off-onto-a-wrong-meld",
        ),
    ],
)
def test_each_laying_is_judged_as_the_table_lay_then(
    moves: list[tuple[str, JsonObject]], name: str | None
) -> None:
    state = challenge_table("KD 9C 3C 3D JK JK 6H 4S", down=(0,), melds=ON_TABLE)
    for kind, fields in moves:
        state = play(state, 0, kind, **fields)
    state = play(discard(state, "4S"), 1, "challenge")
    assert given(state)[0][1] == (name or "wrong_challenge")


def test_s30_swaps_go_back_too() -> None:
    state = challenge_table("KD 9C 3C 4S", down=(0,), melds=ON_TABLE)
    state = play(state, 0, "swap", meld="m2", card="9C", wild="JK")
    state = lay_off(state, "m1", "JK KD", "low")
    state = play(discard(state, "4S"), 2, "challenge")
    assert (hand(state), on_table(state)) == ("3C 9C KD", ON_TABLE.split("; "))


def test_s30_a_discard_that_came_by_a_swap_goes_back_with_it() -> None:
    state = play(challenge_table("8C", down=(0,), melds=ON_TABLE), 0, "swap", meld="m2", card="8C", wild="JK")
    state = play(discard(state, "JK"), 1, "challenge")
    assert (hand(state), on_table(state)) == ("8C", ON_TABLE.split("; "))
    assert state.round.discards == ("9H", "TH")


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        pytest.param({"stock": ""}, {}, id="S30-before-a-replay"),
        pytest.param({"turn": 180}, {}, id="S30-before-the-limit-of-turns"),
        pytest.param({"stock": ""}, {"max_replays": 0}, id="S30-before-the-end-as-it-stands"),
    ],
)
def test_whatever_ends_the_deal_is_answered_first(changes: Any, options: Any) -> None:
    state = challenge_table(options=options, **changes)
    state = discard(melds(state, "set 7C 9C KD"), "3C")
    assert SCAMPER.awaited(state) == (1,)
    assert state.round.phase == "answer"
    caught = play(state, 1, "challenge")
    assert given(caught) == [(0, "wrong_meld", 50)]
    assert caught.rows or caught.round.attempt == 1


def test_s30_an_added_pack_lets_play_go_on_at_once() -> None:
    state = discard(challenge_table(options={"stock_out": "add_pack"}, stock=""), "3C")
    assert (state.round.phase, state.round.seat, len(state.round.stock)) == ("begin", 1, 54)


@pytest.mark.parametrize("count", [pytest.param(3, id="S11-unchecked-too")])
def test_a_card_is_kept_even_where_nobody_checks(count: int) -> None:
    assert refusal(challenge_table("7C 7D 7S"), 0, "meld", melds=groups("set 7C 7D 7S")) == "S11"


def test_the_view_tells_what_may_be_challenged() -> None:
    state = discard(melds(challenge_table(melds="1 set 8C 8D 8S", down=(1,)), "set 7C 9C KD"), "3C")
    view: Any = SCAMPER.view(state, None)
    assert view["challenge"] == {
        "seat": 0,
        "laid": [{"type": "meld", "melds": groups("set 7C 9C KD")}],
        "melds": [{"id": "m1", "seat": 1, "kind": "set", "cards": ["8C", "8D", "8S"]}],
        "down": [1],
        "heard": [],
    }


def test_s30_an_outcome_is_told_once_at_its_entry() -> None:
    before = discard(melds(challenge_table(), "set 9C JK JK"), "3C")
    after = play(before, 1, "challenge")
    (sentence,) = SCAMPER.consequences(before, after)
    assert sentence.startswith("Seat 0 gets +20 points (S20): Seat 1 challenged the set 9C JK JK.")
    assert SCAMPER.consequences(after, play(after, 1, "draw")) == []


def test_a_penalty_of_the_organiser_is_no_consequence_of_the_rules() -> None:
    before = table("7C KD")
    assert SCAMPER.consequences(before, SCAMPER.penalise(before, 0, 20)) == []
