"""Score cards of high card: a game with real cards, whose rounds one enters and another confirms.

Source: made up for the tests, like the game itself. Its rules are P1 to P4 of the players' page.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from games.engine import shapes
from games.engine.base import Form, numbered
from games.engine.choosing import FieldChoice
from games.engine.jsontypes import JsonObject
from games.engine.messages import all_of, text
from games.engine.paper import Card, Conduct, PaperCard, check_lines
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from tests.toys import high_card

WORTH: Final = {"late": -1}


@dataclass(frozen=True)
class Options(high_card.Options):
    """What a club can choose: the same as with cards that are dealt here."""


@dataclass(frozen=True)
class Line:
    """What one seat took in a round."""

    points: Annotated[int, Between(0, 1), Help("1 for who had the highest card")]
    remarks: Annotated[tuple[Literal["late"], ...], Length(0, 3), Help("each costs a point")] = ()


@dataclass(frozen=True)
class Result:
    """The result of a round."""

    lines: Annotated[tuple[Line, ...], Length(2, 4), Help("one for each seat, in order")]


State: TypeAlias = Card[Options, Result]


class HighCardOnPaper(PaperCard[Options, Result]):
    """The rules of the score card; who writes is a seat, or None for an arbiter."""

    key = "high-card-on-paper"
    version = 1
    title = "High card on paper"
    summary = "High card with real cards: one enters a round, another confirms it."
    seats = high_card.HighCard.seats
    options = Options
    presets: ClassVar[Mapping[str, JsonObject]] = {"short": {"rounds": 1}}
    result = Result
    most_rounds = 9
    turn_rule = "P3"
    low_wins = False
    rule_numbers = numbered("P", 4)
    conduct = Conduct(order="P1", confirming="P3", correcting="P4", corrections=3)

    def rounds(self, card: State) -> int:
        return card.options.rounds

    def check_result(self, card: State, number: int, result: Result) -> None:
        check_lines(card.seats, result.lines, "P2", "lines")
        if not any(line.points for line in result.lines):
            raise Illegal(text("Somebody has the point."), "P2", ["lines"])

    def points(self, card: State, number: int) -> list[int]:
        return [line.points + sum(WORTH[each] for each in line.remarks) for line in card.result(number).lines]

    def row(self, card: State, number: int) -> JsonObject:
        return {}

    def result_fields(self, card: State, number: int, result: Result | None) -> dict[str, FieldChoice]:
        lines = result.lines if result else tuple(Line(int(seat == 0)) for seat in range(card.seats))
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

    def in_words(self, result: Result) -> str:
        return all_of([str(line.points) for line in result.lines])

    def form(self, options: Options) -> Form:
        return high_card.HighCard().form(options)
