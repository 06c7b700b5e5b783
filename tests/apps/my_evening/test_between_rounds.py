"""My evening between rounds: what is still to be played, whom one meets next, and that nothing follows."""

import re
from datetime import time

import pytest
from django.test import Client

from league.apps.hall import services as hall
from league.apps.my_evening import queries, services
from league.callers import ByAccount
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.tables import PostponeTable
from league.models import Competition, Player, Table, TableSeat
from league.services.competitions import change_details
from league.services.verbs import perform
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.web.conftest import record_all


def opened_by(cast: Cast, competition: Competition, player: Player) -> Client:
    """A browser in which the code of a player's evening was typed."""
    made = services.make_passes(by=cast.olga, competition=competition, people=[player])
    client = Client()
    client.post("/enter/", {"code": queries.shown(queries.code_of(made[player.pk]))})
    return client


def evening(client: Client, competition: Competition) -> str:
    return str(client.get(f"/competitions/{competition.slug}/my-evening/").content.decode())


def test_says_after_the_last_round_that_none_follows(cast: Cast) -> None:
    competition = in_play(cast, 8)
    details = {"begins_on": cast.club.today, "begins_at": time(0, 1), "round_minutes": 20}
    change_details(by=cast.olga, competition=competition, values=details)
    player = tables(competition)[0].seats.get(number=0).player
    client = opened_by(cast, competition, player)
    for number in (1, 2):
        record_all(competition, number)
        act(cast.olga, competition, CloseRound)
        shown = evening(client, competition)
        assert ("No further round follows." in shown) is (number == 2)
        assert ("Your next seat is shown here" in shown) is (number == 1)
        if number == 1:
            act(cast.olga, competition, DrawRound)
            act(cast.olga, competition, PublishRound)
    assert "Timetable:" not in shown


def test_shows_a_table_that_was_put_off_beside_the_seat_of_the_round(cast: Cast) -> None:
    competition = in_play(cast, 8)
    seats = list(tables(competition)[0].seats.select_related("player").order_by("number"))
    table = seats[0].table
    act(cast.olga, competition, PostponeTable, table=table.pk, reason="Bus is late")
    client = opened_by(cast, competition, seats[0].player)
    assert evening(client, competition).count("Bus is late") == 1
    then: list[Verb] = [CloseRound(void_undecided="x"), DrawRound(), PublishRound()]
    for verb in then:
        perform(ByAccount(cast.olga), competition=competition, verb=verb)
        shown = evening(client, competition)
        assert f"Round 1, table {table.number}" in shown and shown.count("Bus is late") == 1
        part = shown[shown.index('id="put-off-1"') :]
        assert all(each.player.name in part for each in seats[1:])
    assert re.search(r"Table \d, seat \d", shown)
    scores = tuple({"seat": each.number, "score": 9 - each.number} for each in seats)
    act(cast.olga, competition, SetResult, table=table.pk, seats=scores)
    assert "Bus is late" not in evening(client, competition)


@pytest.mark.parametrize(("size", "players"), [(2, 5), (4, 8)])
def test_tells_whom_the_schedule_of_a_round_robin_has_next(cast: Cast, size: int, players: int) -> None:
    plan = {"name": "League", "format": "round_robin", "rounds": 3, "table_size": size}
    competition = in_play(cast, players, stages=[plan])
    entry = competition.entries.get(number=1)
    client = opened_by(cast, competition, entry.members.get().player)
    told = []
    for number in range(1, 4):
        told += re.findall(r"Round (\d): you meet (.*)\.<", evening(client, competition))
        record_all(competition, number)
        act(cast.olga, competition, CloseRound)
        told += re.findall(r"Round (\d): you meet (.*)\.<", evening(client, competition))
        if number < 3:
            act(cast.olga, competition, DrawRound)
            told += re.findall(r"Round (\d): you meet (.*)\.<", evening(client, competition))
            act(cast.olga, competition, PublishRound)
    played = {
        (str(each.round.number), frozenset(others))
        for each in Table.objects.filter(seats__entry=entry, round__number__gt=1)
        if (others := each.seats.exclude(entry=entry).values_list("player__name", flat=True))
    }
    assert {(number, frozenset(names.split(", "))) for number, names in told} == played
    assert len(told) >= 3


def test_a_message_to_a_round_reaches_who_sits_in_it_and_nobody_with_a_bye(cast: Cast) -> None:
    plan = {"name": "League", "format": "round_robin", "rounds": 3, "table_size": 2}
    competition = in_play(cast, 5, stages=[plan])
    hall.announce(by=cast.olga, competition=competition, words="Swap the decks", to="round")
    seated = TableSeat.objects.filter(table__in=tables(competition)).values_list("player", flat=True)
    for entry in competition.entries.all():
        player = entry.members.get().player
        told = "Swap the decks" in evening(opened_by(cast, competition, player), competition)
        assert told is (player.pk in seated)
