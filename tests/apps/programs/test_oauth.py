"""Programs of third parties: connected by consent, with codes and PKCE, or with the code of a device."""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.client import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from oauth2_provider.models import AccessToken, DeviceGrant, Grant, RefreshToken
from rest_framework.test import APIClient

from api.views.docs import document
from games.engine.refusals import Illegal, Malformed
from league import tasks
from league.apps.programs.models import Program
from league.apps.programs.oauth import Validator
from league.apps.programs.queries import connections_of
from league.apps.programs.services import MOST, NewProgram, create_program, disconnect, waiting_device
from league.choices import SINGLE_SCOPES
from league.models import Account
from league.services.accounts import create_token, use_token
from tests.api.web import ROOT, assert_problem, get, move, say
from tests.factories import Cast
from tests.games.test_database_time import HOUR, Ahead, database, host_ahead

__all__ = ["host_ahead"]

BACK = "https://app.example/back"
VERIFIER = "v" * 60
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


INTO_THE_POLICY = [
    "https://x.example;script-src/cb",
    "https://x.example,script-src/",
    "http://[::1];script-src/",
]


def registered(by: Account, kind: str = "app", redirect_uris: str = BACK) -> NewProgram:
    return create_program(by=by, name="Score Board", kind=kind, redirect_uris=redirect_uris)


@pytest.fixture
def program(cast: Cast) -> Program:
    """Nora's program, which can't keep a secret."""
    return registered(cast.nora).program


def visitor(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


def asking(program: Program, **changes: Any) -> str:
    """Return the address to which a program sends people."""
    query = {
        "response_type": "code",
        "client_id": program.client_id,
        "redirect_uri": BACK,
        "scope": "read:private play:move",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **changes,
    }
    return (
        f"/oauth/authorize/?{urlencode({name: value for name, value in query.items() if value is not None})}"
    )


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a form."""
    tags = re.findall(r"<input[^>]*type=\"hidden\"[^>]*>", page)
    found = ((re.search('name="([^"]*)"', tag), re.search('value="([^"]*)"', tag)) for tag in tags)
    return {name[1]: value[1] if value else "" for name, value in found if name}


def answered(client: Client, program: Program, allow: bool = True, **changes: Any) -> Mapping[str, list[str]]:
    """Return what the program is told when somebody has answered."""
    page = client.get(asking(program, **changes))
    assert page.status_code == 200, page.content
    fields = hidden(page.content.decode())
    sent = client.post("/oauth/authorize/", {**fields, **({"allow": "yes"} if allow else {})})
    assert sent.status_code == 302, sent.content
    assert sent["Location"].startswith(BACK)
    return parse_qs(urlsplit(sent["Location"]).query)


def token(**fields: str) -> Any:
    return Client().post("/oauth/token/", fields)


def exchanged(program: Program, code: str, **changes: str) -> Any:
    return token(**{
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": program.client_id,
        "code_verifier": VERIFIER,
        **changes,
    })  # fmt: skip


def connected(account: Account, program: Program, **changes: Any) -> dict[str, Any]:
    """Return the tokens of a program that somebody has connected."""
    (code,) = answered(visitor(account), program, **changes)["code"]
    answer = exchanged(program, code)
    assert answer.status_code == 200, answer.content
    got: dict[str, Any] = answer.json()
    return got


def renewed(program: Program, refresh_token: str) -> Any:
    return token(grant_type="refresh_token", refresh_token=refresh_token, client_id=program.client_id)


def calling(tokens: Mapping[str, Any]) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {tokens['access_token']}")


class TestConnecting:
    def test_names_the_program_its_developer_and_each_scope_in_words(
        self, cast: Cast, program: Program
    ) -> None:
        page = visitor(cast.paul).get(asking(program, scope="play:move club:rule"))
        text = page.content.decode()
        for words in (
            "Score Board",
            "nora",
            "make the moves of your seats",
            "It could also decide over others",
        ):
            assert words in text
        assert "form-action 'self' https://app.example;" in page["Content-Security-Policy"] + ";"

    @pytest.mark.parametrize("wrong", [-HOUR, HOUR], ids=["behind", "ahead"])
    def test_begins_and_ends_by_the_database_s_clock(
        self, cast: Cast, program: Program, host_ahead: Ahead, wrong: timedelta
    ) -> None:
        (code,) = answered(visitor(cast.paul), program)["code"]
        host_ahead(wrong)
        tokens = exchanged(program, code).json()
        assert calling(tokens).get(f"{ROOT}/me/").status_code == 200
        assert abs(AccessToken.objects.get().expires - database() - HOUR) < timedelta(minutes=1)
        (code,) = answered(visitor(cast.paul), program)["code"]
        assert abs(Grant.objects.get(code=code).expires - database()) < timedelta(minutes=1)

    def test_gives_a_token_for_a_code(self, cast: Cast, program: Program) -> None:
        told = answered(visitor(cast.paul), program)
        assert (told["state"], told["iss"]) == (["xyz"], ["http://testserver"])
        tokens = exchanged(program, told["code"][0]).json()
        assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
        me = calling(tokens).get(f"{ROOT}/me/").json()
        assert (me["username"], sorted(me["scopes"])) == ("paul", ["play:move", "read:private"])

    @pytest.mark.parametrize("renewed_before", [False, True], ids=["at-once", "after-a-renewal"])
    def test_ends_all_tokens_of_a_code_that_comes_again(
        self, cast: Cast, program: Program, renewed_before: bool
    ) -> None:
        paul = visitor(cast.paul)
        (code,), (other,) = (answered(paul, program)["code"] for _ in range(2))
        tokens, others = exchanged(program, code).json(), exchanged(program, other).json()
        if renewed_before:
            tokens = renewed(program, tokens["refresh_token"]).json()
        assert exchanged(program, code, code_verifier="w" * 60).json() == {"error": "invalid_grant"}
        assert use_token(secret=tokens["access_token"]) is None
        assert renewed(program, tokens["refresh_token"]).json() == {"error": "invalid_grant"}
        assert use_token(secret=others["access_token"])

    @pytest.mark.parametrize("step", ["get_code_challenge", "confirm_redirect_uri", "save_bearer_token"])
    def test_gives_nothing_where_a_code_comes_twice_at_once(
        self, cast: Cast, program: Program, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        """The second request finds the code good, and the first has used it up before the second does."""
        (code,) = answered(visitor(cast.paul), program)["code"]
        first: list[Any] = []

        def later(validator: Validator, *args: Any) -> Any:
            if not first:
                first.append(None)
                first[0] = exchanged(program, code).json()
            return usual(validator, *args)

        usual = getattr(Validator, step)
        monkeypatch.setattr(Validator, step, later)
        assert exchanged(program, code).json()["error"] == "invalid_grant"
        assert use_token(secret=first[0]["access_token"]) is None
        assert not AccessToken.objects.exists()

    def test_asks_each_time(self, cast: Cast, program: Program) -> None:
        connected(cast.paul, program)
        page = visitor(cast.paul).get(asking(program, approval_prompt="auto"))
        assert "Connect Score Board?" in page.content.decode()

    def test_gives_nothing_to_a_program_that_is_refused(self, cast: Cast, program: Program) -> None:
        assert answered(visitor(cast.paul), program, allow=False)["error"] == ["access_denied"]
        assert not Grant.objects.exists()

    def test_needs_a_log_in(self, program: Program) -> None:
        assert Client().get(asking(program))["Location"].startswith("/account/login/?next=/oauth/authorize/")

    @pytest.mark.parametrize(("changes", "error"), [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "none"}, "invalid_request"),
        ({"scope": "organise"}, "invalid_scope"),
        ({"scope": "club:rule everything"}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
    ], ids=["no PKCE", "unknown", "a bundle", "unknown scope", "plain", "no method", "implicit"])  # fmt: skip
    def test_refuses_what_is_not_safe(
        self, cast: Cast, program: Program, changes: dict[str, Any], error: str
    ) -> None:
        sent = visitor(cast.paul).get(asking(program, **changes))
        assert sent.status_code == 302
        assert f"error={error}" in sent["Location"]

    @pytest.mark.parametrize("address", [
        "https://app.example/back/", "https://app.example/back?x=1", "https://app.example:444/back",
        "https://evil.app.example/back", "http://app.example/back", "https://app.example/back#x",
    ])  # fmt: skip
    def test_never_leads_to_another_address(self, cast: Cast, program: Program, address: str) -> None:
        page = visitor(cast.paul).get(asking(program, redirect_uri=address))
        assert page.status_code == 400 and "be connected" in page.content.decode()

    def test_leads_to_any_port_of_an_apps_own_machine(self, cast: Cast) -> None:
        app = registered(cast.nora, redirect_uris="http://127.0.0.1/back com.example.board:/back").program
        for address in ("http://127.0.0.1:40123/back", "com.example.board:/back"):
            page = visitor(cast.paul).get(asking(app, redirect_uri=address))
            assert page.status_code == 200
            assert address.removesuffix("/back") in page["Content-Security-Policy"]

    @pytest.mark.parametrize("address", INTO_THE_POLICY)
    def test_adds_no_word_to_the_policy_of_the_page(self, cast: Cast, address: str) -> None:
        app = registered(cast.nora).program
        pages = []
        for each in (BACK, address):
            Program.objects.update(redirect_uris=each)
            pages.append(visitor(cast.paul).get(asking(app, redirect_uri=each)))
        usual, other = (
            [part.split()[0] for part in re.split("[;,]", page["Content-Security-Policy"])] for page in pages
        )
        assert usual == other

    def test_asks_for_nothing_but_reading_by_default(self, cast: Cast, program: Program) -> None:
        assert connected(cast.paul, program, scope=None)["scope"] == "read:private"

    def test_needs_the_verifier_and_the_secret(self, cast: Cast, program: Program) -> None:
        (code,) = answered(visitor(cast.paul), program)["code"]
        assert exchanged(program, code, code_verifier="w" * 60).json() == {"error": "invalid_grant"}
        made = registered(cast.nora, kind="server")
        (code,) = answered(visitor(cast.paul), made.program)["code"]
        assert exchanged(made.program, code).status_code == 401
        assert exchanged(made.program, code, client_secret="guess").status_code == 401
        assert exchanged(made.program, code, client_secret=made.secret).status_code == 200

    def test_stores_no_token_or_secret(self, cast: Cast, program: Program) -> None:
        tokens, made = connected(cast.paul, program), registered(cast.nora, kind="server")
        kept = [*AccessToken.objects.values(), *RefreshToken.objects.values(), *Program.objects.values()]
        for secret in (tokens["access_token"], tokens["refresh_token"], made.secret):
            assert secret and secret not in str(kept)


class TestTokens:
    def test_play_in_one_statement_and_end_at_once(self, cast: Cast, program: Program) -> None:
        game = cast.game("tally", {"rounds": 50})
        pauls, petras = (calling(connected(each, program)) for each in (cast.paul, cast.petra))
        for seq in (2, 3, 4, 5):
            client = pauls if get(f"/games/{game.pk}/")["to_act"] == [0] else petras
            assert move(client, game, seq, say(1)).status_code == 201
        client = pauls if get(f"/games/{game.pk}/")["to_act"] == [0] else petras
        with CaptureQueriesContext(connection) as queries:
            assert move(client, game, 6, say(1)).status_code == 201
        assert len(queries) == 1
        for account in (cast.paul, cast.petra):
            disconnect(by=account, program=program)
        for client in (pauls, petras):
            assert_problem(move(client, game, 7, say(1)), 401, "bad_token")

    @pytest.mark.parametrize("change", ["expired", "closed", "fewer scopes"])
    def test_are_looked_at_again_with_each_move(self, cast: Cast, program: Program, change: str) -> None:
        game = cast.game("tally", {"rounds": 50})
        clients = [calling(connected(each, program)) for each in (cast.paul, cast.petra)]
        for seq in (2, 3):
            assert move(clients[get(f"/games/{game.pk}/")["to_act"][0]], game, seq, say(1)).status_code == 201
        match change:
            case "expired":
                AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
            case "closed":
                Account.objects.update(is_active=False)
            case _:
                AccessToken.objects.update(scope="read:private")
        for client in clients:
            assert move(client, game, 4, say(1)).status_code in (401, 403)
        assert get(f"/games/{game.pk}/")["seq"] == 3

    @pytest.mark.parametrize("scope", [scope for scope, _ in SINGLE_SCOPES])
    def test_may_do_what_an_own_token_of_the_scope_may(
        self, cast: Cast, program: Program, scope: str
    ) -> None:
        """A sample of docs/access.md: an operation of each scope, by an owner and by a player."""
        for account in (cast.olga, cast.paul):
            own = {"access_token": create_token(by=account, name="own", scopes=[scope]).secret}
            clients = [calling(own), calling(connected(account, program, scope=scope))]
            for method, path, body in SAMPLE:
                url = f"{ROOT}/{path}".format(slug=cast.club.slug)
                given, got = (client.generic(method, url, body, "application/json") for client in clients)
                assert given.status_code == got.status_code, (scope, account, path)

    def test_are_renewed_with_others(self, cast: Cast, program: Program) -> None:
        first = connected(cast.paul, program)
        second = renewed(program, first["refresh_token"]).json()
        assert second["scope"] == first["scope"] and second["refresh_token"] != first["refresh_token"]
        assert use_token(secret=first["access_token"]) is None
        assert use_token(secret=second["access_token"])

    def test_all_end_where_a_used_one_comes_again(self, cast: Cast, program: Program) -> None:
        first = connected(cast.paul, program)
        second = renewed(program, first["refresh_token"]).json()
        assert renewed(program, first["refresh_token"]).json() == {"error": "invalid_grant"}
        assert renewed(program, second["refresh_token"]).json() == {"error": "invalid_grant"}
        assert use_token(secret=second["access_token"]) is None

    def test_are_revoked_by_their_program_alone(self, cast: Cast, program: Program) -> None:
        tokens, other = connected(cast.paul, program), registered(cast.petra).program
        for client, left in ((other, True), (program, False)):
            fields = {"token": tokens["access_token"], "client_id": client.client_id}
            assert Client().post("/oauth/revoke/", fields).status_code == 200
            assert (use_token(secret=tokens["access_token"]) is not None) == left
        assert renewed(program, tokens["refresh_token"]).status_code == 400

    def test_do_not_manage_tokens_or_programs(self, cast: Cast, program: Program) -> None:
        every = " ".join(scope for scope, _ in SINGLE_SCOPES)
        client = calling(connected(cast.paul, program, scope=every))
        made = client.post(f"{ROOT}/tokens/", {"name": "x", "scopes": ["play"]})
        assert_problem(made, 403, "not_allowed")
        used = use_token(secret=connected(cast.paul, program)["access_token"])
        assert used is not None
        with pytest.raises(PermissionDenied):
            registered(used.account)

    def test_are_forgotten_when_they_are_no_good(self, cast: Cast, program: Program) -> None:
        connected(cast.paul, program)
        AccessToken.objects.update(expires=timezone.now() - timedelta(days=91))
        tasks.tidy()
        assert not AccessToken.objects.exists() and not connections_of(cast.paul)


SAMPLE = (
    ("GET", "tokens/", ""),
    ("GET", "me/", ""),
    ("PUT", "me/clubs/{slug}/", '{"asks": true}'),
    ("POST", "clubs/{slug}/players/", '{"name": ""}'),
    ("POST", "games/", '{"club": "{slug}", "ruleset": "none", "players": []}'.replace("{slug}", "none")),
)


class TestDevices:
    @pytest.fixture
    def program(self, cast: Cast) -> Program:
        return registered(cast.nora, kind="device", redirect_uris="").program

    def begun(self, program: Program, **fields: str) -> Any:
        body = urlencode({"client_id": program.client_id, **fields})
        return Client().post("/oauth/device-authorization/", body, "application/x-www-form-urlencoded")

    def asks(self, program: Program, begun: dict[str, Any]) -> Any:
        DeviceGrant.objects.update(last_checked=timezone.now() - timedelta(seconds=6))
        return token(grant_type=DEVICE, device_code=begun["device_code"], client_id=program.client_id)

    def test_are_connected_by_a_code_typed_elsewhere(self, cast: Cast, program: Program) -> None:
        begun = self.begun(program, scope="play:move").json()
        assert begun["verification_uri"] == "http://testserver/oauth/device/" and begun["interval"] == 5
        assert self.asks(program, begun).json()["error"] == "authorization_pending"
        paul, typed = visitor(cast.paul), begun["user_code"].lower().replace("-", " ")
        asked = paul.post("/oauth/device/", {"code": typed}).content.decode()
        assert "Connect Score Board?" in asked and "make the moves" in asked
        assert self.asks(program, begun).json()["error"] == "authorization_pending"
        paul.post("/oauth/device/", {"code": hidden(asked)["code"], "answer": "allow"})
        tokens = self.asks(program, begun).json()
        assert tokens["scope"] == "play:move"
        assert get("/me/", calling(tokens))["username"] == "paul"
        assert self.asks(program, begun).json()["error"] == "invalid_grant"
        assert renewed(program, tokens["refresh_token"]).status_code == 200

    def test_hear_that_they_are_refused_hasty_or_late(self, cast: Cast, program: Program) -> None:
        begun = self.begun(program).json()
        with time_machine.travel(timezone.now(), tick=False):
            self.asks(program, begun)
            hasty = token(grant_type=DEVICE, device_code=begun["device_code"], client_id=program.client_id)
        assert hasty.json()["error"] == "slow_down"
        visitor(cast.paul).post("/oauth/device/", {"code": begun["user_code"], "answer": "refuse"})
        assert self.asks(program, begun).json()["error"] == "access_denied"
        late = self.begun(program).json()
        DeviceGrant.objects.update(expires=timezone.now())
        assert self.asks(program, late).json()["error"] == "expired_token"

    def test_get_no_more_than_was_asked_and_not_for_others(self, cast: Cast, program: Program) -> None:
        begun, other = self.begun(program).json(), registered(cast.petra, kind="device").program
        visitor(cast.paul).post("/oauth/device/", {"code": begun["user_code"], "answer": "allow"})
        assert self.asks(other, begun).json()["error"] == "invalid_grant"
        wanted = {"grant_type": DEVICE, "device_code": begun["device_code"], "client_id": program.client_id}
        assert token(**wanted, scope="club:rule").json()["scope"] == "read:private"

    def test_are_for_programs_of_that_kind(self, cast: Cast) -> None:
        assert self.begun(registered(cast.nora).program).json() == {"error": "unauthorized_client"}

    def test_are_not_found_by_guessing(self, cast: Cast, program: Program) -> None:
        begun = self.begun(program).json()
        for _ in range(10):
            with pytest.raises(Illegal, match="No device"):
                waiting_device(by=cast.paul, code="BBBB-BBBB")
        with pytest.raises(Illegal, match="too many"):
            waiting_device(by=cast.paul, code=begun["user_code"])


class TestRegistering:
    @pytest.mark.parametrize("address", [
        "https://*.example/back", "http://app.example/back", "javascript:alert(1)", "data:text/html,x",
        "board:/back", "com.example.board://host/back", "https://app.example/#x", "https://a@b.example/",
        "https://app.example:x/", "https:/app.example", "", "ftp.example:/x\u202e", "https://a..b/",
        *INTO_THE_POLICY,
    ])  # fmt: skip
    def test_refuses_addresses_that_are_not_exact_or_safe(self, cast: Cast, address: str) -> None:
        with pytest.raises(Malformed) as refused:
            registered(cast.nora, redirect_uris=address)
        assert [*refused.value.errors] == ["redirect_uris"]

    def test_keeps_own_schemes_for_apps(self, cast: Cast) -> None:
        with pytest.raises(Malformed):
            registered(cast.nora, kind="server", redirect_uris="com.example.board:/back")

    def test_has_a_limit(self, cast: Cast) -> None:
        for _ in range(MOST):
            registered(cast.nora)
        with pytest.raises(Illegal, match="20"):
            registered(cast.nora)

    def test_is_done_on_a_page_that_shows_the_secret_once(self, cast: Cast) -> None:
        nora = visitor(cast.nora)
        fields = {"name": "Board", "kind": "server", "redirect_uris": f"{BACK}\nhttps://b.example/"}
        page = nora.post("/account/programs/", fields).content.decode()
        secret = re.search('class="secret">([^<]+)<', page)
        made = Program.objects.get()
        assert secret and made.addresses == [BACK, "https://b.example/"]
        own = f"/account/programs/{made.pk}/"
        assert secret[1] not in nora.get(own).content.decode()
        nora.post(own, {"act": "save", "name": "New", "redirect_uris": "http://x.example/"})
        assert Program.objects.get().name == "Board"
        nora.post(own, {"act": "save", "name": "New", "redirect_uris": BACK})
        assert Program.objects.get().name == "New"
        asked = nora.post(own, {"act": "secret"}).content.decode()
        assert "The former one no longer works then." in asked and 'class="secret"' not in asked
        assert 'class="secret"' in nora.post(own, {"act": "secret", "sure": "1"}).content.decode()
        assert visitor(cast.paul).get(own).status_code == 404
        asked = nora.post(own, {"act": "remove"}).content.decode()
        assert "It is disconnected from everybody." in asked and Program.objects.exists()
        nora.post(own, {"act": "remove", "sure": "1"})
        assert not Program.objects.exists()


def test_the_account_page_lists_and_disconnects_programs(cast: Cast, program: Program) -> None:
    tokens, paul = connected(cast.paul, program), visitor(cast.paul)
    assert "registered by nora" in paul.get("/account/").content.decode()
    visitor(cast.petra).post(f"/account/connections/{program.pk}/disconnect/")
    assert use_token(secret=tokens["access_token"])
    asked = paul.post(f"/account/connections/{program.pk}/disconnect/").content.decode()
    assert "can no longer act for you, until you connect it again." in asked
    assert use_token(secret=tokens["access_token"])
    paul.post(f"/account/connections/{program.pk}/disconnect/", {"sure": "1"})
    assert "registered by nora" not in paul.get("/account/").content.decode()
    assert use_token(secret=tokens["access_token"]) is None
    assert renewed(program, tokens["refresh_token"]).status_code == 400


def test_the_metadata_leads_to_what_there_is() -> None:
    found = Client().get("/.well-known/oauth-authorization-server").json()
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert "registration_endpoint" not in found and "introspection_endpoint" not in found
    for name in ("token_endpoint", "revocation_endpoint", "device_authorization_endpoint"):
        answer = Client().get(urlsplit(found[name]).path)
        assert answer.status_code == 405, name
    assert document()["components"]["securitySchemes"]["oauth2"]["flows"]
