"""The options and moves of Scoops."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.cards import AnyCard
from games.engine.messages import text
from games.engine.shapes import Between, Help, Label, Length, Named
from games.rules.scoops.contract import Kind

MOST_SEATS: Final = 9
MOST_IN_HAND: Final = 9

Die: TypeAlias = Annotated[int, Between(0, 3)]
Target: TypeAlias = Annotated[int, Between(1, 10), Help("Points that win the game.")]
RoundLimit: TypeAlias = Annotated[
    int,
    Between(1, 100),
    Help("After so many deals the highest score wins; equal scores share."),
    Label("Deal limit"),
]


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    target: Target = 3
    round_limit: RoundLimit = 30
    turn_limit: Annotated[
        int, Between(1, 1000), Help("Turns of each seat in one deal; then the deal ends without a winner.")
    ] = 60
    knocking: Annotated[
        Literal["discarder", "anybody"],
        Help("In Coffee who has just discarded may knock, or any player until the next card is drawn."),
        Label(
            "Knocking in Coffee",
            (
                ("discarder", text("Only who has just discarded")),
                ("anybody", text("Any player, after any discard")),
            ),
        ),
    ] = "discarder"


@dataclass(frozen=True)
class Group:
    """Cards laid together; a run is written from low to high (C7)."""

    kind: Kind
    cards: Annotated[tuple[AnyCard, ...], Length(1, MOST_IN_HAND)]


@dataclass(frozen=True)
class Assign:
    """Choose the dice, by index in the order rolled, for the special, the rule and the goal (C4)."""

    special: Annotated[tuple[Die, ...], Length(2, 2), Help("the two dice whose sum is the special")]
    rule: Annotated[Die, Help("the die of the rule")]
    goal: Annotated[Die, Help("the die of the goal")]


@dataclass(frozen=True)
class Draw:
    """Take the top card of the deck or of a seat's discard pile (C14)."""

    source: Annotated[
        Literal["deck"] | Annotated[int, Between(0, MOST_SEATS - 1)],
        Named("from"),
        Help("the deck, or the seat whose discard pile it is"),
    ]


@dataclass(frozen=True)
class LayDown:
    """Lay everything that the goal needs, and win the round (C16)."""

    groups: Annotated[tuple[Group, ...], Length(1, MOST_IN_HAND)]
    discard: Annotated[AnyCard | None, Help("the card that ends it, in Shake only")] = None


@dataclass(frozen=True)
class Meld:
    """Lay sets in Float (C17)."""

    groups: Annotated[tuple[Group, ...], Length(1, MOST_IN_HAND)]


@dataclass(frozen=True)
class Float:
    """Add cards to another seat's set in Float (C17)."""

    meld: Annotated[int, Between(0, 999), Help("the id of the set")]
    cards: Annotated[
        tuple[AnyCard, ...], Length(1, MOST_IN_HAND), Help("for a run, written from low to high")
    ]
    end: Annotated[Literal["low", "high"] | None, Help("the end of a run that they extend")] = None


@dataclass(frozen=True)
class Discard:
    """Put a card on the seat's discard pile (C15); in Coffee with sets or a knock if you like (C18)."""

    card: AnyCard
    knock: Annotated[bool, Help("in Coffee: everybody else has one more turn, then the deal ends")] = False
    melds: Annotated[
        tuple[Group, ...], Length(0, MOST_IN_HAND), Help("in Coffee, with a knock or in a last turn")
    ] = ()


@dataclass(frozen=True)
class Keep:
    """Keep the last card in Float, which ends the turn (C17)."""


@dataclass(frozen=True)
class Knock:
    """Knock in Coffee after a discard, with sets if you like, where any player may (C18)."""

    melds: Annotated[tuple[Group, ...], Length(0, MOST_IN_HAND), Help("sets of the hand")] = ()


Move: TypeAlias = Assign | Draw | LayDown | Meld | Float | Discard | Keep | Knock

MOVES: Final[Mapping[str, type]] = {
    "assign": Assign,
    "draw": Draw,
    "lay_down": LayDown,
    "meld": Meld,
    "float": Float,
    "discard": Discard,
    "keep": Keep,
    "knock": Knock,
}
