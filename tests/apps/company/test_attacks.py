"""What somebody tries who wants to learn what others hide, or to break a page."""

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.refusals import Illegal, Malformed
from league.apps.company import queries, services
from league.apps.company.models import Presence
from league.apps.seeks.queries import seeks_of
from league.apps.seeks.services import create_seek, join_seek
from league.models import Account, ClubGame, Member, Player
from tests.api.web import ROOT, bearer
from tests.apps.company.test_friends import befriended
from tests.factories import Cast, ClubFactory, MemberFactory, PlayerFactory


def client_of(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


# ---- Who hides -----------------------------------------------------------------------------------


def test_a_friend_who_hides_is_not_invited(cast: Cast) -> None:
    row = befriended(cast)
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    with pytest.raises(Illegal):
        services.invite_friend(by=cast.paul, friendship_id=row.pk, ruleset="scoops")


# ---- Blocking ------------------------------------------------------------------------------------


def test_who_is_blocked_still_finds_the_person_to_ask(cast: Cast) -> None:
    cast.game("tally", {"rounds": 1})
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    assert queries.people_named(cast.paul, "Petra") == [cast.petra_plays]
    assert [each.player for each in queries.played_with(cast.paul)] == [cast.petra_plays]
    assert queries.people_named(cast.petra, "Paul") == [] == queries.played_with(cast.petra)


def test_who_is_blocked_leaves_a_seek_that_was_joined_before(cast: Cast) -> None:
    made = create_seek(by=cast.petra, club=cast.club, ruleset="tally", seats=3)
    join_seek(by=cast.paul, seek_id=made.pk)
    services.mute(by=cast.petra, player_id=cast.paul_plays.pk, blocks=True)
    assert bearer(cast.paul).post(f"{ROOT}/seeks/{made.pk}/withdraw/", {}).status_code == 200
    assert not seeks_of(cast.paul).exists()


def test_the_table_says_who_is_muted_who_hides_or_plays_elsewhere_too(cast: Cast) -> None:
    game = cast.game("tally")
    services.mute(by=cast.paul, player_id=cast.petra_plays.pk, blocks=True)
    Player.objects.filter(pk=cast.petra_plays.pk).update(audience="nobody")
    shown = client_of(cast.paul).get(reverse("game", args=[game.pk])).content.decode()
    assert 'value="hear"' in shown and 'value="mute"' not in shown


# ---- Reports -------------------------------------------------------------------------------------


def test_nobody_is_told_how_many_reports_are_about_themselves(cast: Cast) -> None:
    Player.objects.filter(pk=cast.petra_plays.pk).update(account=cast.olga)
    report = services.report(by=cast.paul, player_id=cast.petra_plays.pk, words="She shouts.")
    client = client_of(cast.olga)
    assert "report of a person" not in client.get(reverse("admin:index")).content.decode()
    other = client_of(MemberFactory.create(club=cast.club, role="organiser").account)
    assert "1 report of a person" in other.get(reverse("admin:index")).content.decode()
    for page in ("change", "settle"):
        address = reverse(f"admin:company_report_{page}", args=[report.pk])
        for answer in (client.get(address, follow=True), client.post(address, follow=True)):
            assert b"She shouts" not in answer.content
    report.refresh_from_db()
    assert report.settled_at is None
    for query in ("q=shouts", "settled=no"):
        address = f"{reverse('admin:company_report_changelist')}?{query}"
        assert b"She shouts" not in client.get(address).content


# ---- Forged requests -----------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"do": "accept", "id": "no", "game": "x"}, {"do": "ask", "game": "x"}])
def test_forged_forms_are_refused(cast: Cast, given: dict[str, Any]) -> None:
    assert client_of(cast.paul).post(reverse("friends"), given).status_code == 404


def test_a_refusal_with_a_forged_game_is_no_fault(cast: Cast) -> None:
    services.mute(by=cast.paul, player_id=cast.petra_plays.pk, blocks=True)
    for given in ({"do": "ask", "id": cast.petra_plays.pk, "game": "x"}, {"do": "hide", "game": "x"}):
        assert client_of(cast.paul).post(reverse("friends"), given)["Location"] == reverse("friends")


@pytest.mark.parametrize("at", ["9" * 5000 + ".0", "1.٣", "-1.0", "1.2.3", "x", "99999999999999999999.0"])
def test_a_forged_place_is_refused(cast: Cast, at: str) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    given, plain = {"phrase": "seen", "at": at}, {"accept": "text/plain"}
    answer = client_of(cast.paul).post(reverse("say", args=[game.pk]), given, headers=plain)
    assert answer.status_code == 422


@pytest.mark.parametrize("name", ["\x00", "\ud800", "%", "a" * 9000])
def test_a_forged_name_finds_nobody(cast: Cast, name: str) -> None:
    address = f"{reverse('friends')}?name={quote(name, errors='surrogatepass')}"
    assert client_of(cast.paul).get(address).status_code in (200, 400)


def test_other_sites_post_nothing(cast: Cast) -> None:
    game = cast.game("tally")
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.paul)
    report = reverse("report_person", args=[cast.petra_plays.pk])
    for address in (reverse("friends"), reverse("say", args=[game.pk]), report):
        assert client.post(address, {"do": "hide", "phrase": "well", "words": "x"}).status_code == 403
    assert not Presence.objects.filter(hidden=True).exists()


@pytest.mark.parametrize(
    "room",
    ["https://user:secret@meet.example/", "https://bank.example@evil.example/", "https://user@meet.example/"],
)
def test_a_room_has_no_credentials(cast: Cast, room: str) -> None:
    with pytest.raises(Malformed):
        services.keep_company(by=cast.olga, club=cast.club, room=room, phrases=True)


# ---- Clubs ---------------------------------------------------------------------------------------


def test_who_has_left_the_club_is_not_invited_there(cast: Cast) -> None:
    row = befriended(cast)
    cast.game("scoops")
    Member.objects.filter(account=cast.petra).delete()
    with pytest.raises(Illegal):
        services.invite_friend(by=cast.paul, friendship_id=row.pk)


def test_a_friend_is_invited_as_last_time_in_the_club_of_that_game(cast: Cast) -> None:
    row = befriended(cast)
    other = ClubFactory.create(name="A club before all others")
    for account in (cast.paul, cast.petra):
        MemberFactory.create(club=other, account=account)
        PlayerFactory.create(club=other, account=account)
    cast.game("scoops")
    game = services.invite_friend(by=cast.paul, friendship_id=row.pk)
    assert ClubGame.objects.get(game=game).club_id == cast.club.pk


def test_nobody_asks_themselves(cast: Cast) -> None:
    with pytest.raises(Player.DoesNotExist):
        services.ask_friend(by=cast.paul, player_id=cast.paul_plays.pk)
