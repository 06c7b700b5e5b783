"""The lines of play of the score cards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.engine import shapes
from tests.conformance.recorder import Play, searched
from tests.rules.card_game import scenarios as own
from tests.rules.scamper_scorecard.scenarios import held
from tests.rules.scoops_scorecard import scenarios as scoops
from tests.rules.scram_scorecard import scenarios as scram

MOST_CORRECTIONS: Final = 20


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


def enter_and_confirm(play: Play, move: Mapping[str, Any]) -> None:
    """Let seat 0 enter a round and seat 1 confirm it."""
    send(play, 0, move)
    play.seat(1, "confirm", round=move["round"])


@card("S3", "S5", "S6", "S33", rounds=2, first_dealer=2)
def the_dealer_of_each_round(play: Play) -> None:
    """Exact deal and misdeal are the dealer's, the deal passes left; no more points than in the packs."""
    play.refused(0, "S33", "round", round=1, seats=held("0 35 20", {2: ["exact_deal", "misdeal"]}))
    play.refused(0, "S33", "round", round=1, seats=held("0 35 20", {2: ["exact_deal", "exact_deal"]}))
    play.refused(0, "S6", "round", round=1, seats=held("0 35 20", {2: ["first_dealer"] * 2}))
    play.refused(0, "S5", "round", round=1, seats=held("0 35 20", {0: ["exact_deal"]}))
    play.refused(0, "S3", "round", round=1, seats=held("1000 1000 1000"))
    enter(play, 1, "0 35 20", {2: ["first_dealer", "exact_deal"]})
    play.sees(None, scores=[0, 35, 20 - 20 - 20], dealer=0)
    play.refused(0, "S6", "round", round=2, seats=held("5 0 20", {2: ["first_dealer"]}))
    play.refused(0, "S5", "round", round=2, seats=held("5 0 20", {2: ["exact_deal"]}))
    enter(play, 2, "5 0 20", {0: ["misdeal", "misdeal"], 1: ["too_many_wilds"]})
    play.ends([5 + 20 + 20, 35 + 20, -20 + 20], [2, 3, 1])


@card("S26", "S29", rounds=1, first_dealer_bonus=0)
def who_confirms(play: Play) -> None:
    """Another than who entered a round confirms it, once; a seat may correct it only so often."""
    play.refused(1, "S26", "confirm", round=1)
    play.seat(0, "round", round=1, seats=held("0 35 20"))
    play.refused(0, "S26", "confirm", round=1)
    play.refused(0, "S4", "round", round=2, seats=held("0 35 20"))
    play.sees(None, phase="confirm", unconfirmed=[1])
    for corrections in range(MOST_CORRECTIONS):
        play.seat(corrections % 3, "correct", replaces=1, seats=held(f"0 {5 + corrections * 5} 20"))
    play.refused(2, "S29", "correct", replaces=1, seats=held("0 35 20"))
    play.look()
    play.arbiter("confirm", round=1)
    play.row(confirmed=True, confirmed_by=None, corrections=MOST_CORRECTIONS)
    play.ends([0, MOST_CORRECTIONS * 5, 20])


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


@searched("scoops-scorecard", "C11", "C12", "C20", seats=2, target=2)
def a_correction_goes_on(play: Play) -> None:
    """A correction takes the winning point away and the card goes on; no bonus beyond the books of a goal."""
    refuse(play, 0, "C11", scoops.entry(1, "Sandwich 0 +1"))
    enter_and_confirm(play, scoops.entry(1, "Bowl 0"))
    refuse(play, 1, "C20", {"type": "confirm", "round": 1})
    send(play, 0, scoops.entry(2, "Coffee 0"))
    refuse(play, 1, "C20", scoops.entry(3, "Bowl 1"))
    refuse(play, 0, "C20", {"type": "confirm", "round": 2})
    refuse(play, 0, "C20", {"type": "confirm", "round": 3})
    play.sees(None, phase="confirm", scores=[2, 0])
    send(play, 1, scoops.correction(2, "Coffee 1"))
    play.seat(0, "confirm", round=2)
    play.sees(None, phase="enter", scores=[1, 1])
    play.look()
    play.arbiter("penalty", seat=0, points=1, reason="Late.")
    enter_and_confirm(play, scoops.entry(3, "Float 0"))
    play.sees(None, phase="enter", scores=[1, 1])
    enter_and_confirm(play, scoops.entry(4, "Cone 1"))
    play.ends([1, 2], [2, 1])


@searched("scoops-scorecard", "C12", "C20", seats=3, target=10, round_limit=1)
def the_limit_of_rounds(play: Play) -> None:
    """At the limit of rounds the highest score wins, equal scores share; one seat left wins."""
    enter_and_confirm(play, scoops.entry(1, "Shake -"))
    play.ends([0, 0, 0], [1, 1, 1])


@searched("scram-scorecard", "B1", "B2", "B16", "B17", "B19", seats=3, rounds=2)
def a_card_of_three_campers(play: Play) -> None:
    """The solo against the duo; level totals are the solo's; a row must be possible."""
    refuse(play, 0, "B2", scram.entry(1, "20 8 9 4"))
    refuse(play, 0, "B2", {**scram.entry(1, "20 8 9"), "scram": 3})
    refuse(play, 0, "B1", scram.entry(1, "200 200 200"))
    refuse(play, 0, "B19", {"type": "confirm", "round": 1})
    send(play, 0, scram.entry(1, "20 8! 12"))
    refuse(play, 0, "B19", {"type": "confirm", "round": 1})
    send(play, 2, scram.correction(1, "20 8! 13"))
    play.look()
    play.seat(1, "confirm", round=1)
    refuse(play, 0, "B19", {"type": "confirm", "round": 1})
    play.sees(None, scores=[20, 31, 31])
    enter_and_confirm(play, scram.entry(2, "26! 20 5"))
    play.row(scores=[36, 25, 25])
    play.ends([56, 56, 56], [1, 2, 2])


@searched("scram-scorecard", "B17", "B18", seats=4, rounds=2)
def level_cards(play: Play) -> None:
    """Level totals: the last round decides, penalties counted; level in every round nobody wins."""
    enter_and_confirm(play, scram.entry(1, "10 12 10 10"))
    play.arbiter("penalty", seat=1, points=2, reason="Talked.")
    enter_and_confirm(play, scram.entry(2, "12 10 10 8"))
    play.sees(None, scores=[42, 42, 42, 42])
    play.ends([42] * 4, [3, 1, 3, 1])


@searched("scram-scorecard", "B17", seats=6, rounds=1)
def level_in_every_round(play: Play) -> None:
    """Teams that are level in every round have both lost."""
    enter_and_confirm(play, scram.entry(1, "5 7 5 7 8 4"))
    play.ends([18] * 6, [4] * 6)


@searched("card-game", "K1", "K2", "K3", "K5", "K6", seats=3, rounds=2)
def just_points(play: Play) -> None:
    """Each seat has points; another confirms them; the highest total wins."""
    play.look()
    refuse(play, 0, "K1", own.entry(2, **own.points(1, 2, 3)))
    refuse(play, 0, "K2", own.entry(1, **own.points(1, 2)))
    play.malformed(0, "round", round=1, **own.points(1, 2, 5001))
    play.arbiter("penalty", seat=1, points=5, reason="Late.")
    enter_and_confirm(play, own.entry(1, **own.points(1, 20, 3)))
    refuse(play, 0, "K3", {"type": "confirm", "round": 1})
    play.sees(None, scores=[1, 15, 3])
    enter_and_confirm(play, own.entry(2, **own.points(0, -5, 7)))
    play.ends([1, 10, 10], [3, 1, 1])


@searched("card-game", "K2", "K4", "K5", seats=4, rounds=2, definition=shapes.write(own.shipped("jass")))
def a_game_of_sides(play: Play) -> None:
    """What a side has stands in the line of its first seat; a formula works its points out."""
    play.look()
    refuse(play, 0, "K2", own.entry(1, **own.jass(1, 97, 50)))
    enter_and_confirm(play, own.entry(1, **own.jass(2, 97, 60, stock=0)))
    play.row(scores=[234, 120, 234, 120])
    enter_and_confirm(play, own.entry(2, **own.jass(1, 0, 257)))
    play.ends([234, 377, 234, 377], [3, 1, 3, 1])


@searched("card-game", "K2", "K4", "K5", seats=4, rounds=2, definition=shapes.write(own.shipped("skat")))
def a_dealer_sits_out(play: Play) -> None:
    """Who deals sits out, and scores where a declarer loses."""
    refuse(play, 0, "K2", own.entry(1, **own.skat(0, "clubs", 2)))
    enter_and_confirm(play, own.entry(1, **own.skat(1, "hearts", 3, won=False)))
    enter_and_confirm(play, own.entry(2))
    play.ends([30, -110, 30, 30], [1, 4, 1, 1])


@searched("card-game", "K5", seats=2, definition=shapes.write(own.shipped("canasta")))
def a_target_ends_it(play: Play) -> None:
    """A correction reaches the target: deals after that count nothing."""
    enter_and_confirm(play, own.entry(1, **own.canasta((4000, 0, 0), (100, 0, 0))))
    enter_and_confirm(play, own.entry(2, **own.canasta((100, 0, 0), (300, 0, 0))))
    play.arbiter("correct", replaces=1, **own.canasta((5000, 0, 0), (100, 0, 0)))
    play.ends([5000, 100], [1, 2])
