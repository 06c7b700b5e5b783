"""Calls for the organiser: one at a time from a table, until somebody has seen it."""

import pytest
from django.core.exceptions import PermissionDenied

from games.engine.refusals import Illegal
from league.core.verbs.close_round import CloseRound
from league.models import Club, Competition, Member, Table
from league.queries.calls import last_call, open_calls
from league.services.calls import call_organiser, see_call
from tests.factories import AccountFactory, Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables


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
