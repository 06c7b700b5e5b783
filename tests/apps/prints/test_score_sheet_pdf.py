"""Printed score sheets, read from the PDF."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from games import rules
from games.engine.base import Form, FormRow
from games.engine.replay import AnyRuleset
from games.engine.values import replace
from games.rules.card_game import CardGame
from league.apps.prints.handouts import score_sheets
from league.apps.prints.paper import MARGIN, Paper
from league.apps.prints.score_sheets import ScoreSheet, SeatCode, blank
from league.apps.prints.seat_lines import SeatLines, needs_lines
from tests.toys import TOYS

ROWS = tuple(FormRow(number, f"task of {number}", f"hint of {number}") for number in range(1, 11))


def sheet(*names: str, url: str = "") -> ScoreSheet:
    return ScoreSheet("Scamper", "Łódź club · table 2", Form(ROWS, ("joker 50",), 1), names, "Table 2", url)


def pages(*sheets: ScoreSheet) -> PdfReader:
    return PdfReader(BytesIO(score_sheets(sheets)))


@pytest.mark.parametrize("players", range(2, 11))
def test_a_sheet_for_up_to_six_players_is_one_portrait_page(players: int) -> None:
    (page,) = pages(sheet(*[""] * players)).pages
    assert (page.mediabox.height > page.mediabox.width) == (players <= 6)


def test_the_table_stands_on_its_sheet_in_the_largest_type() -> None:
    sizes: dict[str, float] = {}
    (page,) = pages(sheet("a", "b")).pages
    page.extract_text(visitor_text=lambda text, _cm, _tm, _font, size: sizes.update({text.strip(): size}))
    assert sizes["Table 2"] == max(sizes.values()) > 18


def test_a_sheet_has_the_table_the_players_and_every_round() -> None:
    text = pages(sheet("Zoë", "Żółć")).pages[0].extract_text()
    wanted = ["Scamper", "Łódź club · table 2", "Zoë", "Żółć", "joker 50"]
    wanted += [line.task for line in ROWS] + [line.hint for line in ROWS]
    assert [words for words in wanted if words not in text] == []


def test_a_long_name_is_printed_in_full() -> None:
    name = "Bartholomew Featherstonehaugh the Third"
    text = pages(sheet(*[name] * 10)).pages[0].extract_text()
    assert "".join(text.split()).count("".join(name.split())) == 10


def test_each_player_has_room_for_a_signature() -> None:
    assert "Signatures" in pages(sheet("a", "b")).pages[0].extract_text()


def test_each_table_has_its_own_page() -> None:
    assert len(pages(sheet("a", "b"), sheet("c", "d", "e")).pages) == 2


def test_only_a_sheet_with_a_form_has_a_qr_code() -> None:
    plain, coded = (score_sheets([sheet("a", "b", url=url)]) for url in ("", "https://example.org/t/1/"))
    squares = [len(PdfReader(BytesIO(pdf)).pages[0].get_contents().get_data()) for pdf in (plain, coded)]  # type: ignore[union-attr]
    assert squares[1] > squares[0] + 1000


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.key)
def test_a_game_that_is_registered_has_sheets_for_each_number_of_players(toy: AnyRuleset) -> None:
    with rules.registered(toy):
        for players in toy.seats:
            (page,) = PdfReader(BytesIO(blank(toy.key, players, {}))).pages
            assert "one card each" in page.extract_text()


@pytest.mark.parametrize(("deals", "players", "count"), [(20, 3, 1), (36, 3, 2), (48, 4, 2), (24, 8, 2)])
def test_a_sheet_of_many_deals_has_a_row_for_each_on_pages_of_equal_length(
    deals: int, players: int, count: int
) -> None:
    rows = tuple(FormRow(number, f"task of {number}", "hint") for number in range(1, deals + 1))
    printed = pages(replace(sheet(*"abcdefgh"[:players]), form=Form(rows, ("joker 50",)))).pages
    texts = [page.extract_text() for page in printed]
    assert len(texts) == count and [text.count("wins)") for text in texts] == [0] * (count - 1) + [1]
    assert [line.task for line in rows if line.task not in "\n".join(texts)] == []


def test_skat_has_a_sheet_of_48_deals_at_four() -> None:
    skat = rules.of("card-game", CardGame.shipped["skat"]).name
    printed = PdfReader(BytesIO(blank(skat, 4, CardGame.shipped["skat"]))).pages
    assert len(printed) == 2 and "another sheet" not in printed[-1].extract_text()


@pytest.mark.parametrize("key", CardGame.shipped)
def test_a_sheet_says_what_the_dot_of_the_dealer_is(key: str) -> None:
    game = rules.of("card-game", CardGame.shipped[key])
    printed = PdfReader(BytesIO(blank(game.name, game.seats[0], {}))).pages
    assert all("● marks who deals." in page.extract_text() for page in printed)


def test_partners_have_a_column_in_which_all_of_their_deal_is_written() -> None:
    form = Form(ROWS[:2], (), by_side=True, parts=("melds", "bonuses"))
    seats = ("Ann", "Ben", "Cem", "Dana")
    text = pages(replace(sheet("Ann & Cem", "Ben & Dana"), form=form, players=seats)).pages[0].extract_text()
    assert text.count("Ann & Cem") == text.count("Ben & Dana") == 1
    assert text.count("melds") == text.count("bonuses") == 4
    assert [line for line in text.splitlines() if line in seats] == ["Ann", "Ben"]


@pytest.mark.parametrize(("players", "deals"), [(3, 36), (4, 48)])
def test_a_sheet_of_skat_has_as_many_deals_as_its_table(players: int, deals: int) -> None:
    game = rules.of("card-game", CardGame.shipped["skat"])
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(blank(game.name, players, {}))).pages)
    assert text.count("Declarer") == deals


PARTS = ("Melds", "Red threes", "Black threes", "Going out", "Cards left", "Bonus", "Fine")


@pytest.mark.parametrize("players", [2, 4, 10])
def test_where_much_is_written_each_seat_has_a_line_of_its_own(players: int) -> None:
    names = [f"Player {letter}" for letter in "ABCDEFGHIJ"[:players]]
    form = Form(ROWS, ("joker 50",), 0, parts=PARTS)
    pdf = score_sheets([replace(sheet(*names), form=form)])
    texts = [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]
    for name in names:  # in the line of each deal, and once above place and signature
        assert "\n".join(texts).count(name) == len(ROWS) + len(texts)
    assert [text.count("Red threes") for text in texts] == [1] * len(texts)
    assert [text.count("wins)") for text in texts] == [0] * (len(texts) - 1) + [1]


def test_lines_of_seats_are_high_enough_to_write_in_with_a_code_for_each() -> None:
    form = Form(ROWS, ("joker 50",) * 3, 0, parts=PARTS)
    codes = tuple(SeatCode(f"CODE{at}", f"https://example.org/e/{at}") for at in range(6))
    full = replace(
        sheet(*"abcdef"), form=form, codes=codes, enter_url="https://example.org/e/", sides=("x", "y")
    )
    pdf = Paper("")
    pdf.add_page()
    page = SeatLines(
        pdf, replace(full, form=replace(form, rows=ROWS[: SeatLines.most_deals(full)])), ends=True
    )
    page.draw()
    assert page.row > 4.5 and pdf.get_y() <= pdf.h - MARGIN


def test_few_parts_share_the_column_of_their_seat() -> None:
    few, many = (replace(sheet(*"abcd"), form=Form(ROWS, (), parts=PARTS[:count])) for count in (3, 4))
    assert not needs_lines(few) and needs_lines(many)
