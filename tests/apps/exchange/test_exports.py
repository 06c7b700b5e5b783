"""Exports of a competition and of the desk's lists."""

import csv
import json
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from openpyxl import load_workbook

from league.choices import Outcome
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound
from league.core.verbs.rulings import SetResult
from league.models import Competition, Player, TableSeat
from league.projections.standings import compute_standings
from tests import factories
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened, stands, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_correcting_names import RIGHT, WRONG, correct
from tests.league.test_teams import resigned
from tests.web.conftest import record_all

FORMATS = ("csv", "json", "xlsx")
LISTINGS = ("standings", "results", "entries", "log", "everything")


@pytest.fixture
def played(cast: Cast) -> Competition:
    """A competition of nine (so that tables differ) whose first round is played."""
    competition = in_play(cast, 9)
    record_all(competition)
    return competition


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def rows(answer: Any) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment")
    return list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))


def file(client: Client, competition: Competition, name: str) -> Any:
    return client.get(f"/admin/league/competition/{competition.pk}/export/{name}")


def test_results_have_a_row_for_each_seat_with_its_outcome(olga: Client, played: Competition) -> None:
    found = rows(file(olga, played, "results.csv"))
    assert len(found) == 9
    assert {row["status"] for row in found} == {"played"}
    first = [row for row in found if row["table"] == "1"]
    assert sorted(row["rank"] for row in first) == [str(rank + 1) for rank in range(len(first))]
    assert [row["seat"] for row in first] == [str(seat + 1) for seat in range(len(first))]


def test_standings_are_exactly_those_of_the_log(olga: Client, played: Competition) -> None:
    found = json.loads(file(olga, played, "standings.json").content)
    assert [(row["rank"], row["entry"], row["points"]) for row in found] == [
        (row.rank, row.entry.name, row.points) for row in stands(played)
    ]
    assert "wins" in found[0]


@pytest.mark.parametrize("listing", ["standings", "results", "entries", "log"])
def test_files_of_the_desk_speak_the_readers_language_and_those_of_the_api_do_not(
    olga: Client, played: Competition, listing: str
) -> None:
    english = rows(file(olga, played, f"{listing}.csv"))
    address = f"/admin/league/competition/{played.pk}/export/{listing}.csv"
    text = olga.get(address, HTTP_ACCEPT_LANGUAGE="de").content.decode("utf-8-sig")
    german = list(csv.DictReader(StringIO(text), delimiter=";"))
    assert len(german) == len(english)
    assert not {*german[0]} & {*english[0]}
    words = {value for row in german for value in row.values()}
    assert not words & {"played", "takes part", "true", "false", "no", "yes", "organiser", "Round closed"}
    name = "events" if listing == "log" else listing
    api = Client().get(f"/api/v1/competitions/{played.pk}/{name}.csv", HTTP_ACCEPT_LANGUAGE="de")
    assert {*rows(api)[0]} & {"decided_by", "outcome", "checked_in", "kind"}


def test_the_log_shows_who_did_what_and_why(olga: Client, cast: Cast, played: Competition) -> None:
    entry = played.entries.all()[0]
    act(cast.olga, played, AdjustPoints, entry=entry.pk, points="-1", reason="came late")
    found = rows(file(olga, played, "log.csv"))
    assert [row["entry"] for row in found] == [str(seq + 1) for seq in range(len(found))]
    last = found[-1]
    assert (last["kind"], last["account"], last["role"]) == ("Points adjusted", "olga", "organiser")
    assert "came late" in last["what"]


def test_everything_can_be_exported_as_one_file(olga: Client, played: Competition) -> None:
    names = ["entries", "results", "standings-1", "log"]
    archive = ZipFile(BytesIO(file(olga, played, "everything.csv").content))
    assert archive.namelist() == [f"{name}.csv" for name in names]
    assert [*json.loads(file(olga, played, "everything.json").content)] == names
    book = load_workbook(BytesIO(file(olga, played, "everything.xlsx").content))
    assert book.sheetnames == names
    assert all(sheet.freeze_panes == "A2" for sheet in book.worksheets)


@pytest.mark.parametrize("listing", LISTINGS)
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_competition_that_has_not_started_has_files_too(
    olga: Client, cast: Cast, listing: str, suffix: str
) -> None:
    assert file(olga, opened(cast), f"{listing}.{suffix}").status_code == 200


def test_unknown_files_are_not_found(olga: Client, played: Competition) -> None:
    for name in ("results.exe", "secrets.csv"):
        assert file(olga, played, name).status_code == 404


def test_only_organisers_get_files_with_a_drawn_round(olga: Client, cast: Cast, played: Competition) -> None:
    act(cast.olga, played, CloseRound)
    act(cast.olga, played, DrawRound)
    address = f"/api/v1/competitions/{played.pk}/results.csv"
    for client, rounds in ((olga, {"1", "2"}), (Client(), {"1"}), (logged_in(cast.nora), {"1"})):
        assert {row["round"] for row in rows(client.get(address))} == rounds
    assert {row["round"] for row in rows(file(olga, played, "results.csv"))} == {"1", "2"}


def test_a_ruled_result_is_marked(olga: Client, cast: Cast, played: Competition) -> None:
    table = tables(played)[0]
    act(cast.olga, played, VoidTable, table=table.pk, reason="a card was missing")
    voided = [row for row in rows(file(olga, played, "results.csv")) if row["table"] == str(table.number)]
    assert {(row["status"], row["reason"]) for row in voided} == {("void", "a card was missing")}


def test_rulings_and_no_shows_have_their_reasons(olga: Client, cast: Cast, played: Competition) -> None:
    ruled, left = tables(played)[:2]
    seats = [{"seat": seat, "rank": seat + 1, "score": 9 - seat} for seat in range(ruled.seats.count())]
    absent = left.seats.order_by("number")[0].entry
    act(cast.olga, played, SetResult, table=ruled.pk, seats=seats, reason="misread")
    act(cast.olga, played, MarkNoShow, table=left.pk, entry=absent.pk, reason="ill")
    told = rows(file(olga, played, "results.csv"))
    assert {row["reason"] for row in told if row["table"] == str(ruled.number)} == {"misread"}
    assert {row["entry"]: row["reason"] for row in told if row["reason"] == "ill"} == {absent.name: "ill"}


class TestLists:
    def test_are_exported_with_their_filters(self, olga: Client, cast: Cast) -> None:
        factories.PlayerFactory.create(club=cast.club, name="Zoë Ábel", active=False)
        for query, names in (("?q=abel", ["Zoë Ábel"]), ("?active__exact=1", ["Paul Pike", "Petra Plum"])):
            assert [row["name"] for row in rows(olga.get(f"/admin/league/player/export.csv{query}"))] == names

    def test_have_the_rows_of_the_list_without_markup(self, olga: Client, played: Competition) -> None:
        (row,) = rows(olga.get("/admin/league/competition/export.csv"))
        shown = [row[name] for name in ("name", "game", "status", "entries")]
        assert shown == ["Autumn", "Tally", "running", "9"]
        game = rows(olga.get("/admin/games/game/export.csv"))[0]
        assert game["competition"] == "Autumn"

    @pytest.mark.parametrize("suffix", FORMATS)
    def test_come_in_every_format(self, olga: Client, played: Competition, suffix: str) -> None:
        for kind in ("league/event", "games/move", "league/member", "league/club"):
            assert olga.get(f"/admin/{kind}/export.{suffix}").status_code == 200

    def test_redirect_if_a_filter_is_invalid(self, olga: Client, cast: Cast) -> None:
        answer = olga.get("/admin/league/player/export.csv?active__exact=perhaps&nothing=1")
        assert answer["Location"] == "/admin/league/player/?e=1"

    def test_refuse_lists_that_are_too_long(
        self, olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("league.apps.exchange.desk.MOST_ROWS", 1)
        page = olga.get("/admin/league/player/export.csv?o=1", follow=True)
        assert "Filter it first" in page.content.decode()

    def test_have_a_number_of_queries_that_does_not_depend_on_their_length(
        self, olga: Client, cast: Cast, django_assert_max_num_queries: Callable[[int], Any]
    ) -> None:
        competition = in_play(cast, 12)
        for kind in ("league/event", "games/move", "games/game", "league/competition", "league/player"):
            with django_assert_max_num_queries(18):
                assert olga.get(f"/admin/{kind}/export.csv").status_code == 200
        for listing in LISTINGS:
            with django_assert_max_num_queries(30):
                file(olga, competition, f"{listing}.csv")


class TestPublicFiles:
    def test_of_a_club_have_the_filters_of_its_lists(self, cast: Cast, played: Competition) -> None:
        address = f"/api/v1/clubs/{cast.club.slug}"
        for name, found in (("players.csv?name=PIKE", "Paul Pike"), ("competitions.csv", "Autumn")):
            assert [row["name"] for row in rows(Client().get(f"{address}/{name}"))] == [found]
        assert rows(Client().get(f"{address}/games.csv?status=active")) == []
        games = rows(Client().get(f"{address}/games.csv?status=finished"))
        assert len(games) == 9
        assert {row["rank"] for row in games} <= {"1", "2", "3", "4", "5"}

    def test_of_a_player_have_all_seats_of_their_games(self, cast: Cast, played: Competition) -> None:
        games = rows(Client().get(f"/api/v1/players/{cast.paul_plays.pk}/games.csv"))
        assert "Paul Pike" in {row["player"] for row in games}
        assert len({row["game"] for row in games}) == 1

    def test_have_the_losers_of_two_teams_as_second(self, cast: Cast) -> None:
        resigned(cast)
        games = rows(Client().get(f"/api/v1/clubs/{cast.club.slug}/games.csv"))
        assert [row["rank"] for row in games] == ["2", "1", "2", "1"]

    def test_have_no_score_of_who_has_left_the_others(self, cast: Cast, played: Competition) -> None:
        seats = TableSeat.objects.filter(table__round__stage__competition=played)
        seats.filter(player=cast.paul_plays).update(outcome=Outcome.FORFEIT)
        listed = rows(Client().get(f"/api/v1/players/{cast.paul_plays.pk}/games.csv"))
        scores = {row["player"]: row["score"] for row in listed}
        assert scores.pop("Paul Pike") == "" and scores and all(scores.values())
        assert all(row["rank"] for row in listed)
        page = Client().get(f"/players/{cast.paul_plays.pk}/")
        assert [(each.rank is None, each.score) for each in page.context["games"]] == [(False, None)]

    def test_have_no_account_names(self, cast: Cast, played: Competition) -> None:
        for address in (
            f"clubs/{cast.club.slug}/players.csv",
            f"competitions/{played.pk}/entries.csv",
            f"competitions/{played.pk}/results.csv",
        ):
            assert "olga" not in Client().get(f"/api/v1/{address}").content.decode()
            assert "account" not in rows(Client().get(f"/api/v1/{address}"))[0]


def test_the_players_of_an_entry_are_joined_by_what_no_name_has(olga: Client, cast: Cast) -> None:
    competition, people = opened(cast, lineup="partners", team_size=2), cast.people(2)
    for player, name in zip(people, ("Meier, Peter", "Meier, Paula"), strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
    act(cast.olga, competition, EnterPlayers, players=[each.pk for each in people])
    assert [row["players"] for row in rows(file(olga, competition, "entries.csv"))] == [
        "Meier, Peter & Meier, Paula"
    ]


@pytest.mark.parametrize("name", ["standings.csv", "results.csv", "entries.csv"])
def test_files_have_the_name_that_was_corrected(cast: Cast, name: str) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    correct(cast)
    lines = file(logged_in(cast.olga), competition, name).content.decode()
    assert (RIGHT in lines, WRONG in lines) == (True, False)
