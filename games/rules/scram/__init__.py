"""Scram!: teams, memory, the lowest team total wins.

Source: the rulebook of *Scram!* (Bezier Games, 2023), as decided point by point in the rules B1 to B18 and A0
to A4 of this ruleset's page; `actions` says of each card what the rulebook gives and what is inferred.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, assert_never

from games.engine.base import Choice, Ruleset, numbered
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.rules.scram import acting, choosing, rounds, scoring, turn, viewing
from games.rules.scram.actions import ROWS
from games.rules.scram.describing import describe
from games.rules.scram.moves import MOVES, Act, Discard, Draw, Exchange, Move, Options, Replace
from games.rules.scram.moves import Scram as ScramMove
from games.rules.scram.state import State, forgotten, teams_of


class Scram(Ruleset[Options, State, Move]):
    """The contract for Scram!; the rules are in the modules beside it."""

    key = "scram"
    version = 1
    title = "Scram!"
    summary = "A team memory game: clear your campsites, remember what you saw, and call Scram in time."
    seats = (3, 4, 6)
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}, "open_memory": {"memory_aid": True}}
    moves = MOVES
    turn_rule = "B6"
    low_wins = True
    rule_numbers = (*numbered("B", 18), *numbered("A", 4, first=0))
    tables: ClassVar[Mapping[str, Sequence[JsonObject]]] = {"actions": tuple(row.as_json() for row in ROWS)}

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat (B2)."""
        return teams_of(seats)

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        """Return the state after the first deal (B1 to B5)."""
        return rounds.opened(options, seats, chance)

    def step(self, state: State, seat: int, move: Move) -> State:
        """Return the state after a move; what the seat had looked at before is no longer shown (A4)."""
        state = forgotten(state, seat)
        match move:
            case Draw():
                return turn.draw(state, move.source)
            case Replace():
                return turn.replace_cards(state, move)
            case Discard():
                return turn.discard(state)
            case ScramMove():
                return turn.scram(state)
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
        """Return what the seat in play may do now."""
        return choosing.choices(state) if seat in self.to_act(state) else ()

    def view(self, state: State, viewer: int | None) -> JsonObject:
        """Return what a seat, or a spectator, may know now (A4)."""
        return viewing.view(state, viewer)

    def everything(self, state: State) -> JsonObject:
        """Return the view with all cards open."""
        return viewing.everything(state)

    def default_move(self, state: State, seat: int) -> Move:
        """Return the clock's move for the seat in play."""
        return choosing.default_move(state)

    def turn_number(self, state: State) -> int:
        """Return how many turns have begun in the game."""
        return state.turn_number

    def penalise(self, state: State, seat: int, points: int) -> State:
        """Return the state with points that the seat's team gets on top of its round (B18)."""
        added = tuple(had + points * (place == seat) for place, had in enumerate(state.penalties))
        return replace(state, penalties=added)

    def is_over(self, state: State) -> bool:
        """Return whether the last round has been scored (B4)."""
        return state.over

    def scores(self, state: State) -> tuple[int, ...]:
        """Return each seat's total over the finished rounds: its team's (B15, B16)."""
        return scoring.totals(state.rows, state.game.seats)

    def ranks(self, state: State) -> tuple[int, ...]:
        """Return each seat's rank (B17): team-mates share theirs.

        Where nobody wins, every seat has the losers' rank, 3 with 4 campers and 4 with 6; nobody has rank 1.
        """
        return scoring.ranks(state.rows, state.game.seats)

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        """Return a row for each finished round: sums, penalties, scores and the campsites as they lay."""
        return viewing.sheet(state)

    def describe(self, move: Move) -> str:
        """Return the move in words, places and no cards."""
        return describe(move)

    def cards(self, state: State) -> tuple[str, ...]:
        """Return the cards of the round, wherever they lie (B1)."""
        return viewing.all_cards(state.table)

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        """Return the cards that the viewer can't tell, in the order in which they were dealt (A4)."""
        return tuple(state.table.faces[card] for card in viewing.hidden_cards(state, viewer))

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        """Return the state with other cards in those places."""
        return viewing.with_faces(state, viewing.hidden_cards(state, viewer), cards)
