"""A club with more players and competitions than a page has queries: these do not grow with them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.models.moves import Move
from league.admin import desk
from league.core.events import Event as Happened
from league.core.events import apply
from league.core.state.competition import Competition as State
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.log import Author
from league.models import Competition, Job, Member, Player
from league.models.events import Event
from league.models.events import Event as LogRow
from league.projections.standings import compute_standings
from league.services import verbs
from tests.core import deciding as commands
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.walking import Address, addresses

MOST = 31
PLAYERS, COMPETITIONS = 60, 30
SHOWN = (
    *("changelist", "change", "add", "export", "file", "act"),
    *("import", "many", "links", "merge", "remove", "state"),
)
"""The names of addresses that show something, without their models."""


def entered(cast: Cast, competition: Competition, players: Sequence[Player]) -> Competition:
    """Enter many players in one append, as no person would."""

    def command(state: State, now: datetime) -> list[Happened]:
        events: list[Happened] = []
        for player in players:
            shown = commands.enter(state, entry=str(uuid4()), name=player.name, players=[str(player.pk)])
            state = apply(state, *shown)
            events += shown
        return events

    author = Author(LogRow.Role.ORGANISER, str(cast.olga.pk))
    verbs.write(competition_id=competition.pk, author=author, command=command)
    competition.refresh_from_db()
    return competition


@pytest.fixture
def big(cast: Cast) -> Competition:
    """A competition of the whole club whose first round is being played, beside many others to come."""
    people = [
        Player(
            club=cast.club,
            name=f"Player {at}",
            public_name=f"Player {at}",
            search_name=f"player {at}",
            appeared=True,
        )
        for at in range(PLAYERS)
    ]
    Player.objects.bulk_create(people)
    for number in range(COMPETITIONS - 1):
        entered(cast, opened(cast, name=f"Coming {number}"), people[number : number + 4])
    found = entered(cast, opened(cast, name="Everybody"), people)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, found, verb)
    compute_standings(found.pk)
    found.refresh_from_db()
    return found


def rows_of(cast: Cast, big: Competition) -> dict[type[Model], Model]:
    """Return a row of each kind on the desk that the club has."""
    place = big.games.order_by("pk")[0]
    known: dict[type[Model], Model] = {
        Competition: big,
        Event: big.events.order_by("seq")[0],
        Game: place.game,
        Move: Move.objects.filter(game=place.game)[0],
        Player: cast.paul_plays,
        Member: Member.objects.filter(club=cast.club)[0],
        Job: Job.objects.create(club=cast.club, competition=big, by=cast.olga, kind="print", status="done"),
    }
    return {kind: known.get(kind) or kind._default_manager.first() or kind() for kind in desk._registry}


def pages(cast: Cast, big: Competition) -> list[str]:
    """Return the address of every page that shows something of the club."""
    table = big.games.order_by("pk")[0].game_id
    public = [
        "/",
        f"/clubs/{cast.club.slug}/",
        *(
            f"/competitions/{big.slug}/{part}"
            for part in ("", "live/", "charts/", "rounds/", "entries/", "log/", "feed/")
        ),
        f"/players/{cast.paul_plays.pk}/",
        f"/games/{table}/",
        *(f"/api/v1/clubs/{cast.club.slug}/{part}" for part in ("players/", "players.csv", "games.csv")),
        *(f"/api/v1/competitions/{big.pk}/{part}" for part in ("entries/", "tables/", "results.csv")),
        "/api/v1/competitions/",
        "/api/v1/games/",
    ]
    walked = [found.path for found in addresses(rows_of(cast, big)) if _shows(found)]
    return ["/admin/", *walked, *public]


def _shows(address: Address) -> bool:
    last = address.name.rpartition("_")[2]
    return last in SHOWN and "None" not in address.path


@pytest.mark.long
def test_the_number_of_queries_does_not_depend_on_the_length_of_a_page(cast: Cast, big: Competition) -> None:
    client, asked = logged_in(cast.olga), dict[str, int]()
    for address in pages(cast, big):
        asked[address] = _asked(client, address)
    assert len(asked) > 60
    assert {address: count for address, count in asked.items() if count > MOST} == {}


def _asked(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        answer: Any = client.get(address)
    assert answer.status_code < 500, address
    return len(queries)
