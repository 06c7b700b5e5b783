"""The lines of play of Scamper about melds, laying off and swapping."""

from collections.abc import Sequence
from typing import Any

from games.engine.cards import JOKER, RANKS, Card, rank
from tests.conformance.recorder import Play
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
    play.look()


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
            play.look()
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
    play.look()


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


@scamper("S13", wild_cards="none", aces="both")
def aces_at_both_ends(play: Play) -> None:
    """With `aces` = `both`, A-2-3 is a run too, but no run goes round the corner."""
    deuce, three, king, ace = straight(go_down(play), "23KA")
    no_meld(play, "S13", ("run", [king, ace, deuce]))
    lay(play, ("run", [ace, deuce, three]))
    play.look()


@scamper("S19", "S13", wild_cards="none", aces="both")
def an_ace_below_the_two(play: Play) -> None:
    """With `aces` = `both` an ace is laid off below the two, and nothing below the ace."""
    left = go_down(play)
    two, three, four, ace = straight(left, "234A")
    king = Card(f"K{ace[1]}")
    enough([card for card in left if card == king], 1)
    seat = table(play).seat
    lay(play, ("run", [two, three, four]))
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[ace], end="high")
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[ace, king], end="low")
    play.seat(seat, "lay_off", meld="m2", cards=[ace], end="low")
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[king], end="low")
    assert [*table(play).melds[1].cards] == [ace, two, three, four]
    play.look()


@scamper("S19", "S13", wild_cards="none", aces=...)
def nothing_below_the_two(play: Play) -> None:
    """With the ace high only, no ace is laid off below the two."""
    left = go_down(play)
    two, three, four, ace = straight(left, "234A")
    seat = table(play).seat
    lay(play, ("run", [two, three, four]))
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[ace], end="low")
    play.refused(seat, "S19", "lay_off", meld="m2", cards=[ace], end="high")
    play.look()


@scamper("S19", "S13", wild_cards="none", aces=...)
def nothing_above_the_ace(play: Play) -> None:
    """With the ace high only, no run goes on beyond it."""
    left = go_down(play)
    two, queen, king, ace = straight(left, "2QKA")
    lay(play, ("run", [queen, king, ace]))
    play.refused(table(play).seat, "S19", "lay_off", meld="m2", cards=[two], end="high")
    play.look()
