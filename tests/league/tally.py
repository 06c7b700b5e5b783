"""A minimal game for tests of everything around games: each seat in turn names a number.

The highest number wins; after ``rounds`` times round the table it is over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from games.engine.base import Ruleset, ranked
from games.engine.chance import Chance
from games.engine.choosing import Choice, choice
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between


@dataclass(frozen=True)
class Options:
    rounds: Annotated[int, Between(1, 100)] = 1


@dataclass(frozen=True)
class Say:
    number: Annotated[int, Between(0, 100)]


@dataclass(frozen=True)
class State:
    seats: int
    turns: int
    said: tuple[int, ...]
    extra: tuple[int, ...]


class Tally(Ruleset[Options, State, Say]):
    key = "tally"
    version = 1
    title = "Tally"
    summary = "Each says a number."
    seats = tuple(range(2, 11))
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"standard": {}}
    moves: ClassVar[Mapping[str, type]] = {"say": Say}
    turn_rule = "T1"
    low_wins = False

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        return State(seats, seats * options.rounds, (), (0,) * seats)

    def step(self, state: State, seat: int, move: Say) -> State:
        if move.number == 13:
            raise Illegal("Thirteen is never said.", "T2")
        return replace(state, said=(*state.said, move.number))

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if self.is_over(state) else (len(state.said) % state.seats,)

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return (choice("say", number=range(13)),) if seat in self.to_act(state) else ()

    def view(self, state: State, viewer: int | None) -> JsonObject:
        turn = next(iter(self.to_act(state)), None)
        return {
            "round": 1,
            "rounds": 1,
            "scores": list(self.scores(state)),
            "sheet": [],
            "turn": turn,
            "phase": "say",
        }

    def default_move(self, state: State, seat: int) -> Say:
        return Say(0)

    def turn_number(self, state: State) -> int:
        return len(state.said)

    def penalise(self, state: State, seat: int, points: int) -> State:
        extra = tuple(own + points * (place == seat) for place, own in enumerate(state.extra))
        return replace(state, extra=extra)

    def is_over(self, state: State) -> bool:
        return len(state.said) == state.turns

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(sum(state.said[seat :: state.seats]) + state.extra[seat] for seat in range(state.seats))

    def ranks(self, state: State) -> tuple[int, ...]:
        return ranked([-score for score in self.scores(state)])

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return ({"round": 1, "scores": list(self.scores(state))},) if self.is_over(state) else ()

    def describe(self, move: Say) -> Message:
        return text("says %(number)s", number=move.number)

    def cards(self, state: State) -> tuple[str, ...]:
        return ()

    def hidden(self, state: State, viewer: int | None) -> tuple[str, ...]:
        return ()

    def with_hidden(self, state: State, viewer: int | None, cards: Sequence[str]) -> State:
        return state
