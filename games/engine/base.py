"""The contract that every ruleset implements, and helpers for writing one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from games.engine import shapes
from games.engine.chance import Chance, Draw
from games.engine.choosing import Choice
from games.engine.gestures import Gesture, Meaning
from games.engine.jsontypes import Json, JsonObject
from games.engine.kinds import Record
from games.engine.lengths import GameLength
from games.engine.messages import Message, all_of, either, text
from games.engine.refusals import Malformed, below
from games.engine.views import View

O = TypeVar("O")  # noqa: E741 - the options of a ruleset
S = TypeVar("S")  # its state
M = TypeVar("M")  # the union of its moves
T = TypeVar("T")


@dataclass(frozen=True)
class FormRow:
    """A row of a printed score sheet, for one round: the task, and a short reminder of its rules."""

    round: int
    task: str
    hint: str


@dataclass(frozen=True)
class Form:
    """A printed score sheet for tables with real cards: a row for each round, and notes printed below.

    ``first_dealer`` is the seat that deals round 1, or None if a sheet cannot know it; after that the deal
    passes to the left. ``heading`` stands above the tasks, ``placing`` beside the places in the end. Columns
    are players, or sides where it is ``by_side``; for each of them the ``parts`` of a result are written.
    """

    rows: tuple[FormRow, ...]
    legend: tuple[str, ...]
    first_dealer: int | None = 0
    heading: str = text("To lay down")
    placing: str = text("Place (lowest total wins)")
    by_side: bool = False
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenRound:
    """A round of a score card that is entered but not confirmed; ``disputed`` if its seats disagree."""

    number: int
    disputed: bool = False


class Ruleset(ABC, Generic[O, S, M]):
    """One game's rules as pure functions over frozen values.

    ``O`` is the dataclass of its options, ``S`` its state, ``M`` the union of its moves. Seats count from 0,
    clockwise. `games.engine.replay` handles what all games share: the common moves (ready, resign, penalty,
    …), seats that are out, and the clock.
    """

    key: ClassVar[str]
    version: ClassVar[int]
    title: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[tuple[int, ...]]
    options: ClassVar[type]
    presets: ClassVar[Mapping[str, JsonObject]]
    """Options by preset name; ``{}`` holds the defaults."""
    defined_by: ClassVar[str] = ""
    """The option that defines the game itself, where a ruleset has one: it is chosen as a whole."""
    shipped: ClassVar[Mapping[str, JsonObject]] = {}
    """Options that define games that come with the ruleset, by names of theirs."""
    lengths: ClassVar[tuple[GameLength, ...]] = ()
    """The lengths to choose from where people only want to play, the shortest first."""
    moves: ClassVar[Mapping[str, type]]
    """The dataclass of each move by its ``type``."""
    turn_rule: ClassVar[str]
    """The number of the rule that says whose turn it is; a move out of turn is refused with it."""
    low_wins: ClassVar[bool]
    """Whether the lowest score wins."""
    scores_add_up: ClassVar[bool] = False
    """Whether clubs usually add up its scores over an evening, rather than count places at tables."""
    winning_rule: ClassVar[str] = ""
    """The number of the rule that says who wins the game."""
    counted: ClassVar[str] = ""
    """The field of a row of the score sheet with what each seat's cards counted at the end of the round."""
    rule_numbers: ClassVar[tuple[str, ...]]
    """The numbers of its rules, used in refusals and on the page of rules."""
    arbiter_moves: ClassVar[tuple[str, ...]] = ()
    """The types of ``moves`` that an arbiter may also make, without a seat; `ruling` plays them."""
    scorekeeper_moves: ClassVar[tuple[str, ...]] = ()
    """The types of ``arbiter_moves`` that a scorekeeper of the club may make too."""
    entry_moves: ClassVar[tuple[str, ...]] = ()
    """The types of ``arbiter_moves`` that write a result of a score card, rather than agree to one."""
    amendments: ClassVar[tuple[str, ...]] = ()
    """The types of ``arbiter_moves`` that an arbiter may also make when the game is over by its own rules."""
    foreseen: ClassVar[tuple[str, ...]] = ()
    """The types of ``moves`` after which, until the round ends, their seat knows nothing that it could not
    have foretold; in a batch others may follow them."""
    usual: ClassVar[tuple[str, ...]] = ()
    """The types of ``moves`` in the order of a list to choose from, the usual ones first."""
    dealt: ClassVar[bool] = True
    """Whether the server deals the cards; false for score cards (`ScoreCard`)."""
    draws: ClassVar[tuple[Draw, ...]] = ()
    """All draws of chance by their purposes, for those who make them again (docs/chance.md, 7)."""
    view_shape: ClassVar[type[View]] = View
    """The fields of its views; `games.engine.replay.view` adds those of `games.engine.views.Ending`."""
    full_shape: ClassVar[type[View] | None] = None
    """The fields of `everything`, where they are not those of ``view_shape``."""
    pointed_at: ClassVar[str] = ""
    """The field of its views with each seat's cards, where who has seen one that is down may point at it."""
    tables: ClassVar[Mapping[str, Sequence[JsonObject]]] = {}
    """Tables for the page of rules: rows by the name of the table."""

    @property
    def name(self) -> str:
        """Return key and version as logs record them, such as ``"rummy@1"``."""
        return f"{self.key}@{self.version}"

    @property
    def game_key(self) -> str:
        """Return by what ratings and records go: a club's own game keeps it when only its words change."""
        return self.key

    @property
    def asked(self) -> Record:
        """Return the options that are asked for one by one."""
        whole = shapes.record(self.options)
        return shapes.without(whole, {self.defined_by}) if self.defined_by else whole

    def of_options(self, options: object) -> "Ruleset[O, S, M]":
        """Return the ruleset of a game with these options: another one where they define the game itself.

        Raises `Malformed` for a definition that is wrong.
        """
        return self

    @property
    def package(self) -> str:
        """Return the package of the ruleset, in which its class is defined."""
        return type(self).__module__

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat; in a game without teams each seat is a team."""
        return tuple(range(seats))

    def check(self, options: O, seats: int) -> None:
        """Raise `Malformed` if the options contradict each other or do not fit the number of seats."""

    @abstractmethod
    def start(self, options: O, seats: int, chance: Chance) -> S:
        """Return the state after the first deal."""

    @abstractmethod
    def step(self, state: S, seat: int, move: M) -> S:
        """Return the state after a move of a seat in `to_act`; raise `Illegal`."""

    def ruling(self, state: S, move: M) -> S:
        """Return the state after an arbiter's move, one of `arbiter_moves`; raise `Illegal`."""
        raise AssertionError(f"{self.name} has no moves for an arbiter")

    def ruling_choices(self, state: S) -> tuple[Choice, ...]:
        """Return the moves that an arbiter may make now."""
        return ()

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """Return the seats that may move now, in seat order; empty only when the game is over."""

    def awaited(self, state: S) -> tuple[int, ...]:
        """Return the seats in `to_act` for which the game waits; their clocks run."""
        return self.to_act(state)

    @abstractmethod
    def choices(self, state: S, seat: int) -> tuple[Choice, ...]:
        """Return what the seat may do now: at least one choice for a seat in `to_act`, none for others."""

    def unaided(self, state: S, seat: int) -> tuple[Choice, ...]:
        """Return `choices` without what players have to find out: what their hands make, and whether any."""
        return self.choices(state, seat)

    def meaning(self, state: S, seat: int, gesture: Gesture) -> Meaning:
        """Return what a gesture of a seat in `to_act` at the table can mean, beside moves without fields."""
        return Meaning()

    @abstractmethod
    def view(self, state: S, viewer: int | None) -> JsonObject:
        """Return what a seat, or a spectator (None), may know now: the fields of ``view_shape``."""

    def past_view(self, past: S, now: S, viewer: int | None) -> JsonObject:
        """Return what a viewer may see of the past of a running game, which now is in the state ``now``.

        It holds at most what a spectator could see then and what the viewer's view of now still allows.
        """
        return self.view(past, None)

    def everything(self, state: S) -> JsonObject:
        """Return the spectator's view for the replay of a finished game, with the fields of ``full_shape``.

        `games.engine.replay.full_view` adds hands and deck: most games need no other view than a spectator's.
        """
        return self.view(state, None)

    def open_hands(self, state: S) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat, in the order of its own view; empty for a score card."""
        return ()

    def open_deck(self, state: S) -> tuple[str, ...]:
        """Return the face-down cards to draw from, the next one last."""
        return ()

    @abstractmethod
    def default_move(self, state: S, seat: int) -> M:
        """Return the move to play for an awaited seat that is out of time or out of the game."""

    @abstractmethod
    def turn_number(self, state: S) -> int:
        """Return a number that grows with each new turn; a timeout plays default moves until then."""

    def left(self, state: S, seat: int) -> S:
        """Return the state after a seat has left the game, whose default moves are played from now on."""
        return state

    @abstractmethod
    def penalise(self, state: S, seat: int, points: int) -> S:
        """Return the state with points added to the score of the seat (or its team) in this round.

        They worsen the score, so they are below zero where the highest score wins. They count in `scores` at
        once, and whatever ends the round or the game.
        """

    def consequences(self, before: S | None, after: S) -> Sequence[Message]:
        """Return what the rules did beside the entry between two states: each bonus and penalty, and why.

        ``before`` is None for the entry with which the first cards are dealt.
        The text of the entry has these sentences after it.
        """
        return ()

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Return whether the game has ended by its own rules."""

    def ended_deal(self, state: S) -> S | None:
        """Return the state at the end of the deal that ended last: scored, and the next one not yet dealt.

        It reveals what the rules reveal then, and nothing more. None before the first end, and for games
        whose score sheet has no rows.
        """
        return None

    def deal_number(self, state: S) -> int:
        """Return the number of the deal that is played, or was played last."""
        return int(str(self.view(state, None)["round"]))

    @abstractmethod
    def scores(self, state: S) -> tuple[int, ...]:
        """Return the total of each seat (its team's, in a team game) so far."""

    def ranks(self, state: S) -> tuple[int, ...]:
        """Return the current rank of each seat: 1 is best, equal scores share a rank (1, 2, 2, 4)."""
        return ranked([score if self.low_wins else -score for score in self.scores(state)])

    @abstractmethod
    def sheet(self, state: S) -> tuple[JsonObject, ...]:
        """Return the score sheet: a row for each finished round, with at least ``round`` and ``scores``.

        Sentences have the name ``why``: views have them, and results leave them out.
        """

    @abstractmethod
    def describe(self, move: M) -> Message:
        """Return the move in words that follow the player's name; reveals no hidden card."""

    def describe_by(self, move: M, seat: int | None) -> Message:
        """Return `describe` for a move of a seat, in other words where the move is about the seat itself."""
        return self.describe(move)

    def command(self, state: S, seat: int, move: M) -> Message | None:
        """Return what a list says of a move that the seat may make, such as "Lay off 7C onto your set of 7s".

        It names what lies on the table. None where `describe` has to do.
        """
        return None

    def button(self, state: S, move: M) -> Message | None:
        """Return what a button says that makes the move where its cards are in view, None for its command.

        Without a command it is the name of its type.
        """
        return None

    def tap(self, move: M) -> Message | None:
        """Return what a thing says whose tap makes the move: "Lay off here"; None for its type's name."""
        return None

    def legends(self, state: S, viewer: int | None) -> Mapping[str, Message]:
        """Return what things of the table are, in words, by the names that gestures have for them.

        Beside those, a game may explain what is no thing by a name of its own, such as ``goal``.
        """
        return {}

    def outcome(self, before: S, move: M, after: S) -> Any:
        """Return what a move brought that everybody saw, such as the cards that it turned up, or None.

        It is kept with the entry, so it is small, and `told` puts it into words.
        """
        return None

    def touched(self, outcome: Any) -> tuple[str, ...]:
        """Return the things on the table that a move was about, by their names in gestures."""
        return ()

    def exchanged(self, outcome: Any) -> tuple[str, ...]:
        """Return the two of these things that took each other's places, nothing where none did."""
        return ()

    def told(self, move: M, seat: int | None, outcome: Any) -> Message:
        """Return a move that was made in words that follow the player's name: what it did, not what it could.

        ``outcome`` is that of `outcome`. Reveals no hidden card.
        """
        return self.describe_by(move, seat)

    @abstractmethod
    def cards(self, state: S) -> tuple[str, ...]:
        """Return all cards in play, in any order. No move of a round adds or removes one."""

    @abstractmethod
    def hidden(self, state: S, viewer: int | None) -> tuple[str, ...]:
        """Return the cards that are hidden from the viewer, in a fixed order."""

    @abstractmethod
    def with_hidden(self, state: S, viewer: int | None, cards: Sequence[str]) -> S:
        """Return the state with the cards of `hidden` replaced; to the viewer it must look the same."""

    def open_rounds(self, state: S) -> tuple[OpenRound, ...]:
        """Return the rounds of a score card that must still be confirmed."""
        return ()

    def form(self, options: O) -> Form | None:
        """Return the score sheet to print, or None."""
        return None

    def read_options(self, data: object, seats: int) -> O:
        """Return the options with defaults filled in; raise `Malformed` with paths below ``options``.

        A wrong number of seats is an error of ``players``.
        """
        if seats not in self.seats:
            sentence = text("%(game)s is for %(seats)s players.", game=self.title, seats=listed(self.seats))
            raise Malformed({"players": [sentence]})
        with below("options"):
            options: O = shapes.read(self.options, data)
            self.check(options, seats)
        return options

    def write_options(self, options: O) -> JsonObject:
        """Return the JSON of all options, including those at their default, as openings record them."""
        return shapes.filled(options)

    def options_told(self, options: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the JSON of options as people are told of them, without what no game comes to."""
        return options

    def doubt_of_totals(self, options: O, totals: Sequence[int]) -> Message | None:
        """Return why no game can end with these scores, None where one can or the rules don't say."""
        return None

    def game_told(self, options: O) -> Message | None:
        """Return what one game of a match is, where people could take it for something shorter."""
        return None

    def invented_totals(
        self, options: O, seats: int, strength: Sequence[int], chance: Chance
    ) -> Sequence[int] | None:
        """Return the scores of a game that nobody played, better for strength; None where none are known."""
        return None

    def read_move(self, data: object) -> M:
        """Return the move that the JSON describes; raise `Malformed`."""
        move: M = read_typed(self.moves, data)
        return move

    def write_move(self, move: M) -> JsonObject:
        """Return the JSON of a move, ``type`` first, without fields at their default."""
        return write_typed(self.moves, move)


class ScoreCard(Ruleset[O, S, M]):
    """A ruleset for a game with real cards: the server deals nothing, hides nothing and runs no clock."""

    dealt = False

    def awaited(self, state: S) -> tuple[int, ...]:
        """Return no seats: whoever is at the table may write the next round."""
        return ()

    def default_move(self, state: S, seat: int) -> M:
        """Raise AssertionError: no seat is awaited, and the server cannot know a result."""
        raise AssertionError("a score card has no default moves")

    def turn_number(self, state: S) -> int:
        """Raise AssertionError: no clock runs, so that no turn times out."""
        raise AssertionError("a score card has no turns")

    def cards(self, state: S) -> tuple[str, ...]:
        """Return no cards: they are on the real table."""
        return ()

    def hidden(self, state: S, viewer: int | None) -> tuple[str, ...]:
        """Return no cards."""
        return ()

    def with_hidden(self, state: S, viewer: int | None, cards: Sequence[str]) -> S:
        """Return the same state."""
        return state


def numbered(letter: str, last: int, first: int = 1) -> tuple[str, ...]:
    """Return rule numbers: ``numbered("B", 3)`` is ``("B1", "B2", "B3")``."""
    return tuple(f"{letter}{number}" for number in range(first, last + 1))


def listed(numbers: Sequence[int]) -> str:
    """Return ``"2 to 9"`` for a range and ``"3, 4 or 6"`` for anything else."""
    if len(numbers) > 1 and tuple(numbers) == tuple(range(numbers[0], numbers[-1] + 1)):
        return text("%(first)s to %(last)s", first=numbers[0], last=numbers[-1])
    return either([str(number) for number in numbers])


def read_typed(kinds: Mapping[str, type], data: object) -> Any:
    """Return an instance of the dataclass that ``type`` names, read from the other fields.

    Raises `Malformed`.
    """
    if not isinstance(data, (dict, Mapping)):  # a dict is known at once
        raise Malformed({"": [text("A move must be an object with a type.")]})
    fields = dict(data)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise Malformed({"type": [text("This must be one of %(values)s.", values=all_of([*kinds]))]})
    return shapes.read(kinds[kind], fields)


def write_typed(kinds: Mapping[str, type], value: object) -> JsonObject:
    """Return the JSON of a move with its ``type``: the inverse of `read_typed`."""
    for kind, cls in kinds.items():
        if type(value) is cls:
            return {"type": kind, **shapes.write(value)}
    raise AssertionError(f"{value!r} is of none of these types")


def ranked(keys: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each key, the lowest first; equal keys share: (5, 3, 3) gives (3, 1, 1)."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy of a tuple with another value at an index."""
    return (*values[:index], value, *values[index + 1 :])
