"""The contents of a printed score sheet."""

from dataclasses import dataclass

from games.engine.base import Form


@dataclass(frozen=True)
class ScoreSheet:
    """One table's sheet.

    ``names`` has one text for each player, ``""`` for a blank; ``form_url`` is the page to enter the scores.
    """

    title: str
    subtitle: str
    form: Form
    names: tuple[str, ...]
    form_url: str = ""
