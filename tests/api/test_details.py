"""What a competition tells about itself, over the API."""

from tests.api.desks import Desk
from tests.api.web import ROOT, assert_problem, bearer, get
from tests.factories import Cast

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
