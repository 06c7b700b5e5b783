"""A turn without an action: draw, replace, discard, scram (B7 to B14), and how a round ends."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scram.cards import FACES
from games.rules.scram.moves import Options
from tests.rules.scram.notation import (
    SCRAM,
    SCRAMS,
    act,
    begin,
    deck,
    discard,
    draw,
    exchange,
    listed,
    moves_of,
    pile,
    play,
    shown,
    swap,
    table,
    types,
)

FOUR = ("(7) (8) 9 =", "(1) 2", "(7) 9 3", "4")


def row_of(state: Any) -> Any:
    return SCRAM.sheet(state)[-1]


def test_b7_an_empty_deck_ends_the_round_before_the_next_turn() -> None:
    state = play(table(*FOUR, deck="5"), draw(), discard())
    assert row_of(state)["ended"] == "deck"
    assert state.rows[0].campsites[0] == ("7", "8", "9", "=")


def test_b7_the_turn_that_draws_the_last_card_is_played_out() -> None:
    state = play(table(*FOUR, deck="6"), draw())
    assert not state.rows
    assert play(state, act("0.0 1.0")).rows


def test_b7_the_turn_limit_ends_a_round_as_an_empty_deck_does() -> None:
    state = table("1 2 3", "4", "5", "6", options=Options(turn_limit=2))
    for _ in range(8):
        assert not state.rows
        state = play(state, draw("discard"), swap(f"{state.seat}.0"))
    assert row_of(state)["ended"] == "turn_limit"


def test_b8_a_card_from_the_deck_is_seen_by_its_drawer_alone() -> None:
    state = begin(table(*FOUR), "5")
    assert [SCRAM.view(state, viewer)["drawn"] for viewer in (None, 0, 1, 2, 3)] == [
        None,
        "5",
        None,
        None,
        None,
    ]


def test_b8_a_card_from_the_pile_has_been_seen_by_all() -> None:
    state = play(table(*FOUR, pile="5 6"), draw("discard"))
    assert [SCRAM.view(state, viewer)["taken"] for viewer in (None, 0, 1)] == ["6", "6", "6"]
    assert pile(state) == "5"


@pytest.mark.parametrize(
    ("campsites", "on_pile", "sources"),
    [
        pytest.param(FOUR, "5", ["deck", "discard"], id="B8-both"),
        pytest.param(("", "1", "2", "3"), "5", ["deck"], id="B8-empty-campsite"),
        pytest.param(FOUR, "", ["deck"], id="B8-empty-pile"),
    ],
)
def test_a_turn_begins_from(campsites: tuple[str, ...], on_pile: str, sources: list[str]) -> None:
    state = table(*campsites, pile=on_pile)
    assert listed(state, "draw")[0]["fields"]["from"]["values"] == sources


@pytest.mark.parametrize(
    ("drawn", "kinds"),
    [
        pytest.param("4", {"replace", "discard"}, id="B9-no-action"),
        pytest.param("=", {"replace", "discard"}, id="B9-equals-has-no-action"),
        pytest.param("5", {"replace", "discard", "act"}, id="B9-an-action"),
        pytest.param("13", {"replace", "discard", "act"}, id="B9-the-last-action"),
    ],
)
def test_a_card_from_the_deck_may_be_played_by(drawn: str, kinds: set[str]) -> None:
    assert types(begin(table(*FOUR), drawn)) == kinds


def test_b9_a_card_from_the_pile_may_only_replace() -> None:
    assert types(play(table(*FOUR), draw("discard"))) == {"replace"}


def test_b9_without_a_campsite_nothing_can_be_replaced() -> None:
    assert types(begin(table("", "1", "2", "3"), "4")) == {"discard"}


@pytest.mark.parametrize(
    ("chosen", "after", "on_pile"),
    [
        pytest.param("0.0 2.0", "(5) (8) 9 =", "13 7 7", id="B10-with-a-team-mate"),
        pytest.param("0.2 2.1", "(7) (8) (5) =", "13 9 9", id="B10-face-up-ones"),
        pytest.param("0.3 0.0", "(8) 9 (5)", "13 = 7", id="B11-first-hole-is-the-first-chosen"),
        pytest.param("0.0 0.3 2.0", "(5) (8) 9", "13 = 7 7", id="B11-equals-goes-below"),
    ],
)
def test_matching_cards_go_to_the_pile(chosen: str, after: str, on_pile: str) -> None:
    state = play(begin(table(*FOUR), "5"), swap(chosen, end="left"))
    assert shown(state)[0] == after
    assert pile(state) == on_pile


@pytest.mark.parametrize(
    ("chosen", "fields", "after", "on_pile"),
    [
        pytest.param("0.0", {}, "(5) (8) 9 =", "13 7", id="B10-one-card-always-matches"),
        pytest.param("0.3", {}, "(7) (8) 9 (5)", "13 =", id="B10-one-equals"),
        pytest.param("0.1", {"slot": 1}, "(7) (5) 9 =", "13 8", id="B11-its-own-slot"),
    ],
)
def test_one_card_is_replaced(chosen: str, fields: dict[str, Any], after: str, on_pile: str) -> None:
    state = play(begin(table(*FOUR), "5"), swap(chosen, **fields))
    assert (shown(state)[0], pile(state)) == (after, on_pile)


def test_b11_the_pile_keeps_the_order_chosen_with_equals_below() -> None:
    state = table("= 4 =", "1", "(4) 4", "1")
    assert pile(play(begin(state, "1"), swap("0.1 2.1 0.0 2.0 0.2", end="left"))) == "13 = = 4 4 4"


def test_b11_rows_close_up_for_all_who_gave_cards() -> None:
    state = play(begin(table("(7) 7 1", "2", "3 (7) 4", "5"), "6"), swap("0.1 0.0 2.1", end="right"))
    assert shown(state) == ["(6) 1", "2", "3 4", "5"]


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        pytest.param({}, "1 (6) 2", id="B11-the-first-chosen"),
        pytest.param({"slot": 1}, "1 (6) 2", id="B11-a-slot-said"),
        pytest.param({"slot": 3}, "1 2 (6)", id="B11-another-slot"),
    ],
)
def test_the_new_card_fills(fields: dict[str, Any], after: str) -> None:
    state = begin(table("1 7 2 7", "3", "7", "3"), "6")
    assert shown(play(state, swap("0.1 0.3 2.0", end="left", **fields)))[0] == after


def test_b11_a_card_from_the_pile_stays_face_up() -> None:
    state = play(table("(7) 1", "2", "3", "4", pile="5"), draw("discard"), swap("0.0"))
    assert shown(state)[0] == "5 1"
    assert pile(state) == "7"


@pytest.mark.parametrize(
    ("chosen", "end", "row", "left_in_deck"),
    [
        pytest.param("0.0 0.1", "left", "(5) 7 8 (9) (10) (11) =", 8, id="B12-two-numbers-cost-nothing-more"),
        pytest.param("0.0 0.1", "right", "7 8 (9) (10) (11) = (5)", 8, id="B12-at-the-right"),
        pytest.param("0.0 0.1 0.5", "right", "7 8 (9) (10) (11) = (5)", 8, id="B12-equals-is-no-number"),
        pytest.param("0.0 0.1 0.2", "right", "7 8 9 (10) (11) = (5) (1)", 7, id="B12-three-numbers-one"),
        pytest.param(
            "0.0 0.1 0.2 2.0", "right", "7 8 9 (10) (11) = (5) (1)", 7, id="B12-a-mates-same-number"
        ),
        pytest.param("0.0 0.1 0.2 0.3", "left", "(2) (1) (5) 7 8 9 10 (11) =", 6, id="B12-four-numbers-two"),
        pytest.param("0.0 0.1 0.2 0.3 0.4", "right", "7 8 9 10 11 = (5) (1) (2) (3)", 5, id="B12-five-three"),
        pytest.param(
            "0.0 0.1 0.2 0.3 0.4 2.1", "right", "7 8 9 10 11 = (5) (1) (2) (3)", 5, id="B12-six-three"
        ),
    ],
)
def test_cards_that_do_not_match_stay_face_up(chosen: str, end: str, row: str, left_in_deck: int) -> None:
    state = table("(7) (8) (9) (10) (11) =", "1", "7 6", "1")
    after = play(begin(state, "5"), swap(chosen, end=end))
    assert shown(after)[0] == row
    assert len(after.table.deck) == left_in_deck
    assert pile(after) == "13"


@pytest.mark.parametrize(
    ("count", "end", "extra_ends", "row"),
    [
        pytest.param(3, "left", ["right"], "(5) 7 8 9 (10) (11) (1)", id="B12-one-more-at-the-other-end"),
        pytest.param(3, "right", ["left"], "(1) 7 8 9 (10) (11) (5)", id="B12-one-more-at-the-left"),
        pytest.param(4, "left", ["right", "left"], "(2) (5) 7 8 9 10 (11) (1)", id="B12-one-at-each-end"),
        pytest.param(4, "right", ["left", "left"], "(2) (1) 7 8 9 10 (11) (5)", id="B12-each-outermost"),
        pytest.param(
            4, "right", ["left"], "(1) 7 8 9 10 (11) (5) (2)", id="B12-what-is-missing-goes-to-the-end"
        ),
        pytest.param(
            5, "left", ["right", "left", "right"], "(2) (5) 7 8 9 10 11 (1) (3)", id="B12-three-more-in-order"
        ),
    ],
)
def test_each_card_that_is_added_takes_an_end(count: int, end: str, extra_ends: list[str], row: str) -> None:
    state = begin(table("(7) (8) (9) (10) (11)", "1", "1", "1"), "5")
    chosen = " ".join(f"0.{index}" for index in range(count))
    assert shown(play(state, swap(chosen, end=end, extra_ends=extra_ends)))[0] == row


@pytest.mark.parametrize(
    ("campsite", "count", "on_deck", "row"),
    [
        pytest.param("7 7 8", 3, "1 2 3", "7 7 8 (5)", id="B12-two-numbers-need-no-more-ends"),
        pytest.param("7 7 8 9", 4, "1 2 3", "(1) 7 7 8 9 (5)", id="B12-three-numbers-need-one"),
        pytest.param("7 7 7", 3, "1 2 3", "(5)", id="B12-a-match-needs-none"),
        pytest.param("7 8 9 10", 4, "1", "(1) 7 8 9 10 (5)", id="B12-a-deck-of-one-needs-one"),
    ],
)
def test_ends_that_are_not_needed_are_ignored(campsite: str, count: int, on_deck: str, row: str) -> None:
    options = Options(rounds=1)
    state = begin(table(campsite, "1", "1", "1", deck=on_deck, options=options), "5")
    extra = ["left"] * min(3, count - 2)
    after = play(state, swap(" ".join(f"0.{index}" for index in range(count)), end="right", extra_ends=extra))
    down = row if not after.over else row.replace("(", "").replace(")", "")
    assert shown(after)[0] == down


@pytest.mark.parametrize(
    ("sizes", "listed_ends"),
    [
        pytest.param([1, 1, 1, 1], {2: 0}, id="B12-of-two-cards-none"),
        pytest.param([3, 1, 1, 1], {2: 0, 3: 2}, id="B12-of-three-one"),
        pytest.param([4, 1, 0, 1], {2: 0, 4: 6}, id="B12-of-four-two"),
        pytest.param([6, 1, 0, 1], {2: 0, 6: 14}, id="B12-of-six-three"),
    ],
)
def test_the_extra_ends_that_are_listed(sizes: list[int], listed_ends: dict[int, int]) -> None:
    state = begin(table(*[" ".join(["7", "8", "9", "10", "11", "12"][:size]) for size in sizes]), "5")
    several: list[Any] = listed(state, "replace")[1:]
    assert {
        len(each["fields"]["cards"]["values"][0]): len(
            each["fields"].get("extra_ends", {"values": []})["values"]
        )
        for each in several
    } == listed_ends


def test_b12_a_mates_card_stays_where_it_is_and_face_up() -> None:
    after = play(begin(table("(7) 8", "1", "(6) (5)", "1"), "2"), swap("0.0 2.1", end="right"))
    assert shown(after) == ["7 8 (2)", "1", "(6) 5", "1"]


def test_b12_a_short_deck_gives_what_it_has() -> None:
    after = play(
        begin(table("(7) 8 9 10 11", "1", "1", "1", deck="3 4"), "2"), swap("0.0 0.1 0.2 0.3 0.4", end="left")
    )
    assert after.rows[0].campsites[0] == ("4", "3", "2", "7", "8", "9", "10", "11")


def test_b12_a_card_from_the_pile_is_added_face_up() -> None:
    after = play(table("(7) 8", "1", "1", "1", pile="2"), draw("discard"), swap("0.0 0.1", end="left"))
    assert shown(after)[0] == "2 7 8"


def test_b13_a_discarded_card_tops_the_pile_and_ends_the_turn() -> None:
    state = play(begin(table(*FOUR), "12"), discard())
    assert (pile(state), state.seat) == ("13 12", 1)


@pytest.mark.parametrize(
    ("seats", "turn", "last"),
    [
        pytest.param(4, 1, [2, 3, 0], id="B14-four"),
        pytest.param(6, 5, [0, 1, 2, 3, 4], id="B14-six"),
        pytest.param(3, 0, [1, 2], id="B14-solo"),
        pytest.param(3, 1, [0, 2, 0], id="B14-first-of-the-duo"),
        pytest.param(3, 2, [0, 1, 0], id="B14-second-of-the-duo"),
    ],
)
def test_everybody_else_has_last_turns(seats: int, turn: int, last: list[int]) -> None:
    state = play(table(*["1 (2)"] * seats, turn=turn), SCRAMS)
    played = []
    while not state.rows:
        played.append(state.seat)
        assert "scram" not in types(state)
        assert SCRAM.view(state, None)["last_turns"] == last[len(played) - 1 :]
        state = play(state, draw(), discard())
    assert played == last
    assert (row_of(state)["ended"], row_of(state)["scram"]) == ("last_turns", turn)


def test_b14_after_an_even_number_of_turns_the_solos_scram_still_goes_clockwise() -> None:
    state = play(table("1 (2)", "3 4 5", "6 7 8"), draw(), discard(), draw(), discard(), SCRAMS)
    assert state.order == (1, 2)


def test_b14_an_empty_deck_ends_last_turns_too_and_scram_still_counts() -> None:
    state = play(table("1", "3", "1", "3", deck="5"), SCRAMS, draw(), discard())
    assert (row_of(state)["ended"], row_of(state)["scores"]) == ("deck", [0, 6, 0, 6])


@pytest.mark.parametrize(
    ("campsite", "may"),
    [
        pytest.param("", True, id="B14-no-card"),
        pytest.param("(1) (2)", True, id="B14-two-cards"),
        pytest.param("1 2 3", False, id="B14-three-cards"),
    ],
)
def test_scram_depends_on_the_cards_left(campsite: str, may: bool) -> None:
    assert ("scram" in types(table(campsite, "1", "2", "3"))) == may


REFUSED = [
    pytest.param([act("0.0")], "B8", id="B8-acts-before-drawing"),
    pytest.param([draw(), swap("2.0")], "B10", id="B10-only-a-team-mates-card"),
    pytest.param([draw(), swap("0.9")], "B10", id="B10-no-such-card"),
    pytest.param([draw(), swap("5.0")], "B10", id="B10-no-such-campsite"),
    pytest.param([draw(), swap("0.0", extra_ends=["left"])], "B12", id="B12-extra-ends-for-a-single-card"),
    pytest.param(
        [draw(), swap("0.0 2.0", end="left", extra_ends=["left"])], "B12", id="B12-an-extra-end-for-two-cards"
    ),
    pytest.param(
        [draw(), swap("0.0 0.1 2.0", end="left", extra_ends=["left", "left"])],
        "B12",
        id="B12-two-extra-ends-for-three-cards",
    ),
    pytest.param([exchange(True)], "A0", id="A0-nothing-to-exchange"),
]


@pytest.mark.parametrize(("moves", "rule"), REFUSED)
def test_a_move_against_the_rules_is_refused_with_its_number(moves: list[dict[str, Any]], rule: str) -> None:
    *before, refused = moves
    state = play(table(*FOUR, deck="4 5 6"), *before)
    with pytest.raises(Illegal) as caught:
        play(state, refused)
    assert caught.value.rule == rule


TOLD = [
    pytest.param([draw(), draw()], "You have drawn already: play the card.", id="B8-drawn-already"),
    pytest.param([draw(), act("0.0"), draw()], "Finish the action of your card first.", id="A0-acting"),
    pytest.param(
        [draw(), act("0.0"), discard()], "Finish the action of your card first.", id="A0-no-discard"
    ),
    pytest.param([draw(), act("0.0 1.0 0.1")], "The 6 is for 2 cards at most.", id="A0-three-looks"),
    pytest.param(
        [draw(), swap("0.0", end="left")],
        "A single card always matches: leave out the ends.",
        id="B12-an-end-for-one",
    ),
    pytest.param(
        [draw(), swap("0.0 0.1", end="left", extra_ends=["left"])],
        "With two cards nothing is added from the deck: leave out the extra ends.",
        id="B12-an-extra-end-for-two",
    ),
    pytest.param(
        [draw(), swap("0.0 0.1 0.2", end="left", extra_ends=["left"] * 2)],
        "Name at most 1 extra end: more cards can't be added from the deck.",
        id="B12-one-extra-end",
    ),
    pytest.param(
        [draw(), swap("0.0 0.1 0.2 0.3", end="left", extra_ends=["left"] * 3)],
        "Name at most 2 extra ends: more cards can't be added from the deck.",
        id="B12-two-extra-ends",
    ),
]


@pytest.mark.parametrize(("moves", "sentence"), TOLD)
def test_a_refusal_says(moves: list[dict[str, Any]], sentence: str) -> None:
    *before, refused = moves
    state = play(table(*FOUR, deck="6 5 4"), *before)
    with pytest.raises(Illegal) as caught:
        play(state, refused)
    assert caught.value.sentence == sentence


@pytest.mark.parametrize(
    ("campsites", "on_pile", "sentence"),
    [
        pytest.param(
            ("", "1", "2", "3"),
            "5",
            "There is no card in your campsite to replace: draw from the deck.",
            id="B8-no-campsite-to-put-it-in",
        ),
        pytest.param(FOUR, "", "The discard pile is empty: draw from the deck.", id="B8-no-card-on-the-pile"),
    ],
)
def test_the_pile_is_refused(campsites: tuple[str, ...], on_pile: str, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence) as caught:
        play(table(*campsites, pile=on_pile), draw("discard"))
    assert caught.value.rule == "B8"


def test_b14_a_second_scram_is_refused() -> None:
    with pytest.raises(Illegal) as caught:
        play(table("1", "1", "1", "1"), SCRAMS, SCRAMS)
    assert caught.value.rule == "B14"


def test_b7_the_deck_is_public_only_as_a_count() -> None:
    state = table(*FOUR, deck="5 6 7")
    assert (SCRAM.view(state, 0)["deck"], deck(state)) == (3, "5 6 7")


def test_b10_the_sets_that_are_offered_are_of_ones_own_team_and_begin_with_ones_own() -> None:
    offered = listed(begin(table(*FOUR), "4"), "replace")[1]["fields"]["cards"]["values"]
    assert {place["seat"] for cards in offered for place in cards} == {0, 2}
    assert all(cards[0]["seat"] == 0 for cards in offered)


def test_b10_cards_that_the_seat_can_see_to_match_are_offered_together() -> None:
    _, _, of_three = listed(begin(table("9 (1) 9", "9", "(9) 9", "1"), "4"), "replace")
    offered = of_three["fields"]["cards"]["values"]
    assert [(place["seat"], place["index"]) for place in offered[0]] == [(0, 0), (0, 2), (2, 1)]


TOLD_IN_WORDS = [
    pytest.param(swap("0.2"), "replaces card 3 of seat 0", id="B10-one-card"),
    pytest.param(
        swap("0.2 2.1", end="left"),
        "replaces card 3 of seat 0 and card 2 of seat 2 if they match, or else adds at the left",
        id="B12-two-cards",
    ),
    pytest.param(
        swap("0.2 2.1 0.1", end="right", slot=1, extra_ends=["left"]),
        "replaces card 3 of seat 0, card 2 of seat 2 and card 2 of seat 0 in place 2 if they match, or else "
        "adds at the right, then at the left",
        id="B12-a-slot-and-ends",
    ),
    pytest.param(
        act("0.0 deck.0"), "uses an action on card 1 of seat 0 and the deck's top card", id="A0-the-top"
    ),
    pytest.param(act("deck.1"), "uses an action on card 2 from the top of the deck", id="A0-in-the-deck"),
    pytest.param(
        act(seat=1, cards=[0, 2], end="right"),
        "uses an action to discard card 1 of seat 1 and card 3 of seat 1 and puts the card there, at the "
        "right",
        id="A0-of-a-9",
    ),
    pytest.param(
        act(seat=1, end="left"),
        "uses an action to put the card at the left of seat 1's campsite",
        id="A0-of-a-13",
    ),
]


@pytest.mark.parametrize(("move", "words"), TOLD_IN_WORDS)
def test_a_move_is_told_in_full(move: dict[str, Any], words: str) -> None:
    assert SCRAM.describe(SCRAM.read_move(move)) == words


@pytest.mark.parametrize("drawn", [*FACES])
def test_b9_every_move_that_is_listed_reads_differently(drawn: str) -> None:
    state = begin(table("(1) 2 (3)", "(4) 5", "6 (7)", "(8)"), drawn)
    moves = [move for each in SCRAM.choices(state, 0) for move in moves_of(each)]
    words = [SCRAM.describe(SCRAM.read_move(move)) for move in moves]
    assert len({*words}) == len(words) > 1


def test_b14_nobody_has_a_last_turn_before_scram() -> None:
    assert SCRAM.view(table(*FOUR), None)["last_turns"] == []


def test_b6_turns_are_counted_through_the_whole_game() -> None:
    state, numbers = table(*FOUR, deck="5 6 7"), []
    while len(state.rows) < 2:
        numbers.append((SCRAM.turn_number(state), SCRAM.view(state, None)["round"]))
        state = play(state, draw(), discard())
    assert [number for number, _ in numbers] == [*range(1, len(numbers) + 1)]
    assert [played for _, played in numbers] == [1] * 3 + [2] * (len(numbers) - 3)
