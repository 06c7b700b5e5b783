"""Score cards of Scamper: a game with real cards, kept in the same log.

Source: the score sheets of the game's booklet, and the rules of Scamper for points, with the skills of
dealing (S33) that exist only with real cards. Nothing is dealt here: each round is entered by one seat or a
scorekeeper, confirmed by another or an organiser, and corrected by an entry that names the round it replaces.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from games.engine.base import Choice, Form, Ruleset, ranked
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.rules.scamper.form import form
from games.rules.scamper.options import MOST_SEATS
from games.rules.scamper.options import Options as GameOptions
from games.rules.scamper_scorecard import card, views
from games.rules.scamper_scorecard.card import State
from games.rules.scamper_scorecard.moves import (
    MOVES,
    Confirm,
    Correct,
    Enter,
    Move,
    Options,
    check,
)


class ScamperScorecard(Ruleset[Options, State, Move]):
    """The contract for score cards; who enters or confirms is a seat, or None for an arbiter."""

    key = "scamper-scorecard"
    version = 1
    title = "Scamper score card"
    summary = "Scamper with real cards: the rounds are entered by one player and confirmed by another."
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = {"advanced": {}, "basic": {"wild_cards": "jokers"}}
    moves = MOVES
    turn_rule = "S26"
    low_wins = True
    rule_numbers = ("S1", "S3", "S4", "S5", "S6", "S25", "S26", "S29", "S30", "S31", "S32", "S33")
    arbiter_moves = tuple(MOVES)
    scorekeeper_moves = ("round", "correct")
    dealt = False

    def check(self, options: Options, seats: int) -> None:
        """Raise `Malformed` where contracts, rounds and the first dealer's seat do not go together."""
        check(options, seats)

    def form(self, options: Options) -> Form:
        """Return the score sheet that this card is kept on, on paper."""
        played = GameOptions(
            contracts=options.contracts,
            rounds=options.rounds,
            wild_cards=options.wild_cards,
            first_dealer_bonus=options.first_dealer_bonus,
        )
        return replace(form(played), first_dealer=options.first_dealer)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return an empty card; chance has no part in it."""
        return State(options, seats)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the card after a seat's move; raise `Illegal`."""
        return self._written(state, seat, move)

    def ruling(self, state: State, move: Move) -> State:
        """Return the card after the move of a scorekeeper or organiser; raise `Illegal`."""
        return self._written(state, None, move)

    def _written(self, state: State, by: int | None, move: Move) -> State:
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
        """Return every seat that can enter, correct or confirm something; nobody once the card is full."""
        return tuple(seat for seat in range(state.seats) if state.may_act(seat))

    def awaited(self, state: State) -> tuple[int, ...]:
        """Return nobody: the game waits for no one seat, and no clock runs."""
        return ()

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        """Return what the seat may enter, correct and confirm."""
        return views.choices(state, seat)

    def ruling_choices(self, state: State) -> tuple[Choice, ...]:
        """Return what a scorekeeper or organiser may enter, correct and confirm."""
        return views.choices(state, None)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        """Return the card; see `views.view` for the names."""
        return views.view(state)

    def everything(self, state: State) -> JsonObject:
        """Return the card, which hides nothing."""
        return views.view(state)

    def default_move(self, state: State, seat: int) -> Move:
        """Raise AssertionError: no seat is ever awaited, and nobody may make up a result."""
        raise AssertionError("a score card is never played by the clock")

    def turn_number(self, state: State) -> int:
        """Return the number of the round that is played."""
        return state.present

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the card with an arbiter's points in the round that is played (S32)."""
        return card.penalised(state, seat, points)

    def is_over(self, state: State) -> bool:
        """Return whether every round is entered and confirmed."""
        return state.over

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's total of the rounds entered."""
        return card.totals(state)

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the ranks, the lowest total first; equal totals share (S26)."""
        return ranked(card.totals(state))

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        """Return a row for each round entered; see `views.rows`."""
        return views.rows(state)

    def describe(self, move: Move) -> str:
        """Return the move in words."""
        return views.describe(move)

    def cards(self, state: State) -> tuple[str, ...]:
        """Return no cards: they are on the table."""
        return ()

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return nothing: a card hides nothing."""
        return ()

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        """Return the same card."""
        return state
