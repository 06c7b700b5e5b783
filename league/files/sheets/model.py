"""The contents of a printed score sheet."""

from dataclasses import dataclass

from games.engine.base import Form


@dataclass(frozen=True)
class SeatCode:
    """The code of a seat as it is printed, and the URL that its QR code has."""

    text: str
    url: str


@dataclass(frozen=True)
class ScoreSheet:
    """One table's sheet.

    ``names`` has one text for each player, ``""`` for a blank; ``form_url`` is the page to enter the scores.
    ``codes`` are those of the seats, if they have any; ``enter_url`` is the page on which one types them.
    """

    title: str
    subtitle: str
    form: Form
    names: tuple[str, ...]
    form_url: str = ""
    codes: tuple[SeatCode, ...] = ()
    enter_url: str = ""
