"""Tags of answers: whatever changes an answer changes its tag, and what a client has is not sent again."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import resolve
from rest_framework.test import APIClient

from api.views.docs import document
from league import tasks
from league.apps.between.models import Partner
from league.apps.series.core.events import Renamed
from league.apps.series.core.rule import Rule, Value
from league.apps.series.services import add_evening, open_series
from league.apps.series.services import perform as tell
from league.models import Club, Competition, Member, Player, Token
from tests.api.desks import Desk
from tests.api.web import EVERYBODY, ROOT, bearer, move, say
from tests.factories import Cast

UNTAGGED = {
    f"{ROOT}/games/{{id}}/events/": "a stream: it resumes by `Last-Event-ID`",
    f"{ROOT}/clubs/{{slug}}/stream/": "a stream: it resumes by `Last-Event-ID`",
    f"{ROOT}/competitions/{{id}}/stream/": "a stream: it resumes by `Last-Event-ID`",
    f"{ROOT}/me/events/": "a stream: it resumes by `Last-Event-ID`",
    f"{ROOT}/clubs/{{slug}}/games.ndjson": "as long as it gets: it goes on by `cursor`",
    f"{ROOT}/players/{{id}}/games.ndjson": "as long as it gets: it goes on by `cursor`",
}
WITHOUT_CHANGE = (
    *("/challenges/", "/challenges.csv", "/draws/", "/objections/"),
    *("/prizes/", "/stages/", "/timetable/"),
)
"""Nobody draws, challenges or objects here, there are no prizes nor times, and the only stage goes on."""
NOT_HERE = (
    "/imports/{id}/",
    "/webhooks/{id}/",
    "/seeks/{id}/",
    "/seeks/{id}/links/",
    "/deliveries/",
    "/deliveries/{delivery}/",
    "/proof/",
)
"""Of what this world has not: they follow nothing, so they have the tags of their bodies."""
PATHS = sorted(
    path
    for path, item in document()["paths"].items()
    if "get" in item and not path.endswith(NOT_HERE) and "/signed-log/" not in path
)


class World:
    """A competition whose first round is played, a game of its club, and all of their addresses."""

    def __init__(self, cast: Cast, desk: Desk) -> None:
        self.cast, self.desk = cast, desk
        desk.does("draw")
        desk.does("publish")
        tasks.sweep()
        self.game = cast.game("tally", {"rounds": 1})
        self.competition = Competition.objects.get()
        rule = Rule(value=Value(by="beaten"))
        Partner.objects.create(competition=self.competition, club=cast.club)
        self.series = open_series(by=cast.olga, club=cast.club, name="Year", rule=rule)
        add_evening(by=cast.olga, series=self.series, competition=self.competition)
        self.token = bearer(cast.olga)
        self.its_token = Token.objects.filter(account=cast.olga).latest("created_at")
        announced = f"{ROOT}/competitions/{self.competition.pk}/hall/announcements/"
        self.announced = self.token.post(announced, {"text": "Tea is ready"}).json().get("id", "")

    def address(self, path: str) -> str:
        """Return an address of the schema with its ids."""
        kind = path.split("/")[3]
        own = {
            "games": self.game,
            "competitions": self.competition,
            "players": self.cast.paul_plays,
            "tokens": self.its_token,
            "series": self.series,
        }
        its_id = own[kind].pk if kind in own else ""
        fills = {"id": its_id, "slug": self.cast.club.slug, "seq": 1, "key": "scoops", "version": 1}
        query = "?ruleset=tally" if path.endswith(("ratings/", "ratings.csv")) else ""
        query = "?search=paul" if path == f"{ROOT}/players/" else query
        return path.format(**{**fills, "code": "stale", "announcement": self.announced}) + query

    def following(self) -> Iterator[str]:
        """Yield the addresses whose tags are made before the answer."""
        for path in PATHS:
            view: Any = resolve(self.address(path).partition("?")[0]).func
            operation = getattr(view.view_class, "operations", {}).get("GET")
            if (operation and operation.follows) or path == f"{ROOT}/games/{{id}}/":
                yield self.address(path)


@pytest.fixture
def world(cast: Cast, desk: Desk) -> World:
    return World(cast, desk)


def test_every_answer_has_a_tag_and_is_not_sent_again(world: World) -> None:
    for path in PATHS:
        of_player = path.endswith(("/me/", "/me/answer/", "/company/"))
        client = bearer(world.cast.paul) if of_player else world.token
        first = client.get(world.address(path))
        if path.endswith("/sheets.pdf"):
            continue  # this game has no sheets
        assert first.status_code == 200, path
        assert first.has_header("ETag") != (path in UNTAGGED), path
        if path in UNTAGGED:
            continue
        for known in (first["ETag"], "*"):
            again = client.get(world.address(path), headers={"If-None-Match": known})
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), path


def test_an_answer_that_is_private_says_so(world: World) -> None:
    for address in world.following():
        answers = [client.get(address) for client in (EVERYBODY, world.token)]
        shared = {"private" not in answer["Cache-Control"] for answer in answers}
        assert len(shared) == 1 and all("no-cache" in answer["Cache-Control"] for answer in answers)
        if shared == {True}:
            assert body(answers[0]) == body(answers[1]), address
            assert answers[0]["ETag"] == answers[1]["ETag"]
        else:
            assert {"Authorization", "Cookie"} <= {*answers[0]["Vary"].split(", ")}


def test_a_tag_of_another_address_is_no_tag(world: World) -> None:
    path = f"{ROOT}{world.desk.path}/standings/"
    tag = EVERYBODY.get(path)["ETag"]
    assert EVERYBODY.get(f"{path}?page=9", headers={"If-None-Match": tag}).status_code == 404
    assert EVERYBODY.get(f"{path}?page=9", headers={"If-None-Match": "*"}).status_code == 404


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def play(world: World) -> None:
    for seq, account in enumerate((world.cast.paul, world.cast.petra), 2):
        assert move(bearer(account), world.game, seq, say(seq)).status_code == 201


def rename(world: World) -> None:
    named = {"name": "Somebody Else", "public_name": "Somebody Else"}
    Player.objects.filter(club=world.cast.club).update(**named)


CHANGES: list[Callable[[World], Any]] = [
    play,
    lambda world: tell(by=world.cast.olga, series=world.series, event=Renamed("Another")),
    rename,
    lambda world: Player.objects.filter(club=world.cast.club).update(bot=True),
    lambda world: world.desk.plays(world.cast),
    lambda world: world.desk.does("close-round"),
    lambda world: world.desk.does("draw"),
    lambda world: Club.objects.filter(pk=world.cast.club.pk).update(slug="elsewhere", timezone="Asia/Tokyo"),
    lambda world: world.token.put(f"{ROOT}{world.desk.path}/details/", {"place": "Town hall"}),
    lambda world: Member.objects.filter(account=world.cast.olga).update(role="player"),
]


def test_whatever_changes_an_answer_changes_its_tag(world: World) -> None:
    addresses = {address: EVERYBODY.get(address)["Cache-Control"] for address in world.following()}

    def read() -> dict[tuple[str, APIClient], tuple[str, bytes]]:
        found = {}
        for address, cached in addresses.items():
            for client in (EVERYBODY, world.token)[: 2 if "private" in cached else 1]:
                answer = client.get(address)
                assert answer.status_code == 200, (address, answer.content)
                found[address, client] = answer["ETag"], body(answer)
        return found

    seen, changed = read(), set()
    for number, change in enumerate(CHANGES):
        change(world)
        now = read()
        for key, (tag, text) in now.items():
            was, before = seen[key]
            assert text == before or tag != was, (number, key[0])
            changed |= {key[0]} if text != before else set()
        seen = now
    of_release = ("/rulesets/", "/problems/", "/presets/", "/formats/")
    of_rows = {address for address in addresses if not any(part in address for part in of_release)}
    assert {address for address in of_rows if not address.endswith(WITHOUT_CHANGE)} == changed
