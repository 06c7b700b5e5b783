"""The hall over the API: everybody reads the timer and announcements, organisers write them."""

from tests.api.desks import Desk
from tests.api.web import NOBODY, ROOT, assert_problem, bearer
from tests.factories import Cast


def test_the_timer_is_started_changed_and_removed(desk: Desk) -> None:
    for verb in ("draw", "publish"):
        desk.does(verb)
    timer = f"{ROOT}{desk.path}/hall/timer/"
    assert desk.reads("hall/") == {"timer": None, "announcements": []}
    started = desk.olga.put(timer, {"minutes": 50}).json()["timer"]
    assert (started["seconds"], started["paused"], started["over"]) == (3000, False, False)
    assert desk.olga.patch(timer, {"paused": True}).json()["timer"]["ends_at"] is None
    assert desk.olga.patch(timer, {"paused": False, "add_minutes": 5}).status_code == 200
    shown = desk.reads("hall/")["timer"]
    assert 3200 < shown["left"] <= 3300
    assert shown["ends_at"].endswith("Z")
    for _ in range(2):
        assert desk.olga.delete(timer).status_code == 204
    assert desk.reads("hall/")["timer"] is None


def test_announcements_are_shown_once_and_removed(desk: Desk) -> None:
    announcements = f"{ROOT}{desk.path}/hall/announcements/"
    answers = [desk.olga.post(announcements, {"text": "Soup is ready"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    (told,) = desk.reads("hall/")["announcements"]
    assert desk.olga.get(answers[0]["Location"]).json() == told
    assert (told["id"], told["text"]) == (answers[0].json()["id"], "Soup is ready")
    for _ in range(2):
        assert desk.olga.delete(f"{announcements}{told['id']}/").status_code == 204
    assert desk.reads("hall/")["announcements"] == []
    assert_problem(desk.olga.get(answers[0]["Location"]), 404, "not_found")


def test_what_can_not_be_is_refused(cast: Cast, desk: Desk) -> None:
    timer = f"{ROOT}{desk.path}/hall/timer/"
    assert_problem(desk.olga.put(timer, {"minutes": 50}), 422, "illegal")
    assert "minutes" in assert_problem(desk.olga.put(timer, {"minutes": 0}), 400, "malformed")["errors"]
    assert_problem(desk.olga.patch(timer, {"add_minutes": 5}), 422, "illegal")
    blank = desk.olga.post(f"{ROOT}{desk.path}/hall/announcements/", {"text": " "})
    assert "text" in assert_problem(blank, 400, "malformed")["errors"]


def test_only_organisers_write(cast: Cast, desk: Desk) -> None:
    paul, read, hall = bearer(cast.paul), bearer(cast.olga, "read"), f"{ROOT}{desk.path}/hall/"
    for client, code in ((paul, "not_allowed"), (read, "insufficient_scope")):
        assert_problem(client.put(f"{hall}timer/", {"minutes": 5}), 403, code)
        assert_problem(client.delete(f"{hall}timer/"), 403, code)
        assert_problem(client.post(f"{hall}announcements/", {"text": "Hello"}), 403, code)
        assert_problem(client.delete(f"{hall}announcements/{NOBODY}/"), 403, code)
