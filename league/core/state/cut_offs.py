"""What is fixed before a draw, wishes included, and what is revealed with it (docs/draws.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.shapes import Between, Help, Length, Matching
from league.core.commitment import DEPTH, LEAVES
from league.core.state import values as v

Purpose: TypeAlias = Literal["groups", "round", "lots"]
LONGEST_TEXT = 64
"""Bytes of a text, in UTF-8."""


@dataclass(frozen=True)
class GivenText:
    """A text for the next draw, of an entry, or of the organisers where none is named."""

    words: Annotated[str, Length(1, LONGEST_TEXT)]
    entry: v.EntryId | None = None


WishKind: TypeAlias = Literal["apart", "apart_first", "apart_last", "together"]
MOST_WISHES: Final = 500


@dataclass(frozen=True)
class Wish:
    """Entries that never meet, not in the first or the last round of a stage, or that sit at one table.

    Without ``always`` a draw does what it can, and an entry low in the standings bears what it can't.
    """

    entries: Annotated[v.Entries, Length(2, v.MAX_TEAM)]
    wish: WishKind
    always: bool = True

    @property
    def is_hope(self) -> bool:
        """Return whether they would sit together if possible; a cut-off has `always` instead, or nothing."""
        return self.wish == "together" and not self.always


@dataclass(frozen=True)
class FixedTable:
    """An entry that sits at the table with a number, whoever its opponents are."""

    entry: v.EntryId
    table: v.Count


@dataclass(frozen=True)
class Wishes:
    """Wishes for draws: of entries for each other, and of entries for a table."""

    between: Annotated[tuple[Wish, ...], Length(0, MOST_WISHES)] = ()
    tables: Annotated[tuple[FixedTable, ...], Length(0, v.MAX_ENTRIES)] = ()

    def table_of(self, entry: str) -> int:
        """Return the number of an entry's fixed table, 0 for none."""
        return next((each.table for each in self.tables if each.entry == entry), 0)


NO_WISHES: Final = Wishes()
Seating: TypeAlias = Literal["", "standing", "given"]
Order: TypeAlias = Annotated[
    tuple[v.Entries, ...],
    Length(0, v.MAX_ENTRIES),
    Help("by what order the tables are filled, the best first; level entries share a place"),
]


@dataclass(frozen=True)
class Source:
    """From where an order comes: what it is, such as a series, and the name of that one if it has any."""

    kind: Annotated[
        str, Matching(r"(?:[a-z][a-z0-9_]{0,39})?", "a key such as series, or nothing", example="series")
    ] = ""
    name: v.OwnName = ""


NO_SOURCE: Final = Source()

Sizes: TypeAlias = Annotated[
    tuple[Annotated[tuple[Annotated[int, Between(2, 10)], ...], Length(0, v.MAX_ENTRIES)], ...],
    Length(0, 100),
    Help("how many entries sit at each table of each group, the biggest first; empty: as the stage plans"),
]


@dataclass(frozen=True)
class CutOff:
    """What goes into a draw: the number of its secret value, who takes part, texts or the beacon's round.

    Also wishes, the order of who is ``present`` where tables are not drawn but filled by one, and the sizes
    of tables where an organiser chose others than the stage plans.
    """

    k: Annotated[int, Between(0, LEAVES - 1), Help("which of the secret values it uses")]
    purpose: Annotated[Purpose, Help("the groups of a stage, a round, or the lots of a stage")]
    stage: v.Count
    round: Annotated[int, Between(0, 1000), Help("0 where it is not for a round")] = 0
    present: Annotated[v.Entries, Help("who takes part in the draw")] = ()
    texts: Annotated[tuple[GivenText, ...], Length(0, v.MAX_ENTRIES + 1)] = ()
    beacon: Annotated[int, Between(0, 10**12), Help("the round of the public beacon; 0: none")] = 0
    reason: Annotated[v.Note, Help("why it replaces an earlier one")] = ""
    wishes: Annotated[Wishes, Help("who is kept apart or together, and who has a fixed table")] = NO_WISHES
    seating: Annotated[
        Seating, Help("empty: drawn; standing: by the stage’s standings; given: by an order from elsewhere")
    ] = ""
    order: Order = ()
    sizes: Sizes = ()
    by: Annotated[Source, Help("from where an order from elsewhere comes")] = NO_SOURCE


@dataclass(frozen=True)
class Reveal:
    """The secret value of a draw, its path to the root, and the signature of the beacon's round, if any."""

    k: Annotated[int, Between(0, LEAVES - 1)]
    preimage: v.Hash
    path: Annotated[tuple[v.Hash, ...], Length(DEPTH, DEPTH)]
    signature: v.Signature = ""


@dataclass(frozen=True)
class PublishedReveal(Reveal):
    """What a draft of a round used, and why it was replaced; the draft that is published has no reason."""

    reason: v.Note = ""


@dataclass(frozen=True)
class Origin:
    """Where a draw comes from: its cut-off with that event's number, the root then in force, the reveal.

    ``dropped`` is the reason why a draft of a round was replaced or discarded.
    """

    cut_off: CutOff
    seq: int
    root: str
    reveal: Reveal
    dropped: str = ""


def filled_by_order(origins: Sequence[Origin]) -> CutOff | None:
    """Return the cut-off of a round whose tables were filled by an order, None where they were drawn."""
    made = origins[-1].cut_off if origins else None
    return made if made and made.seating else None


@dataclass(frozen=True)
class Lots:
    """The lots of a stage's entries, the best one first, and where they come from."""

    order: tuple[str, ...]
    origin: Origin
