"""Seeks through the API."""

from typing import Any

from django.test import Client

from games.engine import schemas
from games.engine.replay import AnyRuleset
from tests.api.test_contract import COMPONENTS, EACH
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast
from tests.league.test_addresses import renamed


def posted(cast: Cast, **changes: object) -> Any:
    body = {"club": cast.club.slug, "ruleset": "tally", "seats": 2, **changes}
    return bearer(cast.paul, "play").post(f"{ROOT}/seeks/", body)


def test_a_member_looks_for_players_and_another_joins(cast: Cast) -> None:
    answer = posted(cast)
    assert (answer.status_code, answer["Location"]) == (201, f"{ROOT}/seeks/{answer.json()['id']}/")
    petra = bearer(cast.petra, "play")
    (listed,) = get("/seeks/", petra)["results"]
    assert listed == get(f"/seeks/{listed['id']}/", petra) == answer.json()
    assert [player["name"] for player in listed["players"]] == ["Paul Pike"]
    joined = petra.post(f"{ROOT}/seeks/{listed['id']}/join/", {})
    assert (joined.status_code, joined.json()["status"]) == (200, "begun")
    assert get(f"/games/{joined.json()['game']}/", petra)["you"] == 1
    assert get("/seeks/", petra)["results"] == []
    assert len(get("/seeks/?status=begun", petra)["results"]) == 1
    assert_problem(petra.post(f"{ROOT}/seeks/{listed['id']}/withdraw/", {}), 422, "illegal")


def test_seeks_are_for_members_of_the_club(cast: Cast) -> None:
    made = posted(cast).json()
    nora = bearer(cast.nora)
    assert get("/seeks/", nora)["results"] == []
    for verb in ("", "join/", "withdraw/"):
        path = f"{ROOT}/seeks/{made['id']}/{verb}"
        assert_problem(nora.post(path, {}) if verb else nora.get(path), 404, "not_found")


def test_errors_are_at_the_fields(cast: Cast) -> None:
    assert [*assert_problem(posted(cast, seats=1), 400, "malformed")["errors"]] == ["seats"]
    assert [*assert_problem(posted(cast, minutes=1), 400, "malformed")["errors"]] == ["minutes"]


def test_links_to_a_private_seek_are_made_read_and_withdrawn_by_its_maker(cast: Cast) -> None:
    made = posted(cast, private=True).json()
    assert made["private"]
    links, paul, petra = f"{ROOT}/seeks/{made['id']}/links/", bearer(cast.paul, "play"), bearer(cast.petra)
    (first,) = paul.get(links).json()
    assert (first["accepted"], "/seats/" in first["url"]) == (None, True)
    assert_problem(paul.post(links, {}), 422, "illegal")
    assert_problem(petra.get(links), 404, "not_found")
    assert paul.delete(f"{links}{first['id']}/").status_code == 204
    assert paul.get(links).json() == [] and petra.get(first["url"]).status_code == 410
    second = paul.post(links, {})
    assert (second.status_code, second.json()) == (201, paul.get(links).json()[0])
    browser = Client()
    browser.force_login(cast.petra)
    assert browser.post(second.json()["url"]).status_code == 302
    assert [(link["accepted"], link["url"]) for link in paul.get(links).json()] == [(True, None)]
    assert_problem(paul.delete(f"{links}{second.json()['id']}/"), 422, "illegal")
    assert_problem(petra.get(links), 403, "not_allowed")


def test_only_its_maker_links_to_a_seek(cast: Cast) -> None:
    links = f"{ROOT}/seeks/{posted(cast).json()['id']}/links/"
    petra = bearer(cast.petra, "play")
    for answer in (petra.get(links), petra.post(links, {})):
        assert_problem(answer, 403, "not_allowed")


def test_a_clubs_stream_shows_seeks_to_members(cast: Cast) -> None:
    posted(cast)

    def seeks(client: Any) -> Any:
        return get(f"/clubs/{cast.club.slug}/stream/?wait=0", client)["results"][0]["data"]["seeks"]

    assert [len(seeks(client)) for client in (bearer(cast.petra), bearer(cast.nora), EVERYBODY)] == [1, 0, 0]


def test_seeks_are_found_by_status_and_by_an_earlier_address_of_the_club(cast: Cast) -> None:
    first = cast.club.slug
    assert_problem(bearer(cast.paul).get(f"{ROOT}/seeks/?status="), 400, "malformed")
    renamed(cast, "Quay Cards")
    assert posted(cast, club=first).json()["club"] == "quay-cards"
    (found,) = get(f"/seeks/?club={first}", bearer(cast.paul))["results"]
    assert found["club"] == "quay-cards"


@EACH
def test_the_server_reads_the_example_of_a_seek_of_each_game(ruleset: AnyRuleset, cast: Cast) -> None:
    (body,) = COMPONENTS[f"{schemas.prefix(ruleset)}NewSeek"]["examples"]
    made = posted(cast, **{**body, "club": cast.club.slug, "seats": ruleset.seats[0]})
    assert (made.status_code, made.json()["ruleset"]) == (201, ruleset.name), made.content
