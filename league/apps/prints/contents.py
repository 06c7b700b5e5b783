"""What pages of prints show, as values that are drawn."""

from dataclasses import dataclass
from typing import Final

A4: Final = "a4"
"""The size of paper where no club says another."""


@dataclass(frozen=True)
class Heading:
    """The title of a page, the line below it, when and where the competition takes place, and the paper."""

    title: str
    subtitle: str
    occasion: str = ""
    paper: str = A4


@dataclass(frozen=True)
class Seating:
    """A table with names side by side, each with the number of its seat, or ``""`` for a side in one line.

    ``url`` is the page of its game, ``""`` where it has none.
    """

    title: str
    label: str
    names: tuple[tuple[str, str], ...]
    url: str = ""


@dataclass(frozen=True)
class Ranking:
    """Standings of a group: a heading for each column, a text for each cell; ``group`` may be empty.

    ``fuller`` takes the place of the last column but one where there is room, its heading first.
    """

    group: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fuller: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """A name in the alphabetical list, with the numbers of its table and seat; 0 for none."""

    name: str
    table: int = 0
    seat: int = 0


@dataclass(frozen=True)
class Certificate:
    """What a certificate says; ``players`` are those of a team, none for a single player."""

    club: str
    competition: str
    name: str
    players: tuple[str, ...]
    place: str
    among: str
    occasion: str
    paper: str = A4


@dataclass(frozen=True)
class Slip:
    """What one person gets: the name, a code to type, and the URL of its QR code, ``""`` for none."""

    name: str
    code: str
    url: str
