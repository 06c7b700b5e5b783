"""The fold of a game's log: an opening, then moves of seats, the arbiter, the clock and the system.

This module handles what is the same in every game: entropy before the first deal, resigning, rulings,
timeouts, and the system's moves for seats that are out. `games/engine/base.py` declares what differs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from games.engine import chance
from games.engine.base import OpenRound, Ruleset, read_typed, replaced, write_typed
from games.engine.chance import Chance
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.common_moves import (
    ALLOWED,
    CARD_ROLES,
    COMMON,
    INVITING,
    NOT_FOR,
    Abandon,
    AcceptInvitation,
    AnySeat,
    CommonMove,
    DeclineInvitation,
    Forfeit,
    HandOver,
    Inviting,
    Lapse,
    Penalty,
    Ready,
    Resign,
    Role,
    StartClocks,
    StopClocks,
    Timeout,
    stopping,
    with_more,
)
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.outcomes import Last, Placing, Result, by_default, rank_leavers_last
from games.engine.refusals import Illegal, Malformed
from games.engine.shapes import Length, OfRuleset, filled
from games.engine.values import replace
from games.engine.views import Opened, PenaltyGiven, joining_view, without_wording

Status: TypeAlias = Literal["invited", "active", "finished", "abandoned"]
AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]
SEATED: Final = ("seat", "system", *CARD_ROLES)
KINDS: Final[Mapping[type, str]] = {cls: kind for kind, cls in COMMON.items()}


@dataclass(frozen=True)
class Actor:
    """Who makes an entry: a role, and the seat it plays for (none for the arbiter)."""

    role: Role
    seat: int | None = None


@dataclass(frozen=True)
class Opening:
    """The first entry of a game's log; ``seats`` holds the id of each player, None where it is unknown.

    The ``invited`` seats must accept before the game begins. ``accounts`` holds the id of the account that
    plays each seat, None for a seat that no account plays; it is empty where none is played by an account.
    """

    ruleset: Annotated[str, Length(1, 60)]
    options: Annotated[Mapping[str, Any], OfRuleset("options")]
    seats: Annotated[tuple[Annotated[str, Length(0, 64)] | None, ...], Length(0, 100)]
    entropy: bool
    commitment: Annotated[str, Length(0, 64)]
    clock: Mapping[str, Any]
    invited: Annotated[tuple[AnySeat, ...], Length(0, 100)] = ()
    accounts: Annotated[tuple[Annotated[str, Length(0, 64)] | None, ...], Length(0, 100)] = ()

    def as_json(self) -> JsonObject:
        """Return the opening as the log holds it."""
        return write_typed(OPENING, self)


OPENING: Final = {"open": Opening}


def read_opening(data: object) -> Opening:
    """Return the opening in a log's first entry; raise `Malformed`."""
    opening: Opening = read_typed(OPENING, data)
    return opening


@dataclass(frozen=True)
class Position:
    """A game after some entry of its log.

    ``state`` is the ruleset's state, None before the first deal; ``out`` lists the seats that have left, in
    order, and ``alone`` says that only partners are left; ``texts`` holds the entropy of each seat, None
    until it is ready; ``draws`` makes the draws from the seed; ``penalties`` are those given, the oldest
    first; no time passes while ``clocks_stopped``; all clocks got ``more_minutes``; ``unanswered`` are
    invited seats that have not accepted. ``entries`` counts the log, and ``consequences`` are
    `Ruleset.consequences` with their entries' numbers. ``ends`` has each entry that ended a deal, and its
    number, ``ended`` the state then; ``last`` is the last.
    """

    ruleset: AnyRuleset
    options: Any
    seats: int
    secret: bytes
    texts: tuple[str | None, ...]
    draws: Callable[[bytes], Chance] = Chance
    out: tuple[int, ...] = ()
    state: Any = None
    abandoned: str | None = None
    penalties: tuple[PenaltyGiven, ...] = ()
    clocks_stopped: bool = False
    more_minutes: int = 0
    alone: bool = False
    entries: int = 0
    consequences: tuple[tuple[int, Message], ...] = ()
    entropy: bool = False
    unanswered: tuple[int, ...] = ()
    ends: tuple[tuple[int, int], ...] = ()
    ended: Any = None
    last: Last | None = None

    @property
    def joining(self) -> bool:
        """Return whether the first deal waits for seats to be ready."""
        return self.state is None

    @property
    def teams(self) -> tuple[int, ...]:
        return self.ruleset.teams(self.seats)

    @property
    def teams_left(self) -> tuple[int, ...]:
        """Return the teams with at least one seat still in the game."""
        return tuple(sorted({team for seat, team in enumerate(self.teams) if seat not in self.out}))

    @property
    def status(self) -> Status:
        """Return ``invited``, ``active``, ``finished`` or ``abandoned``."""
        if self.abandoned is not None:
            return "abandoned"
        if self.unanswered:
            return "invited"
        return "finished" if self.is_over else "active"

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended: by its rules, with one team or one entry left, or abandoned."""
        if self.abandoned is not None or self.unanswered:
            return self.abandoned is not None
        left_alone = self.alone or (self.out and len(self.teams_left) == 1)
        return bool(left_alone or (self.state is not None and self.ruleset.is_over(self.state)))


def opened(
    ruleset: AnyRuleset, opening: Opening, secret: bytes, draws: Callable[[bytes], Chance] = Chance
) -> Position:
    """Return the position after the opening; raise `Malformed` if options, seats or seed are wrong.

    ``draws`` makes the game's draws from its seed.
    """
    if opening.ruleset != ruleset.name:
        raise Malformed({"ruleset": [text("This must be %(what)s.", what=ruleset.name)]})
    if chance.commitment(secret) != opening.commitment:
        raise Malformed({"commitment": [text("The seed is not the one that was committed to.")]})
    seats = len(opening.seats)
    if len(opening.accounts) not in (0, seats):
        raise Malformed({"accounts": [text("This must have an item for each seat, or none.")]})
    options = ruleset.read_options(opening.options, seats)
    if any(seat >= seats for seat in opening.invited):
        raise Malformed({"invited": [text("There is no such seat at this table.")]})
    position = Position(ruleset, options, seats, secret, (None,) * seats, draws)
    position = replace(position, entropy=opening.entropy, unanswered=opening.invited)
    if opening.entropy or opening.invited:
        return _counted(position, position, (None, None, None, None))
    dealt = _dealt(position, ())
    return _counted(position, dealt, (None, None, None, dealt.state))


def _dealt(position: Position, entropy: Sequence[str]) -> Position:
    seed, ruleset = chance.game_seed(position.secret, entropy), position.ruleset
    state = ruleset.start(position.options, position.seats, position.draws(seed))
    for gone in position.out:
        state = ruleset.left(state, gone)
    return replace(position, state=state)


@cache
def _all_moves(ruleset: AnyRuleset) -> Mapping[str, type]:
    return {**ruleset.moves, **COMMON}


def read_move(ruleset: AnyRuleset, data: object) -> Any:
    """Return the move, common or of the ruleset, that the JSON describes; raise `Malformed`."""
    return read_typed(_all_moves(ruleset), data)


def write_move(ruleset: AnyRuleset, move: Any) -> JsonObject:
    """Return the JSON of a move as the log holds it; equal moves have equal JSON."""
    return write_typed(_all_moves(ruleset), move)


def played(position: Position, actor: Actor, move: Any) -> Position:
    """Return the position after an entry; raise `Illegal`.

    ``move`` comes from `read_move`. While a system entry is `due`, any other entry is illegal. After the end
    an arbiter may still make the ruleset's amendments; a game that they leave without an end goes on.
    """
    if position.is_over and not _amends(position, actor, move):
        raise Illegal("The game is over.")
    if position.unanswered and type(move) not in INVITING:
        raise Illegal("The game begins when everybody who is invited has accepted.")
    expected = due(position) if position.out else None
    if (actor.role == "system" or expected) and expected != (actor, move):
        raise Illegal("The next entry must be the system's move for a seat that is out.")
    if actor.seat is not None:
        _check_seat(position, actor.seat)
    if type(move) in KINDS:
        after = _played_common(position, actor, move)
        return _counted(position, after, (position.state, actor.seat, move, after.state))
    play = _ruled if actor.role == "arbiter" else _played_by_seat
    state = play(position, actor, move)
    return _counted(position, position, (position.state, actor.seat, move, state))


def _amends(position: Position, actor: Actor, move: Any) -> bool:
    """Return whether an arbiter amends a game that has ended by its own rules."""
    ruleset = position.ruleset
    if actor.role != "arbiter" or position.abandoned is not None or position.joining:
        return False
    return ruleset.is_over(position.state) and type(move) in [ruleset.moves[k] for k in ruleset.amendments]


def _counted(before: Position, after: Position, last: Last) -> Position:
    """Return the position with its new state and its entry counted, and what followed from it."""
    number, found, state = before.entries + 1, before.consequences, last[3]
    if state is not before.state:
        if sentences := before.ruleset.consequences(before.state, state):
            found = (*found, *((number, sentence) for sentence in sentences))
        if (ended := before.ruleset.ended_deal(state)) is not before.ended:
            ends = (*before.ends, (number, before.ruleset.deal_number(ended)))
            after = replace(after, ended=ended, ends=ends)
    return replace(after, state=state, entries=number, consequences=found, last=last)


def _check_seat(position: Position, seat: int) -> None:
    if not 0 <= seat < position.seats:
        raise Illegal("There is no such seat at this table.")


def _ruled(position: Position, actor: Actor, move: Any) -> Any:
    """Return the state after a move of the ruleset that an arbiter makes."""
    ruleset = position.ruleset
    if type(move) not in [ruleset.moves[kind] for kind in ruleset.arbiter_moves]:
        raise Illegal("Only a seat may make this move.")
    if position.joining:
        raise Illegal("The game starts when every seat is ready.")
    return ruleset.ruling(position.state, move)


def _played_by_seat(position: Position, actor: Actor, move: Any) -> Any:
    """Return the state after a move of the ruleset that a seat makes."""
    ruleset, seat = position.ruleset, actor.seat
    if seat is None or actor.role not in SEATED:
        raise Illegal("Only a seat may make this move.")
    if actor.role in CARD_ROLES and ruleset.dealt:
        raise Illegal(NOT_FOR[actor.role])
    if position.joining:
        raise Illegal("The cards are dealt when every seat is ready.")
    if actor.role != "system" and seat in position.out:
        raise Illegal("This seat is out of the game.")
    if seat not in ruleset.to_act(position.state):
        raise Illegal("It is not your turn.", ruleset.turn_rule)
    return ruleset.step(position.state, seat, move)


def _played_common(position: Position, actor: Actor, move: CommonMove) -> Position:
    if KINDS[type(move)] not in ALLOWED[actor.role]:
        raise Illegal(NOT_FOR[actor.role])
    if isinstance(move, Inviting):
        return _answered(position, actor, move)
    match move:
        case Ready():
            return _readied(position, _the_seat(actor), move.entropy)
        case Resign() | Forfeit():
            return _taken_out(position, move, actor)
        case Penalty():
            return _penalised(position, move)
        case Abandon():
            return replace(position, abandoned=move.reason)
        case HandOver():
            _check_seat(position, move.seat)
            return position
        case Timeout():
            return _timed_out(position, _the_seat(actor))
        case StopClocks() | StartClocks():
            return replace(position, clocks_stopped=stopping(position.clocks_stopped, move))
        case _:
            return replace(position, more_minutes=with_more(position.more_minutes, move.minutes))


def _answered(position: Position, actor: Actor, move: Inviting) -> Position:
    """Return the position after an answer to an invitation: with the last one the game begins."""
    if not position.unanswered:
        raise Illegal("The game has begun.")
    if isinstance(move, DeclineInvitation | Lapse):
        return replace(position, abandoned="unanswered" if isinstance(move, Lapse) else "declined")
    seats = {_the_seat(actor)} if isinstance(move, AcceptInvitation) else {*position.unanswered}
    if not seats <= {*position.unanswered}:
        raise Illegal("No answer to an invitation is missing here.")
    left = tuple(seat for seat in position.unanswered if seat not in seats)
    agreed = replace(position, unanswered=left)
    return agreed if left or position.entropy else _dealt(agreed, ())


def _the_seat(actor: Actor) -> int:
    if actor.seat is None:
        raise Illegal("This move needs a seat.")
    return actor.seat


def _readied(position: Position, seat: int, entropy: str) -> Position:
    if not position.joining:
        raise Illegal("The cards have been dealt.")
    if position.texts[seat] is not None:
        raise Illegal("This seat is ready already.")
    ready = replace(position, texts=replaced(position.texts, seat, entropy))
    given = [text for text in ready.texts if text is not None]
    return _dealt(ready, given) if len(given) == position.seats else ready


def _taken_out(position: Position, move: Resign | Forfeit, actor: Actor) -> Position:
    seat = move.seat if isinstance(move, Forfeit) else _the_seat(actor)
    _check_seat(position, seat)
    if seat in position.out:
        raise Illegal("This seat is out of the game already.")
    after = replace(position, out=(*position.out, seat), alone=move.alone)
    return after if position.joining else replace(after, state=position.ruleset.left(position.state, seat))


def _penalised(position: Position, move: Penalty) -> Position:
    if position.joining:
        raise Illegal("There is no deal yet to score a penalty in.")
    _check_seat(position, move.seat)
    ruleset, state = position.ruleset, position.state
    given = PenaltyGiven(deal_number(position), move.seat, move.points, move.reason)
    points = move.points if ruleset.low_wins else -move.points
    penalised = ruleset.penalise(state, move.seat, points)
    return replace(position, state=penalised, penalties=(*position.penalties, given))


def deal_number(position: Position) -> int:
    """Return the number of the deal that is played, or was played last."""
    return position.ruleset.deal_number(position.state)


def _timed_out(position: Position, seat: int) -> Position:
    """Play the seat's default moves until its turn is over."""
    if seat not in awaited(position):
        raise Illegal("The game does not wait for this seat.")
    if position.joining:
        return _readied(position, seat, "")
    return replace(position, state=by_default(position.ruleset, position.state, seat)[0])


def due(position: Position) -> tuple[Actor, Any] | None:
    """Return the system's entry that must come next, for a seat that is out, or None."""
    if not position.out:
        return None
    seat = next((seat for seat in awaited(position) if seat in position.out), None)
    if seat is None:
        return None
    move = Ready() if position.joining else position.ruleset.default_move(position.state, seat)
    return Actor("system", seat), move


def awaited(position: Position) -> tuple[int, ...]:
    """Return the seats for which the game waits; empty when it is over."""
    if position.is_over or position.unanswered:
        return ()
    if position.joining:
        return tuple(seat for seat, text in enumerate(position.texts) if text is None)
    return position.ruleset.awaited(position.state)


def timed(position: Position) -> tuple[int, ...]:
    """Return the seats whose clocks run: those for which the game waits, unless the clocks are stopped."""
    return () if position.clocks_stopped else awaited(position)


def to_act(position: Position) -> tuple[int, ...]:
    """Return the seats that may make a move of the game now; empty when it is over."""
    if position.status != "active":
        return ()
    if position.joining:
        return awaited(position)
    return tuple(seat for seat in position.ruleset.to_act(position.state) if seat not in position.out)


def choices(position: Position, seat: int, *, aided: bool = True) -> tuple[Choice, ...]:
    """Return what the seat may do now; empty out of turn. Resigning is always possible and not listed.

    Without aid the player has to find out what the hand makes (`Ruleset.unaided`).
    """
    if seat not in to_act(position):
        return ()
    if position.joining:
        entropy = FieldChoice(complete=False, optional=True, about=text("any text of yours"))
        return (choice("ready", entropy=entropy),)
    listed = position.ruleset.choices if aided else position.ruleset.unaided
    return listed(position.state, seat)


def ruling_choices(position: Position) -> tuple[Choice, ...]:
    """Return which moves of the ruleset an arbiter may make now."""
    if position.joining or position.status != "active":
        return ()
    return position.ruleset.ruling_choices(position.state)


def open_rounds(position: Position) -> tuple[OpenRound, ...]:
    """Return the rounds of a running score card that must still be confirmed."""
    if position.joining or position.status != "active":
        return ()
    return position.ruleset.open_rounds(position.state)


def view(position: Position, viewer: int | None) -> JsonObject:
    """Return what a seat, or a spectator (None), may know now; `games.engine.views` declares its fields."""
    seen = _joining(position) if position.joining else position.ruleset.view(position.state, viewer)
    return {**seen, **_ending(position)}


def _joining(position: Position) -> JsonObject:
    ready = tuple(seat for seat, text in enumerate(position.texts) if text is not None)
    return joining_view(position.seats, ready)


def _ending(position: Position) -> JsonObject:
    return {"penalties_given": [filled(given) for given in position.penalties]}


def past_view(past: Position, now: Position, viewer: int | None) -> JsonObject:
    """Return what a viewer may see of an earlier position: all cards once the game is over."""
    if now.is_over:
        return full_view(past)
    seen = _joining(past) if past.joining else past.ruleset.past_view(past.state, now.state, viewer)
    return {**seen, **_ending(past)}


def full_view(position: Position) -> JsonObject:
    """Return the view with all cards open, which are in ``open``. For games that are over only."""
    ruleset, state = position.ruleset, position.state
    if position.joining:
        seen, opened = _joining(position), Opened(((),) * position.seats, (), ())
    else:
        opened = Opened(ruleset.open_hands(state), ruleset.open_deck(state), ruleset.hidden(state, None))
        seen = ruleset.everything(state)
    return {**seen, **_ending(position), "open": filled(opened)}


def result(position: Position) -> Result | None:
    """Return the result of a finished game, None if it is active or abandoned.

    A team that has left with all its seats ranks last, whatever its score; several such teams share the rank.
    """
    if position.status != "finished":
        return None
    scores, ranks, sheet = _standing(position)
    ranks = rank_leavers_last(ranks, position.teams, position.teams_left)
    return Result(tuple(map(Placing, range(position.seats), ranks, scores)), sheet)


def _standing(position: Position) -> tuple[tuple[int, ...], tuple[int, ...], tuple[JsonObject, ...]]:
    """Return scores, ranks and sheet; all seats are equal if no card was dealt."""
    if position.joining:
        return (0,) * position.seats, (1,) * position.seats, ()
    ruleset, state = position.ruleset, position.state
    return ruleset.scores(state), ruleset.ranks(state), tuple(map(without_wording, ruleset.sheet(state)))


def folded(position: Position, entries: Iterable[tuple[Actor, JsonObject]]) -> Position:
    """Return the position after more entries; raise what `read_move` and `played` raise."""
    for actor, move in entries:
        position = played(position, actor, read_move(position.ruleset, move))
    return position
