"""Scamper, edition 1: contract rummy over ten rounds, the lowest total wins.

Sources: three tellings of "Scamper, sets n' runs" by its authors: a web page of September 2020, a rule sheet,
and a booklet with score sheets. Where they differ or leave holes the rules S1 to S33 decide, as the players'
page has them; S29 is a house rule. The skills of dealing in S33 belong to score cards (`scamper_scorecard`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from games.engine.base import Choice, Form, Ruleset, numbered, ranked
from games.engine.cards import Card
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal
from games.rules.scamper import deal, offers, rounds, turns, views
from games.rules.scamper.form import form
from games.rules.scamper.moves import (
    MOVES,
    Accept,
    Challenge,
    Concede,
    Decline,
    Discard,
    Draw,
    LayOff,
    Meld,
    Move,
    Swap,
    Take,
)
from games.rules.scamper.options import MOST_SEATS, PRESETS, Options, check
from games.rules.scamper.spoken import describe
from games.rules.scamper.state import State


class Scamper(Ruleset[Options, State, Move]):
    """The rules of Scamper; every method only passes on to the module that knows."""

    key = "scamper"
    version = 1
    title = "Scamper"
    summary = "Contract rummy: ten rounds of sets and runs, wild cards, and whoever holds least wins."
    seats = tuple(range(2, MOST_SEATS + 1))
    options = Options
    presets = PRESETS
    moves = MOVES
    turn_rule = "S7"
    low_wins = True
    rule_numbers = numbered("S", 33)

    def check(self, options: Options, seats: int) -> None:
        """Raise `Malformed` where contracts, rounds and packs do not go together."""
        check(options, seats)

    def form(self, options: Options) -> Form:
        """Return the score sheet of a table with real cards."""
        return form(options)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (S5 to S7)."""
        return deal.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move of one of the seats that may act; raise `Illegal`."""
        match move:
            case Challenge():
                return rounds.challenge(state, seat)
            case Concede():
                return rounds.concede(state, seat)
            case _:
                return self._turn(state, seat, move)

    def _turn(
        self, state: State, seat: int, move: Take | Draw | Accept | Decline | Meld | LayOff | Swap | Discard
    ) -> State:
        """Return the state after a move of the seat in play, or of the one that was offered the discard."""
        if seat not in self.awaited(state):
            raise Illegal("It is not your turn.", self.turn_rule)
        match move:
            case Take():
                return turns.take(state)
            case Draw():
                return turns.draw(state)
            case Accept() | Decline():
                return turns.answer(state, accepts=isinstance(move, Accept))
            case Meld() | LayOff() | Swap():
                return turns.lay(state, move)
            case Discard():
                return turns.discard(state, move)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seats for which the game waits, and those that may challenge (S30)."""
        return tuple(sorted({*self.awaited(state), *rounds.may_challenge(state.round)}))

    def awaited(self, state: State) -> tuple[int, ...]:
        """Return the seat in play, or the one that must answer an offer or a last discard (S9, S30)."""
        table = state.round
        match table.phase:
            case "over":
                return ()
            case "offer" | "answer":
                return (table.left,)
            case "begin" | "play":
                return (table.seat,)
            case _:
                assert_never(table.phase)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        """Return what the seat may do; whether the contract can be laid is computed exactly."""
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
        """Return the count of turns that have begun."""
        return state.turns + state.round.turn

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with an arbiter's points in this round, such as 20 for advice (S32, S33)."""
        return replace(state, round=state.round.adjusted(seat, "penalty", points))

    def is_over(self, state: State) -> bool:
        """Return whether the last round has been scored (S26)."""
        return state.round.phase == "over"

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's points."""
        return state.totals()

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the ranks, the lowest total first; equal totals share (S26)."""
        return ranked(state.totals())

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        """Return a row for each finished round; see `views.row_json`."""
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
