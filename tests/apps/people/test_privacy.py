"""What players show, what is stored about them, and what is left of an account that was deleted."""

import json
import re

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.test import Client
from rest_framework.test import APIClient

from games.models import Game, Seat
from league import log
from league.apps.people.models import Person
from league.apps.people.queries import own_data
from league.apps.people.services import delete_account
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.start import StartCompetition
from league.hooks import HELD_BACK
from league.models import Account, ClubChange, Email, Entry, Invitation, Member, Player, Token
from league.queries.permissions import findable_players, is_shown
from league.services.accounts import choose_zone, create_token
from league.services.clubs import add_member
from league.services.competitions import open_competition
from league.services.invitations import confirm_invitation
from league.services.players import change_player, choose_privacy
from tests.api.desks import STAGE
from tests.api.web import EVERYBODY, bearer, get, logged_in
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, calling
from tests.league.test_invitations import ROBIN, invited
from tests.league.test_invited_addresses import take_up
from tests.web.conftest import as_account
from tests.web.test_account import page_text, thief

__all__ = ["as_account", "thief"]
PASSWORD = "right horse battery"


def shows(cast: Cast, audience: str, *, findable: bool = False) -> None:
    choose_privacy(by=cast.paul, player=cast.paul_plays, audience=audience, findable=findable)


# ---- Who sees what -------------------------------------------------------------------------------


@pytest.mark.parametrize(("audience", "sees"), [
    ("everybody", {"nobody", "nora", "petra", "olga", "paul"}),
    ("club", {"petra", "olga", "paul"}),
    ("nobody", {"olga", "paul"}),
])  # fmt: skip
def test_a_player_chooses_who_sees_the_record(cast: Cast, audience: str, sees: set[str]) -> None:
    shows(cast, audience)
    viewers = {name: getattr(cast, name) for name in ("nora", "petra", "olga", "paul")} | {"nobody": None}
    assert {name for name, viewer in viewers.items() if is_shown(cast.paul_plays, viewer)} == sees


def test_a_token_sees_what_is_private_with_a_scope_for_it_alone(cast: Cast) -> None:
    shows(cast, "club")
    seen = [is_shown(cast.paul_plays, calling(cast.petra, scope)) for scope in ("read:private", "play:move")]
    assert seen == [True, False]


def test_only_the_player_chooses(cast: Cast) -> None:
    for other in (cast.olga, cast.petra, calling(cast.paul, "play", "read", "organise")):
        with pytest.raises(PermissionDenied):
            choose_privacy(by=other, player=cast.paul_plays, audience="club", findable=True)


def test_every_face_keeps_what_is_private(cast: Cast) -> None:
    game = cast.game("tally")
    shows(cast, "club")
    player, club = cast.paul_plays, f"/clubs/{cast.club.slug}"

    def faces(client: APIClient) -> list[object]:
        """Return what a client gets of Paul: in lists, on his page, as a file, by a filter."""
        names = [row["name"] for row in get(f"{club}/players/", client)["results"]]
        listed = client.get(f"/api/v1{club}/players.csv").content.decode()
        return [
            player.name in names,
            player.name in listed,
            player.name in client.get(f"{club}/players/").content.decode(),
            get(f"/players/{player.pk}/", client)["shown"],
            client.get(f"/api/v1/players/{player.pk}/games.csv").status_code == 200,
            client.get(f"/api/v1/players/{player.pk}/calendar.ics").status_code == 200,
            client.get(f"/api/v1/players/{player.pk}/ratings/?ruleset=scoops").status_code == 200,
            [row["id"] for row in get(f"/games/?player={player.pk}", client)["results"]] == [str(game.pk)],
            str(game.pk) in client.get(f"/players/{player.pk}/").content.decode(),
        ]

    assert faces(EVERYBODY) == [False] * 9
    assert faces(logged_in(cast.petra)) == [True] * 9


def test_search_finds_only_those_who_agreed_in_a_total_order(cast: Cast) -> None:
    PlayerFactory.create(name="Pauline Pink", findable=True)
    twins = PlayerFactory.create_batch(2, name="Paul Pink", club=cast.club, findable=True)
    PlayerFactory.create(name="Paul Gone", findable=True, active=False)
    names = [row["name"] for row in get("/players/?search=pául", EVERYBODY)["results"]]
    assert names == ["Paul Pink", "Paul Pink", "Pauline Pink"]
    shows(cast, "everybody", findable=True)
    found = [*findable_players("paul")]
    assert found[:3] == [cast.paul_plays, *sorted(twins, key=lambda each: each.pk)]
    assert get("/players/?search=p", EVERYBODY, status=400)["code"] == "malformed"


def test_the_page_and_the_api_save_the_choices(cast: Cast) -> None:
    client, player = logged_in(cast.paul), cast.paul_plays
    fields = {"player": player.pk, f"{player.pk}-audience": "club", f"{player.pk}-findable": "on"}
    assert client.post("/account/privacy/", fields, format="multipart").status_code == 302
    own = get("/me/", client)["clubs"][0]
    assert (own["audience"], own["findable"]) == ("club", True)
    address = f"/api/v1/me/clubs/{cast.club.slug}/privacy/"
    answer = client.put(address, {"audience": "nobody", "findable": False})
    assert answer.status_code == 200 and answer.json()["audience"] == "nobody"
    answer = client.put(address, {"audience": "everybody", "findable": False, "names": "short"})
    assert answer.status_code == 200 and answer.json()["names"] == "short"
    assert get(f"/players/{player.pk}/", EVERYBODY)["name"] == "Paul P."
    assert get(f"/players/{player.pk}/", client)["name"] == "Paul Pike"
    assert bearer(cast.paul).put(address, {"audience": "club", "findable": True}).status_code == 403


# ---- The secret calendar -------------------------------------------------------------------------


def secret_calendar(cast: Cast) -> str:
    """Return the path of Paul's secret calendar, as his page of privacy shows it."""
    page = logged_in(cast.paul).get("/account/privacy/").content.decode()
    return str(re.findall(r"/calendars/[^\s\"<?]+", page)[0])


@pytest.mark.parametrize("audience", ["club", "nobody"])
def test_a_player_whom_not_everybody_sees_has_a_secret_calendar(cast: Cast, audience: str) -> None:
    shows(cast, audience)
    assert EVERYBODY.get(f"/api/v1/players/{cast.paul_plays.pk}/calendar.ics").status_code == 404
    secret = secret_calendar(cast)
    answer = EVERYBODY.get(secret)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/calendar")
    assert "no-store" in answer["Cache-Control"] and answer["X-Robots-Tag"] == "noindex"
    assert get("/me/", logged_in(cast.paul))["clubs"][0]["calendar"] == f"http://testserver{secret}"
    assert EVERYBODY.get(secret.replace(str(cast.paul_plays.pk), str(cast.petra_plays.pk))).status_code == 404
    for other in (EVERYBODY, logged_in(cast.petra), logged_in(cast.olga)):
        assert secret not in other.get(f"/players/{cast.paul_plays.pk}/").content.decode()


def test_a_secret_calendar_is_renewed_with_one_button_or_by_the_api(cast: Cast) -> None:
    shows(cast, "nobody")
    client, first = logged_in(cast.paul), secret_calendar(cast)
    client.post("/account/privacy/calendar/", {"player": str(cast.paul_plays.pk)}, format="multipart")
    second = secret_calendar(cast)
    client.post(f"/api/v1/me/clubs/{cast.club.slug}/calendar/")
    found = [EVERYBODY.get(each).status_code for each in (first, second, secret_calendar(cast))]
    assert found == [404, 404, 200]
    others = logged_in(cast.petra)
    others.post("/account/privacy/calendar/", {"player": str(cast.paul_plays.pk)}, format="multipart")
    assert EVERYBODY.get(secret_calendar(cast)).status_code == 200


def test_a_secret_calendar_stays_while_the_player_is_the_accounts(cast: Cast) -> None:
    shows(cast, "nobody")
    secret = secret_calendar(cast)
    shows(cast, "everybody")
    assert EVERYBODY.get(secret).status_code == 200
    for account in (cast.nora, None):
        change_player(by=cast.olga, player=cast.paul_plays, name="Paul", account=account, active=True)
        assert EVERYBODY.get(secret).status_code == 404
    change_player(by=cast.olga, player=cast.paul_plays, name="Paul", account=cast.paul, active=True)
    Account.objects.filter(pk=cast.paul.pk).update(is_active=False)
    assert EVERYBODY.get(secret).status_code == 404


def test_no_program_is_told_the_secret_calendar_which_would_outlive_its_token(cast: Cast) -> None:
    assert get("/me/", bearer(cast.paul))["clubs"][0]["calendar"] is None
    assert bearer(cast.paul).post(f"/api/v1/me/clubs/{cast.club.slug}/calendar/").status_code == 403


# ---- The file ------------------------------------------------------------------------------------


def test_the_file_has_everything_but_secrets(cast: Cast) -> None:
    secret = create_token(by=cast.paul, name="My bot", scopes=["play"])
    cast.game("tally")
    client = Client()
    client.force_login(cast.paul)
    answer = client.post("/account/privacy/file/")
    content = json.loads(answer.content)
    assert content["account"]["username"] == "paul"
    assert [row["name"] for row in content["tables"]["league.token"]] == ["My bot"]
    assert len(content["tables"]["games.seat"]) == 1 and content["tables"]["league.member"]
    held = answer.content.decode()
    assert secret.token.digest not in held and "password" not in content["account"]
    assert str(cast.petra_plays.pk) not in held


def test_no_table_with_people_is_forgotten(cast: Cast) -> None:
    """A table refers to accounts and players by foreign keys, which the file follows, or is named here."""
    by_id_alone = {"games.seat", "games.move", "games.practicemove", "league.playerrecord"}
    by_id_alone |= {"league.event", "series.seriesevent"}
    named = {
        model._meta.label_lower
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.name in ("account", "player", "by", "made_by") and not field.remote_field
    }
    assert named == by_id_alone
    assert "games.seat" in own_data(cast.paul)["tables"]


def test_the_file_has_the_address_of_an_invitation_for_who_sent_it_alone(
    cast: Cast, made: Invitation
) -> None:
    take_up(cast.nora, made)
    assert ROBIN not in str(own_data(cast.nora))
    confirm_invitation(by=cast.olga, invitation=made, account_id=cast.nora.pk)
    assert ROBIN not in str(own_data(cast.nora))
    assert ROBIN in str(own_data(cast.olga))


# ---- The end -------------------------------------------------------------------------------------


@pytest.fixture
def _password(cast: Cast) -> None:
    for account in (cast.paul, cast.nora):
        account.email = f"{account.username}@cards.example"
        account.set_password(PASSWORD)
        account.save()


def delete(account: Account) -> str:
    client = Client()
    client.force_login(account)
    before = client.get("/account/delete/").content.decode()
    return before + client.post("/account/delete/", follow=True).content.decode()


@pytest.mark.usefixtures("_password")
def test_an_account_that_was_deleted_leaves_a_pseudonym(cast: Cast) -> None:
    game = cast.game("tally")
    made = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="scoops", options={}, stages=[STAGE]
    )
    for player in (cast.paul_plays, cast.petra_plays, *PlayerFactory.create_batch(2, club=cast.club)):
        act(cast.olga, made, EnterPlayers, players=[player.pk])
    act(cast.olga, made, StartCompetition)
    create_token(by=cast.paul, name="bot", scopes=["play"])
    add_member(by=cast.olga, club=cast.club, account=cast.paul, role="scorekeeper")
    for account in (None, cast.paul):
        change_player(by=cast.olga, player=cast.paul_plays, name="Pike", account=account, active=True)
    page = delete(cast.paul)
    assert "You resign the game" in page and "You are withdrawn from Winter." in page
    assert "Your account is deleted." in page
    account, player = Account.objects.get(pk=cast.paul.pk), Player.objects.get(pk=cast.paul_plays.pk)
    assert account.username.startswith("deleted-") and (account.email, account.is_active) == ("", False)
    assert (player.name, player.account, player.anonymous) == ("Former player 1", None, True)
    assert Game.objects.get(pk=game.pk).is_over
    assert Entry.objects.get(members__player=player).status == Entry.Status.WITHDRAWN
    assert not Token.objects.filter(account=account).exists()
    assert not Member.objects.filter(account=account).exists()
    assert "paul" not in str([*ClubChange.objects.values_list("subject", "values")])
    # The logs hold ids, and are as they were.
    assert Seat.objects.filter(game=game, account=account.pk).exists()
    made.refresh_from_db()
    log.verified(made)


@pytest.mark.usefixtures("_password")
def test_nothing_is_deleted_by_the_only_owner(cast: Cast) -> None:
    assert "You are the only owner of" in delete(cast.nora)
    assert Account.objects.filter(username="nora", is_active=True).exists()


def test_a_stolen_session_deletes_nothing(thief: Client) -> None:
    for wrong in ({}, {"proof_password": "wrong"}):
        assert "Is that you?" in page_text(thief.post("/account/delete/", wrong))
    assert Account.objects.filter(username="paul", is_active=True).exists()


@pytest.fixture
def made(cast: Cast) -> Invitation:
    Member.objects.filter(account=cast.nora).delete()  # of a club of her own
    return invited(cast, player=PlayerFactory.create(club=cast.club, name="Robin Reed"))


def test_an_invitation_ends_when_the_account_of_its_address_is_deleted(cast: Cast, made: Invitation) -> None:
    Account.objects.filter(pk=cast.nora.pk).update(email=ROBIN)
    delete_account(by=cast.nora)
    made.refresh_from_db()
    assert (made.email, made.is_open) == ("", False)


def test_an_invitation_is_open_again_when_the_account_that_waits_is_deleted(
    cast: Cast, made: Invitation
) -> None:
    take_up(cast.nora, made)
    delete_account(by=cast.nora)
    made.refresh_from_db()
    assert (made.accepted_by, made.is_open) == (None, True)


def test_the_zone_of_an_account_is_in_the_file_and_deleted_with_the_account(cast: Cast) -> None:
    choose_zone(by=cast.paul, timezone="Pacific/Auckland")
    assert own_data(cast.paul)["account"]["timezone"] == "Pacific/Auckland"
    delete_account(by=cast.paul)
    cast.paul.refresh_from_db()
    assert cast.paul.timezone == cast.paul.language == ""


def test_no_email_goes_to_the_address_that_the_club_keeps_of_who_has_died(cast: Cast) -> None:
    gerda, anna = PlayerFactory.create_batch(2, club=cast.club)
    Person.objects.create(club=cast.club, player=gerda, left_on="2026-01-01", died=True)
    written = [Email(club=cast.club, about={"player": str(each.pk)}) for each in (gerda, anna)]
    assert [any(held(each) for held in HELD_BACK) for each in written] == [True, False]
