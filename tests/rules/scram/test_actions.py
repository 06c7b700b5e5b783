"""The actions of the cards 5 to 13, with every combination of targets that exist (A0 to A3)."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scram.actions import ROWS
from games.rules.scram.moves import Options
from tests.rules.scram.notation import (
    SCRAM,
    act,
    begin,
    deck,
    exchange,
    listed,
    named,
    pile,
    play,
    seen,
    shown,
    table,
    types,
)

FOUR = ("(1) (2) 3", "(4) 5 (6)", "(7) 8", "(9)")
LOOKS = [("5", 1), ("6", 2), ("7", 3), ("8", 4)]


@pytest.mark.parametrize(("card", "count"), [pytest.param(*look, id=f"A0-{look[0]}") for look in LOOKS])
def test_a_look_shows_the_decks_top_cards(card: str, count: int) -> None:
    state = play(begin(table(*FOUR), card), act(" ".join(f"deck.{depth}" for depth in range(count))))
    assert seen(state, 0) == {f"deck.{depth}": str(depth + 1) for depth in range(count)}
    assert state.seat == 1


def test_the_inferred_numbers_of_a_club_that_has_the_cards_hold_instead() -> None:
    options = Options(seven=1, eight=2, ten=3)
    looked = play(begin(table(*FOUR, options=options), "7"), act("0.1"))
    assert (seen(looked, 0), looked.seat) == ({"0.1": "2"}, 1)
    state = play(begin(table(*FOUR, options=options), "8"), act("0.1"))
    assert (state.phase, play(state, act("1.0")).seat) == ("act", 1)
    turned = play(begin(table(*FOUR, options=options), "10"), act("0.1 1.0 1.2"))
    assert shown(turned)[:2] == ["(1) 2 3", "4 5 6"]
    with pytest.raises(Illegal, match="for 2 cards at most"):
        play(begin(table(*FOUR, options=options), "8"), act("0.1 1.0 1.2"))


@pytest.mark.parametrize(
    ("card", "campsites", "on_deck", "moves"),
    [
        pytest.param("6", ("(1)", "2", "3", "4"), "1 2 3", ["0.0"], id="A1-one-face-down-card"),
        pytest.param("8", ("(1) (2)", "2", "(3)", "4"), "1", ["0.0 0.1", "2.0"], id="A1-three-of-four"),
        pytest.param("7", ("1", "2", "3", "4"), "1 2", ["deck.1", "deck.0"], id="A1-a-deck-of-two"),
        pytest.param("10", ("1", "2", "3", "(4)"), "1 2", ["3.0"], id="A1-one-card-to-turn"),
        pytest.param("12", ("", "", "", "(4)"), "", ["3.0"], id="A1-one-card-to-look-at"),
    ],
)
def test_an_action_ends_when_no_target_is_left(
    card: str, campsites: tuple[str, ...], on_deck: str, moves: list[str]
) -> None:
    state = begin(table(*campsites, deck=on_deck), card)
    for aimed in moves:
        assert (state.seat, len(state.rows)) == (0, 0)
        state = play(state, act(aimed))
    assert state.seat == 1 or state.rows


@pytest.mark.parametrize(
    ("card", "campsites", "on_deck"),
    [
        pytest.param("5", ("1", "2", "3", "4"), "", id="A1-5-nothing-face-down"),
        pytest.param("8", ("1", "2", "3", "4"), "", id="A1-8-nothing-face-down"),
        pytest.param("9", ("", "", "", ""), "1", id="A1-9-no-campsite"),
        pytest.param("10", ("1", "2", "3", "4"), "1 2", id="A1-10-nothing-face-down"),
        pytest.param("11", ("1 2", "", "", ""), "", id="A1-11-one-campsite-and-no-deck"),
        pytest.param("11", ("", "", "", ""), "1 2", id="A1-11-only-the-deck"),
        pytest.param("12", ("", "", "", ""), "", id="A1-12-no-card-at-all"),
    ],
)
def test_an_action_without_targets_cannot_be_chosen(
    card: str, campsites: tuple[str, ...], on_deck: str
) -> None:
    state = begin(table(*campsites, deck=on_deck), card)
    assert "act" not in types(state)
    for move in (act("0.0"), act("deck.0"), act(seat=0, cards=[0], end="left")):
        with pytest.raises(Illegal, match=f"There are too few cards for the action of the {card}.") as caught:
            play(state, move)
        assert caught.value.rule == "A1"


def test_a2_an_action_under_way_leaves_no_other_move() -> None:
    state = play(begin(table(*FOUR), "7"), act("0.0"))
    view: Any = SCRAM.view(state, 1)
    assert types(state) == {"act"}
    assert view["action"] == {"card": "7", "targets": [{"seat": 0, "index": 0}]}
    assert [named(aims[0]) for aims in listed(state, "act")[0]["fields"]["targets"]["values"]] == [
        "0.1",
        "1.0",
        "1.2",
        "2.0",
        "3.0",
    ]


@pytest.mark.parametrize(
    ("cards", "end", "row", "on_pile"),
    [
        pytest.param([0, 2], "left", "9 8 =", "13 12 7", id="A0-9-the-higher-goes-first"),
        pytest.param([2, 0], "right", "8 = 9", "13 12 7", id="A0-9-however-chosen"),
        pytest.param([1, 3], "left", "9 (7) (12)", "13 = 8", id="A0-9-equals-goes-below"),
    ],
)
def test_a_9_clears_two_cards_of_a_campsite(cards: list[int], end: str, row: str, on_pile: str) -> None:
    state = begin(table("1", "(7) 8 (12) =", "1", "1"), "9")
    after = play(state, act(seat=1, cards=cards, end=end))
    assert (shown(after)[1], pile(after)) == (row, on_pile)


def test_a0_two_equals_go_to_the_pile_too() -> None:
    after = play(begin(table("= =", "1", "1", "1"), "9"), act(seat=0, cards=[0, 1], end="left"))
    assert (shown(after)[0], pile(after)) == ("9", "13 = =")


@pytest.mark.parametrize(
    ("aimed", "rows", "on_top"),
    [
        pytest.param("1.2 3.0", ["(1) (2) 3", "(4) 5 (9)", "(7) 8", "(6)"], "1", id="A3-two-face-down"),
        pytest.param("deck.0 0.2", ["(1) (2) (1)", "(4) 5 (6)", "(7) 8", "(9)"], "3", id="A3-a-face-up-card"),
    ],
)
def test_an_11_exchanges_unseen(aimed: str, rows: list[str], on_top: str) -> None:
    after = play(begin(table(*FOUR), "11"), act(aimed))
    assert shown(after) == rows
    assert deck(after).split()[0] == on_top


@pytest.mark.parametrize(
    ("aimed", "do", "rows", "deck_top"),
    [
        pytest.param("deck.0 deck.1", True, list(FOUR), "2 1", id="A0-12-turns-the-deck-round"),
        pytest.param(
            "deck.1 2.1", True, ["(1) (2) 3", "(4) 5 (6)", "(7) (2)", "(9)"], "1 8", id="A3-12-with-the-deck"
        ),
    ],
)
def test_a_12_looks_then_exchanges(aimed: str, do: bool, rows: list[str], deck_top: str) -> None:
    state = play(begin(table(*FOUR), "12"), act(aimed))
    assert types(state) == {"exchange"}
    after = play(state, exchange(do))
    assert shown(after) == rows
    assert deck(after)[:3] == deck_top


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param([act("0.0 0.2")], id="A0-12-one-campsite-at-once"),
        pytest.param([act("0.1"), act("0.0")], id="A0-12-one-campsite-one-by-one"),
        pytest.param([act("1.1 1.0")], id="A0-12-an-opponents-campsite-and-a-card-face-up"),
    ],
)
def test_a_12s_second_look_in_one_campsite_ends_the_action(looks: list[dict[str, Any]]) -> None:
    after = play(begin(table(*FOUR), "12"), *looks)
    assert (after.seat, after.phase, shown(after)) == (1, "begin", list(FOUR))
    assert len(seen(after, 0)) == (1 if "1.1" in str(looks) or len(looks) == 1 else 2)


@pytest.mark.parametrize(
    ("seat", "end", "row"),
    [
        pytest.param(1, "left", "13 (4) 5 (6)", id="A0-13-at-the-left"),
        pytest.param(2, "right", "(7) 8 13", id="A0-13-at-the-right"),
        pytest.param(3, "right", "13", id="A0-13-in-an-empty-campsite"),
    ],
)
def test_a_13_is_put_in_any_campsite(seat: int, end: str, row: str) -> None:
    after = play(begin(table(*FOUR[:3], ""), "13"), act(seat=seat, end=end))
    assert shown(after)[seat] == row
    assert (pile(after), after.seat) == ("13", 1)


OWN, OTHERS = [0, 2], [1, 3]


@pytest.mark.parametrize(
    ("whose", "seats", "refused"),
    [
        pytest.param("any", [0, 1, 2, 3], None, id="A0-13-any"),
        pytest.param("not_empty", [0, 1, 2], "a campsite with a card", id="A0-13-with-a-card"),
        pytest.param("own_team", OWN, "of the own team", id="A0-13-own-team"),
        pytest.param("other_team", OTHERS, "of the other team", id="A0-13-other-team"),
    ],
)
def test_a_club_that_has_the_cards_says_in_which_campsites_a_13_is_put(
    whose: Any, seats: list[int], refused: str | None
) -> None:
    state = begin(table(*FOUR[:3], "", options=Options(thirteen=whose)), "13")
    offered: Any = listed(state, "act")[0]
    assert offered["fields"]["seat"]["values"] == seats
    for seat in range(4):
        if seat in seats:
            assert "13" in shown(play(state, act(seat=seat, end="left")))[seat].split()
        else:
            with pytest.raises(Illegal, match=(refused or "").removeprefix("a ")) as caught:
                play(state, act(seat=seat, end="left"))
            assert caught.value.rule == "A0"
    view: Any = SCRAM.view(state, None)
    assert view["corrected"]["thirteen"] == whose


def test_a1_a_13_for_campsites_with_a_card_has_no_action_where_all_are_empty() -> None:
    state = begin(table("", "", "", "", options=Options(thirteen="not_empty")), "13")
    assert "act" not in types(state)
    with pytest.raises(Illegal, match="too few cards for the action of the 13") as caught:
        play(state, act(seat=0, end="left"))
    assert caught.value.rule == "A1"


REFUSED = [
    pytest.param("5", [act("0.2")], "A0", id="A0-looks-at-a-face-up-card"),
    pytest.param("5", [act("0.0 0.1")], "A0", id="A0-looks-at-too-many"),
    pytest.param("6", [act("0.0"), act("0.1 1.0")], "A0", id="A0-looks-at-too-many-in-two-steps"),
    pytest.param("6", [act("0.0 0.0")], "A0", id="A0-looks-twice-at-one-card"),
    pytest.param("6", [act("0.0"), act("0.0")], "A0", id="A0-looks-again-at-one-card"),
    pytest.param("6", [act("deck.9")], "A0", id="A0-digs-below-the-deck"),
    pytest.param("6", [act("0.9")], "A0", id="A0-beyond-the-row"),
    pytest.param("6", [act()], "A0", id="A0-no-targets"),
    pytest.param("6", [act("0.0", seat=1)], "A0", id="A0-a-seat-too-many"),
    pytest.param("9", [act(seat=1, end="left")], "A0", id="A0-9-without-cards"),
    pytest.param("9", [act(seat=3, cards=[0, 0], end="left")], "A0", id="A0-9-a-single-card-twice"),
    pytest.param("9", [act(seat=5, cards=[0, 1], end="left")], "A0", id="A0-9-no-such-campsite"),
]


@pytest.mark.parametrize(("card", "moves", "rule"), REFUSED)
def test_an_action_against_the_rules_is_refused(card: str, moves: list[dict[str, Any]], rule: str) -> None:
    *before, refused = moves
    state = play(begin(table(*FOUR), card), *before)
    with pytest.raises(Illegal) as caught:
        play(state, refused)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("card", "move", "sentence"),
    [
        pytest.param("5", act("0.0 0.1"), "The 5 is for 1 card at most.", id="A0-one"),
        pytest.param("8", act("0.0 0.1 1.0 1.2 2.0"), "The 8 is for 4 cards at most.", id="A0-several"),
        pytest.param("11", act("0.0"), "For the 11 pick 2 cards at once.", id="A2-at-once"),
        pytest.param("6", act("0.0 0.0"), "Choose each card once.", id="A0-once"),
        pytest.param(
            "6",
            act("deck.0 0.0"),
            "Choose all cards of the 6 in campsites, or all in the deck.",
            id="A1-not-mixed",
        ),
        pytest.param(
            "11",
            act("0.0 0.1"),
            "The 11 is for two cards of two campsites, or a card of a campsite and the deck's top card.",
            id="A0-two-campsites",
        ),
        pytest.param(
            "9",
            act(seat=3, cards=[0, 0], end="left"),
            "Choose 1 card of the campsite.",
            id="A0-the-only-card",
        ),
        pytest.param(
            "9", act(seat=0, cards=[0], end="left"), "Choose 2 different cards of the campsite.", id="A0-two"
        ),
    ],
)
def test_a_refusal_counts_cards_in_words(card: str, move: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Illegal) as caught:
        play(begin(table(*FOUR), card), move)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param({"type": "scram"}, id="A0-scram"),
        pytest.param({"type": "replace", "cards": [{"seat": 0, "index": 0}]}, id="A0-replace"),
    ],
)
def test_an_action_must_be_finished_first(refused: dict[str, Any]) -> None:
    state = play(begin(table(*FOUR), "7"), act("0.0"))
    with pytest.raises(Illegal):
        play(state, refused)


def test_a0_a_third_look_of_a_12_reads_that_the_exchange_is_next() -> None:
    state = play(begin(table(*FOUR), "12"), act("0.0 1.0"))
    with pytest.raises(Illegal, match="say whether to exchange them") as caught:
        play(state, act("2.0"))
    assert caught.value.rule == "A0"


def test_a0_every_card_from_5_to_13_has_its_row() -> None:
    assert [row.card for row in ROWS] == [str(number) for number in range(5, 14)]


def test_a0_the_players_table_says_what_is_known_and_what_is_inferred() -> None:
    rows = SCRAM.tables["actions"]
    assert all(row["action"] and row["targets"] and row["known"] for row in rows)
    assert {row["card"] for row in rows if row["inferred"]} == {"7", "8", "9", "10", "11", "13"}


@pytest.mark.parametrize(
    ("card", "chosen", "added"),
    [
        pytest.param("7", "0.0", ["0.1", "1.0"], id="A2-looking-goes-on-at-the-lowest-place"),
        pytest.param("7", "deck.2", ["deck.0", "deck.1"], id="A2-in-the-deck-too"),
        pytest.param("10", "3.0", ["0.0"], id="A2-turning-up-goes-on"),
        pytest.param("12", "1.1", ["0.0"], id="A2-a-12s-cards-are-left"),
    ],
)
def test_the_clock_finishes_an_action(card: str, chosen: str, added: list[str]) -> None:
    state, aimed = play(begin(table(*FOUR), card), act(chosen)), []
    while state.seat == 0:
        move: Any = SCRAM.write_move(SCRAM.default_move(state, 0))
        aimed += [named(target) for target in move.get("targets", [])]
        state = play(state, move)
    assert aimed == added
    assert shown(state)[1] == FOUR[1]


def test_a0_the_clock_replaces_with_a_card_from_the_pile() -> None:
    state = play(table(*FOUR, pile="2"), {"type": "draw", "from": "discard"})
    assert shown(SCRAM.step(state, 0, SCRAM.default_move(state, 0)))[0] == "2 (2) 3"
