"""What is typed is not lost where the log-in has ended before it is sent."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.factories import Cast

PASSWORD = "a deck of fifty-two"
BROWSER = {"Accept": "text/html,*/*;q=0.8", "Origin": "http://testserver"}
ADDRESS = "/account/notices/"
TYPED = {"do": "settings", "quiet_from": "22:15", "note": "a line\nand “another”"}


@pytest.fixture(autouse=True)
def _passwords(cast: Cast) -> None:
    for account in (cast.paul, cast.petra):
        account.set_password(PASSWORD)
        account.save()


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True, headers=BROWSER)


def fields_in(page: str) -> dict[str, str]:
    """Return the hidden fields of the first form of the main part."""
    form = page.partition("<main")[2].partition("<form")[2].partition("</form>")[0]
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)
    return {unescape(name): unescape(value) for name, value in found}


def log_in(browser: Client, name: str, fields: dict[str, str] | None = None) -> str:
    fields = fields or fields_in(browser.get("/account/login/").content.decode())
    answer = browser.post("/account/login/", {**fields, "username": name, "password": PASSWORD}, follow=True)
    return str(answer.content.decode())


def send(browser: Client, token: str) -> str:
    answer = browser.post(ADDRESS, {**TYPED, "secret_password": "x", "csrfmiddlewaretoken": token})
    assert answer.status_code == 403
    return str(answer.content.decode())


def typing(browser: Client, name: str) -> str:
    """Log in, open a form, and return its token."""
    log_in(browser, name)
    return fields_in(browser.get(ADDRESS).content.decode())["csrfmiddlewaretoken"]


def kept_in(page: str) -> dict[str, str]:
    fields = fields_in(page)
    assert fields.pop("csrfmiddlewaretoken")
    return fields


def test_a_form_sent_after_the_session_has_ended_is_sent_after_the_log_in(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.session.flush()
    asked = send(browser, token)
    assert "Log in" in asked and PASSWORD not in asked
    page = log_in(browser, "paul", fields_in(asked))
    assert f'action="{ADDRESS}"' in page
    assert kept_in(page) == TYPED
    assert browser.post(ADDRESS, fields_in(page)).status_code != 403


def test_a_wrong_password_does_not_lose_it(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.session.flush()
    fields = fields_in(send(browser, token))
    again = browser.post("/account/login/", {**fields, "username": "paul", "password": "wrong"})
    assert kept_in(log_in(browser, "paul", fields_in(again.content.decode()))) == TYPED


def test_another_account_does_not_send_it(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.session.flush()
    page = log_in(browser, "petra", fields_in(send(browser, token)))
    assert "was not sent: it was entered with another account" in page
    assert "22:15" not in page


def test_a_form_is_kept_whose_person_has_logged_in_again_in_another_tab(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.post("/account/logout/", {"csrfmiddlewaretoken": token})
    log_in(browser, "paul")
    assert kept_in(send(browser, token)) == TYPED


def test_a_form_is_not_kept_where_another_person_has_logged_in_meanwhile(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.post("/account/logout/", {"csrfmiddlewaretoken": token})
    log_in(browser, "petra")
    page = send(browser, token)
    assert "This form has expired" in page and "22:15" not in page


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_what_another_site_sends_is_never_kept(browser: Client, origin: str) -> None:
    typing(browser, "paul")
    answer = browser.post(ADDRESS, TYPED, headers={"Origin": origin})
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


def test_who_was_never_logged_in_here_is_asked_to_log_in(db: None) -> None:
    answer = Client(headers=BROWSER).post(ADDRESS, TYPED)
    assert answer["Location"] == f"/account/login/?next={ADDRESS}"


def test_a_script_is_led_to_the_log_in_as_before(browser: Client) -> None:
    token = typing(browser, "paul")
    browser.session.flush()
    answer = browser.post(
        ADDRESS, {**TYPED, "csrfmiddlewaretoken": token}, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 302
