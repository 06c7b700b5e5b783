"""The page of a competition whose first round is played: where everybody sits comes first."""

import re

from django.test import Client

from league.core.verbs.rounds import CloseRound
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play
from tests.web.conftest import record_all
from tests.web.test_public import text


def test_standings_come_after_the_round_until_there_is_a_result(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    address = f"/competitions/{competition.slug}/"
    before = text(client, address)
    assert before.index('id="latest"') < before.index('id="standings"')
    record_all(competition)
    after = text(client, address)
    assert after.index('id="standings"') < after.index('id="latest"')


def test_a_link_leads_to_the_seats_while_a_round_is_played(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    address = f"/competitions/{competition.slug}/"
    page = text(client, address)
    found = re.search(r'<a [^>]*href="([^"]+)">Where do I sit\?</a>', page)
    assert found and page.index(found[0]) < page.index('class="tabs"')
    assert "Who sits where" in text(client, found[1])
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    assert "Where do I sit?" not in text(client, address)
