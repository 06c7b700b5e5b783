"""Scram!, edition 1: a memory game for two teams; the lowest team total wins.

Source: the rulebook of *Scram!* (Bezier Games, 2023), in the interpretation of the rules B1 to B18 and A0 to
A4 on the page of rules; `actions` says for each card what the rulebook tells and what is inferred.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, assert_never

from games.engine.base import Ruleset, numbered, replaced
from games.engine.chance import Chance
from games.engine.choosing import Choice
from games.engine.gestures import Gesture, Meaning
from games.engine.jsontypes import JsonObject
from games.engine.lengths import GameLength
from games.engine.messages import Message, plural, text
from games.engine.values import replace
from games.rules.scram import acting, gestures, offers, outcomes, rounds, scoring, turns, views
from games.rules.scram.actions import ROWS
from games.rules.scram.describing import button, command, describe, legends, tap
from games.rules.scram.moves import MOVES, Act, Discard, Draw, Exchange, Move, Options, Replace
from games.rules.scram.moves import Scram as ScramMove
from games.rules.scram.state import State, forgotten, teams_of
from games.rules.scram.view_shapes import FullView, View


class Scram(Ruleset[Options, State, Move]):
    """The rules of Scram!; the modules beside this one implement them."""

    key = "scram"
    version = 1
    title = "Scram!"
    summary = text(
        "A team memory game: clear your campsites, remember what you saw, and declare Scram in time."
    )
    seats = (3, 4, 6)
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}, "open_memory": {"memory_aid": True}}
    lengths = (
        GameLength("short", plural("%(count)s deal", "%(count)s deals", 1), {"rounds": 1}),
        GameLength("medium", plural("%(count)s deal", "%(count)s deals", 2), {"rounds": 2}),
        GameLength("full", text("all deals (3 or 4)"), {"rounds": None}),
    )
    moves = MOVES
    usual = ("draw", "replace", "act", "discard", "exchange", "scram")
    draws = rounds.DRAWS
    view_shape = View
    full_shape = FullView
    turn_rule = "B6"
    low_wins = True
    winning_rule = "B17"
    counted = "sums"
    pointed_at = "campsites"
    rule_numbers = (*numbered("B", 18), *numbered("A", 4, first=0))
    tables: ClassVar[Mapping[str, Sequence[JsonObject]]] = {"actions": tuple(row.as_json() for row in ROWS)}

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat (B2)."""
        return teams_of(seats)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (B1 to B5)."""
        return rounds.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move; one that begins something hides what the seat had looked at (A4)."""
        state = forgotten(state, seat)
        match move:
            case Draw():
                return turns.draw(state, move.source)
            case Replace():
                return turns.replace_cards(state, move)
            case Discard():
                return turns.discard(state)
            case ScramMove():
                return turns.scram(state)
            case Act():
                return acting.act(state, move)
            case Exchange():
                return acting.exchange(state, move.do)
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seat in play (B6)."""
        return state.order[:1]

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return offers.choices(state) if seat in self.to_act(state) else ()

    def meaning(self, state: State, seat: int, gesture: Gesture) -> Meaning:
        return gestures.meaning(state, gesture)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        """Return what a seat, or a spectator, may know now (A4)."""
        return views.view(state, viewer)

    def past_view(self, past: State, now: State, viewer: int | None) -> JsonObject:
        """Return what was public then, with what the viewer saw then and still sees now (A4)."""
        return views.past_view(past, now, viewer)

    def everything(self, state: State) -> JsonObject:
        return views.everything(state)

    def open_hands(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each campsite."""
        return views.open_campsites(state.table)

    def open_deck(self, state: State) -> tuple[str, ...]:
        return tuple(state.table.faces[card] for card in reversed(state.table.deck))

    def default_move(self, state: State, seat: int) -> Move:
        return offers.default_move(state)

    def turn_number(self, state: State) -> int:
        return state.turn_number

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with points added to the round score of the seat's team (B18).

        They count at once, so that they stand whatever ends the round or the game.
        """
        return replace(state, penalties=replaced(state.penalties, seat, state.penalties[seat] + points))

    def left(self, state: State, seat: int) -> State:
        """Return the state in which leaving has hidden what the seat had looked at (A4)."""
        return state if state.over else forgotten(state, seat)

    def consequences(self, before: State | None, after: State) -> list[Message]:
        """Return what declaring Scram changed, where an entry ended the round (B16)."""
        if before is None or len(after.rows) == len(before.rows):
            return []
        rows = after.rows[len(before.rows) :]
        return [adjustment.in_words() for row in rows for adjustment in row.adjustments]

    def is_over(self, state: State) -> bool:
        """Return whether the last round has been scored (B4)."""
        return state.over

    def ended_deal(self, state: State) -> State | None:
        """Return the end of the last round, with all campsites face up (B15)."""
        return state.ended

    def deal_number(self, state: State) -> int:
        return len(state.rows) + (not state.over)

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's total, its team's: the finished rounds and this one's penalties (B15 to B18)."""
        return scoring.totals(state.rows, state.penalties)

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return the rank of each seat (B17).

        If no team wins, every seat has the rank of a losing team: 3 with 4 campers, 4 with 6.
        """
        return scoring.ranks(state.rows, state.penalties)

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        """Return a row for each finished round: sums, penalties, scores and campsites."""
        return views.sheet(state)

    def button(self, state: State, move: Move) -> Message:
        return button(state, move)

    def command(self, state: State, seat: int, move: Move) -> Message:
        return command(state, move)

    def tap(self, move: Move) -> Message | None:
        return tap(move)

    def legends(self, state: State, viewer: int | None) -> Mapping[str, Message]:
        return legends(state)

    def describe(self, move: Move) -> Message:
        return describe(move)

    def outcome(self, before: State, move: Move, after: State) -> outcomes.Outcome | None:
        return outcomes.outcome(before, move, after)

    def touched(self, outcome: outcomes.Outcome) -> tuple[str, ...]:
        return outcomes.names_touched(outcome)

    def exchanged(self, outcome: outcomes.Outcome) -> tuple[str, ...]:
        return outcomes.names_touched(outcome) if outcome.exchanged else ()

    def told(self, move: Move, seat: int | None, outcome: outcomes.Outcome | None) -> Message:
        return outcomes.told(move, seat, outcome) if outcome else describe(move)

    def cards(self, state: State) -> tuple[str, ...]:
        """Return the cards of the round (B1)."""
        return views.all_cards(state.table)

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return the cards that the viewer cannot see, in the order of the deal (A4)."""
        return tuple(state.table.faces[card] for card in views.hidden_cards(state, viewer))

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        return views.with_faces(state, views.hidden_cards(state, viewer), cards)
