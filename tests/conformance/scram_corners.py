"""The lines of Scram! about rare cases: small campsites, the end of the deck, looks that go on."""

from tests.conformance.recorder import Missing, Play
from tests.conformance.scram import at, down, draw, in_play, row, scram, shrink, sums, table, top, turn, until
from tests.conformance.scram_actions import seen


@scram("B12", rounds=1)
def fewer_extra_cards_than_due(play: Play) -> None:
    """Where the deck has fewer cards than are due, fewer are added; the round ends with the empty deck."""
    while len(table(play).deck) > 2:
        turn(play)
    seat = in_play(play)
    own = row(play, seat)
    if len({*own[:4]} - {"="}) != 4:
        raise Missing
    drawn, last = (table(play).faces[card] for card in table(play).deck)
    campsites = [[last, *own, drawn] if each == seat else row(play, each) for each in range(4)]
    draw(play)
    chosen = at(" ".join(f"{seat}.{index}" for index in range(4)))
    play.seat(seat, "replace", cards=chosen, end="right", extra_ends=["left"])
    play.row(ended="deck", campsites=campsites)
    play.look()


@scram("B12")
def ends_that_are_not_needed(play: Play) -> None:
    """Ends of further cards are ignored where none is due, and what is missing goes to `end`."""
    seat = in_play(play)
    own = row(play, seat)
    following = (seat + 1) % 4
    theirs = row(play, following)
    if len({*own[:3]} - {"="}) != 2 or len({*theirs[:4]} - {"="}) != 4:
        raise Missing
    drawn = top(play)
    draw(play)
    chosen = at(" ".join(f"{seat}.{index}" for index in range(3)))
    play.seat(seat, "replace", cards=chosen, end="left", extra_ends=["right"])
    assert row(play, seat) == [drawn, *own]
    new, first, second = (table(play).faces[card] for card in table(play).deck[:3])
    draw(play)
    chosen = at(" ".join(f"{following}.{index}" for index in range(4)))
    play.seat(following, "replace", cards=chosen, end="right", extra_ends=["left"])
    assert row(play, following) == [first, *theirs, new, second]
    play.look()


@scram("A0", "A1", rounds=1)
def a_9_on_the_last_card(play: Play) -> None:
    """Of a campsite with one card a 9 discards that one, and lies there alone."""
    seat = in_play(play)
    shrink(play, seat, 1)
    gone = row(play, seat)[0]
    by = until(play, "9")
    other = (seat + 1) % 4
    if by == seat or row(play, seat) != [gone] or len(row(play, other)) < 2:
        raise Missing
    play.refused(by, "A0", "act", seat=seat, cards=[0, 1], end="left")
    play.refused(by, "A0", "act", seat=other, cards=[0], end="left")
    play.seat(by, "act", seat=seat, cards=[0], end="left")
    assert row(play, seat) == ["9"]
    assert table(play).faces[table(play).discard[-1]] == gone
    play.look()


@scram("A0", "A3", "A4")
def a_12_and_a_card_that_lies_open(play: Play) -> None:
    """A face-up card counts as looked at; on the deck it lies face down, and what comes from there too."""
    seat = until(play, "12")
    up, fresh = row(play, 1)[4], top(play)
    play.seat(seat, "act", targets=at("1.4"))
    play.look()
    play.seat(seat, "act", targets=at("deck.0"))
    play.sees((seat + 1) % 4, seen=[])
    play.seat(seat, "exchange", do=True)
    assert (row(play, 1)[4], top(play)) == (fresh, up)
    assert not table(play).campsites[1][4].up
    assert fresh in seen(play, seat)
    play.look()


@scram("A4", "A3")
def a_look_lasts_beyond_the_exchange(play: Play) -> None:
    """Both cards of a 12 stay in view, followed, until an entry of the clock is made for the seat."""
    seat = until(play, "12")
    other = (seat + 1) % 4
    mine, theirs = row(play, seat)[0], row(play, other)[0]
    play.seat(seat, "act", targets=at(f"{seat}.0 {other}.0"))
    play.seat(seat, "exchange", do=True)
    places = sorted([(seat, theirs), (other, mine)])
    play.sees(seat, seen=[{"target": {"seat": each, "index": 0}, "card": card} for each, card in places])
    for _ in range(3):
        turn(play)
    play.sees(seat, seen=[{"target": {"seat": each, "index": 0}, "card": card} for each, card in places])
    play.clock(seat)
    play.sees(seat, seen=[])
    play.look()


@scram("A4")
def a_look_of_a_camper_who_leaves(play: Play) -> None:
    """A look is gone after an entry of the system, too."""
    seat = until(play, "5")
    play.seat(seat, "act", targets=at(f"{seat}.{down(play, seat)[0]}"))
    play.look()
    play.seat(seat, "resign")
    while in_play(play) != (seat + 3) % 4:
        turn(play)
    turn(play)
    play.sees(seat, seen=[])
    play.look()


@scram("A1", "A0", rounds=1)
def a_12_at_the_end_of_the_deck(play: Play) -> None:
    """The last card of the deck may be a 12, which then has targets in campsites only."""
    while len(table(play).deck) > 1:
        turn(play)
    if top(play) != "12":
        raise Missing
    seat = draw(play)
    play.refused(seat, "A0", "act", targets=at("deck.0"))
    play.seat(seat, "act", targets=at("0.0 1.0"))
    play.seat(seat, "exchange", do=True)
    play.row(ended="deck")
    play.look()


@scram("B14", "B16", "B15", seats=3, rounds=1)
def scram_of_the_solo_is_scored(play: Play) -> None:
    """The solo's sum against that of both of the duo."""
    shrink(play, 0, 2, most=20)
    own = sums(play)
    play.seat(0, "scram")
    assert [turn(play) for _ in range(2)] == [1, 2]
    solo, duo = own[0], own[1] + own[2]
    scored = 0 if solo <= duo else solo + 10
    play.row(scram=0, ended="last_turns", scores=[scored, duo, duo])
    play.ends([scored, duo, duo], [1, 2, 2] if scored <= duo else [3, 1, 1])


@scram("B18", rounds=1)
def bounds_of_a_penalty(play: Play) -> None:
    """A penalty is 1 to 1000 points with a reason, added to its team's score."""
    for points in (0, -20, 1001):
        fine = {"type": "penalty", "seat": 0, "points": points, "reason": "Talked."}
        play.ask(do="move", role="arbiter", move=fine, must=False)
    fine = {"type": "penalty", "seat": 0, "points": 20}
    play.ask(do="move", role="arbiter", move=fine, must=False)
    play.refused(None, None, "penalty", seat=4, points=20, reason="Talked.")
    play.arbiter("penalty", seat=0, points=1000, reason="Talked.")
    play.arbiter("penalty", seat=2, points=1, reason="Talked.")
    play.sees(None, scores=[1001, 0, 1001, 0], penalties=[1000, 0, 1, 0])
    play.look()
