"""Who may run a competition over the API, and what is refused."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from league.core.verbs import ORGANISER_VERBS
from league.models import Player
from tests import factories
from tests.api.desks import BODIES, OF_REASON, STAGE, WITHOUT_IDS, Desk, opening
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast
from tests.league.tally import Tally
from tests.shared import shared_rows


@dataclass(frozen=True)
class World:
    """Competitions at several points of their course, and who may not run them."""

    cast: Cast
    announced: Desk
    drawn: Desk
    second_round: Desk
    """Its second round is drawn and not published."""
    of_twelve: Desk
    arbiter: APIClient
    """Olga, with a token that lacks the scope."""
    others: tuple[APIClient, ...]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with shared_rows(django_db_blocker, Tally()):
        cast = factories.cast()
        both = [cast.paul_plays, cast.petra_plays]
        yield World(
            cast,
            announced=Desk(cast),
            drawn=drawn(cast, both),
            second_round=in_second_round(cast),
            of_twelve=published(cast, cast.people(12)),
            arbiter=bearer(cast.olga, "read", "play"),
            others=(bearer(cast.nora, "organise"), bearer(cast.paul, "organise")),
        )


@pytest.fixture
def world(made: World, db: None) -> World:
    return made


def drawn(cast: Cast, players: list[Player]) -> Desk:
    desk = Desk(cast)
    desk.enters(players)
    desk.does("start")
    desk.does("draw")
    return desk


def published(cast: Cast, players: list[Player]) -> Desk:
    desk = drawn(cast, players)
    desk.does("publish")
    return desk


def in_second_round(cast: Cast) -> Desk:
    desk = published(cast, [cast.paul_plays, cast.petra_plays])
    desk.plays(cast)
    desk.does("close-round")
    desk.does("draw")
    return desk


@pytest.mark.parametrize("verb", ORGANISER_VERBS)
@pytest.mark.parametrize("tail", ["", "preview/"])
def test_only_an_organiser_of_the_club_can_run_a_competition(world: World, verb: str, tail: str) -> None:
    its_path = world.announced.path
    path, body = f"{ROOT}{its_path}/{verb}/{tail}", BODIES.get(verb, {})
    assert_problem(EVERYBODY.post(path, body), 401, "not_authenticated")
    assert_problem(world.arbiter.post(path, body), 403, "insufficient_scope")
    for other in world.others:
        assert_problem(other.post(path, body), 403, "not_allowed")
    assert get(f"{its_path}/")["seq"] == 1


@pytest.mark.parametrize(
    "verb",
    [verb for verb in BODIES if verb not in (*OF_REASON, *WITHOUT_IDS)],
)
def test_unknown_ids_are_refused(world: World, verb: str) -> None:
    answer = world.drawn.olga.post(f"{ROOT}{world.drawn.path}/{verb}/", BODIES[verb])
    assert answer.status_code in (400, 422), answer.content


@pytest.mark.parametrize(("verb", "body", "field"), [
    ("publish", {"deadline": "tomorrow"}, "deadline"),
    ("publish", {"deadline": "2026-02-30T10:00:00Z"}, "deadline"),
    ("publish", {"deadline": "9999-99-99T10:00:00Z"}, "deadline"),
    ("publish", {"deadline": "2099-12-01T18:00:00"}, "deadline"),
    ("publish", {"deadline": "0001-01-01T00:00+01:00"}, "deadline"),
    ("enter", {"players": []}, "players"),
    ("enter", {"players": ["x"]}, "players.0"),
    ("enter", {}, "players"),
    ("enter", {"players": [str(NOBODY)], "seq": 0}, "seq"),
    ("adjust", {"entry": "x", "points": "1 + 5", "reason": ""}, "points"),
    ("rule", {"table": str(NOBODY), "seats": [{"seat": 0, "score": "x"}], "reason": "x"}, "seats.0.score"),
    ("move-seat", {"stage": 1, "round": 1, "swaps": [[1]], "reason": "x"}, "swaps.0"),
    ("start", {"now": True}, "now"),
])  # fmt: skip
def test_a_wrong_body_names_the_field(world: World, verb: str, body: dict[str, object], field: str) -> None:
    desk = world.announced
    answer = desk.olga.post(f"{ROOT}{desk.path}/{verb}/", body)
    assert field in assert_problem(answer, 400, "malformed")["errors"]


@pytest.mark.parametrize(("changes", "field"), [
    ({"stages": []}, "stages"),
    ({"stages": [{**STAGE, "format": "chaos"}]}, "stages.0.format"),
    ({"stages": [{**STAGE, "rounds": -1}]}, "stages.0.rounds"),
    ({"stages": [7]}, "stages.0"),
    ({"ruleset": "chess"}, "ruleset"),
    ({"options": {"rounds": 0}}, "options.rounds"),
    ({"slug": "no slug"}, "slug"),
    ({"name": ""}, "name"),
    ({"club": "nowhere"}, "club"),
    ({"pace": "hurried"}, "pace"),
    ({"clock": {"move": "fast"}}, "clock.move"),
])  # fmt: skip
def test_a_wrong_opening_names_the_field(world: World, changes: dict[str, object], field: str) -> None:
    answer = world.announced.olga.post(f"{ROOT}/competitions/", opening(world.cast, **changes))
    assert field in assert_problem(answer, 400, "malformed")["errors"]


def test_a_stranger_can_not_open_a_competition(world: World) -> None:
    answer = bearer(world.cast.nora).post(f"{ROOT}/competitions/", opening(world.cast))
    assert_problem(answer, 403, "not_allowed")


BELOW = (
    "", "entries/", "stages/", "rounds/", "tables/", "games/", "standings/", "standings.json",
    "standings.csv", "results.csv", "entries.csv", "challenges.csv", "events.csv", "cross-table/",
    "events/", "log/", "export/",
)  # fmt: skip


@pytest.mark.parametrize("what", BELOW)
def test_addresses_below_an_unknown_competition_are_not_found(world: World, what: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/competitions/{NOBODY}/{what}"), 404, "not_found")


@pytest.mark.parametrize(
    "query", ["stage=0", "stage=x", "round=0", "round=-1", "round=%00", "stage=" + "9" * 99]
)
def test_an_invalid_stage_or_round_is_malformed(world: World, query: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}{world.drawn.path}/standings/?{query}"), 400, "malformed")


def test_a_deadline_that_has_passed_is_malformed(world: World) -> None:
    response = world.drawn.does("publish", 400, deadline="2020-01-01T10:00:00Z")
    assert list(response["errors"]) == ["deadline"]


@pytest.mark.parametrize("query", ["stage=2", "round=2", "stage=1&round=2", "stage=2&round=1"])
@pytest.mark.parametrize("name", ["standings/", "standings.json", "standings.csv"])
def test_standings_of_an_unknown_stage_or_unpublished_round_are_not_found(
    world: World, name: str, query: str
) -> None:
    desk = world.second_round
    assert EVERYBODY.get(f"{ROOT}{desk.path}/{name}?round=1").status_code == 200
    assert_problem(EVERYBODY.get(f"{ROOT}{desk.path}/{name}?{query}"), 404, "not_found")


@pytest.mark.parametrize("what", BELOW)
def test_the_number_of_queries_does_not_depend_on_the_number_of_entries(
    world: World, what: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(9):
        assert EVERYBODY.get(f"{ROOT}{world.of_twelve.path}/{what}").status_code == 200
