"""The lines of play of Scamper about the deal, the turn and the end."""

from typing import Final

from games.engine.cards import RANKS, Card, rank
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
    naturals,
    no_meld,
    points,
    same,
    scamper,
    straight,
    table,
    turn,
    wild,
    without,
)

PACKS: Final = {2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 6, 10: 6}
TEN: Final = [
    ([3, 3], []),
    ([], [3, 3]),
    ([3], [4]),
    ([3, 3, 3], []),
    ([3], [5]),
    ([3, 3], [4]),
    ([3], [7]),
    ([], [4, 5]),
    ([], [8]),
    ([8], []),
]


def _packs(seats: int) -> None:
    def script(play: Play) -> None:
        """Packs by the number of seats, eight cards each, one turned up, the rest is the stock."""
        stock = PACKS[seats] * 54 - 8 * seats - 1
        play.look()
        play.sees(None, hands=[8] * seats, stock=stock, turn=(table(play).dealer + 1) % seats)
        play.refused(table(play).dealer, "S7", "draw")

    script.__name__ = f"the_deal_for_{seats}"
    scamper("S1", "S2", "S7", seats=seats, packs=..., hand_size=..., contracts=...)(script)


for _seats in (2, 4, 7, 10):
    _packs(_seats)


@scamper("S1", "S2", wild_cards="none", packs=8)
def no_jokers_where_nothing_is_wild(play: Play) -> None:
    """Without wild cards the jokers stay out of the packs; a table has 2 to 10 seats."""
    play.sees(None, stock=8 * 52 - 2 * 13 - 1, wild=[])
    name = play.position.ruleset.name
    for seats in (1, 11):
        play.ask(
            do="open", ruleset=name, seats=seats, options={}, entropy=False, secret="00" * 32, must=False
        )
    play.sees(None, stock=8 * 52 - 2 * 13 - 1)


@scamper("S4", "S26", "S27", "S28", "S29", seats=8, contracts=..., max_replays=0, first_dealer_bonus=0)
def the_ten_contracts(play: Play) -> None:
    """Ten rounds with their contracts; each ends as it stands when the stock is empty; the lowest wins."""
    totals = [0] * 8
    for number, (sets, runs) in enumerate(TEN, 1):
        play.sees(None, round=number, rounds=10, contract={"sets": sets, "runs": runs}, stock=3)
        for _ in range(2):
            play.clock(table(play).seat)
        begin(play)
        last = naturals(play, hand(play))[0]
        held = [
            without(cards, [last] * (seat == table(play).seat))
            for seat, cards in enumerate(table(play).hands)
        ]
        discard(play, last)
        totals = [total + points(cards) for total, cards in zip(totals, held, strict=True)]
        play.row(round=number, out=None, totals=totals)
    play.ends(totals, [1 + sum(other < total for other in totals) for total in totals])


@scamper("S5", seats=4, rounds=1)
def a_tie_for_the_deal(play: Play) -> None:
    """Seats that tie draw again among themselves, jokers and deuces don't count: the highest deals."""
    draws = play.state.draws
    if len(draws) < 2 or all(len(cards) == 1 for each in draws for cards in each.cards):
        raise Missing
    first = {seat: cards[-1] for seat, cards in zip(draws[0].seats, draws[0].cards, strict=True)}
    highest = max(RANKS.index(rank(card)) for card in first.values())
    again = [seat for seat, card in first.items() if RANKS.index(rank(card)) == highest]
    assert [*draws[1].seats] == again
    last = {seat: cards[-1] for seat, cards in zip(draws[-1].seats, draws[-1].cards, strict=True)}
    dealer = max(last, key=lambda seat: RANKS.index(rank(last[seat])))
    play.look()
    play.sees(None, dealer=dealer, turn=(dealer + 1) % 4)


@scamper("S5", "S6", "S7", "S32", seats=3, contracts=[*[{"sets": [3], "runs": []}] * 2], max_replays=1)
def the_first_dealer(play: Play) -> None:
    """The first dealer gets the bonus in round 1; the deal passes left; a replay keeps dealer and points."""
    dealer = table(play).dealer
    play.sees(None, scores=[-20 if seat == dealer else 0 for seat in range(3)])
    while table(play).attempt == 0:
        turn(play)
    play.sees(None, dealer=dealer, round=1, attempt=1, scores=[-20 if s == dealer else 0 for s in range(3)])
    play.look()
    while table(play).number == 1:
        turn(play)
    play.sees(None, dealer=(dealer + 1) % 3, turn=(dealer + 2) % 3, round=2)


@scamper("S8", "S10", "S7")
def a_turn_begins_once(play: Play) -> None:
    """A turn begins with the top discard or a card from the stock; then come melds; the discard ends it."""
    seat, top = table(play).seat, table(play).discards[-1]
    if top in play.state.options.wild:
        raise Missing
    play.look()
    play.offered(seat, "take", "draw")
    play.refused(seat, "S8", "discard", card=hand(play)[0])
    play.refused(seat, "S8", "meld", melds=groups(("set", hand(play)[:3])))
    play.refused(1 - seat, "S7", "draw")
    play.malformed(seat, "draw", card="7C")
    play.seat(seat, "take")
    play.sees(None, discards=[])
    for kind in ("take", "draw"):
        play.refused(seat, "S8", kind)
    play.refused(seat, "S9", "accept")
    missing = min({Card(f"{r}{s}") for r in RANKS[1:] for s in "CDHS"} - {*hand(play)})
    play.refused(seat, "S10", "discard", card=missing)
    play.refused(seat, "S10", "meld", melds=groups(("set", [missing] * 3)))
    play.malformed(seat, "discard", card="10C")
    discard(play, top)
    play.sees(None, turn=1 - seat, discards=[top], phase="begin")
    play.refused(seat, "S7", "draw")
    play.seat(1 - seat, "draw")
    play.sees(seat, drawn=None)
    play.sees(1 - seat, drawn=hand(play)[-1])


@scamper("S9", seats=3, passing="offer", packs=3)
def an_offer(play: Play) -> None:
    """A draw offers the top discard to the left, who must accept it with a card of the stock, or decline."""
    seat = table(play).seat
    left, top = (seat + 1) % 3, table(play).discards[-1]
    stock = len(table(play).stock)
    play.seat(seat, "draw")
    play.look()
    play.sees(None, phase="offer", offer=left)
    play.offered(left, "accept", "decline")
    for kind in ("draw", "take"):
        play.refused(left, "S9", kind)
    play.refused(left, "S9", "discard", card=hand(play, left)[0])
    play.refused(left, "S9", "meld", melds=groups(("set", hand(play, left)[:3])))
    play.refused(seat, "S7", "discard", card=hand(play)[0])
    play.refused(seat, "S7", "decline")
    play.seat(left, "accept")
    play.sees(
        None,
        stock=stock - 2,
        discards=[],
        hands=[15 if s == left else 14 if s == seat else 13 for s in range(3)],
    )
    assert top in hand(play, left)
    discard(play)
    play.seat(left, "draw")
    play.seat((left + 1) % 3, "decline")
    play.sees(None, stock=stock - 3, phase="play", offer=None)


@scamper("S9", passing="forced", seats=3, packs=3)
def passed_on_unasked(play: Play) -> None:
    """Forced: the left seat gets the discard and a card of the stock without being asked."""
    seat, stock = table(play).seat, len(table(play).stock)
    left = (seat + 1) % 3
    begin(play)
    play.sees(
        None,
        phase="play",
        stock=stock - 2,
        hands=[15 if s == left else 14 if s == seat else 13 for s in range(3)],
    )


@scamper("S9", passing="first", seats=3, packs=3)
def passed_on_in_the_first_turn(play: Play) -> None:
    """First: as forced, in the first turn of a deal only."""
    seat, stock = table(play).seat, len(table(play).stock)
    begin(play)
    play.sees(None, stock=stock - 2, phase="play")
    discard(play)
    begin(play)
    play.sees(None, stock=stock - 3, phase="play", turn=(seat + 1) % 3)


@scamper("S9", passing="off")
def nothing_is_passed_on(play: Play) -> None:
    """Off: a draw offers nothing."""
    seat = begin(play)
    play.sees(None, phase="play", hands=[14 if each == seat else 13 for each in range(2)])


@scamper("S9", passing="offer", seats=4, packs=2)
def no_offer_from_a_small_stock(play: Play) -> None:
    """No offer is made when the stock holds fewer than two cards."""
    while len(table(play).stock) > 1 or table(play).phase != "begin":
        play.clock(play.position.ruleset.awaited(play.state)[0])
        if table(play).attempt:
            raise Missing
    seat = begin(play)
    play.sees(None, phase="play", turn=seat, stock=0)


@scamper("S11", "S24", "S25", "S3", "S15", "S31", start=595, seats=3, hand_size=6, packs=2)
def going_out(play: Play) -> None:
    """The discard of the last card, contract down, ends the round; the others count their cards."""
    begin(play)
    held = hand(play)
    first = same(naturals(play, held), 3)
    second = same(naturals(play, without(held, first)), 3)
    seat, rest = table(play).seat, without(held, first, second)
    others = [points(cards) for each, cards in enumerate(table(play).hands) if each != seat]
    values = {
        points([card]) for each, cards in enumerate(table(play).hands) if each != seat for card in cards
    }
    if values != {5, 10, 20, 50} or rest[0] in play.state.options.wild:
        raise Missing
    dealer = table(play).dealer
    lay(play, ("set", first), ("set", second))
    play.offered(seat, "discard")
    play.refused(seat, "S31", "discard", card=rest[0], scamper=True)
    play.seat(seat, "discard", card=rest[0])
    scores = [*others[:seat], 0, *others[seat:]]
    play.row(out=seat, cards=scores)
    scores[dealer] -= 20
    play.ends(scores, [1 + sum(other < score for other in scores) for score in scores])


@scamper("S11", start=2229, hand_size=6)
def a_card_is_kept(play: Play) -> None:
    """A hand is never emptied but by the discard: a meld or lay-off leaves a card."""
    seat = table(play).seat
    left = go_down(play)
    second = same(naturals(play, left), 3)
    discard(play, enough(naturals(play, without(left, second)), 1)[0])
    turn(play)
    play.seat(seat, "draw")
    if rank(hand(play)[-1]) != rank(second[0]):
        raise Missing
    no_meld(play, "S11", ("set", hand(play)))
    play.seat(seat, "meld", melds=groups(("set", second)))
    play.refused(seat, "S11", "lay_off", meld="m2", cards=[hand(play)[-1]])
    play.seat(seat, "discard", card=hand(play)[-1])
    play.row(out=seat)


@scamper("S23", "S10")
def wild_cards_are_not_discarded(play: Play) -> None:
    """A wild card is discarded only as the last card, or by a hand of nothing but wild cards."""
    begin(play)
    held = hand(play)
    joker, deuce = wild(play, held, 1, "")[0], wild(play, held, 1, "2")[0]
    if joker == deuce:
        raise Missing
    for card in (joker, deuce):
        play.refused(table(play).seat, "S23", "discard", card=card)
    discard(play)


@scamper("S23", "S24", start=806, hand_size=6)
def out_with_a_wild_card(play: Play) -> None:
    """The last card may be a wild one."""
    seat = begin(play)
    first = same(naturals(play, hand(play)), 3)
    second = same(naturals(play, without(hand(play), first)), 3)
    (last,) = wild(play, without(hand(play), first, second), 1)
    lay(play, ("set", first), ("set", second))
    play.seat(seat, "discard", card=last)
    play.row(out=seat)


@scamper("S23", "S30", hand_size=6, melds="challenge")
def a_hand_of_wild_cards(play: Play) -> None:
    """A hand that holds nothing but wild cards may discard one; nobody challenged how it came to that."""
    seat = begin(play)
    wild(play, hand(play), 2)
    *laid, last = naturals(play, hand(play))
    lay(play, ("set", laid))
    discard(play, last)
    turn(play)
    play.seat(seat, "draw")
    if naturals(play, hand(play)):
        raise Missing
    play.look()
    play.seat(seat, "discard", card=hand(play)[0])
    play.sees(None, turn=1 - seat)


@scamper("S31", start=595, hand_size=6)
def scamper_is_said(play: Play) -> None:
    """Who keeps exactly one card says Scamper with the discard, or gets 20 points; never at another time."""
    seat = table(play).seat
    left = go_down(play)
    play.refused(seat, "S31", "discard", card=naturals(play, left)[0], scamper=True)
    second = same(naturals(play, left), 3)
    play.seat(seat, "discard", card=without(left, second)[0])
    turn(play)
    play.seat(seat, "draw")
    new = hand(play)[-1]
    if new in play.state.options.wild or rank(new) == rank(second[0]):
        raise Missing
    play.seat(seat, "meld", melds=groups(("set", second)))
    play.refused(seat, "S31", "discard", card=new, scamper=True)
    play.seat(seat, "discard", card=new)


@scamper("S31", start=383, hand_size=7)
def scamper_is_forgotten(play: Play) -> None:
    """A discard that leaves one card without the word costs 20 points; with it, nothing."""
    seat = table(play).seat
    left = go_down(play)
    second = same(naturals(play, left), 3)
    rest = without(left, second)
    if len(naturals(play, rest)) != 2:
        raise Missing
    dealer = table(play).dealer
    lay(play, ("set", second))
    play.seat(seat, "discard", card=rest[0])
    play.sees(None, scores=[(20 if each == seat else 0) - (20 if each == dealer else 0) for each in range(2)])
    turn(play)
    play.seat(seat, "draw")
    if hand(play)[-1] in play.state.options.wild:
        raise Missing
    play.seat(seat, "discard", card=hand(play)[-1], scamper=True)
    play.sees(None, scores=[(20 if each == seat else 0) - (20 if each == dealer else 0) for each in range(2)])


@scamper("S31", start=383, hand_size=7, declare_scamper=False)
def scamper_need_not_be_said(play: Play) -> None:
    """Where it is not the custom, the word is refused."""
    seat = table(play).seat
    left = go_down(play)
    second = same(naturals(play, left), 3)
    rest = enough(naturals(play, without(left, second)), 2)
    lay(play, ("set", second))
    play.refused(seat, "S31", "discard", card=rest[0], scamper=True)
    play.seat(seat, "discard", card=rest[0])
    play.sees(None, scores=[-20 if each == table(play).dealer else 0 for each in range(2)])


@scamper("S27", "S28", seats=8, stock_out="add_pack")
def a_pack_is_added(play: Play) -> None:
    """With `add_pack` one more shuffled pack becomes the stock; the discards stay where they are."""
    for _ in range(3):
        turn(play)
    play.sees(None, stock=54, round=1, attempt=0)
    assert len(table(play).discards) == 4


@scamper("S28", "S29", "S32", seats=8, max_replays=1)
def dealt_again(play: Play) -> None:
    """An empty stock voids the round: no scores, dealt again by the same dealer; points given stay."""
    play.arbiter("penalty", seat=1, points=20, reason="advice")
    dealer = table(play).dealer
    scores = [(20 if seat == 1 else 0) - (20 if seat == dealer else 0) for seat in range(8)]
    for _ in range(3):
        turn(play)
    play.look()
    play.sees(None, attempt=1, round=1, dealer=dealer, sheet=[], scores=scores)
    for _ in range(3):
        turn(play)
    play.row(out=None, round=1)


@scamper("S29", seats=2, packs=8, stock_out="add_pack", hand_size=6)
def sixty_turns_a_seat(play: Play) -> None:
    """House: after sixty turns a seat the round ends as it stands."""
    while table(play).number == 1 and table(play).phase != "over":
        turn(play)
    play.row(out=None)
    assert sum(each.request.get("move", {}).get("type") == "discard" for each in play.exchanges) == 120


@scamper("S29", seats=8, stock_out="add_pack", hand_size=13, packs=2)
def six_added_packs(play: Play) -> None:
    """House: after six added packs the round ends as it stands with the next empty stock."""
    while table(play).number == 1 and table(play).phase != "over":
        turn(play)
    play.row(out=None)
    assert sum(each.request.get("move", {}).get("type") == "discard" for each in play.exchanges) == 3 + 6 * 54


@scamper("S33", "S32")
def advice_is_fined(play: Play) -> None:
    """Advice to another player costs 20 points, by the arbiter; nobody else fines."""
    dealer = table(play).dealer
    fine = {"seat": 1, "points": 20, "reason": "advice"}
    play.refused(0, None, "penalty", **fine)
    play.arbiter("penalty", **fine)
    play.sees(None, scores=[(20 if seat == 1 else 0) - (20 if seat == dealer else 0) for seat in range(2)])
    play.refused(None, None, "penalty", seat=7, points=20, reason="advice")
    play.look()


@scamper("S32", "S33", seats=3)
def a_penalty_stands(play: Play) -> None:
    """A penalty is 1 to 1000 points, and stands when all the others have left."""
    for wrong in (0, -20, 1001):
        fine = {"type": "penalty", "seat": 0, "points": wrong, "reason": "advice"}
        play.ask(do="move", role="arbiter", move=fine, must=False)
    play.arbiter("penalty", seat=0, points=1000, reason="advice")
    scores = [-20 if seat == table(play).dealer else 0 for seat in range(3)]
    scores[0] += 1000
    play.sees(None, scores=scores)
    play.seat(1, "resign")
    play.arbiter("forfeit", seat=2, reason="Left the table.")
    play.ends(scores, [1, 2, 2])


@scamper("S26", seats=8, max_replays=0, first_dealer_bonus=0)
def equal_totals_share(play: Play) -> None:
    """Equal totals share the rank: the arbiter's penalty brings two seats level."""
    for _ in range(2):
        turn(play)
    begin(play)
    last = naturals(play, hand(play))[0]
    ends = [
        points(without(cards, [last] * (seat == table(play).seat)))
        for seat, cards in enumerate(table(play).hands)
    ]
    first, second = sorted(range(8), key=lambda seat: ends[seat])[:2]
    if ends[first] == ends[second]:
        raise Missing
    play.arbiter("penalty", seat=first, points=ends[second] - ends[first], reason="To level.")
    discard(play, last)
    ends[first] = ends[second]
    play.ends(ends, [1 + sum(other < end for other in ends) for end in ends])


@scamper("S22", "S15", "S16")
def what_lies_stays(play: Play) -> None:
    """What lies on the table stays there while others play; before its contract a seat lays nothing else."""
    seat = table(play).seat
    go_down(play)
    melds = [{"id": "m1", "seat": seat, "kind": "set", "cards": [*table(play).melds[0].cards]}]
    play.sees(None, melds=melds, down=[seat])
    discard(play)
    other = begin(play)
    like = next((card for card in hand(play) if rank(card) == rank(table(play).melds[0].cards[0])), None)
    if like is None:
        raise Missing
    play.refused(other, "S16", "lay_off", meld="m1", cards=[like])
    play.refused(other, "S15", "meld", melds=groups(("run", straight(naturals(play, hand(play)), 3))))
    discard(play)
    play.sees(None, melds=melds)
    play.look()


@scamper("S7", seats=3)
def a_seat_that_left(play: Play) -> None:
    """Default moves are played for a seat that has left, it ranks last; one seat left wins."""
    seat = table(play).seat
    play.seat((seat + 1) % 3, "resign")
    turn(play)
    play.sees(None, turn=(seat + 2) % 3)
    play.arbiter("forfeit", seat=(seat + 2) % 3, reason="Left the table.")
    scores = [-20 if each == table(play).dealer else 0 for each in range(3)]
    play.ends(scores, [1 if each == seat else 2 for each in range(3)])


@scamper("S8", "S9", "S23", passing="offer", seats=3, packs=3)
def the_clock_plays(play: Play) -> None:
    """The clock declines, draws, and discards the drawn card, or the natural one of highest value."""
    seat = table(play).seat
    play.clock(seat)
    play.look()
    play.clock((seat + 1) % 3)
    play.clock(seat)
    play.seat((seat + 1) % 3, "take")
    play.clock((seat + 1) % 3)
    play.sees(None, turn=(seat + 2) % 3)


@scamper("S5", entropy=True)
def everybody_adds_to_the_seed(play: Play) -> None:
    """With entropy the cards are dealt when every seat is ready."""
    play.look()
    play.refused(0, None, "draw")
    play.seat(0, "ready", entropy="seven of hearts")
    play.clock(1)
    play.look()
