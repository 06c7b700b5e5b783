"""The options and moves of Scram!"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import text
from games.engine.shapes import Between, Help, Label, Length, Named

MOST_CARDS: Final = 70
MOST_ADDED: Final = 3
"""The most cards that a failed match adds from the deck (B12)."""

Index: TypeAlias = Annotated[int, Between(0, MOST_CARDS - 1)]
Seat: TypeAlias = Annotated[int, Between(0, 5)]
Source: TypeAlias = Literal["deck", "discard"]
End: TypeAlias = Literal["left", "right"]
Rounds: TypeAlias = Annotated[
    Annotated[int, Between(1, 10)] | None,
    Help("Deals in a game; empty for the rulebook's number: 4 with 4 campers, 3 with 3 or 6."),
    Label("Deals in a game"),
]
Whose: TypeAlias = Literal["any", "not_empty", "own_team", "other_team"]
ActionCount: TypeAlias = Annotated[
    int, Between(1, 6), Help("The rulebook does not print it: whoever has the cards may correct it.")
]


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    rounds: Rounds = None
    memory_aid: Annotated[
        bool,
        Help("Keeps showing players what they have looked at, as long as the card can be followed."),
    ] = False
    turn_limit: Annotated[
        int,
        Between(1, 200),
        Help("Turns for each camper in one deal; then the deal ends as if the deck were empty."),
    ] = 60
    seven: Annotated[ActionCount, Label("Cards that a 7 looks at")] = 3
    eight: Annotated[ActionCount, Label("Cards that an 8 looks at")] = 4
    ten: Annotated[ActionCount, Label("Cards that a 10 turns up")] = 2
    thirteen: Annotated[
        Whose,
        Help("The rulebook does not print it: whoever has the cards may correct it."),
        Label(
            "Campsites for a 13",
            (
                ("any", text("Any")),
                ("not_empty", text("Any with a card")),
                ("own_team", text("The own team’s")),
                ("other_team", text("The other team’s")),
            ),
        ),
    ] = "any"


CORRECTED: Final = ("seven", "eight", "ten", "thirteen")
"""Options that correct what the rulebook leaves to the print on the cards."""


@dataclass(frozen=True)
class At:
    """A card of a campsite, by its index."""

    seat: Seat
    index: Index


@dataclass(frozen=True)
class Top:
    """A card of the deck, by its index; 0 is the top."""

    deck: Index


Target: TypeAlias = At | Top


@dataclass(frozen=True)
class Draw:
    """Begin a turn with the top card of the deck or of the discard pile (B8)."""

    source: Annotated[Source, Named("from")]


@dataclass(frozen=True)
class Replace:
    """Replace cards that match with the drawn card (B10 to B12)."""

    cards: Annotated[tuple[At, ...], Length(1, MOST_CARDS), Help("a card of your campsite first")]
    slot: Annotated[
        Index | None,
        Help("the place in your campsite of the chosen card that the new card replaces"),
        Label("Place in your campsite", from_one=True),
    ] = None
    end: Annotated[
        Literal["left", "right", None],
        Help(
            "where the new card goes if the cards do not match; needed with two or more cards, and only then"
        ),
        Label("End of the row for the new card"),
    ] = None
    extra_ends: Annotated[
        tuple[End, ...],
        Length(0, MOST_ADDED),
        Help("where each card that is added from the deck goes, in order; those not named go to the end"),
        Label("Ends of the row for added cards"),
    ] = ()


@dataclass(frozen=True)
class Discard:
    """Put the card drawn from the deck on the discard pile (B13)."""


@dataclass(frozen=True)
class Scram:
    """Declare Scram instead of drawing (B14)."""


@dataclass(frozen=True)
class Act:
    """Use the action of the card drawn from the deck, or continue it (A0 to A2)."""

    targets: Annotated[tuple[Target, ...], Length(0, 10), Help("5 to 8 and 10 to 12: which cards")] = ()
    seat: Annotated[Seat | None, Help("9 and 13: whose campsite")] = None
    cards: Annotated[tuple[Index, ...], Length(0, 10), Help("9: which cards of the campsite go")] = ()
    end: Annotated[
        Literal["left", "right", None],
        Help("9 and 13: where in the row the card goes"),
        Label("End of the row"),
    ] = None


@dataclass(frozen=True)
class Exchange:
    """Exchange the two cards that a 12 looked at, or leave them (A0)."""

    do: bool


Move: TypeAlias = Draw | Replace | Discard | Scram | Act | Exchange

MOVES: Final = {
    "draw": Draw,
    "replace": Replace,
    "discard": Discard,
    "scram": Scram,
    "act": Act,
    "exchange": Exchange,
}
