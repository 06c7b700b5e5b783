"""My evening after the last round: no other is announced, and no time of an end that is past."""

from datetime import time

from django.test import Client

from league.apps.my_evening import queries, services
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import CloseRound, PublishRound
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.web.conftest import record_all


def test_says_after_the_last_round_that_none_follows(cast: Cast) -> None:
    competition = in_play(cast, 8)
    details = {"begins_on": cast.club.today, "begins_at": time(0, 1), "round_minutes": 20}
    change_details(by=cast.olga, competition=competition, values=details)
    player = tables(competition)[0].seats.get(number=0).player
    made = services.make_passes(by=cast.olga, competition=competition, people=[player])
    client = Client()
    client.post("/enter/", {"code": queries.shown(queries.code_of(made[player.pk]))})
    for number in (1, 2):
        record_all(competition, number)
        act(cast.olga, competition, CloseRound)
        shown = client.get(f"/competitions/{competition.slug}/my-evening/").content.decode()
        assert ("No further round follows." in shown) is (number == 2)
        assert ("Your next seat is shown here" in shown) is (number == 1)
        if number == 1:
            act(cast.olga, competition, DrawRound)
            act(cast.olga, competition, PublishRound)
    assert "Timetable:" not in shown
