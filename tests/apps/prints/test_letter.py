"""Prints on Letter, as a club says, are as whole as those on A4."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from games.engine.base import Form, FormRow
from games.engine.values import replace
from league.apps.prints import handouts, match_pages, walls
from league.apps.prints.contents import Certificate, Heading, Place, Ranking, Seating, Slip
from league.apps.prints.match_sheets import Line, MatchSheet
from league.apps.prints.score_sheets import ScoreSheet, SeatCode
from league.core.formats.base import Bracket, Column, Match, Slot
from league.core.verbs.rounds import CloseRound
from league.models import Club
from league.services.clubs import change_club
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play
from tests.web.conftest import record_all

LETTER = (612, 792)
HEADING = Heading("Winter League: Round 3", "Harbour Cards", "3 May 2026", "letter")
ROWS = tuple(FormRow(number, f"task {number}", "hint") for number in range(1, 13))
SHEET = ScoreSheet("Canasta", "Table 2", Form(ROWS, ("A joker counts 50.",)), tuple("abcd"), paper="letter")
LINED = replace(SHEET, form=replace(SHEET.form, parts=("one", "two", "three", "four", "five")))
CODED = replace(SHEET, codes=(SeatCode("ABCD-EFGH", "https://example.org/e/"),) * 4, sides=("x", "y"))
TABLES = [
    Seating(f"Table {number}", "", tuple((f"P{number}-{at}", str(at)) for at in range(10)))
    for number in (1, 2)
]
RANKING = Ranking("", ("", "Entry"), tuple((f"{rank}.", f"E{rank}") for rank in range(1, 90)))
LINES = tuple(
    Line(f"Board {at}", f"Table {at}", (("Ann", "Seat 1"), ("Ben & Cy", "Seats 2, 4")), at)
    for at in range(1, 9)
)
LONG = replace(LINES[0], games=27)
MATCH = MatchSheet(
    HEADING, ("Alder", "Birch"), (*LINES, LONG), ("More board points win.",) * 4, "3 May", True
)
SLIPS = [Slip(f"N{number}", "ABCD-EFGH", "https://example.org/e/") for number in range(10)]
MATCHES = [Match((Slot(f"A{at}", 3), Slot(f"B{at}", 1)), 1 + 2.5 * at) for at in range(16)]
WON = Certificate("Club", "Cup", "Ann", ("Ann", "Ben"), "1st place", "of 9 teams", "3 May 2026", "letter")
DRAWN: dict[str, tuple[Callable[..., bytes], tuple[Any, ...]]] = {
    "pairings": (walls.pairings, (HEADING, TABLES, ["Zoë"])),
    "names": (walls.alphabetical, (HEADING, [Place(f"N{at}", at, 1) for at in range(1, 400)])),
    "standings": (walls.standings, (HEADING, [RANKING])),
    "evening": (walls.sheet, (HEADING, [RANKING, "Best of the year: Ann"])),
    "bracket": (walls.brackets, (HEADING, [Bracket((Column("Round 1", tuple(MATCHES)),))])),
    "cards": (handouts.table_cards, (HEADING, TABLES)),
    "sheets": (handouts.score_sheets, ([SHEET],)),
    "sheets in lines": (handouts.score_sheets, ([LINED],)),
    "sheets with codes": (handouts.score_sheets, ([CODED],)),
    "matches": (match_pages.match_sheets, ([MATCH, replace(MATCH, of_teams=False)],)),
    "slips": (handouts.slips, ("Cup", SLIPS, "letter")),
    "poster": (handouts.poster, ("Cup", "3 May", "Scan this.", "https://example.org/door/", "letter")),
    "certificates": (handouts.certificates, ([WON],)),
}


def places(page: Any) -> list[tuple[float, float]]:
    """Return where each text of a page begins."""
    found: list[tuple[float, float]] = []

    def visit(text: str, _cm: Any, tm: Sequence[float], _font: Any, _size: float) -> None:
        if text.strip():
            found.append((tm[4], tm[5]))

    page.extract_text(visitor_text=visit)
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_whatever_is_printed_is_on_letter_within_its_margins(name: str) -> None:
    draw, given = DRAWN[name]
    for page in PdfReader(BytesIO(draw(*given))).pages:
        size = (round(page.mediabox.width), round(page.mediabox.height))
        assert tuple(sorted(size)) == LETTER
        at = places(page)
        assert at and all(15 < x < size[0] - 15 and 15 < y < size[1] - 15 for x, y in at)


def sizes(client: Client, address: str) -> set[tuple[int, int]]:
    pdf = PdfReader(BytesIO(b"".join(client.get(address))))
    return {(round(page.mediabox.width), round(page.mediabox.height)) for page in pdf.pages}


def test_a_club_says_once_which_paper_it_has_and_what_was_kept_is_printed_anew(cast: Cast) -> None:
    competition = in_play(cast, 8)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    address = f"/competitions/{competition.slug}/print/standings.pdf"
    before = Client().get(address)
    club = Club.objects.get(pk=cast.club.pk)
    change_club(by=cast.olga, club=club, name=club.name, timezone="UTC", paper="letter")
    after = Client().get(address, headers={"If-None-Match": before["ETag"]})
    assert (before.status_code, after.status_code) == (200, 200)
    assert sizes(Client(), address) == {LETTER}


@pytest.mark.django_db
def test_blank_sheets_are_on_either_paper() -> None:
    address = "/rules/card-game/sheet-4.pdf"
    assert sizes(Client(), f"{address}?paper=letter") == {LETTER}
    assert sizes(Client(), address) == sizes(Client(), f"{address}?paper=a3") == {(595, 842)}
