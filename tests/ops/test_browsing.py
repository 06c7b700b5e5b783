"""The fixtures of browser tests."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Account
from tests.browsing import LogIn


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
