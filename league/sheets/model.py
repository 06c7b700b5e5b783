"""What a printed score sheet says."""

from dataclasses import dataclass

from games.engine.base import Form


@dataclass(frozen=True)
class ScoreSheet:
    """One table's sheet.

    ``names`` has one text for each player, ``""`` to be written by hand; ``form_url`` is where the scores are
    entered.
    """

    title: str
    subtitle: str
    form: Form
    names: tuple[str, ...]
    form_url: str = ""
