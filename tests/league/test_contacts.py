"""Contacts of players: kept for organisers of the club, and shown to nobody else."""

from typing import Any

import pytest
from django.test import Client

from league.models import Account, ClubChange, Contact, Job, Member, Player
from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.test_admin_scope import logged_in

EMAIL, PHONE, NOTE = "pike@secret.example", "0451 99", "owes a drink"


@pytest.fixture
def kept(cast: Cast) -> Cast:
    """Paul has a contact, and plays."""
    Contact.objects.create(player=cast.paul_plays, email=EMAIL, phone=PHONE, note=NOTE)
    in_play(cast, 2)
    return cast


def text(answer: Any) -> str:
    return str(answer.content.decode())


def form(cast: Cast) -> str:
    return f"/admin/league/player/{cast.paul_plays.pk}/change/"


def test_an_organiser_sees_and_changes_it_in_the_form_of_the_player(kept: Cast) -> None:
    olga = logged_in(kept.olga)
    shown = text(olga.get(form(kept)))
    assert EMAIL in shown
    assert PHONE in shown
    sent = {"name": "Paul Pike", "account": kept.paul.pk, "active": "on", "phone": "0451 98", "note": NOTE}
    olga.post(form(kept), sent)
    contact = Contact.objects.get()
    assert (contact.email, contact.phone, contact.note) == ("", "0451 98", NOTE)
    change = ClubChange.objects.get(kind="contact_changed")
    assert change.values == {"fields": [None, "email, phone"]}


def test_an_emptied_form_erases_it_in_files_that_were_read_too(kept: Cast) -> None:
    read = {"plan": {"email": EMAIL}}
    Job.objects.create(club=kept.club, by=kept.olga, kind="read_players", status="done", result=read)
    logged_in(kept.olga).post(form(kept), {"name": "Paul Pike", "account": kept.paul.pk, "active": "on"})
    assert not Contact.objects.exists()
    assert Job.objects.get().result == {}


def test_the_owner_of_the_platform_sees_the_player_without_it(kept: Cast) -> None:
    root = logged_in(Account.objects.create_superuser("root"))
    shown = text(root.get(form(kept)))
    assert "Paul Pike" in shown
    assert EMAIL not in shown


def pages(cast: Cast) -> list[str]:
    player, club = cast.paul_plays.pk, cast.club.slug
    return [
        f"/players/{player}/",
        f"/clubs/{club}/",
        f"/clubs/{club}/players/",
        f"/api/v1/clubs/{club}/players/",
        f"/api/v1/clubs/{club}/players.csv",
        f"/api/v1/players/{player}/",
        "/admin/league/player/",
        "/admin/league/player/export.csv",
        "/admin/league/player/export.xlsx",
        "/admin/league/clubchange/",
    ]


@pytest.mark.parametrize("who", ["olga", "paul", "petra", None])
def test_no_list_file_or_answer_has_it(kept: Cast, who: str | None) -> None:
    client = logged_in(getattr(kept, who)) if who else Client()
    for page in pages(kept):
        shown = text(client.get(page)) if not page.endswith("xlsx") else str(client.get(page).content)
        assert not [secret for secret in (EMAIL, PHONE, NOTE) if secret in shown], page


def test_a_scorekeeper_does_not_see_it(kept: Cast) -> None:
    Member.objects.filter(account=kept.petra).update(role=Member.Role.SCOREKEEPER)
    assert logged_in(kept.petra).get(form(kept)).status_code in (302, 403)


def test_a_newcomer_with_a_known_name_is_asked_about_before_anything_is_saved(kept: Cast) -> None:
    sent = {"club": kept.club.pk, "name": "Pike Paul", "active": "on"}
    olga = logged_in(kept.olga)
    assert 'name="sure"' not in text(olga.get("/admin/league/player/add/"))
    shown = text(olga.post("/admin/league/player/add/", sent, follow=True))
    assert "The club has Paul Pike already." in shown
    assert 'name="sure"' in shown
    assert not Player.objects.filter(name="Pike Paul").exists()
    olga.post("/admin/league/player/add/", {**sent, "sure": "on"})
    assert Player.objects.filter(name="Pike Paul").count() == 1


def test_a_name_corrected_to_that_of_another_player_is_asked_about(kept: Cast) -> None:
    olga, sent = logged_in(kept.olga), {"name": "Petra Plum", "account": kept.paul.pk, "active": "on"}
    assert "The club has Petra Plum already." in text(olga.post(form(kept), sent))
    assert Player.objects.get(pk=kept.paul_plays.pk).name == "Paul Pike"
    assert olga.post(form(kept), {**sent, "sure": "on"}).status_code == 302
    assert olga.post(form(kept), sent).status_code == 302, "an unchanged name is not asked about"
    assert Player.objects.filter(name="Petra Plum").count() == 2


@pytest.mark.parametrize("typed", ["pike paul", "PÁUL", "Paull Pyke"])
def test_a_player_is_found_by_what_somebody_types(kept: Cast, typed: str) -> None:
    shown = logged_in(kept.olga).get("/admin/league/player/", {"q": typed})
    assert [player.name for player in shown.context["cl"].result_list] == ["Paul Pike"]
    assert ("Did you mean one of these?" in text(shown)) == (typed == "Paull Pyke")
