"""Invitations, samples of emails and apps in a real browser: accessible, on a phone too."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Account, App, Invitation
from league.queries.links import token_of
from league.services.clubs import create_app, create_app_token
from league.services.invitations import invite
from tests import factories
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.test_invitations import confirmation
from tests.web.test_browser import violations


@pytest.fixture
def invitation(cast: Cast) -> Invitation:
    robin = factories.PlayerFactory.create(club=cast.club, name="Robin Reed")
    return invite(by=cast.olga, club=cast.club, email="robin@cards.example", role="player", player=robin)


@pytest.fixture
def app(cast: Cast) -> App:
    made = create_app(by=cast.olga, club=cast.club, name="Scoreboard")
    create_app_token(by=cast.olga, app=made, name="hall", scopes=["read", "organise"])
    return made


def test_the_page_of_an_app_with_a_token_is_accessible(
    phone: Page, cast: Cast, log_in: LogIn, app: App
) -> None:
    # Pages without more than their rows are seen by the test of every page of the desk.
    log_in(phone, cast.olga)
    phone.goto(f"/admin/league/app/{app.pk}/change/")
    expect(phone.get_by_text("hall").first).to_be_visible()
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0


def test_an_invitation_leads_to_a_new_account(phone: Page, cast: Cast, invitation: Invitation) -> None:
    phone.goto(f"/invitations/{invitation.pk}/{token_of(invitation)}/")
    phone.get_by_label("User name").fill("robin")
    phone.get_by_label("Password", exact=True).fill("a deck of fifty-two")
    phone.get_by_label("Repeat the password").fill("a deck of fifty-two")
    phone.get_by_role("button", name="Create my account and join").click()
    expect(phone.get_by_text("robin waits to join Harbour Cards.")).to_be_visible()
    assert violations(phone) == []
    phone.goto(confirmation())
    phone.get_by_role("button", name="Confirm this address").click()
    expect(phone.get_by_text("Welcome to Harbour Cards.")).to_be_visible()
    assert Account.objects.get(username="robin").players.get().name == "Robin Reed"
