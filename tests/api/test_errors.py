"""Every error is a problem document with the right status, and never a 500."""

from gzip import compress
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from werkzeug.test import Client as WSGIClient

from api.callers import CallerThrottle
from api.errors import PROBLEMS
from games.models import Game
from league.ops.asgi import pages
from tests.api.web import EVERYBODY, NOBODY, ROOT, assert_problem, bearer, get, logged_in
from tests.factories import Cast

JSON = "application/json"


def post_games(cast: Cast, body: Any, content_type: str = JSON) -> Any:
    return bearer(cast.paul).generic("POST", f"{ROOT}/games/", body, content_type)


@pytest.mark.parametrize("body", [
    b"{", b"", b"\xff\xfe{}", b"\xef\xbb\xbf{}", b'{"seq": NaN}', b'{"seq": Infinity}', b'{"seq": -Infinity}',
    b'{"club": "a", "club": "b"}', b'{"club": "\x00"}', b'{"club": "\\u0000"}', b'{"\\u0000": 1}',
    b'{"club": "\\ud800"}', b'{"\\udfff": 1}', b'{"club": "\xed\xa0\x80"}', b"[" * 60_000,
    b"[" * 400 + b"]" * 400, b'{"a":' * 10_000, b'{"club": ' + b"9" * 60_000 + b"}", b'{"club": 1e999}',
    "{}".encode("utf-16"), b"\x00", b"{} {}",
], ids=lambda body: repr(body[:30]))  # fmt: skip
def test_invalid_json_is_malformed(cast: Cast, body: bytes) -> None:
    told = assert_problem(post_games(cast, body), 400, "malformed")
    assert "sys." not in told["detail"]  # What Python says is for programmers.


@pytest.mark.parametrize("content_type", [
    "text/plain", "application/xml", "multipart/form-data", "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded", "application/jsonl", "json", "\u00e9",
])  # fmt: skip
def test_a_body_of_another_media_type_is_not_supported(cast: Cast, content_type: str) -> None:
    assert_problem(post_games(cast, "{}", content_type), 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "charset", ["base64", "zip", "utf-16", "nonsense", "idna", "rot13", '"', "*=utf-8''zip"]
)
@pytest.mark.usefixtures("one_connection")
def test_the_charset_parameter_makes_no_difference(charset: str) -> None:
    claimed = f"{JSON}; charset={charset}".replace("=*", "*")
    path = f"{ROOT}/signed-log/witnesses/?page=%E9"
    answer = WSGIClient(pages).post(path, data=b"{}", headers={"Content-Type": claimed})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed")


def test_a_body_that_is_too_large_is_refused(cast: Cast) -> None:
    assert_problem(post_games(cast, b'"' + b"a" * 3_000_000 + b'"'), 413, "too_large")


@pytest.mark.parametrize("path", [
    "/api/", "/api/v1/", "/api/v2/games/", "/api/v1/nothing/", "/api/v1/games/x/", "/api/v1/games/%00/",
    "/api/%FF/", "/api/v1/games/00000000-0000-0000-0000-00000000000G/", "/api/v1/%2e%2e/admin/",
    "/api/v1/games//moves/",
    "/api/v1/rulesets/%0d%0aX:%20y/", f"/api/v1/games/{NOBODY}/", f"/api/v1/games/{NOBODY}/log/",
    f"/api/v1/games/{NOBODY}/moves/", f"/api/v1/games/{NOBODY}/at/1/", f"/api/v1/games/{NOBODY}/events/",
])  # fmt: skip
@pytest.mark.django_db
def test_unknown_objects_are_not_found(path: str) -> None:
    assert_problem(EVERYBODY.get(path), 404, "not_found")


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
@pytest.mark.django_db
def test_an_unknown_address_is_not_found_for_any_method(method: str) -> None:
    assert_problem(getattr(EVERYBODY, method)("/api/v1/nothing/"), 404, "not_found")


@pytest.mark.django_db
def test_a_missing_final_slash_redirects_with_method_and_body() -> None:
    answer = EVERYBODY.post("/api/v1/games?a=b", {})
    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/games/?a=b")


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
@pytest.mark.django_db
def test_an_unsupported_method_gets_the_list_of_allowed_methods(method: str) -> None:
    answer = getattr(EVERYBODY, method)("/api/v1/rulesets/")
    assert_problem(answer, 405, "method_not_allowed")
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize("accept", ["text/html", "image/png", "application/xml"])
@pytest.mark.django_db
def test_an_unknown_format_is_not_acceptable(accept: str) -> None:
    assert_problem(EVERYBODY.get("/api/v1/rulesets/", HTTP_ACCEPT=accept), 406, "not_acceptable")


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/*", "text/html,*/*;q=0.1", ";;;", "a/b/c", "\u00e9"]
)
@pytest.mark.django_db
def test_malformed_accept_headers_are_handled(accept: str) -> None:
    assert EVERYBODY.get("/api/v1/rulesets/", HTTP_ACCEPT=accept).status_code in (200, 406)


# ---- Who -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer x", "bearer x y", "Bearer \u00e9\u0000", "BEARER 1" * 999]
)
@pytest.mark.django_db
def test_a_bad_token_is_refused_even_for_public_data(header: str) -> None:
    answer = EVERYBODY.get("/api/v1/rulesets/", HTTP_AUTHORIZATION=header)
    assert_problem(answer, 401, "bad_token")
    assert answer["WWW-Authenticate"] == 'Bearer realm="Trefoil", error="invalid_token"'


@pytest.mark.parametrize("header", ["", "Basic b2xnYTpvbGdh", "Digest x", "\u00e9"])
@pytest.mark.django_db
def test_another_authentication_scheme_is_anonymous(header: str) -> None:
    assert EVERYBODY.get("/api/v1/rulesets/", HTTP_AUTHORIZATION=header).status_code == 200
    answer = EVERYBODY.get("/api/v1/tokens/", HTTP_AUTHORIZATION=header)
    assert_problem(answer, 401, "not_authenticated")
    assert answer["WWW-Authenticate"] == 'Bearer realm="Trefoil"'


def test_the_response_to_a_token_without_the_scope_names_the_scope(cast: Cast) -> None:
    answer = bearer(cast.paul, "play").get(f"{ROOT}/tokens/")
    assert "read:account" in assert_problem(answer, 403, "insufficient_scope")["detail"]
    assert 'scope="read:account"' in answer["WWW-Authenticate"]


def test_a_session_needs_a_csrf_token_and_a_valid_body(cast: Cast) -> None:
    client = logged_in(cast.paul, csrf=False)
    assert_problem(client.post(f"{ROOT}/games/", {"club": "x"}), 403, "not_allowed")
    client.cookies["csrftoken"] = "c" * 32
    broken = client.generic("POST", f"{ROOT}/games/", "x", "multipart/form-data")
    assert_problem(broken, 415, "unsupported_media_type")


def test_a_compressed_body_is_refused_with_what_to_send_instead(cast: Cast) -> None:
    paul, game = bearer(cast.paul), cast.game("tally")
    assert paul.get(f"{ROOT}/me/").status_code == 200, "from now on requests with the token are usual"
    body: Any = compress(b'{"seq": 2, "move": {"type": "say", "number": 1}}')
    for path in (f"{ROOT}/games/{game.pk}/moves/", f"{ROOT}/games/"):
        answer = paul.generic("POST", path, body, "application/json", HTTP_CONTENT_ENCODING="gzip")
        assert "without compression" in assert_problem(answer, 415, "unsupported_media_type")["detail"]
        assert answer["Accept-Encoding"] == "identity"
    plain = paul.post(f"{ROOT}/games/{game.pk}/moves/", {}, headers={"Content-Encoding": "Identity"})
    assert plain.status_code == 400


@pytest.mark.django_db
def test_a_query_with_too_many_fields_is_malformed() -> None:
    assert_problem(
        EVERYBODY.get(f"{ROOT}/games/?{'a=1&' * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}"),
        400,
        "malformed",
    )


# ---- Trouble of the server's own -----------------------------------------------------------------


@pytest.mark.parametrize(("error", "status", "code"), [
    (RuntimeError("the secret seed is 42"), 500, "internal"),
    (OperationalError("no database"), 503, "unavailable"),
])  # fmt: skip
@pytest.mark.django_db
def test_an_internal_error_shows_no_details(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, code: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("api.views.games.rules.find", fail)
    answer = Client(raise_request_exception=False).get(f"{ROOT}/rulesets/tally/")
    assert_problem(answer, status, code)
    assert b"secret" not in answer.content and b"Traceback" not in answer.content


@pytest.mark.django_db
def test_a_missing_database_at_token_lookup_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(**_: object) -> None:
        raise OperationalError("no database")

    monkeypatch.setattr("api.callers.use_token", fail)
    client = Client(raise_request_exception=False, headers={"Authorization": "Bearer x"})
    answer = client.get(f"{ROOT}/rulesets/")
    assert_problem(answer, 503, "unavailable")
    assert answer["Retry-After"]


@pytest.mark.django_db
def test_errors_raised_by_django_are_problem_documents_too(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["example.org"]
    answer = Client(raise_request_exception=False).get(f"{ROOT}/rulesets")
    assert_problem(answer, 400, "malformed")
    settings.DEBUG = True
    assert_problem(Client(raise_request_exception=False).get(f"{ROOT}/rulesets"), 400, "malformed")


@pytest.mark.django_db
def test_web_pages_keep_their_html_errors() -> None:
    assert EVERYBODY.get("/nothing/")["Content-Type"].startswith("text/html")


def test_too_many_requests_get_a_retry_after_header(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    rates = {"bot": "3/hour", "account": "9/hour", "address": "1/hour"}
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", rates)
    cast.paul.bot = True
    cast.paul.save()
    paul = bearer(cast.paul)
    with time_machine.travel(timezone.now(), tick=False):  # within one hour
        assert [paul.get(f"{ROOT}/rulesets/").status_code for _ in range(3)] == [200] * 3
        answer = paul.get(f"{ROOT}/rulesets/")
    assert_problem(answer, 429, "throttled")
    assert 1 <= int(answer["Retry-After"]) <= 3600
    assert bearer(cast.petra).get(f"{ROOT}/rulesets/").status_code == 200
    cache.clear()


@pytest.mark.parametrize("path", ["rulesets/", "nope/", "games/nope/", "me/"])
@pytest.mark.django_db
def test_who_is_nobody_known_is_counted_by_address(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"account": "99/hour", "address": "3/hour"})
    sent: Any = {"REMOTE_ADDR": f"10.0.0.{len(path)}", "HTTP_AUTHORIZATION": "Bearer guess"}
    answers = [EVERYBODY.get(f"{ROOT}/{path}", **sent) for _ in range(4)]
    assert [answer.status_code in (401, 404) for answer in answers] == [True] * 3 + [False]
    assert_problem(answers[-1], 429, "throttled")
    assert 1 <= int(answers[-1]["Retry-After"]) <= 3600
    assert [answer["RateLimit"].split(";")[1] for answer in answers] == ["r=2", "r=1", "r=0", "r=0"]


@pytest.fixture
def unreplayable(cast: Cast) -> Game:
    """A game whose edition of the rules is not here."""
    game = cast.game("tally")
    Game.objects.filter(pk=game.pk).update(ruleset="tally@0", head="00" * 32)
    return game


@pytest.mark.parametrize("path", ["", "at/1/"])
def test_a_game_with_an_unknown_ruleset_is_not_replayable(unreplayable: Game, path: str) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}/games/{unreplayable.pk}/{path}"), 501, "not_replayable")


def test_a_game_with_an_unknown_ruleset_refuses_moves(cast: Cast, unreplayable: Game) -> None:
    move = {"seq": 2, "move": {"type": "resign"}}
    answer = bearer(cast.paul).post(f"{ROOT}/games/{unreplayable.pk}/moves/", move)
    assert_problem(answer, 501, "not_replayable")


@pytest.mark.parametrize("path", ["moves/", "log/", "events/"])
def test_the_log_of_a_game_with_an_unknown_ruleset_can_be_read(unreplayable: Game, path: str) -> None:
    assert EVERYBODY.get(f"{ROOT}/games/{unreplayable.pk}/{path}").status_code == 200


@pytest.mark.parametrize("code", PROBLEMS)
@pytest.mark.django_db
def test_the_type_of_each_problem_links_to_its_description(code: str) -> None:
    shown = get(f"/problems/{code}/")
    assert shown["status"] == PROBLEMS[code].status and shown["about"]
