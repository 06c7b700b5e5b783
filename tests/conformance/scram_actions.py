"""The lines of play of Scram! about the actions of the cards."""

from typing import Any, Final

from tests.conformance.recorder import Missing, Play
from tests.conformance.scram import at, down, draw, in_play, row, scram, table, top, turn, until

LOOKS: Final = {"5": 1, "6": 2, "7": 3, "8": 4}


def seen(play: Play, seat: int) -> list[str]:
    """Return the cards that a seat's view shows it."""
    view: Any = play.position.ruleset.view(play.state, seat)
    return [each["card"] for each in view["seen"]]


def looks(card: str) -> None:
    count = LOOKS[card]

    def script(play: Play) -> None:
        """A look is secret: the others see which places were looked at, never the cards."""
        seat = until(play, card)
        places = [f"{each}.{index}" for each in range(4) for index in down(play, each)]
        faces = [row(play, int(place[0]))[int(place[2])] for place in places[:count]]
        up = f"{seat}.4"
        play.offered(seat, "act", "discard", "replace")
        play.refused(seat, "A0", "act", targets=at(up))
        play.refused(seat, "A0", "act")
        play.refused(seat, "A0", "act", targets=at(" ".join(places[: count + 1])))
        play.refused(seat, "A0", "act", targets=at(places[0]), end="left")
        if count > 1:
            play.refused(seat, "A1", "act", targets=at(f"{places[0]} deck.0"))
            play.refused(seat, ("A0", "A1"), "act", targets=at(f"{places[0]} {places[0]}"))
        play.seat(seat, "act", targets=at(" ".join(places[:count])))
        assert sorted(seen(play, seat)) == sorted(faces)
        play.look()
        play.sees((seat + 1) % 4, seen=[])
        play.sees(None, turn=(seat + 1) % 4)

    script.__name__ = f"the_action_of_a_{card}"
    scram("A0", "A1", "A4")(script)


for _card in LOOKS:
    looks(_card)


@scram("A0", "A1", "A2")
def a_look_into_the_deck(play: Play) -> None:
    """5 to 8 look at the top of the deck as well, one by one or at once, but not mixed with campsites."""
    seat = until(play, "7")
    first = top(play)
    play.refused(seat, "A0", "act", targets=at("deck.3"))
    play.seat(seat, "act", targets=at("deck.0"))
    assert first in seen(play, seat)
    play.look()
    play.refused(seat, "A0", "discard")
    play.refused(seat, ("A0", "B8"), "draw", source="deck")
    other = down(play, 0)[0]
    play.refused(seat, "A1", "act", targets=at(f"0.{other}"))
    play.seat(seat, "act", targets=at("deck.2 deck.1"))
    play.sees(None, turn=(seat + 1) % 4)
    assert top(play) == first


@scram("A2", "A4")
def one_look_after_the_other(play: Play) -> None:
    """The targets may come one by one, each seen before the next is chosen."""
    seat = until(play, "6")
    places = [f"{each}.{index}" for each in range(4) for index in down(play, each)]
    play.seat(seat, "act", targets=at(places[0]))
    assert row(play, int(places[0][0]))[int(places[0][2])] in seen(play, seat)
    play.look()
    play.refused(seat, ("A0", "A1"), "act", targets=at(places[0]))
    play.seat(seat, "act", targets=at(places[5]))
    faces = [row(play, int(place[0]))[int(place[2])] for place in (places[0], places[5])]
    assert sorted(seen(play, seat)) == sorted(faces)
    play.look()
    play.sees(None, turn=(seat + 1) % 4)


@scram("A1", rounds=1)
def fewer_targets_than_the_number(play: Play) -> None:
    """Where the deck has fewer cards than the number, the action looks at as many as there are."""
    while len(table(play).deck) > 2:
        turn(play)
    if top(play) not in ("6", "7", "8"):
        raise Missing
    seat = draw(play)
    play.refused(seat, "A0", "act", targets=at("deck.1"))
    play.seat(seat, "act", targets=at("deck.0"))
    play.sees(None, turn=(seat + 1) % 4)


@scram("A0")
def the_action_of_a_9(play: Play) -> None:
    """A 9 discards two cards of one campsite, the higher first, = below, and lies there, face up."""
    seat = until(play, "9")
    other = (seat + 1) % 4
    cards = row(play, other)
    if cards[0] == cards[3] or "=" in (cards[0], cards[3]):
        raise Missing
    higher, lower = sorted((cards[0], cards[3]), key=int, reverse=True)
    play.refused(seat, "A0", "act", targets=at(f"{other}.0 {other}.1"))
    play.refused(seat, "A0", "act", seat=other, cards=[0], end="left")
    play.refused(seat, "A0", "act", seat=other, cards=[0, 0], end="left")
    play.refused(seat, "A0", "act", seat=other, cards=[0, 1])
    play.refused(seat, "A0", "act", seat=other, cards=[0, 5], end="left")
    play.malformed(seat, "act", seat=other, cards=[0, 1], end="top")
    play.seat(seat, "act", seat=other, cards=[0, 3], end="right")
    assert row(play, other) == [cards[1], cards[2], cards[4], "9"]
    assert table(play).campsites[other][-1].up
    assert [table(play).faces[card] for card in table(play).discard][-2:] == [higher, lower]
    play.look()


@scram("A0", "A2")
def the_action_of_a_10(play: Play) -> None:
    """A 10 turns two face-down cards of any campsites up, not of the deck."""
    seat = until(play, "10")
    one, two = down(play, 0)[0], down(play, 3)[0]
    play.refused(seat, "A0", "act", targets=at("deck.0"))
    play.refused(seat, "A0", "act", targets=at("1.4"))
    play.seat(seat, "act", targets=at(f"0.{one}"))
    play.look()
    play.seat(seat, "act", targets=at(f"3.{two}"))
    assert table(play).campsites[0][one].up
    assert table(play).campsites[3][two].up
    play.look()


@scram("A0", "A2", "A3", "A1")
def the_action_of_an_11(play: Play) -> None:
    """An 11 exchanges two cards of two campsites, unseen, each keeping its side up."""
    seat = until(play, "11")
    play.refused(seat, "A2", "act", targets=at("0.0"))
    play.refused(seat, ("A0", "A1"), "act", targets=at("0.0 0.1"))
    play.refused(seat, ("A0", "A1"), "act", targets=at("deck.0 deck.1"))
    zero, one = row(play, 0), row(play, 1)
    play.seat(seat, "act", targets=at("0.0 1.4"))
    assert row(play, 0) == [one[4], *zero[1:]]
    assert row(play, 1) == [*one[:4], zero[0]]
    assert (table(play).campsites[0][0].up, table(play).campsites[1][4].up) == (True, False)
    play.look()


@scram("A3")
def an_exchange_with_the_deck(play: Play) -> None:
    """What lands on the deck lies face down, and what comes from the deck lies face down."""
    seat = until(play, "11")
    fresh, gone = top(play), row(play, 0)[4]
    play.refused(seat, ("A0", "A1"), "act", targets=at("0.4 deck.1"))
    play.seat(seat, "act", targets=at("0.4 deck.0"))
    assert (row(play, 0)[4], top(play)) == (fresh, gone)
    assert not table(play).campsites[0][4].up
    play.look()


@scram("A0", "A2", "A3", "A4")
def the_action_of_a_12(play: Play) -> None:
    """A 12 looks at two cards, of campsites and the deck as one likes, then exchanges them or not."""
    seat = until(play, "12")
    cards, first = row(play, 2), top(play)
    play.refused(seat, "A0", "act", targets=at("deck.2"))
    play.refused(seat, "A0", "exchange", do=True)
    play.seat(seat, "act", targets=at("2.0"))
    assert cards[0] in seen(play, seat)
    play.seat(seat, "act", targets=at("deck.0"))
    assert first in seen(play, seat)
    play.look()
    play.offered(seat, "exchange")
    play.refused(seat, "A0", "discard")
    play.refused(seat, "A0", "act", targets=at("2.1"))
    play.malformed(seat, "exchange")
    play.seat(seat, "exchange", do=True)
    assert (row(play, 2)[0], top(play)) == (first, cards[0])
    play.look()
    play.sees(None, turn=(seat + 1) % 4)


@scram("A0")
def a_12_of_one_campsite(play: Play) -> None:
    """Two cards of one campsite are looked at and not exchanged: the second look ends the action."""
    seat = until(play, "12")
    before = row(play, 0)
    play.seat(seat, "act", targets=at("0.0 0.1"))
    play.refused(seat, ("A0", "B6"), "exchange", do=True)
    play.sees(None, turn=(seat + 1) % 4)
    assert row(play, 0) == before


@scram("A0")
def a_12_that_leaves_them(play: Play) -> None:
    """The two cards of a 12 may be left where they are."""
    seat = until(play, "12")
    before = [row(play, each) for each in range(4)]
    play.seat(seat, "act", targets=at("0.0 1.0"))
    play.seat(seat, "exchange", do=False)
    assert [row(play, each) for each in range(4)] == before


@scram("A0")
def the_action_of_a_13(play: Play) -> None:
    """A 13 is put in any campsite, face up, at an end."""
    seat = until(play, "13")
    other = (seat + 1) % 4
    cards = row(play, other)
    play.refused(seat, "A0", "act", targets=at("0.0"))
    play.refused(seat, "A0", "act", seat=other)
    play.refused(seat, "A0", "act", seat=5, end="left")
    play.refused(seat, "A0", "act", seat=other, end="left", cards=[0])
    play.seat(seat, "act", seat=other, end="left")
    assert row(play, other) == ["13", *cards]
    assert table(play).campsites[other][0].up
    play.look()


@scram("A4")
def a_look_is_gone(play: Play) -> None:
    """What a seat saw stays in its view until a later entry is made for it."""
    seat = until(play, "5")
    place = f"{seat}.{down(play, seat)[0]}"
    play.seat(seat, "act", targets=at(place))
    for _ in range(3):
        turn(play)
    assert seen(play, seat) == [row(play, seat)[int(place[2])]]
    play.look()
    draw(play)
    assert seen(play, seat) == []
    play.look()


@scram("A4", memory_aid=True)
def the_memory_aid(play: Play) -> None:
    """With the memory aid a look stays in view for as long as the card can be followed."""
    seat = until(play, "5")
    place = f"{seat}.{down(play, seat)[0]}"
    play.seat(seat, "act", targets=at(place))
    for _ in range(4):
        turn(play)
    assert seen(play, seat) == [row(play, seat)[int(place[2])]]
    play.look()
    while in_play(play) != seat:
        turn(play)
    draw(play)
    play.seat(seat, "replace", cards=at(place))
    assert seen(play, seat) == [] or row(play, seat)
    play.look()


@scram("A0", "A2", "B13")
def the_clock_finishes_an_action(play: Play) -> None:
    """The clock finishes an action under way with the lowest seats and indexes, and exchanges nothing."""
    seat = until(play, "12")
    before = [row(play, each) for each in range(4)]
    play.seat(seat, "act", targets=at("3.0"))
    play.clock(seat)
    assert [row(play, each) for each in range(4)] == before
    play.look()
    play.clock(in_play(play))
    play.look()
