"""The pages of notifications: what an account chooses, what its browsers ask, and samples on the desk."""

from django.test import Client

from league.apps.notifications.models import EmailChoices
from league.models import Club
from league.services.accounts import choose_language
from league.words.emails import samples
from tests.factories import Cast
from tests.web.conftest import Visit, as_account
from tests.web.test_account import page_text

__all__ = ["as_account"]


def test_emails_are_chosen_by_boxes(as_account: Visit, cast: Cast) -> None:
    client = as_account(cast.paul)
    page = page_text(client.get("/account/notices/"))
    assert [page.count(f'name="{kind}"') for kind in ("round_published", "your_turn")] == [1, 1]
    client.post("/account/notices/choices/", {"result": "on"})
    chosen = EmailChoices.objects.get(account=cast.paul)
    assert (chosen.result, chosen.round_published, chosen.your_turn) == (True, False, False)


def test_what_lets_nobody_in_is_chosen_without_a_password(as_account: Visit, cast: Cast) -> None:
    client = as_account(cast.paul)
    session = client.session
    session["proved_at"] -= 3600
    session.save()
    client.post("/account/notices/choices/", {"result": "on"})
    assert EmailChoices.objects.get().result


def test_messages_of_browsers_are_in_the_language_of_the_account(cast: Cast, as_account: Visit) -> None:
    choose_language(by=cast.paul, language="de")
    worker = as_account(cast.paul).get("/worker.js", headers={"Accept-Language": "en"}).content.decode()
    assert '"news": "Es gibt etwas Neues für dich"' in worker and '"language": "de"' in worker


def test_the_desk_shows_each_email_with_the_text_of_the_club(cast: Cast, client: Client) -> None:
    client.force_login(cast.olga)
    Club.objects.update(mail_note="We meet above the chandler’s.")
    page = client.get(f"/admin/league/club/{cast.club.pk}/mails/").content.decode()
    invitation = 1  # says who invites, and nothing else
    assert page.count("We meet above the chandler’s.") == len(samples(cast.club)) - invitation
    assert "Round 3 of Winter league" in page
    assert "You are invited to Harbour Cards" in page
    assert "&lt;" not in page
