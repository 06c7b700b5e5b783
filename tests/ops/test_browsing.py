"""The fixtures of browser tests."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Account
from tests.browsing import LogIn, Opened


@pytest.fixture
def olga(transactional_db: None) -> Account:
    return Account.objects.create_superuser("olga", password="olga's own")


def test_the_admin_works_on_a_wide_screen_under_its_content_policy(
    page: Page, log_in: LogIn, olga: Account
) -> None:
    log_in(page, olga)
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Desk", level=1)).to_be_visible()


def test_the_login_form_works_on_a_phone(phone: Page, olga: Account) -> None:
    phone.goto("/admin/login/?next=/admin/")
    phone.get_by_label("User name").fill(olga.username)
    phone.get_by_label("Password").fill("olga's own")
    phone.get_by_role("button", name="Log in", exact=True).click()
    expect(phone).to_have_url("/admin/")


def test_a_page_finds_the_cache_of_the_one_before_and_nothing_else(_opened: Opened) -> None:
    contexts = []
    for leave in ("localStorage.setItem('x', 1); document.cookie = 'x=1'", "0", "0"):
        with _opened("tried") as page:
            contexts.append(page.context)
            page.goto("/offline/")
            assert page.evaluate("document.cookie + Object.keys(localStorage)") == "trefoil pace"
            page.evaluate(leave)
            page.context.set_offline(True)
            if leave == "0":
                page.clock.install()
    first, second, third = contexts
    assert first is second is not third, "a clock that is stopped would stand still for the next test"
