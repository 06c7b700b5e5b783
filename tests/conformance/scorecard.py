"""The lines of play of the score cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.conformance.recorder import Play, searched
from tests.rules.scamper_scorecard.scenarios import held
from tests.rules.scoops_scorecard import scenarios as scoops
from tests.rules.scram_scorecard import scenarios as scram


def card(*shows: str, seats: int = 3, **options: Any) -> Callable[[Callable[[Play], None]], None]:
    """Register a line of a score card."""
    return searched("scamper-scorecard", *shows, seats=seats, **options)


def enter(play: Play, number: int, cards: str, names: Mapping[int, Sequence[str]] | None = None) -> None:
    """Let seat 0 enter a round and seat 1 confirm it."""
    play.seat(0, "round", round=number, seats=held(cards, names))
    play.seat(1, "confirm", round=number)


@card("S1", "S4", "S25", "S26", "S3", rounds=2, first_dealer_bonus=0)
def rounds_come_in_order(play: Play) -> None:
    """A round has a row with the points of each seat, one with 0 at most, in steps of five."""
    play.look()
    play.refused(0, "S4", "round", round=2, seats=held("0 35 20"))
    play.refused(0, "S25", "round", round=1, seats=held("0 0 20"))
    play.refused(0, "S3", "round", round=1, seats=held("0 32 20"))
    play.refused(0, "S1", "round", round=1, seats=held("0 35"))
    play.malformed(0, "round", round=1, seats=held("0 -5 20"))
    enter(play, 1, "0 35 20")
    play.sees(None, round=2, scores=[0, 35, 20])
    play.look()
    enter(play, 2, "15 0 40")
    play.ends([15, 35, 60], [1, 2, 3])


@card("S5", "S6", "S30", "S31", "S32", "S33", rounds=1, first_dealer=1)
def adjustments_by_name(play: Play) -> None:
    """Bonuses and penalties are entered by name and added to the round."""
    names = {
        0: ["undeclared"],
        1: ["first_dealer", "misdeal", "wrong_meld"],
        2: ["advice", "wrong_challenge"],
    }
    play.refused(0, "S5", "round", round=1, seats=held("0 35 20", {0: ["misdeal"]}))
    play.refused(0, "S6", "round", round=1, seats=held("0 35 20", {0: ["first_dealer"]}))
    play.malformed(0, "round", round=1, seats=held("0 35 20", {0: ["joy"]}))
    play.arbiter("penalty", seat=0, points=5, reason="Late.")
    enter(play, 1, "0 35 20", names)
    play.ends([0 + 20 + 5, 35 - 20 + 20 + 50, 20 + 20 + 20])


@card("S26", "S29", rounds=2, first_dealer_bonus=0)
def a_correction(play: Play) -> None:
    """A correction names the round that it replaces; nobody went out where no seat has 0."""
    play.seat(0, "round", round=1, seats=held("10 35 20"))
    play.refused(0, ("S4", "S26"), "correct", replaces=2, seats=held("5 30 20"))
    play.seat(2, "correct", replaces=1, seats=held("10 30 20"))
    play.look()
    play.seat(1, "confirm", round=1)
    play.sees(None, scores=[10, 30, 20])
    enter(play, 2, "0 5 5")
    play.ends([10, 35, 25], [1, 3, 2])


def send(play: Play, seat: int, move: Mapping[str, Any]) -> None:
    """Let a seat make a move that is written as JSON."""
    fields = {**move}
    play.seat(seat, fields.pop("type"), **fields)


def refuse(play: Play, seat: int, rule: str | Sequence[str], move: Mapping[str, Any]) -> None:
    """Let a seat try a move that a rule forbids."""
    fields = {**move}
    play.refused(seat, rule, fields.pop("type"), **fields)


@searched("scoops-scorecard", "C1", "C11", "C12", "C13", "C16", "C20", seats=3, target=3)
def a_card_of_scoops(play: Play) -> None:
    """A row is the goal, the winner or none, and the winner's bonus; points are computed."""
    play.look()
    refuse(play, 0, "C1", scoops.entry(1, "Bowl 3"))
    refuse(play, 0, "C11", scoops.entry(1, "Bowl - +1"))
    refuse(play, 0, "C20", scoops.entry(2, "Bowl 1"))
    enter_and_confirm(play, scoops.entry(1, "Bowl 1"))
    enter_and_confirm(play, scoops.entry(2, "Coffee -"))
    play.sees(None, scores=[0, 1, 0])
    enter_and_confirm(play, scoops.entry(3, "Shake 1 +1"))
    play.ends([0, 3, 0], [2, 1, 2])


@searched("scram-scorecard", "B1", "B2", "B4", "B14", "B15", "B16", "B17", "B18", "B19", seats=4)
def a_card_of_scram(play: Play) -> None:
    """A row is the campers' sums and who declared Scram; the card computes the teams' scores."""
    play.look()
    play.sees(None, rounds=4)
    refuse(play, 0, "B14", scram.entry(1, "90! 20 10 15"))
    refuse(play, 0, ("B4", "B19"), scram.entry(2, "3 20 10 15"))
    play.arbiter("penalty", seat=1, points=5, reason="Talked.")
    enter_and_confirm(play, scram.entry(1, "3! 20 10 15"))
    play.sees(None, scores=[0, 40, 0, 40])
    enter_and_confirm(play, scram.entry(2, "12! 5 20 9"))
    play.sees(None, scores=[42, 54, 42, 54])
    enter_and_confirm(play, scram.entry(3, "30 10 20 20"))
    enter_and_confirm(play, scram.entry(4, "10 10 2 20"))
    play.ends([104, 114, 104, 114], [1, 3, 1, 3])


def enter_and_confirm(play: Play, move: Mapping[str, Any]) -> None:
    """Let seat 0 enter a round and seat 1 confirm it."""
    send(play, 0, move)
    play.seat(1, "confirm", round=move["round"])
