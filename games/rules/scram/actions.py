"""What the cards from 5 to 13 do, one row a card: the only place that knows.

The rulebook leaves the actions to the print on the cards, which its text does not repeat. Each row says what
is known from it or elsewhere and what is inferred; a club that owns the cards may correct a row alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.jsontypes import JsonObject

Deed: TypeAlias = Literal["look", "turn up", "look and exchange", "exchange", "clear", "place"]


@dataclass(frozen=True)
class Action:
    """One card's action: what is done, to how many cards, and which cards those may be.

    ``deck`` is how many of the deck's top cards may be targets; ``face_down`` keeps the targets in campsites
    to face-down cards; ``mixed`` lets cards of campsites and of the deck stand together; ``apart`` keeps
    targets in different campsites; ``stepwise`` lets targets come one by one (A2).
    """

    card: str
    deed: Deed
    count: int
    action: str
    targets: str
    known: str
    inferred: str
    deck: int = 0
    face_down: bool = False
    mixed: bool = False
    apart: bool = False
    stepwise: bool = False

    def as_json(self) -> JsonObject:
        """Return the row that players read: ``card``, ``action``, ``targets``, ``known``, ``inferred``."""
        return {
            "card": self.card,
            "action": self.action,
            "targets": self.targets,
            "known": self.known,
            "inferred": self.inferred,
        }


def _look(card: str, count: int, known: str, inferred: str) -> Action:
    several = f"face-down cards of any campsites, or the deck's top {count}"
    return Action(
        card,
        "look",
        count,
        action="look at 1 card" if count == 1 else f"look at {count} cards",
        targets="a face-down card of any campsite, or the deck's top card" if count == 1 else several,
        known=known,
        inferred=inferred,
        deck=count,
        face_down=True,
        stepwise=True,
    )


ROWS: Final = (
    _look("5", 1, "Number and kind: a published review of the game.", ""),
    _look("6", 2, "Number and kind: an example in the rulebook plays one.", ""),
    _look(
        "7", 3, "Kind: the rulebook's tips look at the deck with it.", "The number, going on from 5 and 6."
    ),
    _look("8", 4, "Kind: the rulebook's tips look at the deck with it.", "The number, going on from 5 to 7."),
    Action(
        "9",
        "clear",
        2,
        action="discard 2 cards of one campsite and put this 9 there, face up, at an end",
        targets="a campsite with at least one card; where there is only one, that one is discarded",
        known="That it discards two cards and goes to a campsite: the rulebook, on discarding and placing.",
        inferred="That both cards and the 9 belong to one and the same campsite.",
    ),
    Action(
        "10",
        "turn up",
        2,
        action="turn 2 cards face up",
        targets="face-down cards of any campsites",
        known="That some card turns cards up: the rulebook, on flipping.",
        inferred="That it is the 10, the only card without another action, and the number.",
        face_down=True,
        stepwise=True,
    ),
    Action(
        "11",
        "exchange",
        2,
        action="exchange 2 cards without looking",
        targets="two cards of two campsites, or a card of a campsite and the deck's top card",
        known="Kind: the rulebook's tips exchange the deck's top card with a campsite's.",
        inferred="The number of cards.",
        deck=1,
        mixed=True,
        apart=True,
    ),
    Action(
        "12",
        "look and exchange",
        2,
        action="look at 2 cards, then exchange them or not",
        targets="any cards of campsites and the deck's top 2, mixed freely; one face up counts as looked at",
        known="Number and kind: the rulebook, on exchanging, and its tips on the deck's top two cards.",
        inferred="",
        deck=2,
        mixed=True,
        stepwise=True,
    ),
    Action(
        "13",
        "place",
        1,
        action="put this 13 in a campsite, face up, at an end",
        targets="any campsite, an empty one too",
        known="That it is placed in a campsite, face up, at an end: the rulebook, on placing.",
        inferred="That the campsite may be anybody's, and empty.",
    ),
)

ACTIONS: Final[Mapping[str, Action]] = {row.card: row for row in ROWS}
