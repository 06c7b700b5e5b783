"""The state of a game: the table, the turn, an action under way, and the finished rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.values import replace
from games.rules.scram.actions import Action, actions
from games.rules.scram.moves import Options, Target
from games.rules.scram.table import Table

Phase: TypeAlias = Literal["begin", "play", "act", "exchange", "over"]
Ended: TypeAlias = Literal["last_turns", "deck", "turn_limit"]


@dataclass(frozen=True)
class Acting:
    """An action under way: its card, and the targets chosen so far (A2)."""

    card: str
    targets: tuple[Target, ...]


WHY: Final = {
    "scram_won": text("The team that declared Scram had the lower sum, or a level one, and scores 0."),
    "scram_lost": text("The team that declared Scram had the higher sum and gets 10 points more."),
}


@dataclass(frozen=True)
class Adjustment:
    """What Scram changed in a round's score of the team that declared it (B16); ``seat`` declared it."""

    seat: int
    name: Literal["scram_won", "scram_lost"]
    points: int

    def in_words(self) -> Message:
        """Return why the score of the declaring seat's team is another than its sum, and by which rule."""
        return text("%(why)s (B16)", why=WHY[self.name])

    def as_json(self) -> JsonObject:
        """Return its fields, the rule and why."""
        return {**vars(self), "rule": "B16", "why": WHY[self.name]}


@dataclass(frozen=True)
class Row:
    """A finished round: for each seat its sum (B15), its team's score, and its cards at the end."""

    start: int
    scram: int | None
    ended: Ended
    sums: tuple[int, ...]
    penalties: tuple[int, ...]
    scores: tuple[int, ...]
    campsites: tuple[tuple[str, ...], ...]
    adjustments: tuple[Adjustment, ...] = ()

    def as_json(self, number: int) -> JsonObject:
        """Return the row of the score sheet; each list but ``adjustments`` has an item per seat."""
        return {
            "round": number,
            "start": self.start,
            "scram": self.scram,
            "ended": self.ended,
            "sums": list(self.sums),
            "penalties": list(self.penalties),
            "scores": list(self.scores),
            "campsites": [list(campsite) for campsite in self.campsites],
            "adjustments": [adjustment.as_json() for adjustment in self.adjustments],
        }


@dataclass(frozen=True)
class Game:
    """What stays the same during a game."""

    options: Options
    seats: int
    chance: Chance

    @property
    def actions(self) -> Mapping[str, Action]:
        """Return the action of each card that has one (A0)."""
        return actions(self.options)

    @property
    def rounds(self) -> int:
        """Return the number of rounds (B4)."""
        return self.options.rounds or usual_rounds(self.seats)


@dataclass(frozen=True)
class State:
    """A game of Scram!

    ``order`` begins with the seat in play: until Scram it is the cycle of turns, then the remaining last
    turns, and nothing when all rounds have been played. ``turns`` and ``penalties`` hold each seat's turns
    and penalty points in the round under way. ``ended`` is the state at the end of the round before.
    """

    game: Game
    rows: tuple[Row, ...]
    start: int
    order: tuple[int, ...]
    turns: tuple[int, ...]
    turn_number: int
    penalties: tuple[int, ...]
    table: Table
    acting: Acting | None = None
    scram: int | None = None
    ended: "State | None" = None

    @property
    def over(self) -> bool:
        """Return whether all rounds have been played."""
        return not self.order

    @property
    def seat(self) -> int:
        """Return the seat in play."""
        return self.order[0]

    @property
    def phase(self) -> Phase:
        """Return what comes next: begin a turn, play the drawn card, or finish an action."""
        if self.over:
            return "over"
        if self.table.drawn:
            return "play"
        if self.acting is None:
            return "begin"
        return "exchange" if len(self.acting.targets) == self.game.actions[self.acting.card].count else "act"


def usual_rounds(seats: int) -> int:
    """Return the rulebook's number of rounds (B4)."""
    return 4 if seats == 4 else 3


@cache
def teams_of(seats: int) -> tuple[int, ...]:
    """Return the team of each seat (B2): every other camper, or the solo against the duo."""
    return (0, 1, 1) if seats == 3 else tuple(seat % 2 for seat in range(seats))


def forgotten(state: State, seat: int) -> State:
    """Return the state in which a new entry of a seat has hidden what it had looked at (A4).

    An entry that continues the seat's action hides nothing.
    """
    continued = state.acting is not None and seat == state.seat
    if state.game.options.memory_aid or continued or not state.table.known[seat]:
        return state
    return replace(state, table=state.table.forgotten_by(seat))
