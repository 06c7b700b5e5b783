"""The lines of Scamper about challenges (S30)."""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.cards import JOKER, rank
from tests.conformance.recorder import Play, Wrong
from tests.conformance.scamper_hands import (
    begin,
    discard,
    enough,
    go_down,
    hand,
    lay,
    mixed,
    naturals,
    same,
    scamper,
    table,
    turn,
    wild,
    without,
)

OUT_OF_TURN: Final = ("S7", "S30")
"""Either is right for a challenge that is not open to a seat."""
CHALLENGE: Final[dict[str, Any]] = {"melds": "challenge", "declare_scamper": False, "seats": 3, "packs": 3}


def fines(play: Play, *expected: tuple[int, str, int]) -> None:
    """Record the view, whose adjustments, but for the first dealer's, must be these."""
    play.sees(None, scores=_scores(play, expected))
    view: Any = play.position.ruleset.view(play.state, None)
    given = [(each["seat"], each["name"], each["points"]) for each in view["adjustments"]]
    if given != [(table(play).dealer, "first_dealer", -20), *expected]:
        raise Wrong(f"the adjustments must be {expected}: {given}")


def _scores(play: Play, expected: Sequence[tuple[int, str, int]]) -> list[int]:
    scores = [0] * play.position.seats
    scores[table(play).dealer] -= 20
    for seat, _, points in expected:
        scores[seat] += points
    return scores


@scamper("S30", **CHALLENGE)
def a_wrong_meld_is_challenged(play: Play) -> None:
    """What is laid unchecked may be challenged until the next seat moves: it goes back, and costs 50."""
    seat = begin(play)
    held = naturals(play, hand(play))
    nonsense = mixed(held)
    play.refused(seat, OUT_OF_TURN, "challenge")
    lay(play, ("set", nonsense))
    play.sees(None, down=[seat])
    left = hand(play)
    discard(play)
    play.look()
    play.refused(seat, OUT_OF_TURN, "challenge")
    play.refused((seat + 1) % 3, "S30", "concede")
    play.seat((seat + 2) % 3, "challenge")
    play.look()
    play.sees(None, melds=[], down=[], turn=(seat + 1) % 3, hands=[13] * 3)
    fines(play, (seat, "wrong_meld", 50))
    play.refused((seat + 1) % 3, "S30", "challenge")
    assert sorted(hand(play, seat)) == sorted([*nonsense, *without(left, [table(play).discards[-1]])])


@scamper("S30", **CHALLENGE)
def too_many_wild_cards_cost_less(play: Play) -> None:
    """Where too many wild cards are the only fault of a contract, an upheld challenge costs 20."""
    seat = begin(play)
    pair = same(naturals(play, hand(play)), 2)
    lay(play, ("set", [*pair, *wild(play, hand(play), 2)]))
    discard(play)
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "too_many_wilds", 20))
    play.sees(None, melds=[], down=[])


@scamper("S30", **CHALLENGE)
def a_groundless_challenge(play: Play) -> None:
    """Who challenges what was legal gets 20 points; each seat is heard once, until the next one moves."""
    seat = table(play).seat
    go_down(play)
    discard(play)
    play.seat((seat + 2) % 3, "challenge")
    fines(play, ((seat + 2) % 3, "wrong_challenge", 20))
    play.refused((seat + 2) % 3, OUT_OF_TURN, "challenge")
    begin(play)
    play.refused((seat + 2) % 3, OUT_OF_TURN, "challenge")
    play.sees(None, challenge=None)


@scamper("S30", **CHALLENGE)
def unchecked_lay_offs_and_swaps(play: Play) -> None:
    """Lay-offs and swaps need only cards that are held and melds that exist; a challenge judges them."""
    seat = table(play).seat
    go_down(play)
    discard(play)
    other = begin(play)
    rank_on_table = rank(table(play).melds[0].cards[0])
    card = enough([each for each in naturals(play, hand(play)) if rank(each) != rank_on_table], 1)[0]
    play.refused(other, "S19", "lay_off", meld="m9", cards=[card])
    play.seat(other, "lay_off", meld="m1", cards=[card])
    discard(play)
    play.look()
    play.seat(seat, "challenge")
    fines(play, (other, "wrong_meld", 50))
    assert len(table(play).melds[0].cards) == 3


@scamper("S30", start=1669, hand_size=6, contracts=[{"sets": [3], "runs": []}] * 2, **CHALLENGE)
def going_out_is_answered(play: Play) -> None:
    """After a going-out discard the next seat challenges or concedes; others may challenge until then."""
    seat = begin(play)
    first = same(naturals(play, hand(play)), 3)
    second = same(naturals(play, without(hand(play), first)), 3)
    rest = enough(naturals(play, without(hand(play), first, second)), 1)
    lay(play, ("set", first), ("set", second))
    discard(play, rest[0])
    play.look()
    following, last = (seat + 1) % 3, (seat + 2) % 3
    play.sees(None, phase="answer", round=1)
    play.offered(following, "challenge", "concede")
    play.refused(following, "S30", "draw")
    play.refused(last, OUT_OF_TURN, "concede")
    play.seat(last, "challenge")
    fines(play, (last, "wrong_challenge", 20))
    play.seat(following, "concede")
    play.row(out=seat)


@scamper("S30", hand_size=6, **CHALLENGE)
def going_out_is_undone(play: Play) -> None:
    """An upheld challenge against going out lets play go on."""
    seat = begin(play)
    held = naturals(play, hand(play))
    enough(held, 7)
    lay(play, ("run", held[:6]))
    discard(play, held[6])
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "wrong_meld", 50))
    play.sees(None, phase="begin", turn=(seat + 1) % 3, hands=[6] * 3, melds=[])


@scamper("S30", start=1669, hand_size=6, **CHALLENGE)
def a_vain_challenge_is_an_answer(play: Play) -> None:
    """A vain challenge of the next seat is its answer: the round ends."""
    seat = begin(play)
    first = same(naturals(play, hand(play)), 3)
    second = same(naturals(play, without(hand(play), first)), 3)
    rest = enough(naturals(play, without(hand(play), first, second)), 1)
    lay(play, ("set", first), ("set", second))
    discard(play, rest[0])
    play.seat((seat + 1) % 3, "challenge")
    play.row(out=seat)


@scamper("S30")
def nobody_challenges_what_is_checked(play: Play) -> None:
    """Where melds are checked there is nothing to challenge."""
    seat = table(play).seat
    turn(play)
    play.refused(1 - seat, OUT_OF_TURN, "challenge")
    play.refused(1 - seat, OUT_OF_TURN, "concede")


@scamper(
    "S30",
    start=1,
    seats=3,
    packs=3,
    melds="challenge",
    declare_scamper=False,
    contracts=[{"sets": [3, 3], "runs": []}],
)
def a_lone_set_is_not_the_contract(play: Play) -> None:
    """A lone set where two were asked is not the contract: it costs 50, however many wild cards it has."""
    seat = begin(play)
    one = naturals(play, hand(play))[:1]
    lay(play, ("set", [*one, *wild(play, hand(play), 2)]))
    discard(play)
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "wrong_meld", 50))
    play.sees(None, melds=[], down=[])


TWO_SETS: Final = [{"sets": [3, 3], "runs": []}]


@scamper("S30", **CHALLENGE)
def three_wild_cards_are_no_set(play: Play) -> None:
    """Wild cards alone are no set at all: 50 points."""
    seat = begin(play)
    lay(play, ("set", wild(play, hand(play), 3)))
    discard(play)
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "wrong_meld", 50))
    play.sees(None, melds=[], down=[])
    play.look()


@scamper("S30", **CHALLENGE)
def too_many_wild_cards_beside_another_fault(play: Play) -> None:
    """Too many wild cards in one meld and a wrong meld beside it: 50 points, once."""
    seat = begin(play)
    pair = same(naturals(play, hand(play)), 2)
    lay(play, ("set", [*pair, *wild(play, hand(play), 2)]))
    lay(play, ("set", mixed(naturals(play, hand(play)))))
    discard(play)
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "wrong_meld", 50))
    play.sees(None, melds=[], down=[], hands=[13] * 3)
    play.look()


def until_again(play: Play, seat: int) -> None:
    """Let the others play until the seat has begun its next turn."""
    while table(play).seat != seat:
        turn(play)
    begin(play)


@scamper("S30", "S16", **{**CHALLENGE, "contracts": TWO_SETS})
def not_down_by_a_lone_set(play: Play) -> None:
    """To all a seat is down from its first meld; in judgment of the turn not, if it is not the contract."""
    seat = begin(play)
    held = naturals(play, hand(play))
    four = same(held, 4)
    lay(play, ("set", four[:3]))
    play.sees(None, down=[seat])
    play.offered(seat, "discard", "lay_off", "meld", "swap")
    play.seat(seat, "lay_off", meld="m1", cards=[four[3]])
    discard(play, enough(without(held, four), 1)[0])
    play.look()
    play.seat((seat + 1) % 3, "challenge")
    fines(play, (seat, "wrong_meld", 50))
    play.sees(None, melds=[], down=[], hands=[13] * 3)


@scamper("S30", "S20", **CHALLENGE)
def down_with_too_many_wild_cards(play: Play) -> None:
    """The contract with too many wild cards, unchallenged, counts as laid: what follows is legal."""
    seat = begin(play)
    held = hand(play)
    pair, jokers = same(naturals(play, held), 2), wild(play, held, 3)
    lay(play, ("set", [*pair, *jokers[:2]]))
    discard(play)
    until_again(play, seat)
    play.seat(seat, "lay_off", meld="m1", cards=[jokers[2]])
    discard(play)
    play.seat((seat + 2) % 3, "challenge")
    fines(play, ((seat + 2) % 3, "wrong_challenge", 20))
    play.sees(None, melds=[{"id": "m1", "seat": seat, "kind": "set", "cards": [*pair, *jokers]}])
    play.look()


@scamper("S30", "S16", "S21", **CHALLENGE)
def a_swap_is_judged(play: Play) -> None:
    """A swap needs a wild card that lies there; before the contract it is wrong, and goes back."""
    seat = begin(play)
    pair = same(naturals(play, hand(play)), 2)
    joker = enough([card for card in hand(play) if card == JOKER], 1)[0]
    lay(play, ("set", [*pair, joker]))
    discard(play)
    other = begin(play)
    like = enough([card for card in naturals(play, hand(play)) if rank(card) == rank(pair[0])], 1)[0]
    play.offered(other, "discard", "lay_off", "meld", "swap")
    play.refused(other, "S21", "swap", meld="m9", card=like, wild=joker)
    absent = next(card for card in ("2C", "2D") if card != joker)
    play.refused(other, "S21", "swap", meld="m1", card=like, wild=absent)
    play.seat(other, "swap", meld="m1", card=like, wild=joker)
    play.sees(None, melds=[{"id": "m1", "seat": seat, "kind": "set", "cards": [*pair, like]}])
    discard(play, enough([card for card in naturals(play, hand(play)) if card != like], 1)[0])
    play.seat(seat, "challenge")
    fines(play, (other, "wrong_meld", 50))
    play.sees(None, melds=[{"id": "m1", "seat": seat, "kind": "set", "cards": [*pair, joker]}])
    assert like in hand(play, other)
    play.look()


@scamper("S30", start=1669, hand_size=6, **CHALLENGE)
def a_seat_that_left_does_not_answer(play: Play) -> None:
    """The next seat that has not left answers a discard that goes out; one that left challenges nothing."""
    seat = table(play).seat
    gone, last = (seat + 1) % 3, (seat + 2) % 3
    play.seat(gone, "resign")
    begin(play)
    first = same(naturals(play, hand(play)), 3)
    second = same(naturals(play, without(hand(play), first)), 3)
    rest = enough(naturals(play, without(hand(play), first, second)), 1)
    lay(play, ("set", first), ("set", second))
    discard(play, rest[0])
    play.look()
    play.refused(gone, None, "challenge")
    play.offered(last, "challenge", "concede")
    play.seat(last, "concede")
    play.row(out=seat)
