"""My evening in a cup: whom somebody without a table waits for, and who is out."""

import re

import pytest
from django.test import Client

from league.apps.my_evening.queries import code_of
from league.apps.my_evening.services import make_passes
from league.core.verbs.entries import WithdrawEntry
from league.models import Bye, Competition, Entry, TableSeat
from league.queries.competitions import state_of
from league.queries.pictures import is_out
from tests.factories import Cast
from tests.league.acting import act
from tests.league.brackets import CUP, closed, drawn_next, in_round
from tests.league.playing import tables


def told(cast: Cast, competition: Competition, entry: Entry) -> str:
    """What the own page of an entry's player says of the next seat."""
    player = entry.members.get().player
    held = make_passes(by=cast.olga, competition=competition, people=[player])[player.pk]
    client = Client()
    client.post("/enter/", {"code": code_of(held)})
    page = client.get(f"/competitions/{competition.slug}/my-evening/").content.decode()
    (part,) = re.findall(r'<section class="panel".*?</section>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def byes(competition: Competition, number: int) -> list[Entry]:
    return [
        bye.entry for bye in Bye.objects.filter(round__number=number, round__stage__competition=competition)
    ]


def losers(competition: Competition, number: int) -> list[Entry]:
    seats = TableSeat.objects.filter(table__round__number=number, rank=2)
    return [seat.entry for seat in seats.order_by("table__number")]


def test_who_has_a_bye_waits_for_the_winner_of_a_table(cast: Cast) -> None:
    competition = in_round(cast, 5, 1, CUP)
    assert any(
        "Bye in round 1 You wait for the winner of table 1." in told(cast, competition, each)
        for each in byes(competition, 1)
    )
    assert any(
        "Bye in round 1 Your next opponent: " in told(cast, competition, each)
        for each in byes(competition, 1)
    )


def test_who_waits_in_the_lower_bracket_is_told_for_whose_loser(cast: Cast) -> None:
    competition = in_round(cast, 11, 2)
    said = [told(cast, competition, entry) for entry in byes(competition, 2)]
    assert said and all("Bye in round 2 You wait for the loser of table " in each for each in said)


def test_who_won_the_upper_final_waits_for_the_winner_below(cast: Cast) -> None:
    competition = in_round(cast, 4, 3)
    (waits,) = byes(competition, 3)
    assert "Bye in round 3 You wait for the winner of table 1." in told(cast, competition, waits)


def test_who_lost_twice_is_out_with_the_places_that_are_left(cast: Cast) -> None:
    competition = closed(cast, in_round(cast, 8, 2), 2)
    gone = [entry for entry in losers(competition, 2) if is_out(competition, str(entry.pk))]
    assert len(gone) == 2
    for entry in gone:
        assert told(cast, competition, entry).startswith("You are out of the cup Place 7–8")
    drawn_next(cast, competition)
    assert told(cast, competition, gone[0]).startswith("You are out of the cup Place 7–8")


def test_the_losers_of_the_semi_finals_are_not_told_that_they_are_out(cast: Cast) -> None:
    competition = closed(cast, in_round(cast, 4, 1, CUP), 1)
    one, other = losers(competition, 1)
    assert f"Round 1 is over Your next opponent: {other.name}" in told(cast, competition, one)


def test_who_has_withdrawn_is_not_told_that_a_round_is_over(cast: Cast) -> None:
    competition = closed(cast, in_round(cast, 8, 1), 1)
    (entry, *_) = losers(competition, 1)
    act(cast.olga, competition, WithdrawEntry, entry=entry.pk, reason="ill")
    drawn_next(cast, competition)
    assert told(cast, competition, entry).startswith("You have withdrawn.")


@pytest.mark.parametrize("players", [5, 11, 16])
def test_everybody_in_a_cup_has_a_table_waits_for_somebody_or_is_out(cast: Cast, players: int) -> None:
    competition = in_round(cast, players, 4)
    seated = {str(seat.entry_id) for table in tables(competition, 4) for seat in table.seats.all()}
    for entry in state_of(competition).entries:
        if entry.id not in seated:
            row = Entry.objects.get(pk=entry.id)
            assert re.match(
                r"(Bye in round 4 You|You are out of the cup Place)", told(cast, competition, row)
            )
