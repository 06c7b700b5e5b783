"""Scoops, edition 1: a rummy with a new contract rolled each round.

Source: "Scoops v1.0", its author's page of December 2023. Where it says nothing, the rules C1 to C19 on the
page of rules decide, and the house rules `round_limit` and `turn_limit`.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.engine.base import Ruleset, numbered, replaced
from games.engine.cards import Card, hidden_from
from games.engine.chance import Chance
from games.engine.choosing import Choice
from games.engine.gestures import Gesture, Meaning
from games.engine.jsontypes import JsonObject
from games.engine.lengths import GameLength
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scoops import gestures, moves, offers, rounds, turns, views
from games.rules.scoops.describing import button, command, describe, legends, taken, tap, told
from games.rules.scoops.moves import MOST_SEATS, MOVES, Move, Options
from games.rules.scoops.state import State
from games.rules.scoops.view_shapes import View


class Scoops(Ruleset[Options, State, Move]):
    """The rules of Scoops; the modules beside this one implement them."""

    key = "scoops"
    version = 1
    title = "Scoops"
    summary = text("A quick rummy: four dice decide each deal what is wild, what is special and what wins.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = {}
    # To 1 point a game can be over after a single turn: where the goal is Coffee anybody may knock (C18).
    lengths = (
        GameLength("short", plural("to %(count)s point", "to %(count)s points", 1), {"target": 1}),
        GameLength(
            "medium", plural("to %(count)s point", "to %(count)s points", 2), {"target": 2}, proposed=True
        ),
        GameLength("full", plural("to %(count)s point", "to %(count)s points", 3), {"target": 3}),
    )
    moves = MOVES
    usual = ("assign", "draw", "discard", "keep", "lay_down", "meld", "float", "knock")
    foreseen = ("assign", "meld", "float")
    draws = rounds.DRAWS
    view_shape = View
    turn_rule = "C2"
    low_wins = False
    winning_rule = "C12"
    counted = "counts"
    rule_numbers = numbered("C", 19)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (C1 to C3)."""
        return rounds.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move of the seat in play, or a knock of any; raise `Illegal`."""
        if not isinstance(move, moves.Knock) and seat not in self.awaited(state):
            raise Illegal("It is not your turn.", self.turn_rule)
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
                return turns.keep(state)
            case moves.Knock():
                return turns.knock(state, seat, move)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seat in play, and those that may knock (C18)."""
        return state.may_knock or self.awaited(state)

    def awaited(self, state: State) -> tuple[int, ...]:
        """Return the seat in play."""
        table = state.round
        return () if table.phase == "over" else (table.seat,)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.choices(state, seat)

    def unaided(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.unaided(state, seat)

    def meaning(self, state: State, seat: int, gesture: Gesture) -> Meaning:
        return gestures.meaning(state, seat, gesture)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return views.view(state, viewer)

    def open_hands(self, state: State) -> tuple[tuple[str, ...], ...]:
        return state.round.hands

    def open_deck(self, state: State) -> tuple[str, ...]:
        return state.round.deck

    def default_move(self, state: State, seat: int) -> Move:
        return offers.default_move(state)

    def turn_number(self, state: State) -> int:
        """Return a number that grows with each turn and each round."""
        most = state.options.turn_limit * state.round.seats
        return state.round.number * (most + 1) + state.round.turn

    def left(self, state: State, seat: int) -> State:
        """Return the state in which the seat's counts in Coffee are ignored (C18)."""
        return replace(state, out=(*state.out, seat))

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with points added; the target is checked when the round ends (C12)."""
        table = state.round
        penalties = replaced(table.penalties, seat, table.penalties[seat] + points)
        return replace(state, round=replace(table, penalties=penalties))

    def is_over(self, state: State) -> bool:
        """Return whether the target or the limit of rounds was reached when a round ended (C12)."""
        return state.round.phase == "over"

    def ended_deal(self, state: State) -> State | None:
        """Return the end of the last round; hands stay hidden, only their counts are told (C18)."""
        return state.ended

    def deal_number(self, state: State) -> int:
        return state.round.number

    def scores(self, state: State) -> tuple[int, ...]:
        return state.totals()

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return views.sheet(state)

    def button(self, state: State, move: Move) -> Message | None:
        return button(move)

    def command(self, state: State, seat: int, move: Move) -> Message:
        return command(state, seat, move)

    def tap(self, move: Move) -> Message | None:
        return tap(move)

    def legends(self, state: State, viewer: int | None) -> Mapping[str, Message]:
        return legends(state, viewer)

    def describe(self, move: Move) -> Message:
        return describe(move)

    def describe_by(self, move: Move, seat: int | None) -> Message:
        return describe(move, seat)

    def outcome(self, before: State, move: Move, after: State) -> Card | None:
        return taken(before, move)

    def told(self, move: Move, seat: int | None, outcome: Card | None) -> Message:
        return told(move, seat, outcome)

    def cards(self, state: State) -> tuple[str, ...]:
        return views.cards(state)

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return the other seats' cards, seat by seat, then the deck.

        Cards that everybody saw taken from a pile are among them: views do not show what was seen before.
        """
        return hidden_from(viewer, state.round.hands, state.round.deck)

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        return views.with_hidden(state, viewer, cards)
