"""What is printed: the contents of score sheets, lists, cards and certificates."""

from dataclasses import dataclass
from typing import Final

from games.engine.base import Form

CARDS_ON_PAGE: Final = 2
"""How many cards for tables a page has."""


@dataclass(frozen=True)
class SeatCode:
    """The code of a seat as it is printed, and the URL that its QR code has."""

    text: str
    url: str


@dataclass(frozen=True)
class ScoreSheet:
    """One table's sheet.

    ``names`` has one text for each player, ``""`` for a blank, and ``sides`` one for each side where several
    players are one; ``table`` names its table in large type, if it has one; ``form_url`` is the page to enter
    the scores. ``codes`` are those of the seats, if they have any; ``enter_url`` is the page on which one
    types them.
    """

    title: str
    subtitle: str
    form: Form
    names: tuple[str, ...]
    table: str = ""
    form_url: str = ""
    codes: tuple[SeatCode, ...] = ()
    enter_url: str = ""
    sides: tuple[str, ...] = ()
    side_total: str = ""


@dataclass(frozen=True)
class Heading:
    """The title of a page, the line below it, and when and where the competition takes place."""

    title: str
    subtitle: str
    occasion: str = ""


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
    """Standings of a group: a heading for each column, a text for each cell; ``group`` may be empty."""

    group: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
