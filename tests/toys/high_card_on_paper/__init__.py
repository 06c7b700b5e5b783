"""Score cards of high card: a game with real cards, whose rounds one enters and another confirms.

Source: made up for the tests, like the game itself. Its rules are P1 to P4 of the players' page.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Final, Literal, TypeAlias, assert_never

from games.engine import shapes
from games.engine.base import Choice, FieldChoice, Form, OpenRound, ScoreCard, choice, numbered, replaced
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from tests.toys import high_card

MOST_REPEATS: Final = 3
WORTH: Final = {"late": -1}
Number: TypeAlias = Annotated[int, Between(1, 9)]


@dataclass(frozen=True)
class Options(high_card.Options):
    """What a club can choose: the same as with cards that are dealt here."""


@dataclass(frozen=True)
class Line:
    """What one seat took in a round."""

    points: Annotated[int, Between(0, 1), Help("1 for who had the highest card")]
    remarks: Annotated[tuple[Literal["late"], ...], Length(0, 3), Help("each costs a point")] = ()


Lines: TypeAlias = Annotated[tuple[Line, ...], Length(2, 4), Help("one for each seat, in order")]


@dataclass(frozen=True)
class Enter:
    """Enter the next round."""

    round: Number
    lines: Lines


@dataclass(frozen=True)
class Again:
    """Enter a round anew."""

    instead: Number
    lines: Lines


@dataclass(frozen=True)
class Agree:
    """Agree with what somebody else entered."""

    round: Number


Move: TypeAlias = Enter | Again | Agree


@dataclass(frozen=True)
class Entry:
    """A round as it was entered, by a seat or a scorekeeper (None)."""

    lines: tuple[Line, ...]
    by: int | None
    agreed: bool = False
    repeats: int = 0

    def awaits(self, seat: int | None) -> bool:
        """Return whether the seat, or an arbiter, may agree (P3)."""
        return not self.agreed and (seat is None or seat != self.by)

    def scores(self) -> list[int]:
        """Return each seat's points."""
        return [line.points + sum(WORTH[remark] for remark in line.remarks) for line in self.lines]


@dataclass(frozen=True)
class State:
    """A card as it fills."""

    rounds: int
    seats: int
    extra: tuple[int, ...]
    entries: tuple[Entry, ...] = ()

    @property
    def full(self) -> bool:
        """Return whether every round is entered."""
        return len(self.entries) == self.rounds

    def with_entry(self, number: int, entry: Entry) -> "State":
        """Return the card with a round's entry replaced, or added after the last."""
        return replace(self, entries=(*self.entries[: number - 1], entry, *self.entries[number:]))


class HighCardOnPaper(ScoreCard[Options, State, Move]):
    """The rules of the score card; who writes is a seat, or None for an arbiter."""

    key = "high-card-on-paper"
    version = 1
    title = "High card on paper"
    summary = "High card with real cards: one enters a round, another agrees."
    seats = high_card.HighCard.seats
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"short": {"rounds": 1}}
    moves: ClassVar[Mapping[str, type]] = {"enter": Enter, "again": Again, "agree": Agree}
    turn_rule = "P3"
    low_wins = False
    rule_numbers = numbered("P", 4)
    arbiter_moves = ("enter", "again", "agree")
    scorekeeper_moves = ("enter", "again")

    def start(self, options: Options, seats: int, chance: Chance) -> State:
        return State(options.rounds, seats, (0,) * seats)

    def step(self, state: State, seat: int, move: Move) -> State:
        return self._written(state, seat, move)

    def ruling(self, state: State, move: Move) -> State:
        return self._written(state, None, move)

    def _written(self, state: State, by: int | None, move: Move) -> State:
        match move:
            case Enter():
                if move.round != len(state.entries) + 1 or state.full:
                    raise Illegal(text("The rounds come in order."), "P1", ["round"])
                return state.with_entry(move.round, Entry(_checked(state, move.lines), by))
            case Again():
                repeats = _entry(state, move.instead).repeats + 1
                if repeats > MOST_REPEATS:
                    raise Illegal(text("This round was entered too often."), "P4", ["instead"])
                entry = Entry(_checked(state, move.lines), by, repeats=repeats)
                return state.with_entry(move.instead, entry)
            case Agree():
                if not _entry(state, move.round).awaits(by):
                    raise Illegal(text("Somebody else must agree, and once."), "P3", ["round"])
                return state.with_entry(move.round, replace(_entry(state, move.round), agreed=True))
            case _:
                assert_never(move)

    def to_act(self, state: State) -> tuple[int, ...]:
        return tuple(seat for seat in range(state.seats) if self.choices(state, seat))

    def choices(self, state: State, seat: int) -> tuple[Choice, ...]:
        return _choices(state, seat)

    def ruling_choices(self, state: State) -> tuple[Choice, ...]:
        return _choices(state, None)

    def open_rounds(self, state: State) -> tuple[OpenRound, ...]:
        return tuple(
            OpenRound(number, disputed=entry.repeats > 0)
            for number, entry in enumerate(state.entries, 1)
            if not entry.agreed
        )

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return {
            "round": min(len(state.entries) + 1, state.rounds),
            "rounds": state.rounds,
            "scores": list(self.scores(state)),
            "sheet": list(self.sheet(state)),
            "turn": None,
            "phase": "over" if self.is_over(state) else "write",
        }

    def turn_number(self, state: State) -> int:
        return len(state.entries)

    def penalise(self, state: State, seat: int, points: int) -> State:
        return replace(state, extra=replaced(state.extra, seat, state.extra[seat] + points))

    def is_over(self, state: State) -> bool:
        return state.full and all(entry.agreed for entry in state.entries)

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(map(sum, zip(state.extra, *(entry.scores() for entry in state.entries), strict=True)))

    def sheet(self, state: State) -> tuple[JsonObject, ...]:
        return tuple(
            {"round": number, "scores": entry.scores()} for number, entry in enumerate(state.entries, 1)
        )

    def describe(self, move: Move) -> Message:
        match move:
            case Enter():
                return text("enters round %(number)s", number=move.round)
            case Again():
                return text("enters round %(number)s anew", number=move.instead)
            case Agree():
                return text("agrees with round %(number)s", number=move.round)
            case _:
                assert_never(move)

    def form(self, options: Options) -> Form:
        return high_card.HighCard().form(options)


def _entry(state: State, number: int) -> Entry:
    if not 1 <= number <= len(state.entries):
        raise Illegal(text("Round %(number)s is not entered yet.", number=number), "P1")
    return state.entries[number - 1]


def _checked(state: State, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    if len(lines) != state.seats or not any(line.points for line in lines):
        raise Illegal(text("Each seat has a line, and somebody the point."), "P2", ["lines"])
    return lines


def _choices(state: State, seat: int | None) -> tuple[Choice, ...]:
    """Return what a seat, or an arbiter (None), may write: empty once all is agreed."""
    entries = [*enumerate(state.entries, 1)]
    to_agree = [number for number, entry in entries if entry.awaits(seat)]
    anew = [
        _round("again", "instead", number, entry.lines)
        for number, entry in entries
        if entry.repeats < MOST_REPEATS
    ]
    if state.full and all(entry.agreed for entry in state.entries):
        return ()
    first = tuple(Line(int(at == 0)) for at in range(state.seats))
    return (
        *([] if state.full else [_round("enter", "round", len(entries) + 1, first)]),
        *([choice("agree", round=to_agree)] if to_agree else []),
        *anew,
    )


def _round(kind: str, name: str, number: int, lines: tuple[Line, ...]) -> Choice:
    """Return the choice to write a round, which these lines would be one way to do."""
    drafts = tuple(
        {
            "points": FieldChoice(complete=False, about="0 or 1.", draft=line.points),
            "remarks": FieldChoice(("late",), optional=True, draft=[*line.remarks] or None, worth=WORTH),
        }
        for line in lines
    )
    shown = [shapes.write(line) for line in lines]
    about = "For each seat 1 if it had the highest card, and remarks."
    written = FieldChoice((shown,), complete=False, about=about, by_seat=drafts)
    return Choice(kind, {name: FieldChoice((number,)), "lines": written})
