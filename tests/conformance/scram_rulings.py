"""The lines of Scram! about penalties, campers who leave, and texts for the seed."""

from tests.conformance.recorder import Play
from tests.conformance.scram import in_play, scram, sums, turn


@scram("B18", rounds=1, turn_limit=1)
def a_penalty(play: Play) -> None:
    """A club's house rules are an arbiter's penalty, added to the team's round score."""
    seat = in_play(play)
    play.refused(seat, None, "penalty", seat=1, points=20, reason="Talked.")
    play.arbiter("penalty", seat=1, points=20, reason="Talked.")
    play.look()
    own = sums(play)
    for _ in range(4):
        turn(play)
    play.row(penalties=[0, 20, 0, 0], scores=[own[s % 2] + own[s % 2 + 2] + 20 * (s % 2) for s in range(4)])


@scram("B18")
def a_penalty_outlasts_a_leaver(play: Play) -> None:
    """A penalty stands whatever ends the game, and a running view's scores hold it."""
    play.arbiter("penalty", seat=1, points=20, reason="Talked.")
    play.sees(None, scores=[0, 20, 0, 20])
    play.seat(0, "resign")
    play.seat(2, "resign")
    play.ends([0, 20, 0, 20], [3, 1, 3, 1])


@scram("B6")
def a_team_leaves(play: Play) -> None:
    """Default moves are played for a camper who left; a team that has left loses."""
    play.seat(1, "resign")
    for _ in range(2):
        turn(play)
    play.look()
    play.arbiter("forfeit", seat=3, reason="Left the table.")
    play.ends([0] * 4, [1, 3, 1, 3])


@scram("B5", entropy=True)
def everybody_adds_to_the_seed(play: Play) -> None:
    """With entropy the cards are dealt when every camper is ready."""
    play.look()
    for seat in (2, 0, 3):
        play.seat(seat, "ready", entropy=f"camper {seat}")
    play.clock(1)
    play.look()
