"""Invitations: one link for one person, valid once and for a time; and a club's apps with their tokens."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.engine.refusals import Illegal, Malformed, Refusal
from league.core.verbs.entering import EnterPlayers
from league.models import Account, App, ClubChange, Contact, Email, Invitation, Member, Player, Token
from league.queries import permissions
from league.queries.links import read_invitation, token_of
from league.services.accounts import create_token, use_token
from league.services.clubs import create_app, create_app_token, retire_app, revoke_app_token
from league.services.emails import send_emails
from league.services.invitations import accept_invitation, invite, revoke_invitation, send_invitation_again
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened

ROBIN = "robin@cards.example"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def invited(cast: Cast, **fields: Any) -> Invitation:
    """Return Olga's invitation of Robin, as a player unless another role is named."""
    return invite(by=cast.olga, club=cast.club, **{"email": ROBIN, "role": "player", **fields})


def link() -> str:
    """Return the path in the newest mail to Robin."""
    send_emails()
    newest = [message for message in mail.outbox if message.to == [ROBIN]][-1]
    found = re.search(r"https?://[^/\s]+(/invitations/\S+)", str(newest.body))
    assert found and "<" not in str(newest.body)
    return found[1]


def confirmation() -> str:
    """Return the path in the newest mail that asks whether Robin's address is an account's."""
    send_emails()
    found = [re.search(r"(/account/notices/address/\S+)", str(each.body)) for each in mail.outbox]
    return [each[1] for each in found if each][-1]


SIGN_UP = {"username": "robin", "password": "a deck of fifty-two", "again": "a deck of fifty-two"}


def signed_up(client: Client) -> Any:
    """Return the answer to Robin, a newcomer who has opened the link and confirms the address."""
    assert client.post(link(), SIGN_UP).status_code == 302
    return client.post(confirmation())


class TestAnInvitation:
    def test_makes_the_account_a_member_linked_to_the_player(self, cast: Cast, client: Client) -> None:
        robin_plays = PlayerFactory.create(club=cast.club, name="Robin Reed")
        invited(cast, player=robin_plays)
        path = link()
        assert "Robin Reed" in text(client.get(path))
        assert signed_up(client)["Location"] == f"/clubs/{cast.club.slug}/"
        robin = Account.objects.get(username="robin")
        robin_plays.refresh_from_db()
        assert permissions.role_in(cast.club.pk, robin) == "player"
        assert (robin_plays.account, robin.email) == (robin, ROBIN)
        assert "Hello, robin" in text(client.get("/account/"))

    def test_leads_to_the_competition_of_the_player(self, cast: Cast, client: Client) -> None:
        robin_plays = PlayerFactory.create(club=cast.club, name="Robin Reed")
        competition = opened(cast, 0)
        act(cast.olga, competition, EnterPlayers, players=[robin_plays.pk])
        invited(cast, player=robin_plays)
        landed = signed_up(client)["Location"]
        assert landed == f"/competitions/{competition.slug}/"
        assert f"Welcome to {cast.club.name}. You play as Robin Reed." in text(client.get(landed))

    @pytest.mark.parametrize(("role", "page"), [("organiser", "/admin/"), ("scorekeeper", "/scores/")])
    def test_leads_to_what_the_role_is_for(self, cast: Cast, client: Client, role: str, page: str) -> None:
        invited(cast, role=role)
        assert signed_up(client)["Location"] == page

    def test_can_be_accepted_with_an_existing_account(self, cast: Cast, client: Client) -> None:
        Account.objects.filter(pk=cast.nora.pk).update(email=ROBIN)
        invited(cast, role="scorekeeper")
        client.force_login(cast.nora)
        path = link()
        assert "Join as nora" in text(client.get(path))
        client.post(path)
        assert permissions.role_in(cast.club.pk, cast.nora) == "scorekeeper"

    def test_does_not_lower_a_role(self, cast: Cast) -> None:
        invitation = invited(cast, email="", player=PlayerFactory.create(club=cast.club))
        accept_invitation(by=cast.olga, invitation_id=invitation.pk, token=token_of(invitation))
        assert permissions.role_in(cast.club.pk, cast.olga) == "owner"

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda cast, made: revoke_invitation(by=cast.olga, invitation=made),
            lambda cast, made: send_invitation_again(by=cast.olga, invitation=made),
            lambda cast, made: Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
            lambda cast, made: Member.objects.filter(account=cast.olga).update(role="player"),
            lambda cast, made: accept_invitation(by=cast.petra, invitation_id=made.pk, token=token_of(made)),
        ],
        ids=["revoked", "sent again", "too old", "by somebody who has no say any more", "used"],
    )
    def test_can_not_be_used_once_it_is(
        self, cast: Cast, client: Client, spoil: Callable[[Cast, Invitation], object]
    ) -> None:
        made = invited(cast)
        path = link()
        spoil(cast, made)
        answer = client.post(path, SIGN_UP)
        assert answer.status_code == 410
        assert not Account.objects.filter(username="robin").exists()

    @pytest.mark.parametrize(
        "change", [lambda path: path[:-2] + "_/", lambda path: re.sub(r"s/\w{8}", "s/00000000", path)]
    )
    def test_can_not_be_guessed(self, cast: Cast, client: Client, change: Callable[[str], str]) -> None:
        invited(cast)
        assert client.get(change(link())).status_code == 410

    def test_sent_again_has_a_new_link(self, cast: Cast, client: Client) -> None:
        made = invited(cast)
        first = link()
        send_invitation_again(by=cast.olga, invitation=made)
        second = link()
        assert first != second
        assert client.post(second, SIGN_UP).status_code == 302

    def test_is_stored_and_logged_without_its_secret(self, cast: Cast) -> None:
        made = invited(cast)
        kept = [
            *Invitation.objects.values_list(),
            *Email.objects.values_list(),
            *ClubChange.objects.values_list(),
        ]
        assert token_of(made) not in str(kept)
        assert ROBIN not in str([*ClubChange.objects.values_list()])

    @pytest.mark.parametrize(
        ("fields", "wrong"),
        [
            ({"username": "olga"}, "already exists"),
            ({"password": "short", "again": "short"}, "too short"),
            ({"again": "another one"}, "The two passwords don’t match."),
            ({"username": ""}, "This field is required."),
        ],
    )
    def test_refuses_an_invalid_account(
        self, cast: Cast, client: Client, fields: dict[str, str], wrong: str
    ) -> None:
        made = invited(cast)
        page = text(client.post(link(), {**SIGN_UP, **fields}))
        assert wrong in page
        made.refresh_from_db()
        assert made.is_open
        assert Account.objects.count() == 4


@pytest.mark.parametrize(
    ("who", "role", "may"),
    [
        ("olga", "owner", True),
        ("olga", "player", True),
        ("petra", "player", True),
        ("petra", "scorekeeper", True),
        ("petra", "organiser", False),
        ("paul", "player", False),
        ("nora", "player", False),
    ],
)
def test_a_member_can_invite_to_roles_that_they_can_give(cast: Cast, who: str, role: str, may: bool) -> None:
    Member.objects.filter(account=cast.petra).update(role="organiser")
    if not may:
        with pytest.raises(PermissionDenied):
            invite(by=getattr(cast, who), club=cast.club, email=ROBIN, role=role)
    else:
        invite(by=getattr(cast, who), club=cast.club, email=ROBIN, role=role)
    assert Invitation.objects.exists() is may


def test_an_invalid_invitation_is_refused_with_its_fields(cast: Cast) -> None:
    elsewhere = PlayerFactory.create()
    invited(cast, email="ROBIN@cards.example")
    for fields, wrong in (
        ({"email": "robin"}, "email"),
        ({"email": ROBIN}, "email"),
        ({"email": "wren@cards.example", "player": elsewhere}, "player"),
        ({"email": "wren@cards.example", "player": cast.paul_plays}, "player"),
    ):
        with pytest.raises(Malformed) as refused:
            invited(cast, **fields)
        assert list(refused.value.errors) == [wrong]
    assert Invitation.objects.count() == 1


def test_a_refused_form_keeps_what_was_typed_and_shows_the_error_at_its_field(
    cast: Cast, client: Client
) -> None:
    client.force_login(cast.olga)
    invited(cast)
    fields = {"club": cast.club.pk, "email": ROBIN, "role": "scorekeeper"}
    answer = client.post("/admin/league/invitation/add/", fields)
    form = answer.context["adminform"].form
    assert form.errors == {"email": ["This address is invited already: send that invitation again."]}
    assert (form["email"].value(), form["role"].value()) == (ROBIN, "scorekeeper")
    assert "**" not in text(answer)
    assert Invitation.objects.count() == 1


def test_the_desk_says_where_the_email_goes(
    cast: Cast, client: Client, settings: Any, tmp_path: Path
) -> None:
    client.force_login(cast.olga)
    fields = {"club": cast.club.pk, "email": ROBIN, "role": "player"}
    answer = client.post("/admin/league/invitation/add/", fields, follow=True)
    assert f"An email with the link goes to {ROBIN}." in text(answer)
    assert "No email leaves" not in text(answer)
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    again = f"/admin/league/invitation/{Invitation.objects.get().pk}/again/"
    page = text(client.post(again, follow=True))
    assert f"they become files in {tmp_path}" in page
    links = f"/admin/league/invitation/links/?club={cast.club.slug}"
    assert re.search(rf'Pass it on yourself: <a href="{re.escape(links)}">Links to copy</a>', page)
    assert "An email with the link goes to" not in page


def test_the_desk_sends_and_revokes_invitations_without_showing_links(cast: Cast, client: Client) -> None:
    client.force_login(cast.olga)
    fields = {"club": cast.club.pk, "email": ROBIN, "role": "player", "player": ""}
    assert client.post("/admin/league/invitation/add/", fields).status_code == 302
    made = Invitation.objects.get()
    change = f"/admin/league/invitation/{made.pk}/change/"
    assert ROBIN in text(client.get(change))
    assert ROBIN not in text(client.get("/admin/league/invitation/"))
    for page in (text(client.get("/admin/league/invitation/")), text(client.get(change))):
        assert "(&#x27;open" not in page
        assert token_of(made) not in page
        assert made.salt not in page
    client.post(f"/admin/league/invitation/{made.pk}/again/")
    client.post(f"/admin/league/invitation/{made.pk}/revoke/", {"sure": "1"})
    made.refresh_from_db()
    assert made.revoked_at
    assert "Send it again" not in text(client.get(change))


# ---- Apps ----------------------------------------------------------------------------------------


@pytest.fixture
def app(cast: Cast) -> App:
    return create_app(by=cast.olga, club=cast.club, name="Scoreboard")


class TestAnApp:
    def test_has_an_account_with_a_role_and_no_password(self, cast: Cast, app: App) -> None:
        assert permissions.role_in(cast.club.pk, app.account) == "scorekeeper"
        assert not app.account.has_usable_password()

    def test_uses_a_token_that_is_shown_once(self, cast: Cast, app: App) -> None:
        made = create_app_token(by=cast.olga, app=app, name="hall", scopes=["organise"])
        used = use_token(secret=made.secret)
        assert used and used.account == app.account
        assert made.secret not in str([*Token.objects.values_list(), *ClubChange.objects.values_list()])

    @pytest.mark.parametrize("end", ["revoke", "retire"])
    def test_is_refused_once_its_token_is_revoked_or_it_is_retired(
        self, cast: Cast, app: App, end: str
    ) -> None:
        made = create_app_token(by=cast.olga, app=app, name="hall", scopes=["read"])
        for _ in range(2):
            if end == "revoke":
                revoke_app_token(by=cast.olga, app=app, token=made.token)
            else:
                retire_app(by=cast.olga, app=app)
        assert use_token(secret=made.secret) is None

    def test_that_is_retired_can_not_get_a_token(self, cast: Cast, app: App) -> None:
        retire_app(by=cast.olga, app=app)
        app.refresh_from_db()
        with pytest.raises(Refusal):
            create_app_token(by=cast.olga, app=app, name="hall", scopes=["read"])

    def test_with_the_role_organiser_can_only_be_created_by_an_owner(self, cast: Cast) -> None:
        Member.objects.filter(account=cast.petra).update(role="organiser")
        with pytest.raises(PermissionDenied):
            create_app(by=cast.petra, club=cast.club, name="Bot", role="organiser")
        directing = create_app(by=cast.olga, club=cast.club, name="Bot", role="organiser")
        with pytest.raises(PermissionDenied):
            create_app_token(by=cast.petra, app=directing, name="x", scopes=["organise"])

    @pytest.mark.parametrize("who", ["paul", "nora"])
    def test_belongs_to_one_club(self, cast: Cast, app: App, who: str) -> None:
        with pytest.raises(PermissionDenied):
            create_app_token(by=getattr(cast, who), app=app, name="x", scopes=["read"])
        with pytest.raises(PermissionDenied):
            retire_app(by=getattr(cast, who), app=app)

    def test_can_not_be_used_to_revoke_other_tokens(self, cast: Cast, app: App) -> None:
        made = create_token(by=cast.paul, name="phone", scopes=["read"])
        with pytest.raises(PermissionDenied):
            revoke_app_token(by=cast.olga, app=app, token=made.token)
        assert use_token(secret=made.secret)

    def test_is_created_and_gets_tokens_on_the_desk(self, cast: Cast, client: Client) -> None:
        client.force_login(cast.olga)
        fields = {"club": cast.club.pk, "name": "Hall screen", "role": "player"}
        assert client.post("/admin/league/app/add/", fields).status_code == 302
        made = App.objects.get()
        address = f"/admin/league/app/{made.pk}"
        page = text(client.post(f"{address}/token/", {"name": "hall", "scopes": ["club:rule"], "days": "0"}))
        secret = re.search(r"trefoil_[\w-]{43}", page)
        assert secret and use_token(secret=secret[0])
        shown = text(client.get(f"{address}/change/"))
        assert "hall" in shown
        assert secret[0] not in shown
        assert client.post(f"{address}/token/", {"name": ""}).context["token_form"].errors
        client.post(f"{address}/revoke/", {"token": Token.objects.get().pk, "sure": "1"})
        assert use_token(secret=secret[0]) is None
        assert client.post(f"{address}/revoke/", {"token": uuid4()}).status_code == 404

    def test_adds_no_query_to_the_list(
        self, cast: Cast, app: App, client: Client, django_assert_num_queries: Any
    ) -> None:
        client.force_login(cast.olga)
        with CaptureQueriesContext(connection) as with_one:
            assert "scorekeeper" in text(client.get("/admin/league/app/"))
        for number in range(5):
            create_app(by=cast.olga, club=cast.club, name=f"Bot {number}")
        with django_assert_num_queries(len(with_one)):
            client.get("/admin/league/app/")

    def test_can_not_be_opened_by_strangers_on_the_desk(self, cast: Cast, app: App, client: Client) -> None:
        client.force_login(cast.nora)
        for page in ("token", "revoke", "retire"):
            answer = client.post(f"/admin/league/app/{app.pk}/{page}/", {"name": "x", "scopes": "club:rule"})
            assert answer.status_code == 404
        assert not Token.objects.exists()


def test_changes_by_invitations_and_apps_are_recorded(cast: Cast, app: App) -> None:
    made = invited(cast, email="", player=PlayerFactory.create(club=cast.club))
    accept_invitation(by=cast.nora, invitation_id=made.pk, token=token_of(made))
    create_app_token(by=cast.olga, app=app, name="hall", scopes=["read"])
    kinds = [
        *ClubChange.objects.filter(club=cast.club).order_by("pk").values_list("kind", "account__username")
    ]
    assert kinds == [
        ("member_added", "olga"),
        ("app_made", "olga"),
        ("invited", "olga"),
        ("invitation_accepted", "nora"),
        ("player_changed", "nora"),
        ("app_token_made", "olga"),
    ]
    with pytest.raises(Illegal):
        read_invitation(invitation_id=made.pk, token=token_of(made))


class TestManyInvitations:
    """All players without an account are invited at once, and each link can be copied."""

    @pytest.fixture
    def desk(self, cast: Cast) -> Client:
        client = Client()
        client.force_login(cast.olga)
        return client

    def invite(self, desk: Client, *players: Player) -> str:
        sent = {"players": [str(player.pk) for player in players]}
        return text(desk.post("/admin/league/invitation/many/", sent, follow=True))

    def links(self, desk: Client) -> dict[str, str]:
        """Return the link of each person on the page."""
        page = text(desk.get("/admin/league/invitation/links/"))
        lines = re.search(r"<textarea[^>]*>([^<]*)", page)
        assert lines
        pairs = (line.split("\t") for line in lines[1].splitlines() if line)
        return {name: link.partition("testserver")[2] for name, link in pairs}

    def test_are_offered_to_players_without_an_account(self, cast: Cast, desk: Client) -> None:
        robin, rosa = (PlayerFactory.create(club=cast.club, name=name) for name in ("Robin", "Rosa"))
        Contact.objects.create(player=robin, email=ROBIN)
        page = text(desk.get("/admin/league/invitation/many/"))
        assert ROBIN in page
        assert "link only" in page
        assert "Paul Pike" not in page
        assert "Rosa" not in text(desk.get("/admin/league/invitation/many/?find=ROB%C3%8DN"))
        assert "2 players are invited." in self.invite(desk, robin, rosa)
        assert Email.objects.count() == 1
        assert "No player waits for an invitation." in text(desk.get("/admin/league/invitation/many/"))

    def test_without_an_address_are_accepted_by_the_link(self, cast: Cast, desk: Client) -> None:
        rosa = PlayerFactory.create(club=cast.club, name="Rosa")
        self.invite(desk, rosa)
        guest = Client()
        assert guest.post(self.links(desk)["Rosa"], SIGN_UP).status_code == 302
        rosa.refresh_from_db()
        assert rosa.account is not None
        assert rosa.account.email == ""
        assert "There is no open invitation." in text(desk.get("/admin/league/invitation/links/"))

    def test_twice_make_no_second_one(self, cast: Cast, desk: Client) -> None:
        rosa = PlayerFactory.create(club=cast.club, name="Rosa")
        self.invite(desk, rosa)
        self.invite(desk, rosa)
        assert Invitation.objects.count() == 1

    def test_of_two_with_one_address_send_one_email(self, cast: Cast, desk: Client) -> None:
        twins = [PlayerFactory.create(club=cast.club, name=name) for name in ("Ann", "Ben")]
        for twin in twins:
            Contact.objects.create(player=twin, email=ROBIN)
        self.invite(desk, *twins)
        assert sorted(Invitation.objects.values_list("email", flat=True)) == ["", ROBIN]

    def test_say_that_no_email_leaves_the_server(self, desk: Client, settings: Any, tmp_path: Path) -> None:
        page = "/admin/league/invitation/many/"
        assert "No email leaves this server:" not in text(desk.get(page))
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = tmp_path
        assert "No email leaves this server:" in text(desk.get(page))

    def test_of_organisers_are_shown_to_owners_alone(self, cast: Cast, desk: Client) -> None:
        invited(cast, role="organiser")
        assert ROBIN in self.links(desk)
        Member.objects.filter(account=cast.olga).update(role="organiser")
        assert "There is no open invitation." in text(desk.get("/admin/league/invitation/links/"))

    def test_of_another_club_are_nobody_elses(self, cast: Cast) -> None:
        nora = Client()
        nora.force_login(cast.nora)
        rosa = PlayerFactory.create(club=cast.club, name="Rosa")
        assert nora.get(f"/admin/league/invitation/links/?club={cast.club.slug}").status_code == 404
        self.invite(nora, rosa)
        assert not Invitation.objects.exists()

    def test_have_links_that_work_on_other_devices(self, cast: Cast, desk: Client) -> None:
        invited(cast)
        page = "/admin/league/invitation/links/"
        local = text(desk.get(page, HTTP_HOST="127.0.0.1:8000"))
        assert "These links open on this computer only." in local
        wrong = desk.post(page, {"address": "localhost:8000"}, HTTP_HOST="127.0.0.1:8000", follow=True)
        assert "works on the server’s own machine only" in text(wrong)
        desk.post(page, {"address": "http://192.168.0.10:8000"}, HTTP_HOST="127.0.0.1:8000")
        asked = text(desk.get(page, HTTP_HOST="127.0.0.1:8000"))
        assert "http://192.168.0.10:8000/invitations/" in asked
        assert "127.0.0.1" not in asked
        assert 'name="address" value="http://192.168.0.10:8000"' in asked
        desk.post(page, {"address": "192.168.0.11:8000"}, HTTP_HOST="127.0.0.1:8000")
        assert "http://192.168.0.11:8000/invitations/" in text(desk.get(page, HTTP_HOST="127.0.0.1:8000"))

    def test_need_an_address_or_a_player(self, cast: Cast) -> None:
        with pytest.raises(Malformed):
            invited(cast, email="")
