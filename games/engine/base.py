"""The contract that every ruleset keeps, and the words in which a game is spoken of."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from games.engine import shapes
from games.engine.chance import Chance
from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Malformed, below

O = TypeVar("O")  # noqa: E741 - the options of a ruleset
S = TypeVar("S")  # its state
M = TypeVar("M")  # the union of its moves


@dataclass(frozen=True)
class FieldChoice:
    """What one field of a move may hold.

    ``values`` can each be sent as they stand. Where ``complete`` is false others may be legal too, and
    ``about`` says which: melds are described and a few are offered. An ``optional`` field may be left out.
    Where a field is a list with an item for each seat, ``by_seat`` says what the fields of each item may hold
    (of a list, what its items may be), and there a ``draft`` is what a form may begin with.
    """

    values: tuple[Json, ...] = ()
    complete: bool = True
    optional: bool = False
    about: str = ""
    draft: Json = None
    by_seat: tuple[Mapping[str, "FieldChoice"], ...] = ()

    def as_json(self) -> JsonObject:
        """Return the field as clients read it: ``values``, and of the rest what is not the default."""
        told: dict[str, Json] = {"values": list(self.values)}
        if not self.complete:
            told["complete"] = False
        if self.optional:
            told["optional"] = True
        if self.about:
            told["about"] = self.about
        if self.draft is not None:
            told["draft"] = self.draft
        if self.by_seat:
            told["by_seat"] = [_as_json(fields) for fields in self.by_seat]
        return told


def _as_json(fields: Mapping[str, FieldChoice]) -> JsonObject:
    return {name: field.as_json() for name, field in fields.items()}


@dataclass(frozen=True)
class Choice:
    """A move that a seat may make now: its type, and the values of its fields by name.

    Any combination of one listed value for each required field, with or without one for any optional field,
    is a legal move; fields that depend on each other are spread over several choices of the same type.
    """

    type: str
    fields: Mapping[str, FieldChoice]

    def as_json(self) -> JsonObject:
        """Return ``{"type": …, "fields": {name: {"values": […], …}}}``."""
        return {"type": self.type, "fields": _as_json(self.fields)}


def choice(kind: str, **values: Sequence[Json]) -> Choice:
    """Return the choice of a move whose fields are all required and enumerated."""
    return Choice(kind, {name: FieldChoice(tuple(listed)) for name, listed in values.items()})


@dataclass(frozen=True)
class FormRow:
    """A round's row on a printed score sheet: what it asks for, and what to remember about it."""

    round: int
    task: str
    hint: str


@dataclass(frozen=True)
class Form:
    """A printed score sheet for tables with real cards: its rows, and lines to read below them.

    ``first_dealer`` is the seat that deals round 1, after whom the deal goes round.
    """

    rows: tuple[FormRow, ...]
    legend: tuple[str, ...]
    first_dealer: int = 0


class Ruleset(ABC, Generic[O, S, M]):
    """One game's rules as pure functions over frozen values.

    ``O`` is the dataclass of its options, ``S`` its state, ``M`` the union of its moves. Seats count from 0,
    clockwise. The moves of every game (ready, resign, penalty, …), seats that are out and the clock are the
    business of `games.engine.replay`.
    """

    key: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[tuple[int, ...]]
    options: ClassVar[type]
    presets: ClassVar[Mapping[str, JsonObject]]
    """Options by preset name; ``{}`` holds the defaults."""
    moves: ClassVar[Mapping[str, type]]
    """The dataclass of each move by its ``type``."""
    turn_rule: ClassVar[str]
    """The rule that says whose turn it is, quoted to a seat that moves out of turn."""
    low_wins: ClassVar[bool]
    """Whether the lowest score wins."""
    rule_numbers: ClassVar[tuple[str, ...]]
    """The numbers of its rules, as refusals and the players' rules page name them."""
    arbiter_moves: ClassVar[tuple[str, ...]] = ()
    """Those of ``moves`` that an arbiter may make too, for no seat: `ruling` plays them."""
    scorekeeper_moves: ClassVar[tuple[str, ...]] = ()
    """Those of ``arbiter_moves`` for which it is enough to keep scores for the club."""
    dealt: ClassVar[bool] = True
    """Whether the server deals. Where it doesn't, real cards being played with, there is nothing to hide, no
    seat is ever `awaited` and none ever asks for a `default_move`."""
    tables: ClassVar[Mapping[str, Sequence[JsonObject]]] = {}
    """Rows, by a table's name, that the players' rules page shows as they stand."""

    @property
    def name(self) -> str:
        """Return key and version as logs record them, such as ``"scoops@1"``."""
        return f"{self.key}@{self.version}"

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat; without teams each seat is its own."""
        return tuple(range(seats))

    def check(self, options: O, seats: int) -> None:
        """Raise `Malformed` where options that are right one by one do not go together."""

    @abstractmethod
    def start(self, options: O, seats: int, chance: Chance) -> S:
        """Return the state after the first deal."""

    @abstractmethod
    def step(self, state: S, seat: int, move: M) -> S:
        """Return the state after a seat's move; raise `Illegal`. The seat is one of `to_act`."""

    def ruling(self, state: S, move: M) -> S:
        """Return the state after an arbiter's move, one of `arbiter_moves`; raise `Illegal`."""
        raise AssertionError(f"{self.name} leaves an arbiter no moves of its own")

    def ruling_choices(self, state: S) -> tuple[Choice, ...]:
        """Return what an arbiter may do now by `ruling`."""
        return ()

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """Return the seats that may move now, in seat order; empty only when the game is over."""

    def awaited(self, state: S) -> tuple[int, ...]:
        """Return those of `to_act` for whom the game waits: their clock runs."""
        return self.to_act(state)

    @abstractmethod
    def choices(self, state: S, seat: int) -> tuple[Choice, ...]:
        """Return what the seat may do now; never empty for a seat of `to_act`, empty for the others."""

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> JsonObject:
        """Return what a seat, or a spectator (None), may know now; only `everything` tells more.

        Holds at least ``round``, ``rounds``, ``scores``, ``sheet``, ``turn`` (seat or None) and ``phase``.
        """

    @abstractmethod
    def everything(self, state: S) -> JsonObject:
        """Return the view of a finished game's replay: `view`'s names, with every seat's secrets open."""

    @abstractmethod
    def default_move(self, state: S, seat: int) -> M:
        """Return the move that is played for an awaited seat whose time is up or who is out."""

    @abstractmethod
    def turn_number(self, state: S) -> int:
        """Return a number that grows whenever a turn begins: a clock's moves stop there."""

    @abstractmethod
    def penalise(self, state: S, seat: int, points: int) -> S:
        """Return the state with points added to the seat's (team's) score in the current round."""

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Return whether the game has ended by its own rules."""

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Return the total of each seat (its team's, in a team game) so far."""

    @abstractmethod
    def ranks(self, state: S) -> tuple[int, ...]:
        """Return each seat's rank by the rules as things stand; 1 is best, equal seats share (1, 2, 2, 4)."""

    @abstractmethod
    def sheet(self, state: S) -> tuple[JsonObject, ...]:
        """Return the score sheet: a row for each finished round, with at least ``round`` and ``scores``."""

    @abstractmethod
    def describe(self, move: M) -> str:
        """Return the move as the rest of a sentence that begins with the player's name; public words only."""

    @abstractmethod
    def cards(self, state: S) -> tuple[str, ...]:
        """Return every card in play, wherever it lies: what each move of a round conserves."""

    @abstractmethod
    def hidden(self, state: S, viewer: int | None) -> tuple[str, ...]:
        """Return the cards that the viewer can't tell, place by place in a fixed order."""

    @abstractmethod
    def with_hidden(self, state: S, viewer: int | None, cards: Sequence[str]) -> S:
        """Return the state with other cards in the places of `hidden`: to the viewer, the same game."""

    def form(self, options: O) -> Form | None:
        """Return the score sheet to print, None where the game has none."""
        return None

    def read_options(self, data: object, seats: int) -> O:
        """Return checked options, defaults filled in; raise `Malformed`, its paths below ``options``.

        A table of a size that the game isn't for is an error of ``players``.
        """
        if seats not in self.seats:
            raise Malformed({"players": [f"{self.title} is for {listed(self.seats)} players."]})
        with below("options"):
            options: O = shapes.read(self.options, data)
            self.check(options, seats)
        return options

    def write_options(self, options: O) -> JsonObject:
        """Return the JSON of the options, every one of them, as openings record it."""
        return shapes.filled(options)

    def read_move(self, data: object) -> M:
        """Return the move that the JSON says; raise `Malformed`."""
        return read_typed(self.moves, data)  # type: ignore[return-value]

    def write_move(self, move: M) -> JsonObject:
        """Return the JSON of a move, ``type`` first, fields at their default left out."""
        return write_typed(self.moves, move)

    def move_schemas(self) -> Mapping[str, JsonObject]:
        """Return the JSON Schema of each move by its type."""
        return {kind: typed_schema(kind, cls) for kind, cls in self.moves.items()}


def numbered(letter: str, last: int, first: int = 1) -> tuple[str, ...]:
    """Return rule numbers: ``numbered("B", 3)`` is ``("B1", "B2", "B3")``."""
    return tuple(f"{letter}{number}" for number in range(first, last + 1))


def listed(numbers: Sequence[int]) -> str:
    """Return ``"2 to 9"`` for a range and ``"3, 4 or 6"`` for anything else."""
    if len(numbers) > 1 and tuple(numbers) == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def read_typed(kinds: Mapping[str, type], data: object) -> object:
    """Return the dataclass that an object's ``type`` names, read from its other fields; raise `Malformed`."""
    if not isinstance(data, Mapping):
        raise Malformed({"": ["A move must be an object with a type."]})
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise Malformed({"type": [f"This must be one of {', '.join(kinds)}."]})
    return shapes.read(kinds[kind], {name: value for name, value in data.items() if name != "type"})


def write_typed(kinds: Mapping[str, type], value: object) -> JsonObject:
    """Return the JSON of a move with its ``type``; the inverse of `read_typed`."""
    kind = next(kind for kind, cls in kinds.items() if type(value) is cls)
    return {"type": kind, **shapes.write(value)}


def typed_schema(kind: str, cls: type) -> JsonObject:
    """Return the JSON Schema of a move: its fields and the constant ``type``."""
    record = shapes.record(cls)
    described = record.schema()
    properties = {"type": {"const": kind}, **{field.name: field.schema() for field in record.fields}}
    required = ["type", *(field.name for field in record.fields if field.required)]
    return {**described, "properties": properties, "required": required}


def ranked(keys: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each key, lowest first, equal keys sharing: (5, 3, 3) gives (3, 1, 1)."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)
