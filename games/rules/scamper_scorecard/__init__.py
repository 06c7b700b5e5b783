"""Score cards of Scamper, for games with real cards, kept in the same log as other games.

Source: the score sheets of the game's booklet, and the rules of Scamper for points, with the deals of S33
that exist only with real cards. One seat or a scorekeeper enters a round, and another seat or an organiser
confirms it. A correction names the round that it replaces.
"""

from dataclasses import replace
from typing import assert_never

from games.engine.base import Choice, Form, OpenRound, ScoreCard
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.rules.scamper.form import form
from games.rules.scamper.options import MOST_SEATS
from games.rules.scamper.state import Adjustment
from games.rules.scamper_scorecard import card, offers, views
from games.rules.scamper_scorecard.card import State
from games.rules.scamper_scorecard.describing import describe
from games.rules.scamper_scorecard.moves import MOVES, Confirm, Correct, Enter, Move, Options, check


class ScamperScorecard(ScoreCard[Options, State, Move]):
    """The rules of score cards of Scamper."""

    key = "scamper-scorecard"
    version = 1
    title = text("Scamper score card")
    summary = text("Scamper with real cards: the rounds are entered by one player and confirmed by another.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = {"advanced": {}, "basic": {"wild_cards": "jokers"}}
    moves = MOVES
    turn_rule = "S26"
    low_wins = True
    rule_numbers = ("S1", "S3", "S4", "S5", "S6", "S25", "S26", "S29", "S30", "S31", "S32", "S33")
    arbiter_moves = tuple(MOVES)
    scorekeeper_moves = ("round", "correct")

    def check(self, options: Options, seats: int) -> None:
        check(options, seats)

    def form(self, options: Options) -> Form:
        return form(options.played, options.wild_cards, options.first_dealer_bonus, options.first_dealer)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return an empty card."""
        return State(options, seats)

    def step(self, state: State, seat: int, move: Move) -> State:
        return self._written(state, seat, move)

    def ruling(self, state: State, move: Move) -> State:
        return self._written(state, None, move)

    def _written(self, state: State, by: int | None, move: Move) -> State:
        """Return the card after a move of a seat, or of an arbiter (None)."""
        match move:
            case Enter():
                return card.entered(state, by, move.round, move.seats)
            case Correct():
                return card.corrected(state, by, move.replaces, move.seats)
            case Confirm():
                return card.confirmed(state, by, move.round)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats that can enter, correct or confirm something."""
        return tuple(seat for seat in range(state.seats) if state.may_act(seat))

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.choices(state, seat)

    def ruling_choices(self, state: State) -> tuple[Choice, ...]:
        return offers.choices(state, None)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return views.view(state)

    def turn_number(self, state: State) -> int:
        """Return the number of the round in play."""
        return state.present

    def open_rounds(self, state: State) -> tuple[OpenRound, ...]:
        return card.open_rounds(state)

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the card with an arbiter's points in the round in play (S32)."""
        penalty = (state.present, Adjustment(seat, "penalty", points))
        return replace(state, penalties=(*state.penalties, penalty))

    def is_over(self, state: State) -> bool:
        """Return whether every round is entered and confirmed."""
        return state.over

    def scores(self, state: State) -> tuple[int, ...]:
        return card.totals(state)

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return views.sheet_of(state)

    def describe(self, move: Move) -> Message:
        return describe(move)
