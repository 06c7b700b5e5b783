"""The score sheets of a round, from the API and the rules page."""

from io import BytesIO

import pytest
from django.test import Client
from pypdf import PdfReader

from games import rules
from league.apps.prints.score_sheets import of_round
from league.models import ClubGame, Round
from tests.api.desks import Desk
from tests.api.web import ROOT, assert_problem
from tests.factories import Cast

pytestmark = pytest.mark.django_db


def test_the_pdf_of_a_published_round_has_a_sheet_for_each_table_with_its_players(cast: Cast) -> None:
    ruleset = rules.find("scamper")
    form = ruleset.form(ruleset.read_options({}, 2))
    assert form
    desk = Desk(cast, ruleset=ruleset.key, options={"rounds": 3})
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    answer = Client().get(f"{ROOT}{desk.path}/sheets.pdf")
    assert answer["Content-Type"] == "application/pdf"
    (page,) = PdfReader(BytesIO(answer.content)).pages
    text = page.extract_text()
    wanted = [
        cast.club.name,
        cast.paul_plays.name,
        cast.petra_plays.name,
        *(row.task for row in form.rows[:3]),
    ]
    assert [words for words in wanted if words not in text] == []
    assert form.rows[3].task not in text


def test_the_qr_code_of_a_sheet_opens_the_forms_of_the_game(cast: Cast) -> None:
    desk = Desk(cast, ruleset="scamper-scorecard")
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    coded: list[str] = []
    of_round(Round.objects.get(), lambda path: coded.append(path) or f"https://example.org{path}")  # type: ignore[func-returns-value]
    assert coded == [f"/games/{ClubGame.objects.get().game_id}/play/"]


def test_a_stranger_can_not_print_an_unpublished_round(cast: Cast) -> None:
    desk = Desk(cast, ruleset="scamper")
    desk.enters([cast.paul_plays, cast.petra_plays])
    desk.does("start")
    desk.does("draw")
    assert_problem(Client().get(f"{ROOT}{desk.path}/sheets.pdf"), 404, "not_found")


def test_a_game_without_score_sheets_gets_an_error_that_says_so(cast: Cast) -> None:
    desk = Desk(cast)
    desk.enters([cast.paul_plays, cast.petra_plays])
    for verb in ("start", "draw", "publish"):
        desk.does(verb)
    assert_problem(Client().get(f"{ROOT}{desk.path}/sheets.pdf"), 422, "illegal")


@pytest.mark.parametrize("players", range(2, 11))
def test_the_rules_page_links_to_a_blank_sheet_for_each_number_of_players(
    client: Client, players: int
) -> None:
    address = f"/rules/scamper/sheet-{players}.pdf"
    assert address in client.get("/rules/scamper/").content.decode()
    assert len(PdfReader(BytesIO(client.get(address).content)).pages) == 1


@pytest.mark.parametrize(
    "address", ["scamper/sheet-1.pdf", "scamper/sheet-11.pdf", "scoops/sheet-4.pdf", "x/sheet-2.pdf"]
)
def test_sheets_of_an_unknown_game_or_number_of_players_are_not_found(client: Client, address: str) -> None:
    assert client.get(f"/rules/{address}").status_code == 404
