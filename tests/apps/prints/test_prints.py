"""Printed sheets of a competition: from its public pages, and from the desk."""

import csv
import re
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any
from unicodedata import numeric
from unittest.mock import Mock

import pytest
from django.test import Client
from pypdf import PdfReader

from games.rules.card_game import CardGame
from league.apps.prints import printing
from league.apps.prints.round_points import points_of_rounds
from league.core.details import Prize
from league.core.standings.tie_breaks import BY_KEY
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import ReturnEntry
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.hooks import papers
from league.models import Competition, Player, Table, TableSeat
from league.projections.standings import compute_standings
from league.services.competitions import change_details
from league.services.players import create_player
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, left_by_two, opened, stands
from tests.league.test_admin_scope import logged_in
from tests.league.walking import text_of
from tests.web.conftest import record_all


@pytest.fixture
def played(cast: Cast) -> Competition:
    """A competition of nine whose first round is played and whose second is drawn."""
    competition = in_play(cast, 9)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    competition.refresh_from_db()
    return competition


def public(competition: Competition, name: str, client: Client | None = None) -> Any:
    return (client or Client()).get(f"/competitions/{competition.slug}/print/{name}")


def desk(cast: Cast, competition: Competition, name: str) -> Any:
    return logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/print/{name}")


def test_anyone_can_print_a_published_round(played: Competition) -> None:
    for name in ("pairings.pdf", "cards.pdf", "pairings.pdf?stage=1&round=1"):
        shown = text_of(public(played, name))
        assert "Autumn: Round 1" in shown
        assert all(entry.name in shown for entry in played.entries.all())


def test_only_organisers_can_print_a_drawn_round(cast: Cast, played: Competition) -> None:
    assert "Round 2" in text_of(desk(cast, played, "pairings.pdf"))
    assert "not published yet" in text_of(desk(cast, played, "cards.pdf"))
    for client in (Client(), logged_in(cast.olga)):
        assert public(played, "pairings.pdf?stage=1&round=2", client).status_code == 404


def test_the_alphabetical_list_says_who_sits_where(played: Competition) -> None:
    shown = text_of(public(played, "names.pdf"))
    table = played.stages.get().rounds.get(number=1).tables.get(number=2)
    for number, seat in enumerate(table.seats.order_by("number"), 1):
        assert f"2 · {number}{seat.player.name}" in shown


@pytest.mark.parametrize("name", ["pairings.pdf", "names.pdf"])
def test_where_partners_change_each_print_of_a_round_says_who_they_are(cast: Cast, name: str) -> None:
    jass = in_play(cast, ruleset="card-game", options=CardGame.shipped["jass"])
    seats = TableSeat.objects.filter(table__round__stage__competition=jass, table__number=1).order_by(
        "number"
    )
    one, two, three, other = [seat.player.name for seat in seats if seat.player]
    shown = " ".join(text_of(public(jass, name)).split())
    told = {
        "pairings.pdf": (f"{one} & {three}", f"{two} & {other}"),
        "names.pdf": (f"with {three}", f"with {other}"),
    }
    assert all(each in shown for each in told[name]), shown


def test_current_and_earlier_standings_can_be_printed(played: Competition) -> None:
    first = stands(played)[0]
    for name, when in (("standings.pdf", "so far"), ("standings.pdf?round=1", "after round 1")):
        shown = text_of(public(played, name))
        assert when in shown
        assert first.entry.name in shown
        assert "Played" in shown


@pytest.mark.parametrize("count", [8, 7])
def test_each_tie_break_has_a_column_in_its_order(cast: Cast, count: int) -> None:
    """At tables of four and three the values are fractions; at fours the points are the total score."""
    order = ["wins", "score_difference", "head_to_head", "game_score"]
    competition = in_play(cast, count, stages=[{**PLAN, "tie_breaks": [*order, "lot"]}])
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    uneven = ["Total score", "Wins above average"] if count == 7 else []
    titles = ["Places taken", *uneven, "Score difference", "Head to head", "Average score"]
    page = Client().get(f"/competitions/{competition.slug}/").content.decode()
    assert re.findall(r'<th [^>]*title="[^>]*>([^<]+)</th>', page) == titles
    printed = " ".join(text_of(public(competition, "standings.pdf")).split())
    assert " ".join(titles) in printed


def test_a_phone_shows_the_first_tie_break_that_separates(cast: Cast) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "tie_breaks": ["head_to_head", "score_difference"]}])
    for at, table in enumerate(Table.objects.filter(round__stage__competition=competition)):
        seats = [{"seat": seat, "rank": seat + 1, "score": (4 - seat) * (at + 1)} for seat in range(4)]
        act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="real cards")
    act(cast.olga, competition, CloseRound)
    compute_standings(competition.pk)
    page = Client().get(f"/competitions/{competition.slug}/").content.decode()
    kinds = dict(re.findall(r'<th scope="col" class="([^"]+)" title="[^"]+">([^<]+)</th>', page))
    assert kinds == {
        "number roomy": "Total score",
        "number roomy value": "Head to head",
        "number": "Score difference",
    }


@pytest.mark.parametrize("key", BY_KEY)
def test_the_values_of_every_tie_break_are_shown_and_printed(cast: Cast, key: str) -> None:
    competition = in_play(cast, 7, stages=[{**PLAN, "tie_breaks": [key]}])
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    assert Client().get(f"/competitions/{competition.slug}/").status_code == 200
    assert public(competition, "standings.pdf").status_code == 200


def test_the_qr_code_of_a_table_card_opens_the_table(cast: Cast, played: Competition) -> None:
    """A code is a picture: that there is one shows in the size of what draws it."""
    assert len(public(played, "cards.pdf").content) > len(desk(cast, played, "cards.pdf").content)


@pytest.mark.parametrize("name", ["pairings.pdf", "cards.pdf", "sheets.pdf", "standings.pdf", "secrets.pdf"])
def test_a_competition_that_has_not_started_has_nothing_to_print(cast: Cast, name: str) -> None:
    competition = opened(cast, 4)
    assert public(competition, name).status_code == 404
    answer = desk(cast, competition, name)
    assert answer["Location"] == f"/admin/league/competition/{competition.pk}/change/"


def test_a_game_without_score_sheets_says_so_on_the_desk(cast: Cast, played: Competition) -> None:
    page = logged_in(cast.olga).get(f"/admin/league/competition/{played.pk}/print/sheets.pdf", follow=True)
    assert "This game has no score sheets to print." in page.content.decode()
    assert public(played, "sheets.pdf").status_code == 404


@pytest.mark.parametrize("query", ["stage=x", "round=-1", "stage=99", "round=99999999"])
def test_an_unknown_stage_or_round_is_not_found(played: Competition, query: str) -> None:
    for name in ("pairings.pdf", "standings.pdf"):
        assert public(played, f"{name}?{query}").status_code == 404


def test_pages_link_to_the_printed_sheets(cast: Cast, played: Competition) -> None:
    for page, name in (("", "standings"), ("rounds/", "pairings"), ("rounds/", "cards")):
        shown = Client().get(f"/competitions/{played.slug}/{page}").content.decode()
        assert f"/print/{name}.pdf?stage=1" in shown
    shown = logged_in(cast.olga).get(f"/admin/league/competition/{played.pk}/change/").content.decode()
    assert f"/{played.pk}/print/cards.pdf" in shown


def test_the_desk_says_which_names_are_printed_in_words(cast: Cast) -> None:
    competition = opened(cast, 2)
    address = f"/admin/league/competition/{competition.pk}/change/"
    assert "can’t be printed" not in logged_in(cast.olga).get(address).content.decode()
    player = create_player(by=cast.olga, club=cast.club, name="Ken 𗀀")
    act(cast.olga, competition, EnterPlayers, players=[player.pk])
    shown = logged_in(cast.olga).get(address).content.decode()
    assert "1 name has characters that can’t be printed" in shown
    assert "Ken 𗀀 is printed as Ken (U+17000)" in shown


def test_who_has_withdrawn_or_was_expelled_is_marked_on_pages_prints_and_in_files(cast: Cast) -> None:
    competition = left_by_two(cast)
    page, api = f"/competitions/{competition.slug}/", f"/api/v1/competitions/{competition.pk}/"
    for address in (page, f"{page}entries/", f"{page}print/standings.pdf"):
        answer = Client().get(address)
        shown = text_of(answer) if address.endswith("pdf") else answer.content.decode()
        assert (shown.count("withdrawn"), shown.count("expelled")) == (1, 1), address
    for what in ("standings", "entries"):
        rows = list(csv.DictReader(StringIO(Client().get(f"{api}{what}.csv").content.decode())))
        assert [row["expelled"] for row in rows].count("true") == 1
        rows = Client().get(f"{api}{what}/").json()["results"]
        assert [row["expelled"] for row in rows].count(True) == 1


def test_who_returns_after_an_expulsion_is_marked_no_more(cast: Cast) -> None:
    competition = left_by_two(cast)
    back = competition.entries.get(expelled=True)
    act(cast.olga, competition, ReturnEntry, entry=back.pk)
    back.refresh_from_db()
    assert (back.status, back.expelled) == ("entered", False)


@pytest.mark.parametrize("kind", ["pairings.pdf", "cards.pdf", "standings.pdf"])
def test_a_print_is_made_once_and_sent_once(
    kind: str, played: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Mock(side_effect=printing.printed)
    monkeypatch.setattr(printing, "printed", make)
    queries = ("", "entry=x", "x=1", "stage=1&entry=y", "stage=01")
    answers = [public(played, f"{kind}?{query}") for query in queries]
    ((content, tag),) = {(each.content, each["ETag"]) for each in answers}
    assert (content[:4], make.call_count) == (b"%PDF", 1)
    again = Client().get(answers[0].request["PATH_INFO"], headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    first = played.entries.first().members.get().player_id  # type: ignore[union-attr]
    Player.objects.filter(pk=first).update(name="Zoe", public_name="Zoe")
    again = Client().get(answers[0].request["PATH_INFO"], headers={"If-None-Match": tag})
    assert again.status_code == 200


def test_one_sheet_has_the_standings_with_each_round_the_prizes_and_the_year(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    year = papers.YearTable("Club champion", ("", "Name", "Total"), (("1.", "Zoe", "155"),))
    monkeypatch.setattr(papers, "YEAR_TABLES", [lambda _competition: [year]])
    competition = finished(cast, 8)
    compute_standings(competition.pk)
    change_details(by=cast.olga, competition=competition, values={"prizes": (Prize("a cup", 1, 1),)})
    answer = public(competition, "evening.pdf")
    shown = text_of(answer)
    assert all(entry.name in shown for entry in competition.entries.all())
    assert "R1" in shown and "R2" in shown and "a cup" in shown
    assert "Club champion" in shown and "155" in shown
    assert len(PdfReader(BytesIO(answer.content)).pages) == 1


@pytest.mark.parametrize("tie_breaks", [["wins"], ["opponents_points"], []])
def test_one_sheet_says_what_separates_entries_of_equal_points(cast: Cast, tie_breaks: list[str]) -> None:
    competition = in_play(cast, 8, stages=[{**PLAN, "tie_breaks": tie_breaks}])
    record_all(competition)
    level = any(row.decided_by for row in stands(competition))
    assert ("On equal points: " in text_of(public(competition, "evening.pdf"))) is level


@pytest.mark.parametrize(
    ("values", "printed"),
    [("60, 55, 40 (31)", "60, 55, 40 (31)"), (", ".join(map(str, range(100, 160))), "3/4")],
)
def test_one_sheet_has_the_values_that_count_as_far_as_its_width_allows(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, values: str, printed: str
) -> None:
    columns, rows = ("", "Name", "Counting", "Total"), (("1.", "Zoe", "3/4", "155"),)
    year = papers.YearTable("Club champion", columns, rows, ("Counting (left out)", values))
    monkeypatch.setattr(papers, "YEAR_TABLES", [lambda _competition: [year]])
    competition = finished(cast, 8)
    compute_standings(competition.pk)
    shown = text_of(public(competition, "evening.pdf"))
    assert all((each in shown) is (each == printed) for each in ("60, 55, 40 (31)", "3/4"))


def test_the_points_of_the_rounds_on_one_sheet_add_up_to_the_total(cast: Cast) -> None:
    competition = finished(cast, 8)
    assert len(shown_by_entry(competition)) == 8
    for shown, at_tables, points in shown_by_entry(competition):
        assert shown == at_tables
        assert sum(map(number, shown), Fraction()) == points


def test_a_bye_has_its_points_in_its_own_round_and_changes_no_other_one(cast: Cast) -> None:
    plan = {**PLAN, "rounds": 3, "table_size": 2}
    competition = finished(cast, 3, stages=[plan])
    for shown, at_tables, points in shown_by_entry(competition):
        (bye,) = [cell for cell in shown if cell.endswith("°")]
        assert [bye if cell == "–" else cell for cell in at_tables] == shown
        assert number(bye.rstrip("°")) == points / 3
        assert sum(map(number, shown), Fraction()) == points
    told = "° not played; a bye earns their average of the other rounds"
    assert told in text_of(public(competition, "evening.pdf"))


def test_points_that_no_round_gave_have_a_column_of_their_own_on_the_sheet(cast: Cast) -> None:
    competition = in_play(cast, 4)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    entry = competition.entries.order_by("number")[0]
    act(cast.olga, competition, AdjustPoints, entry=str(entry.pk), points="-1/2", reason="late")
    assert sorted(shown[-1] for shown, _tables, _points in shown_by_entry(competition)) == [
        "0",
        "0",
        "0",
        "−½",
    ]
    for shown, _tables, points in shown_by_entry(competition):
        assert sum(map(number, shown), Fraction()) == points
    assert "+/− brought along" in text_of(public(competition, "evening.pdf"))


def shown_by_entry(competition: Competition) -> Sequence[tuple[list[str], list[str], Fraction]]:
    """Return for each entry the cells of its rounds, what its tables gave it, and its total."""
    compute_standings(competition.pk)
    competition.refresh_from_db()
    stage = competition.stages.get()
    columns = points_of_rounds(stage)
    rounds = [each.number for each in stage.rounds.order_by("number")]
    found = []
    for row in stands(competition):
        seats = TableSeat.objects.filter(entry=row.entry_id)
        ranks = dict(seats.values_list("table__round__number", "rank"))
        at_tables = [str(stage.plan["table_size"] - ranks[n]) if n in ranks else "–" for n in rounds]
        found.append(([*columns.of(row.entry_id)], at_tables, Fraction(row.points)))
    return found


def number(cell: str) -> Fraction:
    """Return the number of a cell, as "3½°" or "−½"."""
    sign = -1 if cell.startswith("−") else 1
    parts = [numeric(each) for each in cell.strip("−°").replace("–", "0")]
    return sign * sum((Fraction(each) for each in parts), Fraction())


def test_one_sheet_of_sixty_people_is_one_page(cast: Cast) -> None:
    competition = in_play(cast, 60)
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    compute_standings(competition.pk)
    answer = public(competition, "evening.pdf")
    assert len(PdfReader(BytesIO(answer.content)).pages) == 1
    assert all(entry.name in text_of(answer) for entry in competition.entries.all())
