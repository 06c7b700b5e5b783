"""Logging in, and the account page."""

import logging
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from league.callers import ByAccount
from league.core.verbs.entries import WithdrawEntry
from league.models import Account, Email, Member, Passkey, Token
from league.ops import logs
from league.services.accounts import create_token, use_token
from league.services.clubs import create_app
from league.services.emails import send_emails
from league.services.play import make_move
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, moved
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import Visit


def page_text(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined, no-any-return]


class TestLogIn:
    @pytest.fixture(autouse=True)
    def _password(self, cast: Cast) -> None:
        cast.paul.set_password("a deck of fifty-two")
        cast.paul.save()

    def send(self, client: Client, **fields: str) -> object:
        return client.post(
            "/account/login/", {"username": "paul", "password": "a deck of fifty-two", **fields}
        )

    def test_redirects_to_the_account_page(self, client: Client) -> None:
        assert self.send(client).headers["Location"] == "/account/"  # type: ignore[attr-defined]

    def test_redirects_back_but_never_to_another_site(self, client: Client) -> None:
        assert self.send(client, next="/rules/").headers["Location"] == "/rules/"  # type: ignore[attr-defined]
        assert self.send(client, next="//evil.example/").headers["Location"] == "/account/"  # type: ignore[attr-defined]

    def test_shows_an_error_when_it_fails(self, client: Client) -> None:
        answer = self.send(client, password="wrong")
        assert 'role="alert"' in page_text(answer)

    def test_ends_by_a_post_only(self, as_account: Visit, cast: Cast) -> None:
        client = as_account(cast.paul)
        assert client.get("/account/logout/").status_code == 405
        client.post("/account/logout/")
        assert client.get("/account/").status_code == 302

    def test_allows_a_password_change(self, as_account: Visit, cast: Cast, client: Client) -> None:
        fields = {"new_password1": "two jokers beside", "new_password2": "two jokers beside"}
        answer = as_account(cast.paul).post("/account/password/", fields, follow=True)
        assert "Your password was changed." in page_text(answer)
        assert client.login(username="paul", password="two jokers beside")

    @pytest.mark.parametrize("chosen", [True, False])
    def test_a_password_change_ends_tokens_and_passkeys_if_that_is_chosen(
        self, as_account: Visit, cast: Cast, chosen: bool
    ) -> None:
        made, other, client = (
            create_token(by=cast.paul, name="bot", scopes=["read"]),
            as_account(cast.paul),
            as_account(cast.paul),
        )
        Passkey.objects.create(account=cast.paul, name="key", credential="AA", public_key=b"")
        Passkey.objects.create(account=cast.petra, name="key", credential="BB", public_key=b"")
        new = "two jokers beside"
        fields = {"new_password1": new, "new_password2": new}
        more = {"tokens": "on", "passkeys": "on"} if chosen else {}
        client.post("/account/password/", {**fields, **more})
        assert bool(use_token(secret=made.secret)) is not chosen
        assert Passkey.objects.filter(account=cast.paul).exists() is not chosen
        assert Passkey.objects.filter(account=cast.petra).exists()
        assert other.get("/account/").status_code == 302
        assert client.get("/account/").status_code == 200


@pytest.fixture
def thief(as_account: Visit, cast: Cast) -> Client:
    cast.paul.set_password("a deck of fifty-two")
    cast.paul.save()
    client = as_account(cast.paul)
    session = client.session
    session["proved_at"] -= 3600
    session.save()
    return client


class TestAStolenSession:
    """It began an hour ago, and whoever has it knows no password."""

    @pytest.mark.parametrize(("address", "fields"), [
        ("/account/notices/", {"email": "thief@cards.example"}),
        ("/account/password/", {"new_password1": "two jokers beside", "new_password2": "two jokers beside"}),
        ("/account/", {"name": "bot", "scopes": ["play:move"]}),
        ("/account/passkeys/", {"name": "mine", "answer": "{}"}),
    ])  # fmt: skip
    def test_is_asked_for_a_password_and_what_was_typed_is_kept(
        self, thief: Client, cast: Cast, address: str, fields: dict[str, Any]
    ) -> None:
        for wrong in ({}, {"proof_password": "wrong"}):
            page = page_text(thief.post(address, {**fields, **wrong}))
            assert "Is that you?" in page
            for name, value in fields.items():
                for each in [value] if isinstance(value, str) else value:
                    assert (f'name="{name}" value="{escape(each)}"' in page) is ("password" not in name)
        assert "This is not your password." in page
        for model in (Email, Token, Passkey):
            assert not model._default_manager.exists()
        cast.paul.refresh_from_db()
        assert cast.paul.is_active and cast.paul.check_password("a deck of fifty-two")

    def test_goes_on_with_what_was_typed_after_the_password(self, thief: Client) -> None:
        fields = {"name": "My bot", "scopes": ["play:move"], "proof_password": "a deck of fifty-two"}
        assert 'class="secret"' in page_text(thief.post("/account/", fields))
        assert "Is that you?" not in page_text(thief.get("/account/password/"))

    def test_leads_to_the_page_that_was_asked_for(self, thief: Client) -> None:
        assert 'name="proof_get"' in page_text(thief.get("/account/password/?x=1"))
        given = {"proof_get": "1", "proof_password": "a deck of fifty-two"}
        answer = thief.post("/account/password/?x=1", given)
        assert (answer.status_code, answer["Location"]) == (302, "/account/password/?x=1")

    def test_makes_no_token_by_the_api(self, thief: Client) -> None:
        body = {"name": "bot", "scopes": ["play:move"]}
        answer = thief.post("/api/v1/tokens/", body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
        assert "Log in again" in answer.json()["detail"] and not Token.objects.exists()

    def test_changes_no_account_and_makes_no_token_on_the_desk(self, cast: Cast, thief: Client) -> None:
        app = create_app(by=cast.olga, club=cast.club, name="Board")
        Account.objects.filter(pk=cast.paul.pk).update(is_superuser=True)
        desk = "/admin/league"
        for path in (f"{cast.olga.pk}/change/", f"{cast.olga.pk}/password/", "add/"):
            assert "Is that you?" in page_text(thief.get(f"{desk}/account/{path}"))
        Member.objects.filter(account=cast.paul).update(role="owner")
        given = {"name": "x", "scopes": ["club:rule"], "days": "365"}
        assert "Is that you?" in page_text(thief.post(f"{desk}/app/{app.pk}/token/", given))
        assert not Token.objects.exists()

    def test_asks_nobody_about_what_lets_nobody_in(self, thief: Client) -> None:
        for address in ("/account/", "/account/notices/", "/account/devices/"):
            assert "Is that you?" not in page_text(thief.get(address))

    def test_guesses_no_faster_than_the_log_in(self, thief: Client) -> None:
        for _ in range(5):
            page = page_text(thief.post("/account/password/", {"proof_password": "wrong"}))
        assert "This is not your password." in page
        page = page_text(thief.post("/account/password/", {"proof_password": "a deck of fifty-two"}))
        assert "There were too many attempts." in page


class TestTables:
    def test_that_wait_for_the_player_come_first(self, as_account: Visit, cast: Cast) -> None:
        over = cast.game("tally")
        make_move(ByAccount(cast.petra), game_id=over.pk, seq=2, move={"type": "resign"})
        waits = cast.game("tally")
        page = page_text(as_account(cast.paul).get("/account/"))
        assert page.index(str(waits.pk)) < page.index(str(over.pk))
        assert page.count("Your turn") == 1

    @pytest.mark.usefixtures("same_deals")
    def test_are_those_of_the_head_of_each_page_in_its_order(self, as_account: Visit, cast: Cast) -> None:
        paul = as_account(cast.paul)
        guest = Client()
        practice = {"ruleset": "scoops", "level": "easy", "seats": 2, "length": "short"}
        guest.post("/play/", practice)
        paul.cookies["guest"] = guest.cookies["guest"].value
        waits, mine = cast.game("tally"), cast.game("tally")
        make_move(ByAccount(cast.paul), game_id=mine.pk, seq=2, move={"type": "say", "number": 1})
        listed = re.findall("/games/([0-9a-f-]+)/", page_text(paul.get("/tables/mine/")))
        page = page_text(paul.get("/account/"))
        shown = re.findall("/games/([0-9a-f-]+)/", page[page.index('id="tables"') :])
        assert shown == listed and len(listed) == 3
        assert listed[0] == str(waits.pk) and str(mine.pk) in listed
        assert "Easy bot 1" in page and "Petra Plum" in page and "Petra Plum is to move" in page
        assert page.count("Your turn") == 1

    def test_are_only_the_players_own(self, as_account: Visit, cast: Cast) -> None:
        game = cast.game("tally")
        assert str(game.pk) not in page_text(as_account(cast.nora).get("/account/"))


class TestTokens:
    def test_are_shown_once_and_work(self, as_account: Visit, cast: Cast) -> None:
        client = as_account(cast.paul)
        page = client.post("/account/", {"name": "My bot", "scopes": ["play:move", "read:private"]})
        secret = re.search(r'class="secret">(\w[\w-]*)<', page_text(page))
        assert secret
        token = use_token(secret=secret[1])
        assert token == Token.objects.get() and token.expires_at
        assert "no-store" in page["Cache-Control"]
        assert secret[1] not in page_text(client.get("/account/"))

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"name": "x"},
            {"name": "", "scopes": ["read:private"]},
            {"name": "x" * 81, "scopes": ["read:private"]},
            {"name": "x", "scopes": ["rule the world"]},
            {"name": "a\x07b", "scopes": ["read:private"]},
        ],
    )
    def test_with_errors_are_not_created(
        self, as_account: Visit, cast: Cast, fields: dict[str, object]
    ) -> None:
        page = page_text(as_account(cast.paul).post("/account/", fields))
        assert "errorlist" in page
        assert not Token.objects.exists()

    def test_can_only_be_revoked_by_their_owner(self, as_account: Visit, cast: Cast) -> None:
        made = create_token(by=cast.paul, name="bot", scopes=["read"])
        address = f"/account/tokens/{made.token.pk}/revoke/"
        assert as_account(cast.petra).post(address).status_code == 404
        assert use_token(secret=made.secret)
        assert as_account(cast.paul).get(address).status_code == 405
        asked = page_text(as_account(cast.paul).post(address))
        assert "What uses the token “bot” can no longer act for you." in asked
        assert use_token(secret=made.secret)
        assert as_account(cast.paul).post(address, {"sure": "1"}).status_code == 302
        assert use_token(secret=made.secret) is None

    def test_of_others_are_not_shown(self, as_account: Visit, cast: Cast) -> None:
        create_token(by=cast.paul, name="Pauls bot", scopes=["read"])
        assert "Pauls bot" not in page_text(as_account(cast.petra).get("/account/"))


def test_only_organisers_get_a_link_to_the_desk(as_account: Visit, cast: Cast) -> None:
    assert "/admin/" in page_text(as_account(cast.olga).get("/account/"))
    assert "/admin/" not in page_text(as_account(cast.paul).get("/account/"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/account/", "/account/password/", "/account/notices/", "/account/zone/"]
)
def test_anonymous_users_are_asked_to_log_in(client: Client, address: str) -> None:
    assert client.get(address)["Location"] == f"/account/login/?next={address}"


class TestNotifications:
    def test_go_to_an_address_after_its_confirmation(self, as_account: Visit, cast: Cast) -> None:
        client = as_account(cast.paul)
        client.post("/account/notices/", {"email": "paul@cards.example"})
        cast.paul.refresh_from_db()
        assert cast.paul.email == ""
        path = link_in_the_mail_to("paul@cards.example")
        assert "Confirm this address" in page_text(client.get(path))
        for _ in range(2):
            client.post(path)
        cast.paul.refresh_from_db()
        assert cast.paul.email == "paul@cards.example"

    def test_tell_the_old_address_of_the_new_one(self, as_account: Visit, cast: Cast) -> None:
        cast.paul.email = "old@cards.example"
        cast.paul.save()
        client = as_account(cast.paul)
        client.post("/account/notices/", {"email": "paul@cards.example"})
        path = link_in_the_mail_to("paul@cards.example")
        for _ in range(2):
            client.post(path)
        send_emails()
        (told,) = [each for each in mail.outbox if each.to == ["old@cards.example"]]
        assert "paul" in told.body and "p…@cards.example" in told.body and "paul@" not in told.body

    def test_do_not_go_to_the_address_of_someone_else(self, as_account: Visit, cast: Cast) -> None:
        as_account(cast.paul).post("/account/notices/", {"email": "paul@cards.example"})
        path = link_in_the_mail_to("paul@cards.example")
        page = as_account(cast.petra).post(path, follow=True)
        cast.petra.refresh_from_db()
        assert "made for another account" in page_text(page)
        assert cast.petra.email == ""

    def test_are_limited_for_unconfirmed_addresses(self, as_account: Visit, cast: Cast) -> None:
        client = as_account(cast.paul)
        pages = [
            page_text(client.post("/account/notices/", {"email": f"a{n}@cards.example"})) for n in range(7)
        ]
        assert ["several links" in page for page in pages] == [False] * 5 + [True] * 2

    def test_ask_an_address_once_whoever_wants_it(self, as_account: Visit, cast: Cast) -> None:
        wanted = {"email": "victim@cards.example"}
        now = timezone.now()
        for days, account in ((0, cast.paul), (1, cast.paul), (2, cast.petra), (3, cast.paul)):
            with time_machine.travel(now + timedelta(days=days)):
                page = page_text(as_account(account).post("/account/notices/", wanted))
                assert ("was sent to this address already" in page) is (days > 0)
        send_emails()
        (message,) = mail.outbox
        assert "You will get no further one within 30 days." in message.body
        with time_machine.travel(now + timedelta(days=31)):
            as_account(cast.petra).post("/account/notices/", wanted)
        assert Email.objects.count() == 2

    def test_link_to_nothing_but_the_site(self, as_account: Visit, cast: Cast) -> None:
        Account.objects.filter(pk=cast.paul.pk).update(username="www.evil.example")
        as_account(cast.paul).post("/account/notices/", {"email": "paul@cards.example"})
        send_emails()
        html = str(mail.outbox[0].alternatives[0][0])  # type: ignore[union-attr]
        assert {urlsplit(found).netloc for found in re.findall('href="([^"]*)"', html)} == {"127.0.0.1:8000"}
        assert "www.evil.example" in html and html.count("/account/notices/address/") == 1
        assert re.search(
            '<a href="[^"]*/account/notices/address/[^"]*" style="[^"]*">Open the page</a>', html
        )

    def test_need_a_valid_address(self, as_account: Visit, cast: Cast) -> None:
        page = page_text(as_account(cast.paul).post("/account/notices/", {"email": "paul"}))
        assert "errorlist" in page
        assert not Email.objects.exists()


class TestAForgottenPassword:
    def test_can_be_replaced_through_a_link_that_works_once(
        self, cast: Cast, client: Client, as_account: Visit
    ) -> None:
        cast.paul.email = "paul@cards.example"
        cast.paul.set_password("a deck of fifty-two")
        cast.paul.save()
        made, other = create_token(by=cast.paul, name="bot", scopes=["read"]), as_account(cast.paul)
        assert other.get("/account/").status_code == 200
        for _ in range(3):
            client.post("/account/forgotten/", {"email": "Paul@cards.example"})
        path = link_in_the_mail_to("paul@cards.example")
        form = client.get(path, follow=True).request["PATH_INFO"]
        Passkey.objects.create(account=cast.paul, name="key", credential="AA", public_key=b"")
        fields = {"new_password1": "two jokers beside", "new_password2": "two jokers beside"}
        assert client.post(form, {**fields, "passkeys": "on"}).status_code == 302
        assert not Passkey.objects.exists()
        assert use_token(secret=made.secret) is None and other.get("/account/").status_code == 302
        assert client.login(username="paul", password="two jokers beside")
        assert "was used before" in page_text(Client().get(path, follow=True))
        assert len(mail.outbox) == 1

    def test_brings_one_email_however_often_it_is_asked_for(
        self, cast: Cast, client: Client, settings: Any, tmp_path: Path
    ) -> None:
        cast.paul.email = "paul@cards.example"
        cast.paul.set_password("a deck of fifty-two")
        cast.paul.save()
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = tmp_path
        addresses = ["paul@cards.example", "Paul@Cards.Example", " PAUL@cards.example "]

        begun = timezone.now()

        def emails_after(minutes: float, often: int = 1) -> int:
            with time_machine.travel(begun + timedelta(minutes=minutes), tick=False):
                for number in range(often):
                    client.post("/account/forgotten/", {"email": addresses[number % 3]})
                    send_emails()
            return len([*tmp_path.iterdir()])

        assert emails_after(0, often=16) == 1
        assert emails_after(4.9) == 1
        assert emails_after(5.1) == 2
        assert [emails_after(6 * number) for number in range(2, 12)][-1] == 10

    def test_does_not_reveal_whether_an_address_is_known(self, cast: Cast, client: Client) -> None:
        cast.paul.email = "paul@cards.example"
        cast.paul.set_password("a deck of fifty-two")
        cast.paul.save()
        pages = [
            page_text(client.post("/account/forgotten/", {"email": email}, follow=True))
            for email in ("paul@cards.example", "nobody@cards.example")
        ]
        shown = [re.findall(r'class="[^"]*message[^"]*"[^>]*>(.*?)<', page) for page in pages]
        assert shown[0] == shown[1]
        assert "If an account has this address" in pages[1]


def link_in_the_mail_to(address: str) -> str:
    """Return the path of the first link in the one mail to an address."""
    send_emails()
    (message,) = [each for each in mail.outbox if each.to == [address]]
    found = re.search(r"https?://[^/\s]+(/\S+)", str(message.body))
    assert found
    return found[1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/account/forgotten/abc/set-key/",
        "/account/notices/stop/key:1/",
        "/account/notices/address/key/?key=1",
        "/invitations/0/key/",
        "/account/login/?next=/invitations/0/key/",
        "/account/login/?next=%2Finvitations%2F0%2Fkey%2F",
    ],
)
def test_links_from_emails_are_not_in_the_request_log(
    client: Client, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    formatter = dict(logs.configuration(level="INFO", as_json=False)["formatters"]["event"])
    caplog.handler.setFormatter(formatter.pop("()")(**formatter))
    caplog.set_level("INFO")
    client.get(path)
    logging.getLogger("django.security").error("Internal Server Error: %s", path)
    requested, failed = (line for line in caplog.text.splitlines() if "GET" in line or "Error" in line)
    assert "…" in requested
    assert "…" in failed
    assert "key" not in requested + failed


@pytest.mark.parametrize("ruleset", ["tally", "scoops-scorecard"])
def test_my_tables_and_the_game_say_that_the_opponent_has_withdrawn_while_the_game_runs(
    cast: Cast, ruleset: str
) -> None:
    competition = in_play(cast, 2, ruleset=ruleset, stages=[{**PLAN, "table_size": 2}])
    act(cast.olga, competition, WithdrawEntry, entry=competition.entries.get(name="Paul Pike").pk)
    game, petra = competition.games.get().game, logged_in(cast.petra)
    pages = {"/tables/mine/": "Paul Pike (withdrawn)", "/account/": "Paul Pike (withdrawn)"}
    pages |= {f"/games/{game.pk}/": "Withdrawn from the competition:"}
    for address, said in pages.items():
        assert said in petra.get(address).content.decode(), address
    moved(game, 0, {"type": "resign"})
    assert "withdrawn" not in petra.get(f"/games/{game.pk}/").content.decode()
