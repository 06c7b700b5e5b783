"""An invitation that was sent to an address lets in whom that address, or an organiser, confirms."""

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal
from league.models import Account, ClubChange, Invitation, Member
from league.queries import permissions
from league.queries.links import token_of
from league.services.invitations import (
    accept_invitation,
    confirm_invitation,
    revoke_invitation,
    send_invitation_again,
)
from tests.factories import Cast, PlayerFactory
from tests.league.test_invitations import ROBIN, SIGN_UP, confirmation, invited, link, text

MASKED = "r…@cards.example"


def take_up(account: Account, made: Invitation) -> None:
    made.refresh_from_db()
    accept_invitation(by=account, invitation_id=made.pk, token=token_of(made))


def is_in(made: Invitation, account: Account) -> bool:
    """Return whether the account is a member and plays as the player, which are so both or neither."""
    made.refresh_from_db()
    joined = permissions.role_in(made.club_id, account) is not None
    assert joined is account.players.exists() is bool(made.accepted_at)
    return joined


@pytest.fixture
def made(cast: Cast) -> Invitation:
    Member.objects.filter(account=cast.nora).delete()  # of a club of her own
    return invited(cast, player=PlayerFactory.create(club=cast.club, name="Robin Reed"))


class TestTheLinkLetsIn:
    def test_an_account_with_that_address_at_once(self, cast: Cast, client: Client, made: Invitation) -> None:
        Account.objects.filter(pk=cast.nora.pk).update(email="Robin@cards.example")
        client.force_login(cast.nora)
        path = link()
        assert MASKED not in text(client.get(path))
        client.post(path)
        assert is_in(made, cast.nora)

    def test_no_account_whose_address_only_looks_alike(self, cast: Cast) -> None:
        made = invited(cast, email="robin@strasse.example")
        Account.objects.filter(pk=cast.nora.pk).update(email="robin@straße.example")
        cast.nora.refresh_from_db()
        take_up(cast.nora, made)
        made.refresh_from_db()
        assert made.is_waiting

    def test_a_newcomer_once_the_address_is_confirmed(self, client: Client, made: Invitation) -> None:
        path = link()
        assert f"It was sent to {MASKED}." in text(client.get(path))
        assert "robin waits to join Harbour Cards" in text(client.post(path, SIGN_UP, follow=True))
        robin = Account.objects.get(username="robin")
        assert (is_in(made, robin), robin.email) == (False, "")
        assert MASKED in text(client.get("/account/"))
        landed = text(client.post(confirmation(), follow=True))
        assert "Welcome to Harbour Cards. You play as Robin Reed." in landed
        robin.refresh_from_db()
        assert (is_in(made, robin), robin.email) == (True, ROBIN)
        assert MASKED not in text(client.get("/account/"))

    def test_nobody_else_while_somebody_waits_but_that_address(
        self, cast: Cast, client: Client, made: Invitation
    ) -> None:
        path = link()
        take_up(cast.nora, made)
        answer = client.post(path, SIGN_UP)
        assert answer.status_code == 410
        assert "Somebody has opened this invitation already" in text(answer)
        assert not Account.objects.filter(username="robin").exists()
        Account.objects.filter(pk=cast.petra.pk).update(email=ROBIN)
        client.force_login(cast.petra)
        client.post(path)
        made.refresh_from_db()
        assert made.accepted_by == cast.petra

    def test_nobody_whom_somebody_invited_who_has_no_say_any_more(
        self, cast: Cast, client: Client, made: Invitation
    ) -> None:
        client.force_login(cast.nora)
        take_up(cast.nora, made)
        Member.objects.filter(account=cast.olga).update(role="player")
        client.post(confirmation())
        assert Account.objects.get(pk=cast.nora.pk).email == ROBIN
        assert not is_in(made, cast.nora)
        assert made.is_waiting


class TestAnOrganiser:
    def test_confirms_who_waits_with_one_tap(self, cast: Cast, client: Client, made: Invitation) -> None:
        take_up(cast.nora, made)
        client.force_login(cast.olga)
        desk = text(client.get("/admin/"))
        assert f"nora opened the invitation sent to {MASKED}, to play as Robin Reed." in desk
        button = re.search(r'action="(/admin/league/invitation/[^"]+/confirm/[^"]+)"', desk)
        assert button and button[0] in text(client.get(f"/admin/league/invitation/{made.pk}/change/"))
        for _twice in range(2):
            client.post(button[1])
        assert is_in(made, cast.nora)
        assert Account.objects.get(pk=cast.nora.pk).email == cast.nora.email
        added = ClubChange.objects.filter(kind="member_added", account=cast.olga).latest("pk")
        assert added.subject == str(cast.nora.pk)
        assert "opened the invitation" not in text(client.get("/admin/"))

    @pytest.mark.parametrize("refuse", [revoke_invitation, send_invitation_again])
    def test_refuses_who_waits(
        self, cast: Cast, client: Client, made: Invitation, refuse: Callable[..., object]
    ) -> None:
        client.force_login(cast.nora)
        take_up(cast.nora, made)
        path = confirmation()
        refuse(by=cast.olga, invitation=made)
        client.post(path)
        with pytest.raises(Illegal):
            confirm_invitation(by=cast.olga, invitation=made, account_id=cast.nora.pk)
        assert not is_in(made, cast.nora)

    def test_confirms_the_account_that_the_page_named(self, cast: Cast, made: Invitation) -> None:
        take_up(cast.nora, made)
        send_invitation_again(by=cast.olga, invitation=made)
        take_up(cast.petra, made)
        with pytest.raises(Illegal):
            confirm_invitation(by=cast.olga, invitation=made, account_id=cast.nora.pk)
        assert not is_in(made, cast.nora)

    @pytest.mark.parametrize("who", ["petra", "paul", "nora"])
    def test_who_may_not_give_the_role_confirms_nobody(self, cast: Cast, who: str) -> None:
        Member.objects.filter(account=cast.petra).update(role="organiser")
        made = invited(cast, role="organiser")
        take_up(cast.nora, made)
        with pytest.raises(PermissionDenied):
            confirm_invitation(by=getattr(cast, who), invitation=made, account_id=cast.nora.pk)


def test_who_accepts_it_again_gets_no_second_email(cast: Cast, made: Invitation) -> None:
    for _twice in range(2):
        take_up(cast.nora, made)
        confirmation()
    (asked,) = [each for each in mail.outbox if "nora" in str(each.body)]
    assert asked.to == [ROBIN]
    assert "nora opened the invitation to Harbour Cards that was sent to this address." in str(asked.body)


def test_a_stolen_session_gets_no_address_by_it(cast: Cast, client: Client, made: Invitation) -> None:
    cast.nora.set_password("a deck of fifty-two")
    cast.nora.save()
    client.force_login(cast.nora)
    session = client.session
    session["proved_at"] -= 3600
    session.save()
    path = link()
    for typed, waits in (("", False), ("wrong", False), ("a deck of fifty-two", True)):
        client.post(path, {"proof_password": typed} if typed else {})
        made.refresh_from_db()
        assert made.is_waiting is waits


def test_its_address_is_shown_whole_to_nobody_who_opens_it(
    cast: Cast, client: Client, made: Invitation
) -> None:
    path = link()
    pages = [text(client.get(path))]
    client.post(path, SIGN_UP)
    robin = Account.objects.get(username="robin")
    pages += [text(client.get(page)) for page in (path, "/account/", "/account/notices/")]
    confirm_invitation(by=cast.olga, invitation=made, account_id=robin.pk)
    pages += [text(client.get("/account/"))]
    assert [page for page in pages if ROBIN in page] == []
