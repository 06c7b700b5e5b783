"""The actions of the cards 5 to 13, a row for each card.

The actions are printed on the cards and not in the rulebook. Each row says what is known from the rulebook or
elsewhere and what is inferred; whoever has the cards corrects by options what can be another on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from games.engine.jsontypes import JsonObject
from games.engine.messages import plural, text
from games.rules.scram.moves import Options, Whose

Deed: TypeAlias = Literal["look", "turn up", "look and exchange", "exchange", "clear", "place"]


@dataclass(frozen=True)
class Action:
    """The action of a card: what it does, to how many cards, and to which.

    ``deck`` is the number of top cards of the deck that may be targets. ``face_down``: targets in campsites
    must be face down. ``mixed``: targets may be in campsites and the deck. ``apart``: targets must be in
    different campsites. ``stepwise``: targets may be chosen one by one (A2). ``whose`` campsite it is put in.
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
    whose: Whose = "any"

    def as_json(self) -> JsonObject:
        """Return what players may know of the row: all but how the engine works it out."""
        names = ("card", "action", "targets", "deck", "known", "inferred")
        return {name: getattr(self, name) for name in names}


def _look(card: str, count: int, known: str, inferred: str) -> Action:
    several = text("face-down cards of any campsites, or the deck's top %(count)s", count=count)
    return Action(
        card,
        "look",
        count,
        action=plural("look at %(count)s card", "look at %(count)s cards", count),
        targets=text("a face-down card of any campsite, or the deck's top card") if count == 1 else several,
        known=known,
        inferred=inferred,
        deck=count,
        face_down=True,
        stepwise=True,
    )


def _turn_up(card: str, count: int) -> Action:
    return Action(
        card,
        "turn up",
        count,
        action=plural("turn %(count)s card face up", "turn %(count)s cards face up", count),
        targets=text("face-down cards of any campsites"),
        known=text("That some card turns cards up: the rulebook, on flipping."),
        inferred=text(
            "That it is the 10, the only card without another action; the number; and that it is not for the "
            "deck, as the rulebook's general rule would allow: no tip or example turns up one of its cards."
        ),
        face_down=True,
        stepwise=True,
    )


def _seven(count: int) -> Action:
    known = text("Kind: the rulebook's tips look at the deck with it.")
    return _look("7", count, known, text("The number, continuing 5 and 6."))


def _eight(count: int) -> Action:
    known = text("Kind: the rulebook's tips look at the deck with it.")
    return _look("8", count, known, text("The number, continuing 5 to 7."))


WHOSE: Final[Mapping[Whose, str]] = {
    "any": text("any campsite, an empty one too"),
    "not_empty": text("any campsite with a card"),
    "own_team": text("a campsite of the own team, an empty one too"),
    "other_team": text("a campsite of the other team, an empty one too"),
}


def _thirteen(whose: Whose) -> Action:
    return Action(
        "13",
        "place",
        1,
        action=text("put this 13 in a campsite, face up, at an end"),
        targets=WHOSE[whose],
        known=text("That it is placed in a campsite, face up, at an end: the rulebook, on placing."),
        inferred=text("That the campsite may be anybody's, and empty."),
        whose=whose,
    )


USUAL: Final = Options()
ROWS: Final = (
    _look("5", 1, text("Number and kind: a published review of the game."), ""),
    _look("6", 2, text("Number and kind: an example in the rulebook plays one."), ""),
    _seven(USUAL.seven),
    _eight(USUAL.eight),
    Action(
        "9",
        "clear",
        2,
        action=text("discard 2 cards of one campsite and put this 9 there, face up, at an end"),
        targets=text("a campsite with at least one card; where there is only one, that one is discarded"),
        known=text(
            "That it discards two cards and goes to a campsite: the rulebook, on discarding and placing."
        ),
        inferred=text(
            "That both cards and the 9 belong to one and the same campsite: if not, it would have to be said "
            "which of two campsites gets the 9."
        ),
    ),
    _turn_up("10", USUAL.ten),
    Action(
        "11",
        "exchange",
        2,
        action=text("exchange 2 cards without looking"),
        targets=text("two cards of two campsites, or a card of a campsite and the deck's top card"),
        known=text("Kind: the rulebook's tips exchange the deck's top card with a campsite's."),
        inferred=text("The number of cards: an exchange needs two, and no tip or example has more."),
        deck=1,
        mixed=True,
        apart=True,
    ),
    Action(
        "12",
        "look and exchange",
        2,
        action=text("look at 2 cards, then exchange them or not"),
        targets=text(
            "any cards of campsites and the deck's top 2, mixed freely; one face up counts as looked at; two "
            "of one campsite are looked at and not exchanged"
        ),
        known=text("Number and kind: the rulebook, on exchanging, and its tips on the deck's top two cards."),
        inferred="",
        deck=2,
        mixed=True,
        stepwise=True,
    ),
    _thirteen(USUAL.thirteen),
)


@cache
def actions(options: Options) -> Mapping[str, Action]:
    """Return the row of each card, with what the options correct."""
    numbers = (_seven(options.seven), _eight(options.eight), _turn_up("10", options.ten))
    return {row.card: row for row in (*ROWS, *numbers, _thirteen(options.thirteen))}


ACTIONS: Final = actions(USUAL)
