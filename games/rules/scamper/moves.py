"""The moves of Scamper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.cards import AnyCard
from games.engine.shapes import Between, Help, Length, Matching

MOST_CARDS: Final = 200
"""More than any meld can hold, even with six added packs and all wild cards on one set (S2, S28)."""

MeldId: TypeAlias = Annotated[str, Matching("m[1-9][0-9]{0,3}", "the id of a meld, such as m1", example="m1")]
Kind: TypeAlias = Literal["set", "run"]
End: TypeAlias = Literal["low", "high"]
SomeCards: TypeAlias = Annotated[tuple[AnyCard, ...], Length(1, MOST_CARDS)]


@dataclass(frozen=True)
class Take:
    """Take the top discard into the hand (S8)."""


@dataclass(frozen=True)
class Draw:
    """Leave the discard and draw from the stock (S8, S9)."""


@dataclass(frozen=True)
class Accept:
    """Take the offered discard, and a card from the stock with it (S9)."""


@dataclass(frozen=True)
class Decline:
    """Refuse the offered discard (S9)."""


@dataclass(frozen=True)
class Group:
    """Cards laid together as a set or, written from low to high, a run (S12, S13)."""

    kind: Kind
    cards: Annotated[SomeCards, Help("a run is written from low to high")]


@dataclass(frozen=True)
class Meld:
    """Lay melds: the contract, with more melds if you like, or more melds later (S15, S16)."""

    melds: Annotated[tuple[Group, ...], Length(1, MOST_CARDS)]


@dataclass(frozen=True)
class LayOff:
    """Add cards to a meld on the table (S19)."""

    meld: MeldId
    cards: Annotated[SomeCards, Help("on a run, from its end outward")]
    end: Annotated[End | None, Help("the end of a run that they extend; not for a set")] = None


@dataclass(frozen=True)
class Swap:
    """Exchange a card for the wild card that stands for it in another seat's meld (S21)."""

    meld: MeldId
    card: Annotated[AnyCard, Help("the card given")]
    wild: Annotated[AnyCard, Help("the wild card taken")]
    place: Annotated[
        Annotated[int, Between(0, 13)] | None, Help("on a run, the index of the wild card; not for a set")
    ] = None


@dataclass(frozen=True)
class Discard:
    """Put a card on the discard pile, which ends the turn (S10)."""

    card: AnyCard
    scamper: Annotated[bool, Help("said when exactly one card is left (S31)")] = False


@dataclass(frozen=True)
class Challenge:
    """Claim that something laid in the last turn broke a rule (S30)."""


@dataclass(frozen=True)
class Concede:
    """Accept a discard that ends the round (S30)."""


Move: TypeAlias = Take | Draw | Accept | Decline | Meld | LayOff | Swap | Discard | Challenge | Concede
Laying: TypeAlias = Meld | LayOff | Swap

MOVES: Final[Mapping[str, type]] = {
    "take": Take,
    "draw": Draw,
    "accept": Accept,
    "decline": Decline,
    "meld": Meld,
    "lay_off": LayOff,
    "swap": Swap,
    "discard": Discard,
    "challenge": Challenge,
    "concede": Concede,
}
