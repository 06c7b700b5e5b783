"""The fields of a view of Scram!, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine import views
from games.engine.shapes import Help, Length
from games.engine.views import MANY, Count, PerSeat, Points
from games.rules.scram.moves import MOST_CARDS, At, Seat, Target, Top, Whose
from games.rules.scram.state import Ended, Phase

Face: TypeAlias = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "="]
Faces: TypeAlias = Annotated[tuple[Face, ...], Length(0, MOST_CARDS)]
Seats: TypeAlias = Annotated[tuple[Seat, ...], Length(0, 6)]


@dataclass(frozen=True)
class Adjustment:
    """What Scram changed in the score of the team that declared it."""

    seat: Annotated[Seat, Help("the seat that declared Scram")]
    name: Literal["scram_won", "scram_lost"]
    points: Points
    rule: Literal["B16"]
    why: Annotated[str, Length(1, 200)]


@dataclass(frozen=True)
class Row(views.Row):
    """A finished round; each list has an item per seat."""

    start: Annotated[Seat, Help("the seat that began the deal")]
    scram: Annotated[Seat | None, Help("the seat that called Scram")]
    ended: Annotated[Ended, Help("what ended the deal")]
    sums: Annotated[PerSeat, Help("the sum of the cards of each seat")]
    penalties: Annotated[PerSeat, Help("the arbiter's part of the score of each seat's team")]
    campsites: Annotated[tuple[Faces, ...], Length(0, 6), Help("the cards of each seat at the end")]
    adjustments: Annotated[tuple[Adjustment, ...], Length(0, 1), Help("what Scram changed (B16)")]


@dataclass(frozen=True)
class Lying:
    """A card in a campsite; ``card`` is null while it lies face down."""

    up: bool
    card: Face | None


@dataclass(frozen=True)
class InHand:
    """The card that a seat has drawn and not yet played."""

    drawn: Seat


Hidden: TypeAlias = At | Top | InHand
"""Where a hidden card is."""


@dataclass(frozen=True)
class Action:
    """An action under way."""

    card: Face
    targets: Annotated[tuple[Target, ...], Length(0, 10), Help("the targets chosen so far")]


@dataclass(frozen=True)
class Looked:
    """A hidden card that a seat has looked at."""

    by: Seat
    target: Hidden


@dataclass(frozen=True)
class Seen:
    """A hidden card that the viewer has looked at and still sees."""

    target: Hidden
    card: Face


@dataclass(frozen=True)
class SeenBy(Seen):
    """A hidden card that a seat had looked at and still saw."""

    by: Seat


@dataclass(frozen=True)
class Corrected:
    """What the rulebook does not print: numbers of cards, and the campsites that a 13 may be put in."""

    seven: Count
    eight: Count
    ten: Count
    thirteen: Whose


@dataclass(frozen=True)
class View(views.View):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each finished deal")]
    phase: Phase
    penalties: Annotated[PerSeat, Help("penalties of each seat in this deal")]
    teams: Annotated[PerSeat, Help("the team of each seat")]
    start: Annotated[Seat, Help("the seat that begins the deal")]
    action: Annotated[Action | None, Help("the action that is being played")]
    scram: Annotated[Seat | None, Help("the seat that has called Scram")]
    last_turns: Annotated[Seats, Help("the seats that still have their last turn, in order")]
    turns: Annotated[tuple[Count, ...], Length(0, 6), Help("the turns of each seat in this deal")]
    turn_limit: Annotated[Count, Help("the turns that each seat may have in a deal")]
    corrected: Corrected
    campsites: Annotated[
        tuple[Annotated[tuple[Lying, ...], Length(0, MOST_CARDS)], ...],
        Length(0, 6),
        Help("the cards of each seat, from left to right"),
    ]
    deck: Annotated[Count, Help("the number of cards in the deck")]
    discard: Annotated[Faces, Help("the discard pile, its top card last")]
    taken: Annotated[Face | None, Help("the card that the seat in play took from the discard pile")]
    looked: Annotated[
        tuple[Looked, ...], Length(0, MANY), Help("which hidden cards each seat has looked at and still sees")
    ]
    drawn: Annotated[Face | None, Help("the card that the viewer has drawn")]
    seen: Annotated[tuple[Seen, ...], Length(0, MANY), Help("the hidden cards that the viewer still sees")]


@dataclass(frozen=True)
class FullView(View):
    """The fields of a view with all cards open: none is null, and ``drawn`` is that of the seat in play."""

    seen: Annotated[tuple[SeenBy, ...], Length(0, MANY), Help("the hidden cards that each seat still saw")]
