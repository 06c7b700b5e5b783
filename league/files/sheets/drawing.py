"""The functions that draw what is printed, each a PDF, without their library until one is called.

It takes 30 MB and half a second, so a web process has them called in another one (`league.ops.offload`).
"""

from collections.abc import Sequence

from league.core.formats import Bracket
from league.files.file import Progress
from league.files.sheets.model import Certificate, Heading, Place, Ranking, ScoreSheet, Seating


def pairings(heading: Heading, tables: Sequence[Seating], without: Sequence[str]) -> bytes:
    """Return what `league.files.sheets.pairings.pairings` does."""
    from league.files.sheets.pairings import pairings as drawn

    return drawn(heading, tables, without)


def alphabetical(heading: Heading, places: Sequence[Place]) -> bytes:
    """Return what `league.files.sheets.pairings.alphabetical` does."""
    from league.files.sheets.pairings import alphabetical as drawn

    return drawn(heading, places)


def table_cards(heading: Heading, tables: Sequence[Seating], progress: Progress) -> bytes:
    """Return what `league.files.sheets.notices.table_cards` does."""
    from league.files.sheets.notices import table_cards as drawn

    return drawn(heading, tables, progress)


def standings(heading: Heading, rankings: Sequence[Ranking], legend: str) -> bytes:
    """Return what `league.files.sheets.notices.standings` does."""
    from league.files.sheets.notices import standings as drawn

    return drawn(heading, rankings, legend)


def bracket(heading: Heading, brackets: Sequence[Bracket]) -> bytes:
    """Return what `league.files.sheets.brackets.bracket_pages` does."""
    from league.files.sheets.brackets import bracket_pages

    return bracket_pages(heading, brackets)


def certificates(certificates: Sequence[Certificate], progress: Progress) -> bytes:
    """Return what `league.files.sheets.certificates.certificate_pages` does."""
    from league.files.sheets.certificates import certificate_pages

    return certificate_pages(certificates, progress)


def score_sheets(sheets: Sequence[ScoreSheet], progress: Progress) -> bytes:
    """Return what `league.files.sheets.score_sheet_pdf.score_sheets` does."""
    from league.files.sheets.score_sheet_pdf import score_sheets as drawn

    return drawn(sheets, progress)


def told_in_words(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names with characters that are told in words, each with what is printed for it."""
    from league.files.sheets.scripts import in_words, readable

    return [(name, readable(name)) for name in names if in_words(name)]
