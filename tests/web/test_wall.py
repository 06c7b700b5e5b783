"""The live wall of a round's tables."""

from uuid import uuid4

from django.test import Client

from league.services.channel import report_watchers
from tests.factories import Cast
from tests.league.playing import in_play
from tests.web.test_public import text


def test_each_table_tells_how_many_watch_it(client: Client, cast: Cast) -> None:
    competition = in_play(cast)
    address = f"/competitions/{competition.slug}/live/"
    assert "watching" not in text(client, address)
    report_watchers(uuid4(), {competition.games.all()[0].pk: 2})
    assert text(client, address).count("2 watching") == 1
