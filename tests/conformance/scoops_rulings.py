"""The lines of Scoops about seats that leave, and about rulings of the arbiter."""

from collections.abc import Sequence

from tests.conformance.recorder import Play, line
from tests.conformance.scoops import draw, games, opened, table, turn
from tests.conformance.scoops_turns import count, level_coffee, point


@line("scoops", "C2")
def a_seat_that_left() -> Play:
    """Default moves are played for a seat that has left, and it ranks last; one seat left wins."""
    play = opened("Bowl", seats=3)
    seat = table(play).seat
    play.seat(seat, "resign")
    play.refused(seat, None, "resign")
    play.refused(seat, None, "draw", source="deck")
    turn(play)
    play.sees(None, turn=(seat + 2) % 3)
    play.arbiter("forfeit", seat=(seat + 1) % 3, reason="Left the table.")
    play.ends([0, 0, 0], [1 if each == (seat + 2) % 3 else 2 for each in range(3)])
    return play


@line("scoops", "C12")
def a_penalty() -> Play:
    """A penalty is subtracted, in the round in which it falls, whatever ends the game."""
    play = opened("Bowl", seats=2)
    play.arbiter("penalty", seat=1, points=2, reason="Played with an open hand.")
    play.sees(None, scores=[0, -2])
    play.seat(0, "resign")
    play.ends([0, -2], [2, 1])
    return play


@line("scoops", "C2")
def abandoned() -> Play:
    """A game that the arbiter abandons has no result."""
    play = opened("Bowl", seats=2)
    play.malformed(0, "abandon")
    play.refused(0, None, "abandon", reason="I lose.")
    play.arbiter("abandon", reason="The lights went out.")
    play.ends(None)
    return play


@line("scoops", "C18")
def a_tie_without_the_knocker() -> Play:
    """If the knocker has left, a tie goes to the first seat clockwise from the knocker."""
    play = level_coffee()
    knocker = turn(play, knock=True)
    turn(play)
    play.seat(knocker, "resign")
    play.look()
    turn(play)
    turn(play)
    winner = (knocker + 1) % 4
    play.row(winner=winner, knocker=knocker, counts=[None if seat == knocker else 8 for seat in range(4)])
    play.ends(
        point(play, winner), [1 if seat == winner else 4 if seat == knocker else 2 for seat in range(4)]
    )
    return play


def counted(play: Play) -> list[int]:
    """Return the counts of all hands of a game of Raspberry whose special is 7."""
    return [count(hand, "Raspberry", "7") for hand in table(play).hands]


def second_is_lowest(counts: Sequence[int], start: int) -> bool:
    """Return whether the second seat to play has a lower count than both others."""
    second = (start + 1) % 3
    return all(counts[second] < other for seat, other in enumerate(counts) if seat != second)


@line("scoops", "C18")
def counts_of_seats_that_left() -> Play:
    """The count of a seat that has left is ignored, also where it would be the lowest."""
    made = games("Coffee", "Raspberry", "7", seats=3, round_limit=1)
    play = next(play for play in made if second_is_lowest(counted(play), table(play).start))
    knocker = turn(play, knock=True)
    second, third = (knocker + 1) % 3, (knocker + 2) % 3
    draw(play)
    play.seat(second, "resign")
    play.sees(None, turn=third)
    turn(play)
    counts = counted(play)
    winner = min((knocker, third), key=lambda seat: (counts[seat], (seat - knocker) % 3))
    play.row(winner=winner, counts=[None if seat == second else counts[seat] for seat in range(3)])
    play.ends(point(play, winner))
    return play


@line("scoops", "C4")
def several_lowest_assign_nothing() -> Play:
    """Where several seats share the lowest score, nobody assigns; a penalty decides who is lowest."""
    play = opened("Bowl", seats=3, turn_limit=1, round_limit=3)
    for seat in (1, 2):
        play.arbiter("penalty", seat=seat, points=1, reason="Late.")
    for _ in range(3):
        turn(play)
    play.sees(None, round=2, phase="draw", scores=[0, -1, -1])
    play.refused(1, ("C2", "C4"), "assign", special=[0, 1], rule=2, goal=3)
    play.arbiter("penalty", seat=2, points=1, reason="Late again.")
    for _ in range(3):
        turn(play)
    play.sees(None, round=3, phase="assign", turn=2, scores=[0, -1, -2])
    play.look()
    play.seat(2, "assign", special=[2, 0], rule=1, goal=3)
    play.sees(None, phase="draw", assigned={"special": [2, 0], "rule": 1, "goal": 3})
    for _ in range(3):
        turn(play)
    play.ends([0, -1, -2], [1, 2, 3])
    return play


@line("scoops", "C12")
def bounds_of_a_penalty() -> Play:
    """A penalty is 1 to 1000 points, by the arbiter alone, and keeps a winner below the target."""
    play = opened("Float", seats=2, target=1, turn_limit=1)
    for points in (0, -5, 1001):
        play.ask(
            do="move", role="arbiter",
            move={"type": "penalty", "seat": 0, "points": points, "reason": "Too loud."}, must=False,
        )  # fmt: skip
    play.refused(0, None, "penalty", seat=1, points=1, reason="Too loud.")
    play.refused(None, None, "penalty", seat=2, points=1, reason="Too loud.")
    play.arbiter("penalty", seat=0, points=1000, reason="Too loud.")
    play.arbiter("penalty", seat=0, points=1, reason="Still.")
    play.sees(None, scores=[-1001, 0])
    for _ in range(2):
        turn(play)
    play.row(scores=[-1001, 0], winner=None)
    play.look()
    return play
