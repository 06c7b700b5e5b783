"""Programs in browsers, from other sites: they call with tokens, and never with somebody's cookies."""

from typing import Any

import pytest
from django.test.client import Client

from tests.api.web import EVERYBODY, ROOT, bearer, logged_in
from tests.factories import Cast

ELSEWHERE: Any = {"HTTP_ORIGIN": "https://other.example"}


def asked(path: str) -> dict[str, str]:
    """Return the headers of the answer to a browser that asks whether it may post there."""
    asks: Any = {
        "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "POST",
        "HTTP_ACCESS_CONTROL_REQUEST_HEADERS": "authorization",
    }
    answer = Client().options(path, **ELSEWHERE, **asks)
    return {name.lower(): value for name, value in answer.headers.items()}


def test_may_ask_the_api_from_any_site_once_a_day() -> None:
    said = asked(f"{ROOT}/games/")  # without the database
    assert said["access-control-allow-origin"] == "*"
    assert "authorization" in said["access-control-allow-headers"]
    assert "x-csrftoken" not in said["access-control-allow-headers"]
    assert said["access-control-max-age"] == "86400"
    assert "access-control-allow-credentials" not in said


def test_read_the_headers_of_an_answer(cast: Cast) -> None:
    game = cast.game("tally")
    for client in (bearer(cast.paul), EVERYBODY):
        answer = client.get(f"{ROOT}/games/{game.pk}/", **ELSEWHERE)
        exposed = answer["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "RateLimit", "Retry-After", "Link"} <= {*exposed}
    missing = EVERYBODY.get(f"{ROOT}/games/none/", **ELSEWHERE)
    assert (missing.status_code, missing["Access-Control-Allow-Origin"]) == (404, "*")


def test_do_not_read_answers_to_cookies(cast: Cast) -> None:
    answer = logged_in(cast.paul).get(f"{ROOT}/me/", **ELSEWHERE)
    # With "*" a browser shows a page no answer to a request with cookies.
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer


def test_change_nothing_with_the_cookies_of_another_site(cast: Cast) -> None:
    game = cast.game("tally")
    for origin, status in (("https://other.example", 403), ("null", 403), ("http://testserver", 201)):
        browser = logged_in(cast.paul)  # also with the right CSRF token
        body = {"seq": 2, "move": {"type": "resign"}}
        answer = browser.post(f"{ROOT}/games/{game.pk}/moves/", body, HTTP_ORIGIN=origin)
        assert answer.status_code == status, origin
        assert "Access-Control-Allow-Credentials" not in answer


@pytest.mark.parametrize("path", ["/", "/account/login/", "/admin/", "/oauth/authorize/"])
@pytest.mark.django_db
def test_may_not_ask_for_pages(path: str) -> None:
    assert not any(name.startswith("access-control") for name in asked(path))
