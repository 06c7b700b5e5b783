"""What is fixed before a draw, and what is revealed with it (docs/draws.md)."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from games.engine.shapes import Between, Help, Length
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


@dataclass(frozen=True)
class CutOff:
    """What goes into a draw: the number of its secret value, who takes part, texts or the beacon's round."""

    k: Annotated[int, Between(0, LEAVES - 1), Help("which of the secret values it uses")]
    purpose: Annotated[Purpose, Help("the groups of a stage, a round, or the lots of a stage")]
    stage: v.Count
    round: Annotated[int, Between(0, 1000), Help("0 where it is not for a round")] = 0
    present: Annotated[v.Entries, Help("who takes part in the draw")] = ()
    texts: Annotated[tuple[GivenText, ...], Length(0, v.MAX_ENTRIES + 1)] = ()
    beacon: Annotated[int, Between(0, 10**12), Help("the round of the public beacon; 0: none")] = 0
    reason: Annotated[v.Note, Help("why it replaces an earlier one")] = ""


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
