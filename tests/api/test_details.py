"""What a competition tells about itself, over the API."""

import pytest
from django.test import Client

from league.files.pictures import MOST_BYTES
from tests.api.desks import Desk
from tests.api.web import ROOT, assert_problem, bearer, get
from tests.factories import Cast
from tests.league.test_details import photo

TOLD = {
    "begins_on": "2026-05-03",
    "begins_at": "19:30",
    "place": "Harbour Hall",
    "description": "Bring a pen.\n\nNo smoking.",
    "contact": "Olga",
    "prizes": [{"prize": "a cup", "first": 1, "last": 1}, {"prize": "wine", "category": "Newcomer"}],
}


def test_details_are_put_and_read(cast: Cast, desk: Desk) -> None:
    assert get(f"{desk.path}/")["details"]["begins_on"] is None
    for _ in range(2):
        answer = desk.olga.put(f"{ROOT}{desk.path}/details/", TOLD)
        assert answer.status_code == 200, answer.content
    told = desk.reads("details/")
    assert told == get(f"{desk.path}/")["details"]
    assert (told["begins_at"], told["place"], told["picture"]) == ("19:30:00", "Harbour Hall", None)
    ((group,),) = (desk.reads("prizes/"),)
    assert [(each["prize"], each["winners"]) for each in group["prizes"]] == [("a cup", []), ("wine", [])]


def test_wrong_details_are_refused_at_their_fields(cast: Cast, desk: Desk) -> None:
    for field, value in (
        ("begins_on", "2026-02-30"),
        ("begins_at", "25:00"),
        ("description", "a\u0000b"),
        ("description", "x" * 4001),
    ):
        answer = desk.olga.put(f"{ROOT}{desk.path}/details/", {**TOLD, field: value})
        assert_problem(answer, 400, "malformed")
        assert field in answer.json()["errors"]
    assert desk.reads("details/")["place"] == ""


def test_details_are_changed_by_organisers_alone(cast: Cast, desk: Desk) -> None:
    answer = bearer(cast.nora, "organise").put(f"{ROOT}{desk.path}/details/", TOLD)
    assert_problem(answer, 403, "not_allowed")


def test_a_picture_is_put_and_removed(cast: Cast, desk: Desk) -> None:
    address = f"{ROOT}{desk.path}/picture/"
    for _ in range(2):
        answer = desk.olga.put(address, photo((50, 40), "PNG"), content_type="image/png")
        assert answer.status_code == 200, answer.content
    path = desk.reads("details/")["picture"]
    assert path == answer.json()["picture"]
    assert Client().get(path)["Content-Type"] == "image/jpeg"
    for _ in range(2):
        assert desk.olga.delete(address).status_code == 204
    assert desk.reads("details/")["picture"] is None
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize(
    ("data", "media_type", "status", "code"),
    [
        (b"no picture", "image/png", 400, "malformed"),
        (b"", "image/png", 400, "malformed"),
        (b"\0" * (MOST_BYTES + 1), "image/jpeg", 400, "malformed"),
        (b"{}", "application/json", 415, "unsupported_media_type"),
    ],
    ids=["text", "nothing", "too-big", "json"],
)
def test_what_is_no_picture_is_refused(
    desk: Desk, data: bytes, media_type: str, status: int, code: str
) -> None:
    answer = desk.olga.put(f"{ROOT}{desk.path}/picture/", data, content_type=media_type)
    assert_problem(answer, status, code)
    assert desk.reads("details/")["picture"] is None


def test_a_picture_is_changed_by_organisers_alone(cast: Cast, desk: Desk) -> None:
    for account, scope, code in (
        (cast.nora, "organise", "not_allowed"),
        (cast.olga, "play", "insufficient_scope"),
    ):
        client = bearer(account, scope)
        address = f"{ROOT}{desk.path}/picture/"
        assert_problem(client.put(address, photo((9, 9), "PNG"), content_type="image/png"), 403, code)
        assert_problem(client.delete(address), 403, code)
