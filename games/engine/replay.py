"""The fold of a game's log: an opening, then moves of seats, the arbiter, the clock and the system.

What is the same in every game lives here (`games/engine/base.py` holds what is not): entropy before the first
deal, resigning, rulings, the clock's moves, and the system's moves for seats that are out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, TypeAlias

from games.engine import chance
from games.engine.base import Choice, FieldChoice, Ruleset, ranked, read_typed, typed_schema, write_typed
from games.engine.chance import Chance
from games.engine.jsontypes import Json, JsonObject
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Between, Help, Length

Role: TypeAlias = Literal["seat", "arbiter", "clock", "system"]
Status: TypeAlias = Literal["active", "finished", "abandoned"]
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]
Reason: TypeAlias = Annotated[str, Length(1, 200), Help("why, for everyone to read")]
AnySeat: TypeAlias = Annotated[int, Between(0, 99)]
MAX_DEFAULTS: Final = 1000


@dataclass(frozen=True)
class Actor:
    """Who makes an entry: a role, and the seat it plays for (none for the arbiter)."""

    role: Role
    seat: int | None = None


@dataclass(frozen=True)
class Opening:
    """The first entry of a game's log."""

    ruleset: Annotated[str, Length(1, 60)]
    options: Mapping[str, Json]
    seats: tuple[str | None, ...]
    entropy: bool
    commitment: str
    clock: Mapping[str, Json]

    def as_json(self) -> JsonObject:
        """Return the opening as it stands in the log."""
        return {
            "type": "open",
            "ruleset": self.ruleset,
            "options": self.options,
            "seats": list(self.seats),
            "entropy": self.entropy,
            "commitment": self.commitment,
            "clock": self.clock,
        }


def read_opening(data: object) -> Opening:
    """Return the opening that a log's first entry holds; raise `Malformed`."""
    names = ("ruleset", "options", "seats", "entropy", "commitment", "clock")
    if not isinstance(data, Mapping) or data.get("type") != "open" or {*data} != {"type", *names}:
        raise Malformed({"": ["The first entry must open the game."]})
    seats = data["seats"]
    if not isinstance(seats, Sequence) or isinstance(seats, str):
        raise Malformed({"seats": ["This must be a list."]})
    kinds = {"ruleset": str, "options": Mapping, "entropy": bool, "commitment": str, "clock": Mapping}
    for name, kind in kinds.items():
        if not isinstance(data[name], kind):
            raise Malformed({name: ["This has the wrong type."]})
    return Opening(
        data["ruleset"], data["options"], tuple(seats), data["entropy"], data["commitment"], data["clock"]
    )


@dataclass(frozen=True)
class Ready:
    """A seat is ready for the first deal, with a text of its own for the seed."""

    entropy: Annotated[str, Length(0, 200), Help("any text; it goes into the seed of every shuffle")] = ""


@dataclass(frozen=True)
class Resign:
    """A seat leaves the game for good."""


@dataclass(frozen=True)
class Penalty:
    """The arbiter adds points to a seat's score in the current round."""

    seat: AnySeat
    points: Annotated[int, Between(-1000, 1000), Help("added to the score; may be negative")]
    reason: Reason


@dataclass(frozen=True)
class Forfeit:
    """The arbiter (or the clock, where the competition says so) takes a seat out."""

    seat: AnySeat
    reason: Annotated[str, Length(0, 200)] = ""


@dataclass(frozen=True)
class Abandon:
    """The arbiter ends the game without a result."""

    reason: Reason


@dataclass(frozen=True)
class Timeout:
    """The clock plays the default moves of the seat's turn."""


CommonMove: TypeAlias = Ready | Resign | Penalty | Forfeit | Abandon | Timeout

COMMON: Final[Mapping[str, type]] = {
    "ready": Ready,
    "resign": Resign,
    "penalty": Penalty,
    "forfeit": Forfeit,
    "abandon": Abandon,
    "timeout": Timeout,
}
SEAT_MOVES: Final = ("ready", "resign")
ALLOWED: Final[Mapping[Role, tuple[str, ...]]] = {
    "seat": SEAT_MOVES,
    "arbiter": ("penalty", "forfeit", "abandon"),
    "clock": ("timeout", "forfeit"),
    "system": ("ready",),
}


@dataclass(frozen=True)
class Position:
    """A game after some entry: everything that its log and secret say so far.

    ``state`` is the ruleset's, None while the seats are joining; ``out`` lists seats in the order they left;
    ``texts`` holds each seat's entropy, None where it has not said `ready`.
    """

    ruleset: AnyRuleset
    options: Any
    seats: int
    secret: bytes
    texts: tuple[str | None, ...]
    out: tuple[int, ...] = ()
    state: Any = None
    abandoned: str | None = None

    @property
    def joining(self) -> bool:
        """Return whether the first deal still waits for seats."""
        return self.state is None

    @property
    def teams(self) -> tuple[int, ...]:
        """Return the team of each seat."""
        return self.ruleset.teams(self.seats)

    @property
    def teams_left(self) -> tuple[int, ...]:
        """Return the teams that have a seat in the game."""
        return tuple(sorted({team for seat, team in enumerate(self.teams) if seat not in self.out}))

    @property
    def status(self) -> Status:
        """Return ``active``, ``finished`` or ``abandoned``."""
        if self.abandoned is not None:
            return "abandoned"
        decided = len(self.teams_left) == 1 or (not self.joining and self.ruleset.is_over(self.state))
        return "finished" if decided else "active"


def opened(ruleset: AnyRuleset, opening: Opening, secret: bytes) -> Position:
    """Return the position after the opening; raise `Malformed` where options, seats or seed are wrong."""
    if opening.ruleset != ruleset.name:
        raise Malformed({"ruleset": [f"This must be {ruleset.name}."]})
    if chance.commitment(secret) != opening.commitment:
        raise Malformed({"commitment": ["The seed is not the one that was committed to."]})
    seats = len(opening.seats)
    options = ruleset.read_options(opening.options, seats)
    position = Position(ruleset, options, seats, secret, (None,) * seats)
    return position if opening.entropy else _dealt(position, ())


def _dealt(position: Position, entropy: Sequence[str]) -> Position:
    seed = chance.game_seed(position.secret, entropy)
    return replace(position, state=position.ruleset.start(position.options, position.seats, Chance(seed)))


def read_move(ruleset: AnyRuleset, data: object) -> Any:
    """Return the move, common or the ruleset's own, that the JSON says; raise `Malformed`."""
    kind = data.get("type") if isinstance(data, Mapping) else None
    if isinstance(kind, str) and kind in COMMON:
        return read_typed(COMMON, data)
    if isinstance(data, Mapping) and (not isinstance(kind, str) or kind not in ruleset.moves):
        known = [*ruleset.moves, *COMMON]
        raise Malformed({"type": [f"This must be one of {', '.join(known)}."]})
    return ruleset.read_move(data)


def write_move(ruleset: AnyRuleset, move: Any) -> JsonObject:
    """Return the one JSON of a move: what the log keeps and what two sent moves are compared by."""
    return write_typed({**COMMON, **ruleset.moves}, move)


def move_schemas(ruleset: AnyRuleset) -> Mapping[str, JsonObject]:
    """Return the JSON Schema of every move of a game, the common ones included, by type."""
    return {**ruleset.move_schemas(), **{kind: typed_schema(kind, cls) for kind, cls in COMMON.items()}}


def played(position: Position, actor: Actor, move: Any) -> Position:
    """Return the position after an entry; raise `Illegal`, the position is as it was.

    ``move`` is what `read_move` gave. While a system entry is `due` nothing else may come.
    """
    if position.status != "active":
        raise Illegal("The game is over.")
    expected = due(position)
    if (actor.role == "system" or expected) and expected != (actor, move):
        raise Illegal("The system's move for a seat that is out must come here and nothing else.")
    if actor.seat is not None and not 0 <= actor.seat < position.seats:
        raise Illegal("There is no such seat at this table.")
    if type(move) in COMMON.values():
        return _played_common(position, actor, move)
    if actor.role == "arbiter":
        return _ruled(position, move)
    return _played_own(position, actor, move)


def _ruled(position: Position, move: Any) -> Position:
    """Play a move of the ruleset that it leaves to arbiters as well."""
    ruleset = position.ruleset
    if type(move) not in [ruleset.moves[kind] for kind in ruleset.arbiter_moves]:
        raise Illegal("Only a seat may make this move.")
    if position.joining:
        raise Illegal("The game begins when every seat is ready.")
    return replace(position, state=ruleset.ruling(position.state, move))


def _played_own(position: Position, actor: Actor, move: Any) -> Position:
    """Play a move of the ruleset itself."""
    ruleset, seat = position.ruleset, actor.seat
    if seat is None or actor.role not in ("seat", "system"):
        raise Illegal("Only a seat may make this move.")
    if position.joining:
        raise Illegal("The cards are dealt when every seat is ready.")
    if actor.role == "seat" and seat in position.out:
        raise Illegal("This seat is out of the game.")
    if seat not in ruleset.to_act(position.state):
        raise Illegal("It is not your turn.", ruleset.turn_rule)
    return replace(position, state=ruleset.step(position.state, seat, move))


def _played_common(position: Position, actor: Actor, move: CommonMove) -> Position:
    """Play a move that every game has."""
    kind = next(kind for kind, cls in COMMON.items() if type(move) is cls)
    if kind not in ALLOWED[actor.role]:
        raise Illegal(f"This is not a move for the {actor.role}.")
    match move:
        case Ready():
            return _readied(position, _the_seat(actor), move.entropy)
        case Resign():
            return _taken_out(position, _the_seat(actor))
        case Forfeit():
            return _taken_out(position, move.seat)
        case Penalty():
            return _penalised(position, move)
        case Abandon():
            return replace(position, abandoned=move.reason)
        case Timeout():
            return _timed_out(position, _the_seat(actor))


def _the_seat(actor: Actor) -> int:
    if actor.seat is None:
        raise Illegal("This move needs a seat.")
    return actor.seat


def _readied(position: Position, seat: int, entropy: str) -> Position:
    if not position.joining:
        raise Illegal("The cards have been dealt.")
    if position.texts[seat] is not None:
        raise Illegal("This seat is ready already.")
    texts = tuple(entropy if place == seat else text for place, text in enumerate(position.texts))
    ready = replace(position, texts=texts)
    given = [text for text in texts if text is not None]
    return _dealt(ready, given) if len(given) == position.seats else ready


def _taken_out(position: Position, seat: int) -> Position:
    if not 0 <= seat < position.seats:
        raise Illegal("There is no such seat at this table.")
    if seat in position.out:
        raise Illegal("This seat is out of the game already.")
    return replace(position, out=(*position.out, seat))


def _penalised(position: Position, move: Penalty) -> Position:
    if position.joining:
        raise Illegal("There is no round yet to score a penalty in.")
    if not 0 <= move.seat < position.seats:
        raise Illegal("There is no such seat at this table.")
    return replace(position, state=position.ruleset.penalise(position.state, move.seat, move.points))


def _timed_out(position: Position, seat: int) -> Position:
    """Play the seat's default moves until its turn is over."""
    if seat not in awaited(position):
        raise Illegal("The game does not wait for this seat.")
    if position.joining:
        return _readied(position, seat, "")
    ruleset, state = position.ruleset, position.state
    turn = ruleset.turn_number(state)
    for _ in range(MAX_DEFAULTS):
        state = ruleset.step(state, seat, ruleset.default_move(state, seat))
        if ruleset.turn_number(state) != turn or seat not in ruleset.awaited(state):
            return replace(position, state=state)
    raise AssertionError(f"{ruleset.name}: default moves never end the turn of seat {seat}")


def due(position: Position) -> tuple[Actor, Any] | None:
    """Return the system's entry that must come next, for a seat that is out, or None."""
    if position.status != "active":
        return None
    seat = next((seat for seat in awaited(position) if seat in position.out), None)
    if seat is None:
        return None
    move = Ready() if position.joining else position.ruleset.default_move(position.state, seat)
    return Actor("system", seat), move


def awaited(position: Position) -> tuple[int, ...]:
    """Return the seats for whom the game waits; empty when it is over."""
    if position.status != "active":
        return ()
    if position.joining:
        return tuple(seat for seat, text in enumerate(position.texts) if text is None)
    return position.ruleset.awaited(position.state)


def to_act(position: Position) -> tuple[int, ...]:
    """Return the seats that may make a move of the game now; empty when it is over."""
    if position.status != "active":
        return ()
    if position.joining:
        return awaited(position)
    return tuple(seat for seat in position.ruleset.to_act(position.state) if seat not in position.out)


def choices(position: Position, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now, empty out of turn. Resigning, always open, is not listed."""
    if seat not in to_act(position):
        return ()
    if position.joining:
        return (
            Choice(
                "ready", {"entropy": FieldChoice(complete=False, optional=True, about="any text of yours")}
            ),
        )
    return position.ruleset.choices(position.state, seat)


def ruling_choices(position: Position) -> tuple[Choice, ...]:
    """Return which of the ruleset's own moves an arbiter may make now."""
    if position.joining or position.status != "active":
        return ()
    return position.ruleset.ruling_choices(position.state)


def view(position: Position, viewer: int | None) -> JsonObject:
    """Return what a seat, or anybody (None), may know now."""
    if position.joining:
        return _joining_view(position)
    return position.ruleset.view(position.state, viewer)


def full_view(position: Position) -> JsonObject:
    """Return the view with all cards open; only for a game that is over."""
    return _joining_view(position) if position.joining else position.ruleset.everything(position.state)


def _joining_view(position: Position) -> JsonObject:
    ready = [seat for seat, text in enumerate(position.texts) if text is not None]
    scores = [0] * position.seats
    return {
        "round": 0,
        "rounds": None,
        "scores": scores,
        "sheet": [],
        "turn": None,
        "phase": "joining",
        "ready": ready,
    }


@dataclass(frozen=True)
class Placing:
    """Where a seat ended: rank 1 is best, equal seats share; the score is the game's own."""

    seat: int
    rank: int
    score: int


@dataclass(frozen=True)
class Result:
    """The end of a finished game: a placing for each seat, in seat order, and the score sheet."""

    seats: tuple[Placing, ...]
    sheet: tuple[JsonObject, ...]

    def as_json(self) -> JsonObject:
        """Return ``{"seats": [{"seat", "rank", "score"}], "sheet": […]}``."""
        seats = [
            {"seat": placing.seat, "rank": placing.rank, "score": placing.score} for placing in self.seats
        ]
        return {"seats": seats, "sheet": list(self.sheet)}


def result(position: Position) -> Result | None:
    """Return the result of a finished game, None for one that runs or was abandoned.

    A team all of whose seats are out ranks last, whatever its score; several such teams share.
    """
    if position.status != "finished":
        return None
    scores, ranks, sheet = _standing(position)
    ranks = _with_the_out_last(position, ranks)
    return Result(tuple(map(Placing, range(position.seats), ranks, scores)), sheet)


def _standing(position: Position) -> tuple[tuple[int, ...], tuple[int, ...], tuple[JsonObject, ...]]:
    """Return scores, ranks and sheet by the ruleset; all level where no card was dealt."""
    if position.joining:
        return (0,) * position.seats, (1,) * position.seats, ()
    ruleset, state = position.ruleset, position.state
    return ruleset.scores(state), ruleset.ranks(state), ruleset.sheet(state)


def _with_the_out_last(position: Position, ranks: Sequence[int]) -> tuple[int, ...]:
    left = position.teams_left
    if left == tuple(sorted({*position.teams})):
        return tuple(ranks)
    last = len(ranks) + 1
    return ranked([rank if team in left else last for rank, team in zip(ranks, position.teams, strict=True)])


def describe(ruleset: AnyRuleset, move: Any) -> str:
    """Return the move as the rest of a sentence after the actor's name; public words only."""
    match move:
        case Ready():
            return "is ready"
        case Resign():
            return "resigns"
        case Forfeit():
            return f"takes seat {move.seat} out" + (f": {move.reason}" if move.reason else "")
        case Penalty():
            return f"gives seat {move.seat} {move.points:+} points: {move.reason}"
        case Abandon():
            return f"abandons the game: {move.reason}"
        case Timeout():
            return "runs out of time; the default moves are played"
        case _:
            return ruleset.describe(move)


def folded(position: Position, entries: Iterable[tuple[Actor, JsonObject]]) -> Position:
    """Return the position after more entries of the log; raises what `read_move` and `played` raise."""
    for actor, move in entries:
        position = played(position, actor, read_move(position.ruleset, move))
    return position
