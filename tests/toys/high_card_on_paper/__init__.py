"""Score cards of high card: a game with real cards, whose rounds one enters and another confirms.

Source: made up for the tests, like the game itself. Its rules are P1 to P4 of the players' page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal, TypeAlias, assert_never

from games.engine import shapes
from games.engine.base import FieldChoice, Form, numbered
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, text
from games.engine.paper import PaperCard
from games.engine.refusals import Illegal
from games.engine.scorecards import Card, Conduct, check_lines
from games.engine.shapes import Between, Help, Length
from tests.toys import high_card

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
Result: TypeAlias = tuple[Line, ...]
State: TypeAlias = Card[Options, Result]


@dataclass(frozen=True)
class Enter:
    """Enter the next round."""

    round: Number
    lines: Lines


@dataclass(frozen=True)
class Correct:
    """Correct a round."""

    replaces: Number
    lines: Lines


@dataclass(frozen=True)
class Confirm:
    """Confirm what somebody else entered."""

    round: Number


Move: TypeAlias = Enter | Correct | Confirm


class HighCardOnPaper(PaperCard[Options, Result, Move]):
    """The rules of the score card; who writes is a seat, or None for an arbiter."""

    key = "high-card-on-paper"
    version = 1
    title = "High card on paper"
    summary = "High card with real cards: one enters a round, another confirms it."
    seats = high_card.HighCard.seats
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"short": {"rounds": 1}}
    moves: ClassVar[Mapping[str, type]] = {"round": Enter, "correct": Correct, "confirm": Confirm}
    turn_rule = "P3"
    low_wins = False
    rule_numbers = numbered("P", 4)
    conduct = Conduct(order="P1", confirming="P3", correcting="P4", corrections=3)

    def written(self, card: State, by: int | None, move: Move) -> State:
        match move:
            case Enter():
                return self.entered(card, by, move.round, move.lines)
            case Correct():
                return self.corrected(card, by, move.replaces, move.lines)
            case Confirm():
                return self.confirmed(card, by, move.round)
            case _:
                assert_never(move)

    def rounds(self, card: State) -> int:
        return card.options.rounds

    def check_result(self, card: State, number: int, result: Result) -> None:
        check_lines(card.seats, result, "P2", "lines")
        if not any(line.points for line in result):
            raise Illegal(text("Somebody has the point."), "P2", ["lines"])

    def points(self, card: State, number: int) -> list[int]:
        return [line.points + sum(WORTH[each] for each in line.remarks) for line in card.result(number)]

    def row(self, card: State, number: int) -> JsonObject:
        return {}

    def result_fields(self, card: State, number: int, result: Result | None) -> dict[str, FieldChoice]:
        lines = result or tuple(Line(int(seat == 0)) for seat in range(card.seats))
        drafts = tuple(
            {
                "points": FieldChoice(complete=False, about="0 or 1.", draft=line.points),
                "remarks": FieldChoice(("late",), optional=True, draft=[*line.remarks] or None, worth=WORTH),
            }
            for line in lines
        )
        about = "For each seat 1 if it had the highest card, and remarks."
        shown = [*map(shapes.write, lines)]
        return {"lines": FieldChoice((shown,), complete=False, about=about, by_seat=drafts)}

    def describe(self, move: Move) -> Message:
        match move:
            case Enter():
                return text("enters deal %(number)s", number=move.round)
            case Correct():
                return text("corrects deal %(number)s", number=move.replaces)
            case Confirm():
                return text("confirms deal %(number)s", number=move.round)
            case _:
                assert_never(move)

    def form(self, options: Options) -> Form:
        return high_card.HighCard().form(options)
