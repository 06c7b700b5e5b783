"""Scamper, edition 1: contract rummy over ten rounds; the lowest total wins.

Sources: three descriptions of "Scamper, sets n' runs" by its authors: a web page of September 2020, a rule
sheet, and a booklet with score sheets. Where they differ or say nothing, the rules S1 to S33 on the page of
rules decide; S29 is a house rule. The deals of S33 belong to score cards (`scamper_scorecard`).
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.engine.base import Form, Ruleset, numbered
from games.engine.cards import Card, hidden_from, with_hidden
from games.engine.chance import Chance
from games.engine.choosing import Choice
from games.engine.gestures import Gesture, Meaning
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scamper import challenges, gestures, moves, offers, rounds, turns, views
from games.rules.scamper.describing import TAPS, button, command, describe, legends, taken, told
from games.rules.scamper.form import form
from games.rules.scamper.moves import MOVES, Move
from games.rules.scamper.options import LENGTHS, MOST_SEATS, PRESETS, Options, check, only_played
from games.rules.scamper.state import Adjustment, State
from games.rules.scamper.view_shapes import View


class Scamper(Ruleset[Options, State, Move]):
    """The rules of Scamper; the modules beside this one implement them."""

    key = "scamper"
    version = 1
    title = "Scamper"
    summary = text("Contract rummy: ten deals of sets and runs, wild cards, and whoever holds least wins.")
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = PRESETS
    lengths = LENGTHS
    moves = MOVES
    usual = ("draw", "take", "accept", "decline", "discard", "lay_off", "meld", "swap", "challenge")
    foreseen = ("take", "meld", "lay_off", "swap")
    draws = rounds.DRAWS
    view_shape = View
    turn_rule = "S7"
    low_wins = True
    winning_rule = "S26"
    counted = "cards"
    rule_numbers = numbered("S", 33)

    def check(self, options: Options, seats: int) -> None:
        check(options, seats)

    def options_told(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        return only_played(options)

    def form(self, options: Options) -> Form:
        return form(
            options.played, options.wild_cards, options.first_dealer_bonus, advanced=options.advanced_points
        )

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (S5 to S7)."""
        return rounds.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move of a seat that may act; raise `Illegal`."""
        if not isinstance(move, (moves.Challenge, moves.Concede)) and seat not in self.awaited(state):
            raise Illegal("It is not your turn.", self.turn_rule)
        match move:
            case moves.Challenge():
                return challenges.challenge(state, seat)
            case moves.Concede():
                return challenges.concede(state, seat)
            case moves.Take():
                return turns.take(state)
            case moves.Draw():
                return turns.draw(state)
            case moves.Accept() | moves.Decline():
                return turns.answer(state, accepts=isinstance(move, moves.Accept))
            case moves.Meld() | moves.LayOff() | moves.Swap():
                return turns.lay(state, move)
            case moves.Discard():
                return turns.discard(state, move)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the awaited seats, and those that may challenge (S30)."""
        awaited, may_challenge = self.awaited(state), challenges.may_challenge(state)
        return tuple(sorted({*awaited, *may_challenge})) if may_challenge else awaited

    def awaited(self, state: State) -> tuple[int, ...]:
        """Return the seat in play, or the one that must answer an offer or a last discard (S9, S30)."""
        table = state.round
        match table.phase:
            case "over":
                return ()
            case "offer":
                return (table.left,)
            case "answer":
                return (state.next_seat,)
            case "begin" | "play":
                return (table.seat,)
            case _:
                assert_never(table.phase)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.choices(state, seat)

    def unaided(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.unaided(state, seat)

    def meaning(self, state: State, seat: int, gesture: Gesture) -> Meaning:
        return gestures.meaning(state, seat, gesture)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return views.view(state, viewer)

    def open_hands(self, state: State) -> tuple[tuple[str, ...], ...]:
        return views.open_hands(state)

    def open_deck(self, state: State) -> tuple[str, ...]:
        return state.round.stock

    def default_move(self, state: State, seat: int) -> Move:
        return offers.default_move(state)

    def turn_number(self, state: State) -> int:
        return state.turns + state.round.turn

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with an arbiter's points in this round, such as 20 for advice (S32, S33)."""
        given = Adjustment.of(seat, "penalty", text("Given by the organiser."), points=points)
        return replace(state, round=state.round.adjusted(given))

    def left(self, state: State, seat: int) -> State:
        """Return the state in which the seat answers and challenges no more (S30)."""
        return replace(state, out=(*state.out, seat))

    def consequences(self, before: State | None, after: State) -> list[Message]:
        """Return a sentence for each bonus or penalty of the rules that an entry brought (S6, S30 to S32)."""
        new = after.adjusted_since(before)
        return [each.in_words() for each in new if each.name != "penalty"] if new else []

    def is_over(self, state: State) -> bool:
        """Return whether the last round is scored (S26)."""
        return state.round.phase == "over"

    def ended_deal(self, state: State) -> State | None:
        """Return the end of the last deal; hands stay hidden, only their points are told (S25)."""
        return state.ended

    def deal_number(self, state: State) -> int:
        return state.round.number

    def scores(self, state: State) -> tuple[int, ...]:
        return state.totals()

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return views.sheet(state.rows, state.round.seats)

    def button(self, state: State, move: Move) -> Message | None:
        return button(move)

    def command(self, state: State, seat: int, move: Move) -> Message:
        return command(state, seat, move)

    def tap(self, move: Move) -> Message | None:
        return TAPS.get(type(move))

    def legends(self, state: State, viewer: int | None) -> Mapping[str, Message]:
        return legends(state, viewer)

    def describe(self, move: Move) -> Message:
        return describe(move)

    def outcome(self, before: State, move: Move, after: State) -> Card | None:
        return taken(before, move)

    def told(self, move: Move, seat: int | None, outcome: Card | None) -> Message:
        return told(move, outcome)

    def cards(self, state: State) -> tuple[str, ...]:
        return views.cards(state)

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return the other seats' cards, seat by seat, then the stock."""
        return hidden_from(viewer, state.round.hands, state.round.stock)

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        hands, stock = with_hidden(viewer, state.round.hands, cards)
        return replace(state, round=replace(state.round, hands=hands, stock=stock))
