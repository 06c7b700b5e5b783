"""What the views of all games have in common, declared as shapes.

A ruleset declares the rest of its view in a subclass of `View`, and rows of its score sheet in one of `Row`.
`games.engine.schemas` makes JSON Schemas of them. No field of a view is ever left out: what is unknown, or
does not apply, is null.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine.jsontypes import Json, JsonObject
from games.engine.shapes import Between, Help, Length, filled

MANY = 10_000
Seat: TypeAlias = Annotated[int, Between(0, 99)]
Count: TypeAlias = Annotated[int, Between(0, MANY)]
Points: TypeAlias = Annotated[int, Between(-1_000_000, 1_000_000)]
PerSeat: TypeAlias = Annotated[tuple[Points, ...], Length(0, 100)]
Code: TypeAlias = Annotated[str, Length(1, 2)]
"""A card of any game in its notation."""
Codes: TypeAlias = Annotated[tuple[Code, ...], Length(0, MANY)]


@dataclass(frozen=True)
class Row:
    """A finished round in the score sheet."""

    round: Count
    scores: Annotated[PerSeat, Help("the points of each seat in this deal")]


@dataclass(frozen=True)
class View:
    """The fields with which every view begins."""

    round: Annotated[Count, Help("the current deal, from 1; the last one once the game is over")]
    rounds: Annotated[Count, Help("the number of deals, or the most that there can be")]
    scores: Annotated[PerSeat, Help("the total of each seat, with penalties of the current deal")]
    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each finished deal")]
    turn: Annotated[Seat | None, Help("the seat whose turn it is")]
    phase: Annotated[str, Length(1, 20), Help("what the game waits for; over at the end")]


@dataclass(frozen=True)
class EnteredRow(Row):
    """A round that was entered on a score card."""

    totals: Annotated[PerSeat, Help("the total of each seat after this deal")]
    entered_by: Annotated[Seat | None, Help("the seat that entered it, null for a scorekeeper")]
    confirmed: bool
    confirmed_by: Annotated[
        Seat | None, Help("the seat that confirmed it, null for a scorekeeper, organiser or nobody")
    ]
    corrections: Annotated[Count, Help("how often it has been corrected")]


@dataclass(frozen=True)
class PaperView(View):
    """The fields with which every view of a score card begins."""

    sheet: Annotated[tuple[EnteredRow, ...], Length(0, MANY), Help("a row for each entered deal")]
    phase: Literal["enter", "confirm", "over"]
    unconfirmed: Annotated[tuple[Count, ...], Length(0, MANY), Help("the deals that must be confirmed")]


@dataclass(frozen=True)
class JoiningView:
    """A view before the first deal, while seats add their texts to the seed."""

    round: Literal[0]
    rounds: None
    scores: PerSeat
    sheet: Annotated[tuple[Row, ...], Length(0, 0)]
    turn: None
    phase: Literal["joining"]
    ready: Annotated[tuple[Seat, ...], Length(0, 100), Help("the seats that are ready")]


def joining_view(seats: int, ready: tuple[int, ...]) -> JsonObject:
    """Return the view before the first deal of a game with so many seats, of which these are ready."""
    return filled(JoiningView(0, None, (0,) * seats, (), None, "joining", ready))


@dataclass(frozen=True)
class PenaltyGiven:
    """A penalty of the arbiter, which worsened the score of the seat by ``points`` in that round."""

    round: Count
    seat: Seat
    points: Annotated[int, Between(1, 1000)]
    reason: Annotated[str, Length(1, 200)]


@dataclass(frozen=True)
class Ending:
    """The fields with which every view ends."""

    penalties_given: Annotated[
        tuple[PenaltyGiven, ...], Length(0, MANY), Help("the arbiter's penalties so far, the oldest first")
    ]


@dataclass(frozen=True)
class Opened:
    """What was hidden, for the replay of a finished game; card lists are empty before the first deal."""

    hands: Annotated[
        tuple[Codes, ...], Length(0, 100), Help("the cards of each seat, in the order of its own view")
    ]
    deck: Annotated[Codes, Help("the face-down cards to draw from, the next one last")]
    hidden: Annotated[Codes, Help("every card that no spectator could see")]


@dataclass(frozen=True)
class OpenEnding(Ending):
    """The fields with which every view ends once the game is over."""

    open: Opened


def without_wording(row: JsonObject) -> JsonObject:
    """Return a row of a sheet without sentences (``why``): a result is recorded for good, wording is not."""
    return {name: _facts(value) for name, value in row.items() if name != "why"}


def _facts(value: Json) -> Json:
    if isinstance(value, Mapping):
        return without_wording(value)
    return [_facts(each) for each in value] if isinstance(value, list) else value
