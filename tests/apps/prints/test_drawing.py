"""Pairings, standings and table cards, read from the PDF."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from games import rules
from league.apps.prints import handouts, score_sheets, walls
from league.apps.prints.contents import Heading, Place, Ranking, Seating

HEADING = Heading("Winter League: Round 3", "Łódź club · League")
LONG = "Bartholomew Featherstonehaugh-Cholmondeley the Third of Somewhere"


def seating(number: int, players: int = 4, *, url: str = "") -> Seating:
    return Seating(
        f"Table {number}", "", tuple((f"P{number}-{at}", str(at + 1)) for at in range(players)), url
    )


def pages(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]


class TestPairings:
    @pytest.mark.parametrize(
        ("tables", "players", "count"),
        [(1, 4, 1), (25, 4, 1), (100, 4, 1), (30, 10, 1), (160, 2, 1), (130, 4, 2)],
    )
    def test_of_a_hundred_tables_of_four_go_on_one_page(self, tables: int, players: int, count: int) -> None:
        answer = pages(walls.pairings(HEADING, [seating(at, players) for at in range(1, tables + 1)], []))
        assert len(answer) == count
        for at in range(1, tables + 1):
            assert f"P{at}-{players - 1}" in " ".join(answer)

    def test_keep_a_table_together(self) -> None:
        tables = [seating(at, 10) for at in range(1, 120)]
        for page in pages(walls.pairings(HEADING, tables, [])):
            named = {word.split("-")[0] for word in page.split() if word.startswith("P")}
            assert all(page.count(f"{table}-") == 10 for table in named)

    def test_list_entries_with_a_bye(self) -> None:
        (page,) = pages(walls.pairings(HEADING, [seating(1)], ["Bye Bear"]))
        assert "No table" in page
        assert "Bye Bear" in page

    def test_have_one_page_even_without_tables(self) -> None:
        assert len(pages(walls.pairings(HEADING, [], []))) == 1

    def test_split_only_a_list_that_is_longer_than_a_column(self) -> None:
        answer = pages(walls.pairings(HEADING, [seating(1)], [f"Resting-{at}" for at in range(900)]))
        assert [at for at in range(900) if f"Resting-{at}\n" not in "\n".join(answer) + "\n"] == []

    def test_wrap_a_name_that_is_too_long_for_its_column(self) -> None:
        tables = [Seating(f"Table {at}", "", ((LONG, ""),) * 4) for at in range(100)]
        text = "".join("".join(pages(walls.pairings(HEADING, tables, []))).split())
        assert text.count("".join(LONG.split())) == 400


class TestAlphabeticalLists:
    def test_have_each_name_with_its_table_and_seat(self) -> None:
        places = [Place("Zoë", 3, 2), Place("Ämilie", 12, 1), Place("adam"), Place("Bob", 1, 4)]
        (page,) = pages(walls.alphabetical(HEADING, places))
        lines = page.split("\n")[2:]
        assert lines == ["A", "–adam", "12 · 1Ämilie", "B", "1 · 4Bob", "Z", "3 · 2Zoë"]

    def test_of_470_names_fit_on_two_pages(self) -> None:
        places = [Place(f"{chr(65 + at % 26)}-{at} Surname", at // 4 + 1, at % 4 + 1) for at in range(470)]
        answer = pages(walls.alphabetical(HEADING, places))
        assert len(answer) == 2
        assert all(f"{place.name}" in " ".join(answer) for place in places)


class TestStandings:
    def test_have_every_row_and_their_headings_on_every_page(self) -> None:
        rows = tuple((f"{rank}.", f"Entry-{rank}", "3½", "5", "1.86") for rank in range(1, 101))
        columns = ("", "Entry", "Points", "Played", "Opponents points")
        answer = pages(walls.standings(HEADING, [Ranking("", columns, rows)]))
        assert len(answer) == 3
        assert all("Opponents" in page and "Points" in page for page in answer)
        assert all(f"Entry-{rank}" in " ".join(answer) for rank in range(1, 101))

    def test_keep_long_fractions_and_names_within_their_columns(self) -> None:
        row = ("1.", LONG, "123 123456789/987654321", "5", *["12 4567891/23456789"] * 8)
        ranking = Ranking("", ("", "Entry", "Points", "Played", *["Opponents points cut"] * 8), (row,))
        (page,) = pages(walls.standings(HEADING, [ranking]))
        assert "".join(LONG.split()) in "".join(page.split())
        assert "".join(page.split()).count("4567891/23456789") == 8

    def test_have_a_line_for_a_signature(self) -> None:
        ranking = Ranking("", ("", "Entry"), (("1.", "A"),))
        (page,) = pages(walls.standings(Heading("Cup", "Club", "3 May 2026"), [ranking]))
        assert "Signature" in page
        assert page.count("3 May 2026") == 2

    def test_of_groups_are_named(self) -> None:
        rankings = [Ranking(f"Group {number}", ("", "Entry"), (("1.", "A"),)) for number in (1, 2)]
        (page,) = pages(walls.standings(HEADING, rankings))
        assert "Group 1" in page
        assert "Group 2" in page


class TestCards:
    @pytest.mark.parametrize(("tables", "count"), [(1, 1), (2, 1), (3, 2), (100, 50)])
    def test_are_two_on_a_page(self, tables: int, count: int) -> None:
        assert len(pages(handouts.table_cards(HEADING, [seating(at) for at in range(tables)]))) == count

    @pytest.mark.parametrize("players", [2, 4, 10])
    def test_have_the_names_of_all_players(self, players: int) -> None:
        (page,) = pages(handouts.table_cards(HEADING, [seating(7, players)]))
        assert all(f"P7-{at}" in page for at in range(players))
        assert "7" in page.split()

    def test_have_a_long_name_in_full(self) -> None:
        (page,) = pages(handouts.table_cards(HEADING, [Seating("Table 1", "", ((LONG, "1"),) * 10)]))
        assert "".join(page.split()).count("".join(LONG.split())) == 10

    def test_have_a_qr_code_if_there_is_a_game(self) -> None:
        plain, coded = (
            len(handouts.table_cards(HEADING, [seating(1, url=url)]))
            for url in ("", "https://example.org/g/")
        )
        assert coded > plain + 500


class TestListsOfSkat:
    @pytest.mark.parametrize(("players", "count"), [(3, 2), (4, 2)])
    def test_of_a_whole_evening_are_two_pages(self, players: int, count: int) -> None:
        skat = next(each for each in rules.games() if str(each.title) == "Skat")
        found = pages(score_sheets.blank(skat.key, players, {}))
        assert len(found) == count
        assert all("Points" in page and "Total" in page and "Declarer" in page for page in found)


def sizes(pdf: bytes) -> dict[str, float]:
    """Return the size in points of each text."""
    found: dict[str, float] = {}

    def visit(text: str, _cm: object, _tm: object, _font: object, size: float) -> None:
        found.setdefault(text.strip(), size)

    for page in PdfReader(BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    return found


class TestOneSheet:
    def ranking(self, name: str, rows: int, numbers: int = 3) -> Ranking:
        columns = ("", "Entry", *(f"R{at}" for at in range(1, numbers + 1)), "Points")
        told = (("1.", f"{name}-{at}", *["12"] * numbers, "36") for at in range(rows))
        return Ranking(name, columns, tuple(told))

    def test_of_a_club_of_34_can_be_read_with_the_year_beside_the_evening(self) -> None:
        evening, year = self.ranking("Tonight", 34), self.ranking("Year", 37)
        (page,) = pages(pdf := walls.sheet(HEADING, [evening, "Prize – Ann", year]))
        found = sizes(pdf)
        names = [f"Tonight-{at}" for at in range(34)] + [f"Year-{at}" for at in range(37)]
        assert all(name in page for name in names)
        assert min(found[name] for name in names) >= 8 and found["Prize – Ann"] >= 8

    @pytest.mark.parametrize(("rows", "numbers"), [(8, 3), (34, 12)])
    def test_has_its_tables_below_each_other_where_they_fit_or_need_the_width(
        self, rows: int, numbers: int
    ) -> None:
        parts = [self.ranking("Tonight", rows, numbers), self.ranking("Year", rows, numbers)]
        lines = [line for line in pages(walls.sheet(HEADING, parts))[0].splitlines() if "Year-" in line]
        assert len(lines) == rows and not any("Tonight-" in line for line in lines)
