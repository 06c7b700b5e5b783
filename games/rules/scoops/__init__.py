"""Scoops, edition 1: a rummy whose contract is rolled afresh each round.

Source: "Scoops v1.0", its author's page of December 2023; the holes that it leaves are filled by the rules
C1 to C19 and the house rules `round_limit` and `turn_limit`, as the players' page has them.
"""

from collections.abc import Sequence
from typing import assert_never

from games.engine.base import Choice, Ruleset, numbered, ranked
from games.engine.cards import Card
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.rules.scoops import moves, offers, rounds, turns, views
from games.rules.scoops.moves import MOST_SEATS, MOVES, Move, Options
from games.rules.scoops.spoken import describe
from games.rules.scoops.state import State


class Scoops(Ruleset[Options, State, Move]):
    """The rules of Scoops; every method only passes on to the module that knows."""

    key = "scoops"
    version = 1
    title = "Scoops"
    summary = "A quick rummy: four dice decide each round what is wild, what is special and what wins."
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = {}
    moves = MOVES
    turn_rule = "C2"
    low_wins = False
    rule_numbers = numbered("C", 19)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (C1 to C3)."""
        return rounds.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move of the seat whose turn it is; raise `Illegal`."""
        match move:
            case moves.Assign():
                return turns.assign(state, move)
            case moves.Draw():
                return turns.draw(state, move)
            case moves.LayDown():
                return turns.lay_down(state, move)
            case moves.Meld():
                return turns.meld(state, move)
            case moves.Float():
                return turns.float_cards(state, move)
            case moves.Discard():
                return turns.discard(state, move)
            case moves.Keep():
                return turns.keep(state, move)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the one seat to move."""
        return () if self.is_over(state) else (state.round.seat,)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        """Return what the seat may do; lay-downs and sets for Coffee are computed exactly."""
        return offers.choices(state, seat)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        """Return what the viewer sees; see `views.view` for the names."""
        return views.view(state, viewer)

    def everything(self, state: State) -> JsonObject:
        """Return the view of a replay, all cards open."""
        return views.everything(state)

    def default_move(self, state: State, seat: int) -> Move:
        """Return the clock's move."""
        return offers.default_move(state)

    def turn_number(self, state: State) -> int:
        """Return the count of turns so far, each round's numbers beginning above the last one's."""
        most = state.options.turn_limit * state.round.seats
        return state.round.number * (most + 1) + state.round.turn

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with points added; the target is looked at when the round ends (C12)."""
        return rounds.penalised(state, seat, points)

    def is_over(self, state: State) -> bool:
        """Return whether the target or the limit of rounds was reached when a round ended (C12)."""
        return state.round.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's points."""
        return state.totals()

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the ranks, the highest score first; equal scores share."""
        return ranked([-score for score in state.totals()])

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        """Return a row for each finished round; see `views.sheet`."""
        return views.sheet(state)

    def describe(self, move: Move) -> str:
        """Return the move in words; all that a move says is public."""
        return describe(move)

    def cards(self, state: State) -> tuple[str, ...]:
        """Return every card of the round."""
        return views.cards(state)

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return the cards that the viewer can't tell."""
        return views.hidden(state, viewer)

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        """Return the state with other cards in those places."""
        return views.with_hidden(state, viewer, [Card(card) for card in cards])
