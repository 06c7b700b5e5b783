"""The fields of a view of Scoops, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine import views
from games.engine.cards import AnyCard
from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, Count, PerSeat, Points, Seat
from games.rules.scoops.contract import Kind
from games.rules.scoops.moves import MOST_SEATS, Assign
from games.rules.scoops.state import Ending, Phase

Cards: TypeAlias = Annotated[tuple[AnyCard, ...], Length(0, MANY)]
Special: TypeAlias = Annotated[
    Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "A", None],
    Help("the special rank, null for none"),
]
RuleName: TypeAlias = Literal["Vanilla", "Cherry", "Banana", "Raspberry", "Strawberry", "Chocolate"]
GoalName: TypeAlias = Literal["Bowl", "Shake", "Cone", "Sandwich", "Float", "Coffee"]


@dataclass(frozen=True)
class Meld:
    """A group on the table."""

    id: Count
    seat: Annotated[Seat, Help("the seat that laid it")]
    kind: Kind
    cards: Annotated[Cards, Help("with what others have floated onto it; a run from low to high")]


Melds: TypeAlias = Annotated[tuple[Meld, ...], Length(0, MANY)]


@dataclass(frozen=True)
class Row(views.Row):
    """A finished round."""

    penalties: Annotated[PerSeat, Help("the arbiter's part of each seat's score, 0 or below")]
    special: Special
    rule: RuleName
    goal: GoalName
    ending: Annotated[Ending, Help("what ended the deal")]
    winner: Seat | None
    bonus: Annotated[Points, Help("the winner's scoop bonus")]
    knocker: Seat | None
    counts: Annotated[
        Annotated[tuple[Count | None, ...], Length(2, MOST_SEATS)] | None,
        Help("in Coffee the count of each seat, null for one that has left"),
    ]
    melds: Annotated[Melds, Help("what lay on the table at the end")]


@dataclass(frozen=True)
class View(views.View):
    """The fields of a view."""

    target: Annotated[Count, Help("the points that win the game")]
    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each finished deal")]
    phase: Phase
    dice: Annotated[tuple[Annotated[int, Between(1, 6)], ...], Length(4, 4), Help("in the order rolled")]
    assigned: Annotated[
        Assign | None,
        Help("the indexes of the dice for special, rule and goal; null until a seat has assigned them"),
    ]
    special: Special
    rule: RuleName | None
    goal: GoalName | None
    start: Annotated[Seat, Help("the seat that begins the deal")]
    hands: Annotated[tuple[Count, ...], Length(2, MOST_SEATS), Help("the number of cards of each seat")]
    discards: Annotated[
        tuple[Cards, ...], Length(2, MOST_SEATS), Help("the discard pile of each seat, its top card last")
    ]
    deck: Annotated[Count, Help("the number of cards in the deck")]
    melds: Melds
    knocker: Annotated[Seat | None, Help("the seat that has knocked")]
    may_knock: Annotated[bool, Help("whether any player may knock until the next card is drawn")]
    last_turns: Annotated[bool, Help("whether a seat has knocked")]
    hand: Annotated[Cards | None, Help("the viewer's cards, the newest last; null for a spectator")]
    taken: Annotated[
        AnyCard | None, Help("the card that the viewer took from a pile and may not discard in this turn")
    ]
    turns_left: Annotated[Count, Help("the turns that are left in the deal")]
