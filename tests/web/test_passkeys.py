"""Passkeys: made, used and removed in a browser with a device of its own, and refused."""

from datetime import timedelta

import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from league.models import LogIn, Passkey
from tests.factories import Cast
from tests.web.conftest import Outline

PASSWORD = "right horse battery"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_is_made_and_logs_in_until_it_is_removed(page: Page, site: str, cast: Cast) -> None:
    cast.paul.set_password(PASSWORD)
    cast.paul.save()
    # Browsers have passkeys for names of hosts only.
    here = site.replace("127.0.0.1", "localhost")
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})

    page.goto(f"{here}/account/login/?next=/account/devices/")
    page.get_by_label("User name").fill("paul")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_label("Name of the new passkey").fill("My laptop")
    page.get_by_role("button", name="Make a passkey").click()
    expect(page.get_by_text("You can log in with this passkey now.")).to_be_visible()
    expect(page.get_by_role("heading", name="My laptop")).to_be_visible()

    page.context.clear_cookies()
    page.goto(f"{here}/account/login/?next=/account/devices/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="Devices")).to_be_visible()
    passkey = Passkey.objects.get(account=cast.paul)
    assert passkey.last_used_at and LogIn.objects.filter(account=cast.paul).exists()

    page.get_by_role("button", name="Remove").click()
    page.get_by_text("Nobody can bring it back.").wait_for()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The passkey “My laptop” no longer works.")).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"{here}/account/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("This passkey is not known here, or was removed.")).to_be_visible()


def test_without_scripts_the_form_for_passkeys_is_hidden(client: Client, cast: Cast) -> None:
    forms = Outline(client.get("/account/login/").content.decode()).all("form")
    (passkeys,) = [each for each in forms if each.get("data-passkey")]
    assert "hidden" in passkeys


def test_a_wrong_or_late_answer_logs_nobody_in(client: Client, cast: Cast) -> None:
    for answer in ("", "{}", "[]", '{"id": "AA", "rawId": "AA", "type": "public-key"}', "x" * 99_999):
        client.post("/account/login/passkey/question/")
        page = client.post("/account/login/passkey/", {"answer": answer}, follow=True).content.decode()
        assert "Try again" in page and "_auth_user_id" not in client.session
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        page = client.post("/account/login/passkey/", {"answer": "{}"}, follow=True).content.decode()
    assert "That took too long." in page


def test_a_question_about_a_passkey_writes_no_row(client: Client, cast: Cast) -> None:
    for _ in range(3):
        assert client.post("/account/login/passkey/question/").status_code == 200
    assert not Session.objects.exists()


def test_only_the_account_itself_removes_a_passkey(cast: Cast) -> None:
    passkey = Passkey.objects.create(account=cast.paul, name="key", credential="AA", public_key=b"")
    other = Client()
    other.force_login(cast.petra)
    assert other.post(f"/account/passkeys/{passkey.pk}/remove/").status_code == 404
    assert Passkey.objects.exists()
