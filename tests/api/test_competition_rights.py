"""Who may run a competition over the API, and what is refused."""

from typing import Any

import pytest

from league.core.verbs import ORGANISER_VERBS
from tests.api.desks import BODIES, OF_REASON, STAGE, WITHOUT_IDS, Desk, opening
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast


@pytest.mark.parametrize("verb", ORGANISER_VERBS)
@pytest.mark.parametrize("tail", ["", "preview/"])
def test_only_an_organiser_of_the_club_can_run_a_competition(cast: Cast, verb: str, tail: str) -> None:
    its_path = Desk(cast).path
    path, body = f"{ROOT}{its_path}/{verb}/{tail}", BODIES.get(verb, {})
    assert_problem(EVERYBODY.post(path, body), 401, "not_authenticated")
    assert_problem(bearer(cast.olga, "read", "play").post(path, body), 403, "insufficient_scope")
    assert_problem(bearer(cast.nora, "organise").post(path, body), 403, "not_allowed")
    assert_problem(bearer(cast.paul, "organise").post(path, body), 403, "not_allowed")
    assert get(f"{its_path}/")["seq"] == 1


@pytest.mark.parametrize(
    "verb",
    [verb for verb in BODIES if verb not in (*OF_REASON, *WITHOUT_IDS)],
)
def test_unknown_ids_are_refused(cast: Cast, desk: Desk, verb: str) -> None:
    desk.does("draw")
    answer = desk.olga.post(f"{ROOT}{desk.path}/{verb}/", BODIES[verb])
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
    ("adjust", {"entry": "x", "points": "1.5", "reason": ""}, "points"),
    ("rule", {"table": str(NOBODY), "seats": [{"seat": 0, "score": "x"}], "reason": "x"}, "seats.0.score"),
    ("move-seat", {"stage": 1, "round": 1, "swaps": [[1]], "reason": "x"}, "swaps.0"),
    ("start", {"now": True}, "now"),
])  # fmt: skip
def test_a_wrong_body_names_the_field(cast: Cast, verb: str, body: dict[str, object], field: str) -> None:
    desk = Desk(cast)
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
def test_a_wrong_opening_names_the_field(cast: Cast, changes: dict[str, object], field: str) -> None:
    answer = bearer(cast.olga).post(f"{ROOT}/competitions/", opening(cast, **changes))
    assert field in assert_problem(answer, 400, "malformed")["errors"]


def test_a_stranger_can_not_open_a_competition(cast: Cast) -> None:
    answer = bearer(cast.nora).post(f"{ROOT}/competitions/", opening(cast))
    assert_problem(answer, 403, "not_allowed")


BELOW = (
    "", "entries/", "stages/", "rounds/", "tables/", "games/", "standings/", "standings.json",
    "standings.csv", "results.csv", "entries.csv", "events.csv", "cross-table/", "events/", "log/", "export/",
)  # fmt: skip


@pytest.mark.parametrize("what", BELOW)
@pytest.mark.django_db
def test_addresses_below_an_unknown_competition_are_not_found(what: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/competitions/{NOBODY}/{what}"), 404, "not_found")


@pytest.mark.parametrize(
    "query", ["stage=0", "stage=x", "round=0", "round=-1", "round=%00", "stage=" + "9" * 99]
)
def test_an_invalid_stage_or_round_is_malformed(cast: Cast, desk: Desk, query: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}{desk.path}/standings/?{query}"), 400, "malformed")


def test_a_deadline_that_has_passed_is_malformed(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    response = desk.does("publish", 400, deadline="2020-01-01T10:00:00Z")
    assert list(response["errors"]) == ["deadline"]


@pytest.mark.parametrize("query", ["stage=2", "round=2", "stage=1&round=2", "stage=2&round=1"])
@pytest.mark.parametrize("name", ["standings/", "standings.json", "standings.csv"])
def test_standings_of_an_unknown_stage_or_unpublished_round_are_not_found(
    cast: Cast, desk: Desk, name: str, query: str
) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    desk.does("close-round")
    desk.does("draw")
    assert EVERYBODY.get(f"{ROOT}{desk.path}/{name}?round=1").status_code == 200
    assert_problem(EVERYBODY.get(f"{ROOT}{desk.path}/{name}?{query}"), 404, "not_found")


@pytest.mark.parametrize("what", BELOW)
def test_the_number_of_queries_does_not_depend_on_the_number_of_entries(
    cast: Cast, what: str, django_assert_max_num_queries: Any
) -> None:
    desk = Desk(cast)
    desk.enters(cast.people(12))
    desk.does("start")
    desk.does("draw")
    desk.does("publish")
    with django_assert_max_num_queries(9):
        assert EVERYBODY.get(f"{ROOT}{desk.path}/{what}").status_code == 200
