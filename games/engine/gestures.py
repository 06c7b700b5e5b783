"""What a player puts together at a table, and what it can mean: moves, and groups of cards.

Things of a table have names, which a page gives back: ``card:8C`` in the player's hand, ``at:1.3`` in front
of a seat, ``top:0`` in the deck, ``die:2``, ``pile:deck``, ``meld:m1``, ``seat:2``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

from games.engine.cards import CARD_PATTERN, Card
from games.engine.jsontypes import Json
from games.engine.messages import Message
from games.engine.refusals import Illegal
from games.engine.shapes import Length, Matching

MOST_THINGS: Final = 80
MOST_GROUPS: Final = 12

Thing: TypeAlias = Annotated[
    str, Matching("[a-z]{2,6}:[0-9A-Za-z.]{1,12}", "a thing of the table, such as card:8C")
]
Things: TypeAlias = Annotated[tuple[Thing, ...], Length(0, MOST_THINGS)]
Kind: TypeAlias = Annotated[str, Matching("[a-z_]{1,20}", "a type of moves, such as act")]


@dataclass(frozen=True)
class Gesture:
    """Things picked in this order, groups of them put aside before, and the thing that they are put onto.

    ``kind`` is the type of moves that the player has chosen, so that no other is meant.
    """

    picked: Things = ()
    aside: Annotated[tuple[Things, ...], Length(0, MOST_GROUPS)] = ()
    onto: Thing | None = None
    kind: Kind | None = None


@dataclass(frozen=True)
class Judged:
    """A group of cards in words, and why it may not be laid, None where it may.

    ``begun`` is true where it only lacks more cards.
    """

    text: Message
    refusal: Illegal | None = None
    begun: bool = False


@dataclass(frozen=True)
class Note:
    """What is there so far, is still lacking or may be added, with the number of the rule that says so."""

    text: Message
    rule: str


@dataclass(frozen=True)
class Question:
    """A field that may be added to moves of the class ``of``, its name, what it asks, and the rule.

    ``answers`` have the JSON of the field and its words; ``default`` says what leaving the field out means.
    """

    of: type[Any]
    field: str
    text: Message
    rule: str
    default: Message
    answers: Sequence[tuple[Json, str]]


@dataclass(frozen=True)
class Standing:
    """A move that a player may leave to the page whenever the same is asked again in this game.

    ``key`` is the name of what is asked. ``text`` offers that, ``made`` says that the move is made, and
    ``stop`` offers to be asked again.
    """

    key: str
    move: Any
    text: Message
    made: Message
    stop: Message


@dataclass(frozen=True)
class Meaning:
    """The moves that a gesture can mean, the likeliest first; not all of them need to be legal.

    ``groups`` judges the groups put aside, and after them the picked cards where they could be put aside too.
    ``hint`` says what can be picked, where nothing is. ``notes`` say what the picked things would make and
    what they lack. ``targets`` are the things that they could be put onto, though not all of them legally.
    ``choices`` are the things that a chosen action, or one under way, can be for next.
    ``strays`` are picked things that no move can be about, as ``astray`` explains.
    ``astray`` says why nothing can be put onto the gesture's thing, where there is more to say than that.
    ``questions`` may be answered beside the moves. ``costly`` are those of the moves that bring a penalty.
    """

    moves: Sequence[Any] = ()
    groups: Sequence[Judged] = ()
    hint: Message | None = None
    notes: Sequence[Note] = ()
    targets: Sequence[str] = ()
    choices: Sequence[str] = ()
    strays: Sequence[str] = ()
    astray: Illegal | None = None
    questions: Sequence[Question] = ()
    costly: Sequence[Any] = ()
    standing: Standing | None = None


def cards_in(things: Sequence[str]) -> tuple[Card, ...]:
    """Return the cards among things, in their order."""
    named = (thing.removeprefix("card:") for thing in things if thing.startswith("card:"))
    return tuple(Card(code) for code in named if _CARD.fullmatch(code))


_CARD: Final = re.compile(CARD_PATTERN)


def numbers_in(things: Sequence[str], kind: str, count: int = 1) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the things of a kind that have so many: ``((1, 3),)`` for ``at:1.3``."""
    named = (thing.partition(":") for thing in things)
    written = (rest.split(".") for found, _, rest in named if found == kind)
    return tuple(
        tuple(map(int, parts))
        for parts in written
        if len(parts) == count and all(map(_NUMBER.fullmatch, parts))
    )


_NUMBER: Final = re.compile("0|[1-9][0-9]{0,2}")
"""A number as things are named by it: a thing has one name."""
