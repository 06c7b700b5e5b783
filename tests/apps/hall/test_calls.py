"""Calls for the organiser: one at a time from a table, until somebody has seen it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.refusals import Illegal
from league.admin.needs import needs_of
from league.apps.hall.queries import last_call, open_calls
from league.apps.hall.services import call_organiser, see_call
from league.core.verbs.rounds import CloseRound
from league.models import Account, Club, Competition, Member, Table
from tests.factories import AccountFactory, Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8)


@pytest.fixture
def table(competition: Competition) -> Table:
    return tables(competition)[0]


def waiting(cast: Cast) -> list[tuple[str, str]]:
    calls = open_calls(Club.objects.filter(pk=cast.club.pk))
    return [(str(call), call.caller) for call in calls]


def test_a_call_says_which_table_and_who(cast: Cast, table: Table) -> None:
    name = table.seats.get(number=1).player.name
    call_organiser(table=table, seat=1, account=None)
    assert waiting(cast) == [("Round 1, table 1", name)]


def test_a_table_calls_once_until_somebody_has_seen_it(cast: Cast, table: Table) -> None:
    first = call_organiser(table=table, seat=0, account=cast.paul)
    assert call_organiser(table=table, seat=2, account=None) == first
    see_call(by=cast.olga, call=first)
    assert waiting(cast) == []
    assert call_organiser(table=table, seat=2, account=None) != first


def test_tables_wait_in_the_order_of_their_calls(cast: Cast, competition: Competition) -> None:
    one, other = tables(competition)
    for table in (other, one):
        call_organiser(table=table, seat=None, account=None)
    assert waiting(cast) == [("Round 1, table 2", ""), ("Round 1, table 1", "")]


def test_a_call_is_seen_by_a_scorekeeper_too_and_stays_so(cast: Cast, table: Table) -> None:
    sam = AccountFactory.create(username="sam")
    Member.objects.create(club=cast.club, account=sam, role=Member.Role.SCOREKEEPER)
    call = call_organiser(table=table, seat=0, account=None)
    for account in (cast.paul, cast.nora):
        with pytest.raises(PermissionDenied):
            see_call(by=account, call=call)
    see_call(by=sam, call=call)
    see_call(by=cast.olga, call=call)
    last = last_call(table.pk)
    assert last is not None and last.seen_by == sam


def test_nobody_calls_from_a_table_that_is_over(cast: Cast, competition: Competition, table: Table) -> None:
    act(cast.olga, competition, CloseRound, void_undecided="late")
    with pytest.raises(Illegal):
        call_organiser(table=table, seat=0, account=None)


class TestTheFirstPage:
    """What organisers and scorekeepers see of a call, without loading the page again."""

    def shown(self, account: Account, address: str = "/admin/needs/") -> str:
        return str(logged_in(account).get(address).content.decode())

    def test_of_the_desk_has_the_call_first(self, cast: Cast, table: Table) -> None:
        call = call_organiser(table=table, seat=0, account=None)
        for address in ("/admin/", "/admin/needs/"):
            page = self.shown(cast.olga, address)
            assert f"Round 1, table 1 calls you ({call.caller})." in page
            assert f'action="/calls/{call.pk}/seen/"' in page
        assert needs_of(Club.objects.filter(pk=cast.club.pk))[0].posted

    def test_forgets_a_call_once_its_table_is_decided(self, cast: Cast, table: Table) -> None:
        call_organiser(table=table, seat=0, account=None)
        competition = table.round.stage.competition
        act(cast.olga, competition, CloseRound, void_undecided="late")
        for address in ("/admin/needs/", "/scores/"):
            assert "calls you" not in self.shown(cast.olga, address)
            assert f"round 1, table {table.number} calls" not in self.shown(cast.olga, address).lower()

    def test_of_another_clubs_desk_has_not(self, cast: Cast, table: Table) -> None:
        call_organiser(table=table, seat=0, account=None)
        assert "table 1" not in self.shown(cast.nora)

    def test_is_for_organisers(self, cast: Cast) -> None:
        assert logged_in(cast.paul).get("/admin/needs/").status_code == 302
        assert Client().get("/admin/needs/").status_code == 302

    def test_closes_a_call_and_comes_back(self, cast: Cast, table: Table) -> None:
        call = call_organiser(table=table, seat=0, account=None)
        seen, olga = f"/calls/{call.pk}/seen/", logged_in(cast.olga)
        assert Client().post(seen)["Location"].startswith("/account/login/")
        assert logged_in(cast.paul).post(seen).status_code == 404
        assert waiting(cast) != []
        assert olga.post(seen, {"next": "/admin/"})["Location"] == "/admin/"
        assert olga.post(seen, {"next": "https://evil.example/"})["Location"] == "/scores/"
        assert waiting(cast) == []

    def test_of_a_scorekeeper_has_the_call_and_its_button(self, cast: Cast, table: Table) -> None:
        sam = AccountFactory.create(username="sam")
        Member.objects.create(club=cast.club, account=sam, role=Member.Role.SCOREKEEPER)
        call = call_organiser(table=table, seat=0, account=None)
        page = self.shown(sam, "/scores/")
        assert call.caller in page and f'action="/calls/{call.pk}/seen/"' in page
        assert f'<a href="/rounds/{table.round_id}/scores/">Round 1, table 1</a>' in page
        assert logged_in(sam).post(f"/calls/{call.pk}/seen/")["Location"] == "/scores/"
        assert "Round 1, table 1</a>" not in self.shown(sam, "/scores/")

    def test_asks_little_of_the_database(self, cast: Cast, table: Table) -> None:
        call_organiser(table=table, seat=0, account=None)
        olga = logged_in(cast.olga)
        olga.get("/admin/needs/")
        with CaptureQueriesContext(connection) as queries:
            olga.get("/admin/needs/")
        assert len(queries) <= 21, [query["sql"] for query in queries]
