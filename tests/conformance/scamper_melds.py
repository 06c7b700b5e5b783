"""The lines of play of Scamper about melds, laying off, swapping and challenges."""

from collections.abc import Sequence
from typing import Any, Final

from games.engine.cards import JOKER, RANKS, Card, rank
from tests.conformance.recorder import Play, Wrong
from tests.conformance.scamper_hands import (
    Missing,
    begin,
    discard,
    enough,
    go_down,
    groups,
    hand,
    lay,
    mixed,
    naturals,
    no_meld,
    same,
    scamper,
    straight,
    table,
    turn,
    wild,
    without,
)


def other_suit(cards: Sequence[Card], like: Card) -> Card:
    """Return a card of the rank, of another suit."""
    return enough([card for card in cards if rank(card) == rank(like) and card != like], 1)[0]


@scamper("S12")
def sets(play: Play) -> None:
    """A set is three or more cards of one rank from 3 to ace, wild cards included."""
    left = go_down(play)
    (joker,) = wild(play, left, 1)
    pair = same(naturals(play, left), 2)
    other = mixed(without(naturals(play, left), pair), 1)
    if rank(other[0]) == rank(pair[0]):
        raise Missing
    no_meld(play, "S12", ("set", pair))
    no_meld(play, "S12", ("set", [*pair, *other]))
    no_meld(play, "S12", ("set", mixed(naturals(play, left))))
    play.malformed(table(play).seat, "meld", melds=[{"kind": "book", "cards": [*pair]}])
    play.malformed(table(play).seat, "meld", melds=[])
    lay(play, ("set", [*pair, joker]))
    play.look()


@scamper("S12", "S14", wild_cards="jokers")
def no_set_of_deuces(play: Play) -> None:
    """There is no set of deuces, wild or natural."""
    left = go_down(play)
    deuces = enough([card for card in left if rank(card) == "2"], 3)
    no_meld(play, "S12", ("set", deuces))


@scamper("S12")
def no_set_of_wild_cards(play: Play) -> None:
    """Wild cards alone are no set."""
    no_meld(play, "S12", ("set", wild(play, go_down(play), 3)))


@scamper("S13", wild_cards="none", packs=2)
def runs(play: Play) -> None:
    """A run is three or more cards of consecutive rank in one suit, written from low to high."""
    left = go_down(play)
    run = straight(left, 4)
    low, second, third, high = run
    no_meld(play, "S13", ("run", run[:2]))
    no_meld(play, "S13", ("run", [third, second, low]))
    no_meld(play, "S13", ("run", [low, second, high]))
    no_meld(play, "S13", ("run", [second, low, third]))
    no_meld(play, "S12", ("set", run))
    lay(play, ("run", run))


@scamper("S13", wild_cards="none")
def runs_are_of_one_suit(play: Play) -> None:
    """A run has one suit."""
    left = go_down(play)
    run = straight(left, 3)
    no_meld(play, "S13", ("run", [*run[:2], other_suit(left, run[2])]))
    lay(play, ("run", run))


@scamper("S13", wild_cards="none", aces=...)
def the_ace_is_high(play: Play) -> None:
    """With the ace high only, A-2-3 is no run."""
    deuce, three, ace = straight(go_down(play), "23A")
    no_meld(play, "S13", ("run", [ace, deuce, three]))


@scamper("S13", wild_cards="none")
def up_to_the_ace(play: Play) -> None:
    """The highest run is Q-K-A."""
    lay(play, ("run", straight(go_down(play), "QKA")))


@scamper("S13", wild_cards="none")
def from_the_two(play: Play) -> None:
    """The lowest run is 2-3-4."""
    left = go_down(play)
    lay(play, ("run", straight(left, "234")))


@scamper("S13", "S14")
def wild_cards_in_runs(play: Play) -> None:
    """A wild card stands for the card of its place; none stands below the two or above the ace."""
    left = go_down(play)
    (joker,) = enough([card for card in left if card == JOKER], 1)
    king, ace = straight(left, "KA")
    no_meld(play, "S13", ("run", [king, ace, joker]))
    lay(play, ("run", [joker, king, ace]))
    play.sees(
        None,
        melds=[
            *_first(play),
            {"id": "m2", "seat": table(play).seat, "kind": "run", "cards": [joker, king, ace]},
        ],
    )


def _first(play: Play) -> list[dict[str, Any]]:
    return [{"id": "m1", "seat": table(play).seat, "kind": "set", "cards": [*table(play).melds[0].cards]}]


@scamper("S14", "S17", strict_ratio=True)
def a_natural_deuce(play: Play) -> None:
    """A deuce in a run at the place of the two of its own suit is natural, also where deuces are wild."""
    left = go_down(play)
    for suit in "CDHS":
        deuce, three = Card(f"2{suit}"), Card(f"3{suit}")
        others = [card for card in wild(play, left, 2) if card != deuce]
        if deuce in left and three in left and others and others[0] == "JK":
            no_meld(play, "S17", ("set", [three, deuce, others[0]]))
            lay(play, ("run", [deuce, three, others[0]]))
            return
    raise Missing


@scamper("S14", wild_cards="jokers")
def deuces_are_not_wild(play: Play) -> None:
    """Where only jokers are wild a deuce stands for nothing else, and may be discarded."""
    left = go_down(play)
    pair = same(left, 2)
    deuces = enough([card for card in left if rank(card) == "2"], 1)
    no_meld(play, "S12", ("set", [*pair, *deuces]))
    discard(play, deuces[0])


@scamper("S15", "S18", contracts=[{"sets": [3, 3], "runs": []}])
def the_whole_contract_at_once(play: Play) -> None:
    """One move lays the whole contract; more than the minimum is allowed, and more melds."""
    begin(play)
    held = naturals(play, hand(play))
    first = same(held, 3)
    second = same(without(held, first), 3)
    third = straight(without(held, first, second), 3)
    no_meld(play, "S15", ("set", first))
    no_meld(play, "S15", ("set", first), ("run", third))
    seat = table(play).seat
    play.refused(seat, "S10", "meld", melds=groups(("set", first), ("set", first)))
    play.sees(None, down=[])
    lay(play, ("run", third), ("set", first), ("set", second))
    play.sees(None, down=[seat])
    play.look()


@scamper("S15", start=194, contracts=[{"sets": [4], "runs": []}])
def as_long_as_asked(play: Play) -> None:
    """Each meld of the contract is at least as long as asked, and may be longer."""
    begin(play)
    held = naturals(play, hand(play))
    five = same(held, 5)
    no_meld(play, "S15", ("set", five[:3]))
    lay(play, ("set", five))


@scamper("S17", contracts=[{"sets": [4], "runs": []}])
def wild_cards_in_the_contract(play: Play) -> None:
    """In a contract's meld of n cards at most (n-1)//2 are wild."""
    begin(play)
    held = hand(play)
    jokers = wild(play, held, 2)
    three = same(naturals(play, held), 3)
    no_meld(play, "S17", ("set", [*three[:2], *jokers]))
    lay(play, ("set", [*three, *jokers]))


@scamper("S17", "S18", "S20")
def more_melds_with_the_contract(play: Play) -> None:
    """Other melds in the contract's move need but two naturals; one legal choice is enough."""
    begin(play)
    held = hand(play)
    jokers = wild(play, held, 3)
    first = same(naturals(play, held), 2)
    second = same(without(naturals(play, held), first), 2)
    if rank(first[0]) == rank(second[0]):
        raise Missing
    no_meld(play, "S17", ("set", [*first, *jokers[:2]]))
    lay(play, ("set", [*first, *jokers[:2]]), ("set", [*second, jokers[2]]))


@scamper("S18", "S20", "S17", strict_ratio=True)
def the_strict_ratio(play: Play) -> None:
    """With the strict ratio S17 goes on holding after the contract, for melds and what is laid off."""
    left = go_down(play)
    jokers = wild(play, left, 2)
    pair = same(naturals(play, left), 2)
    if rank(pair[0]) == rank(table(play).melds[0].cards[0]):
        raise Missing
    no_meld(play, "S17", ("set", [*pair, *jokers]))
    lay(play, ("set", [*pair, jokers[0]]))
    play.refused(table(play).seat, "S17", "lay_off", meld="m2", cards=[jokers[1]])
    play.seat(table(play).seat, "lay_off", meld="m1", cards=[jokers[1]])


@scamper("S20")
def any_number_of_wild_cards(play: Play) -> None:
    """After the contract any number of wild cards may be used, with two naturals in the meld."""
    left = go_down(play)
    jokers = wild(play, left, 4)
    pair = same(naturals(play, left), 2)
    no_meld(play, "S20", ("set", [pair[0], *jokers[:2]]))
    lay(play, ("set", [*pair, *jokers[:3]]))
    play.seat(table(play).seat, "lay_off", meld="m1", cards=[jokers[3]])


@scamper("S19", "S16")
def laying_off(play: Play) -> None:
    """Cards are laid off onto any meld, own or another's: of its rank, or at one end of a run, outward."""
    first = table(play).seat
    left = go_down(play)
    run = straight(naturals(play, left), 3)
    lay(play, ("run", run))
    discard(play)
    seat = 1 - first
    begin(play)
    held = naturals(play, hand(play))
    low = RANKS.index(rank(run[0]))
    if low < 3 or low > 8:
        raise Missing
    below, above = (Card(f"{RANKS[low + step]}{run[0][1]}") for step in (-1, 3))
    enough([card for card in (below, above) if card in held], 2)
    own = same(without(held, [below, above]), 3)
    others = without(held, [below, above], own)
    stranger = enough(
        [card for card in others if rank(card) not in (rank(own[0]), rank(table(play).melds[0].cards[0]))], 1
    )
    play.refused(seat, "S16", "lay_off", meld="m2", cards=[below], end="low")
    lay(play, ("set", own))
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[above], end="low")
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[above])
    play.refused(seat, "S19", "lay_off", meld="m1", cards=stranger)
    play.refused(seat, "S19", "lay_off", meld="m3", cards=stranger)
    play.refused(seat, "S19", "lay_off", meld="m9", cards=stranger)
    play.refused(seat, "S19", "lay_off", meld="m3", cards=stranger, end="high")
    play.malformed(seat, "lay_off", meld="1", cards=stranger)
    play.look()
    play.seat(seat, "lay_off", meld="m2", cards=[below], end="low")
    play.seat(seat, "lay_off", meld="m2", cards=[above], end="high")
    play.sees(None, melds=_melds(play))
    assert [*table(play).melds[1].cards] == [below, *run, above]


def _melds(play: Play) -> list[Any]:
    view: Any = play.position.ruleset.view(play.state, None)
    return [*view["melds"]]


@scamper("S19", start=370, seats=2)
def two_cards_outward(play: Play) -> None:
    """Several cards are given from the run's end outward, on one's own meld too."""
    left = naturals(play, go_down(play))
    run = straight(left, 5)
    seat = table(play).seat
    lay(play, ("run", run[2:]))
    play.refused(seat, "S19", "lay_off", meld="m2", cards=run[:2], end="low")
    play.seat(seat, "lay_off", meld="m2", cards=[run[1], run[0]], end="low")
    assert [*table(play).melds[1].cards] == run


@scamper("S21", "S16")
def swapping(play: Play) -> None:
    """A natural card takes the wild card that stands for it from another seat's meld, never one's own."""
    first = table(play).seat
    begin(play)
    pair = same(naturals(play, hand(play)), 2)
    (joker,) = wild(play, hand(play), 1)
    lay(play, ("set", [*pair, joker]))
    own = next((card for card in hand(play) if rank(card) == rank(pair[0])), None)
    if own:
        play.refused(first, "S21", "swap", meld="m1", card=own, wild=joker)
    discard(play)
    seat = begin(play)
    held = naturals(play, hand(play))
    natural = enough([card for card in held if rank(card) == rank(pair[0])], 1)[0]
    laid = same(without(held, [natural]), 3)
    other = enough([card for card in without(held, laid) if rank(card) != rank(pair[0])], 1)[0]
    if own is None:
        raise Missing
    play.refused(seat, "S16", "swap", meld="m1", card=natural, wild=joker)
    lay(play, ("set", laid))
    play.refused(seat, "S21", "swap", meld="m1", card=other, wild=joker)
    play.refused(seat, "S21", "swap", meld="m1", card=natural, wild=joker, place=2)
    play.refused(seat, "S21", "swap", meld="m9", card=natural, wild=joker)
    play.seat(seat, "swap", meld="m1", card=natural, wild=joker)
    play.look()
    assert joker in hand(play)
    assert [*table(play).melds[0].cards] == [*pair, natural]


@scamper("S21", contracts=[{"sets": [], "runs": [3]}])
def swapping_in_a_run(play: Play) -> None:
    """In a run the card of that very place is given; a deuce that counts as natural can't be taken."""
    begin(play)
    (joker,) = enough([card for card in hand(play) if card == JOKER], 1)
    deuce, three = straight(hand(play), "23")
    four = Card(f"4{three[1]}")
    lay(play, ("run", [deuce, three, joker]))
    discard(play)
    seat = begin(play)
    held = without(hand(play), [four])
    enough([card for card in hand(play) if card == four], 1)
    lay(play, ("run", straight(naturals(play, held), 3)))
    other = enough(naturals(play, without(hand(play), [four])), 1)[0]
    play.refused(seat, "S21", "swap", meld="m1", card=four, wild="JK")
    play.refused(seat, "S21", "swap", meld="m1", card=other, wild="JK", place=2)
    play.refused(seat, "S21", "swap", meld="m1", card=other, wild=deuce, place=0)
    play.refused(seat, "S21", "swap", meld="m1", card=four, wild="JK", place=1)
    play.seat(seat, "swap", meld="m1", card=four, wild="JK", place=2)
    assert [*table(play).melds[0].cards] == [deuce, three, four]


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


@scamper("S13", wild_cards="none", aces="both")
def aces_at_both_ends(play: Play) -> None:
    """With `aces` = `both`, A-2-3 is a run too, but no run goes round the corner."""
    deuce, three, king, ace = straight(go_down(play), "23KA")
    no_meld(play, "S13", ("run", [king, ace, deuce]))
    lay(play, ("run", [ace, deuce, three]))
