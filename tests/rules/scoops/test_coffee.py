"""Coffee: the knock, the last turns and the count (C18, C19)."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scoops.moves import Options
from games.rules.scoops.state import State
from tests.rules.scoops.tables import SCOOPS, contract, groups, on_table, play, table

SEVEN = "2C 2D 2H 5S 9D KS QH"


def refused(state: State, **move: Any) -> str | None:
    with pytest.raises(Illegal) as caught:
        play(state, state.round.seat, **move)
    return caught.value.rule


def coffee(*hands: str, **changes: Any) -> State:
    return table("Coffee", "Vanilla", None, *hands, **changes)


def last_turn(hand: str, **changes: Any) -> State:
    """Return Coffee in the last of the last turns, seat 0's; seat 1 has knocked and holds three cards."""
    return coffee(hand, "KC QC 9S", knocker=1, **changes)


def test_c18_sets_in_float_are_not_laid_with_a_discard() -> None:
    state = table("Float", "Vanilla", None, SEVEN)
    assert refused(state, type="discard", card="KS", melds=groups("book 2C 2D 2H")) == "C18"


def test_c15_a_taken_card_is_not_discarded_with_a_knock_either() -> None:
    state = play(coffee("2C 3C", piles=("", "KH"), phase="draw"), 0, type="draw", source=1)
    assert refused(state, type="discard", card="KH", knock=True) == "C15"


WORTH = {
    "C18-a-plain-card": ("Vanilla", "7", "9D", 1),
    "C18-a-special": ("Vanilla", "7", "7D", 2),
    "C18-a-black-special-in-strawberry": ("Strawberry", "7", "7S", 2),
    "C18-a-joker-not-wild": ("Vanilla", "7", "JK", 1),
    "C18-a-joker-not-wild-in-chocolate": ("Chocolate", None, "JK", 1),
    "C18-a-wild-joker": ("Banana", "7", "JK", 2),
    "C18-a-special-ace": ("Cherry", "A", "AS", 2),
    "C18-a-jack-is-never-special": ("Raspberry", "T", "JS", 1),
    "C18-no-special-at-all": ("Raspberry", None, "7D", 1),
}


@pytest.mark.parametrize(("rule", "special", "card", "worth"), WORTH.values(), ids=WORTH)
def test_a_card_left_counts(rule: str, special: str | None, card: Any, worth: int) -> None:
    assert contract("Coffee", rule, special).worth(card) == worth


COUNTS = {
    "C18-else-to-the-first-clockwise": (1, ["3C", "3D 4D", "3H"], (1, 2, 1), 2),
    "C18-clockwise-past-the-last-seat": (2, ["3C", "3D", "3H 4H"], (1, 1, 2), 0),
}


@pytest.mark.parametrize(("knocker", "hands", "counts", "winner"), COUNTS.values(), ids=COUNTS)
def test_coffee_is_counted(knocker: int, hands: Sequence[str], counts: tuple[int, ...], winner: int) -> None:
    last = (knocker - 1) % 3
    given = [hand + " KS" if seat == last else hand for seat, hand in enumerate(hands)]
    state = play(coffee(*given, seat=last, knocker=knocker), last, type="discard", card="KS")
    assert (state.rows[0].counts, state.rows[0].winner) == (counts, winner)


LEFT = {
    "C18-the-lowest-count-has-left": (0, [1], ["3C 4C", "3D", "3H 4H KH"], (2, None, 3), 0),
    "C18-the-knocker-has-left": (0, [0], ["3C", "3D 4D", "3H 4H 5H"], (None, 2, 3), 1),
    "C18-a-tie-clockwise-from-a-knocker-who-has-left": (1, [1], ["3C 4C", "3D", "3H 4H"], (2, None, 2), 2),
    "C18-two-have-left": (2, [2, 0], ["3C", "3D 4D", "3H", "3S 4S"], (None, 2, None, 2), 3),
}


@pytest.mark.parametrize(("knocker", "out", "hands", "counts", "winner"), LEFT.values(), ids=LEFT)
def test_counts_of_seats_that_have_left_are_ignored(
    knocker: int, out: Sequence[int], hands: Sequence[str], counts: tuple[int | None, ...], winner: int
) -> None:
    last = (knocker - 1) % len(hands)
    given = [hand + " KS" if seat == last else hand for seat, hand in enumerate(hands)]
    state = coffee(*given, seat=last, knocker=knocker)
    for seat in out:
        state = SCOOPS.left(state, seat)
    state = play(state, last, type="discard", card="KS")
    assert (state.rows[0].counts, state.rows[0].winner) == (counts, winner)
    assert SCOOPS.sheet(state)[0]["counts"] == [*counts]


def test_c18_a_seat_that_leaves_does_so_for_all_rounds() -> None:
    state = SCOOPS.left(coffee("3C 4S", "3D", "3H", deck=""), 2)
    state = play(state, 0, type="discard", card="4S")
    assert (state.round.number, state.out) == (2, (2,))


def test_c11_a_book_of_specials_pays_the_winner_of_a_count() -> None:
    state = table("Coffee", "Vanilla", "2", SEVEN, "KC QC 9S TS JH", knocker=1)
    state = play(state, 0, type="discard", card="KS", melds=groups("book 2C 2D 2H"))
    assert state.rows[0].scores == (2, 0)


def test_c11_a_book_of_specials_pays_nobody_but_the_winner() -> None:
    state = table("Coffee", "Vanilla", "2", SEVEN, "KC", knocker=1)
    state = play(state, 0, type="discard", card="KS", melds=groups("book 2C 2D 2H"))
    assert state.rows[0].scores == (0, 1)


def test_c19_the_last_card_may_be_drawn_in_the_last_of_the_last_turns() -> None:
    state = coffee("3C 4S", "3D 4S", knocker=1, phase="draw", deck="9H")
    state = play(play(state, 0, type="draw", source="deck"), 0, type="discard", card="4S")
    assert (state.rows[0].ending, state.rows[0].counts) == ("count", (2, 2))


def test_the_limit_of_turns_ends_the_last_turns_as_an_empty_deck_does() -> None:
    state = coffee("3C 4S", "3D 4S", options=Options(turn_limit=1), turn=2, seat=1, start=0)
    state = play(state, 1, type="discard", card="4S", knock=True)
    assert (state.rows[0].ending, state.rows[0].winner) == ("turns", None)


def test_the_clock_lays_no_sets_in_a_last_turn() -> None:
    state = last_turn(SEVEN)
    ended = SCOOPS.step(state, 0, SCOOPS.default_move(state, 0))
    assert ended.rows[0].melds == ()


def test_choices_offer_the_best_sets_for_each_discard() -> None:
    offered = [each.as_json()["fields"] for each in SCOOPS.choices(last_turn("2C 2D 2H 9D"), 0)]
    by_card = {fields["card"]["values"][0]: fields["melds"]["values"] for fields in offered}  # type: ignore[index,call-overload]
    assert by_card == {"2C": [], "2D": [], "2H": [], "9D": [groups("book 2C 2D 2H")]}


def test_a_plain_discard_and_a_knock_are_both_offered_before_the_last_turns() -> None:
    choices = SCOOPS.choices(coffee("2C 9D"), 0)
    assert [{*each.fields} for each in choices] == [{"card"}, *[{"card", "melds", "knock"}] * 2]


ANYBODY = Options(knocking="anybody")
THREES = "3C 3D 3H 9S"


def discarded(*hands: str, **changes: Any) -> State:
    """Return Coffee in which any player may knock, after seat 0's discard; seat 1 is in play."""
    return play(coffee("KS", *hands, options=ANYBODY, **changes), 0, type="discard", card="KS")


def test_c18_where_anybody_may_a_seat_out_of_turn_knocks_and_those_to_its_left_go_first() -> None:
    state = play(discarded("4C", THREES, "5C"), 2, type="knock", melds=groups("book 3C 3D 3H"))
    assert (state.round.knocker, state.round.seat, state.round.phase) == (2, 3, "draw")
    assert (on_table(state), state.round.hands[2]) == ([(2, "3C 3D 3H")], ("9S",))
    for seat in (3, 0, 1):
        assert SCOOPS.to_act(state) == (seat,)
        state = play(state, seat, type="draw", source="deck")
        state = play(state, seat, type="discard", card=state.round.hand[-1])
    assert (state.rows[0].ending, state.rows[0].knocker) == ("count", 2)


def test_c18_the_seat_in_play_and_the_one_that_has_discarded_may_knock_too() -> None:
    for seat in (0, 1):
        assert play(discarded("4C", "5C"), seat, type="knock").round.knocker == seat


def test_the_game_waits_only_for_the_seat_in_play_while_others_may_knock() -> None:
    state = SCOOPS.left(discarded("4C", "5C", "6C"), 3)
    assert (SCOOPS.to_act(state), SCOOPS.awaited(state)) == ((0, 1, 2), (1,))
    with pytest.raises(Illegal, match="not your turn"):
        play(state, 2, type="draw", source="deck")


NO_KNOCK = {
    "before-any-discard": coffee("3C", phase="draw", options=ANYBODY),
    "after-the-next-draw": play(discarded("4C", "5C"), 1, type="draw", source="deck"),
    "after-a-knock": play(discarded("4C", "5C"), 1, type="knock"),
    "in-bowl": table("Bowl", "Vanilla", None, "3C", phase="draw", piles=("KS", ""), options=ANYBODY),
    "by-default": play(coffee("KS 9S", "4C"), 0, type="discard", card="KS"),
}


@pytest.mark.parametrize("state", NO_KNOCK.values(), ids=NO_KNOCK)
def test_c18_nobody_knocks_without_a_discard_at_other_times(state: State) -> None:
    assert len(SCOOPS.to_act(state)) == 1 and not SCOOPS.view(state, None)["may_knock"]
    assert refused(state, type="knock") == "C18"


def test_c18_only_cards_of_the_own_hand_that_are_sets_are_laid_with_a_knock() -> None:
    state = discarded("4C 4D 9H", "5C")
    assert [refused(state, type="knock", melds=groups(each)) for each in ("book 3C 3D 3H", "pair 4C 4D")] == [
        "C18",
        "C10",
    ]


def test_a_knock_is_offered_with_the_best_sets() -> None:
    (offered,) = SCOOPS.choices(discarded("4C", THREES), 2)
    assert (offered.type, offered.as_json()["fields"]["melds"]["values"]) == (  # type: ignore[index,call-overload]
        "knock",
        [groups("book 3C 3D 3H")],
    )
    (unaided,) = SCOOPS.unaided(discarded("4C", THREES), 2)
    assert unaided.as_json()["fields"]["melds"]["values"] == []  # type: ignore[index,call-overload]


KNOCKED_OUT_OF_TURN = {
    "C18-the-knocker-wins-a-tie": (2, ["3C", "4C", "5C", "6C"], (1, 1, 1, 1), 2),
    "C18-else-the-first-to-the-knockers-left": (2, ["3C", "4C", "5C 6C", "6D"], (1, 1, 2, 1), 3),
    "C18-who-has-discarded": (0, ["3C", "4C 4H", "5C 5H", "6C"], (1, 2, 2, 1), 0),
    "C18-who-is-in-play": (1, ["3C", "4C 4H", "5C 5H", "6C 6H"], (1, 2, 2, 2), 0),
    "C18-of-two": (0, ["3C", "4C"], (1, 1), 0),
}


@pytest.mark.parametrize(
    ("knocker", "hands", "counts", "winner"), KNOCKED_OUT_OF_TURN.values(), ids=KNOCKED_OUT_OF_TURN
)
def test_where_anybody_may_knock_all_others_have_one_more_turn_and_ties_go_by_the_knocker(
    knocker: int, hands: Sequence[str], counts: tuple[int, ...], winner: int
) -> None:
    state = coffee(f"{hands[0]} KS", *hands[1:], options=ANYBODY, deck="8C 8D 8H 8S")
    state = play(play(state, 0, type="discard", card="KS"), knocker, type="knock")
    seats = len(hands)
    for further in range(1, seats):
        seat = (knocker + further) % seats
        assert SCOOPS.to_act(state) == (seat,)
        state = play(state, seat, type="draw", source="deck")
        state = play(state, seat, type="discard", card=state.round.hand[-1])
    row = state.rows[0]
    assert (row.ending, row.knocker, row.counts, row.winner) == ("count", knocker, counts, winner)


def test_c13_without_a_card_to_draw_the_deal_is_over_before_anybody_could_knock() -> None:
    state = discarded("4C", "5C", deck="")
    assert (state.rows[0].ending, state.rows[0].winner, state.may_knock) == ("deck", None, ())


def test_c18_who_has_left_cannot_knock_where_anybody_may() -> None:
    state = SCOOPS.left(discarded("4C", "5C", "6C"), 3)
    with pytest.raises(Illegal) as caught:
        play(state, 3, type="knock")
    assert caught.value.rule == "C18"
