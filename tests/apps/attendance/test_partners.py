"""Who looks for a partner or can fill in: seen by members, asked with one tap, agreed or not."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal, Refusal
from league.apps.attendance import queries, services
from league.apps.attendance.models import Answer, Guest, PartnerRequest
from league.core.verb import Verb
from league.core.verbs.entering import CloseEntries, EnterPlayers
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Email, Member, Player
from league.models.events import Event
from league.services import gate
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import entered, link, replies
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league.acting import act


@pytest.fixture
def pairs(cast: Cast) -> Competition:
    """An evening of pairs; Petra looks for a partner."""
    found = evening(cast, lineup="partners", team_size=2)
    services.answer_myself(by=cast.petra, competition=found, reply="yes", wish="partner")
    return found


def third(cast: Cast) -> Account:
    """Return another account that plays in the club."""
    account = AccountFactory.create(username="ruth")
    MemberFactory.create(club=cast.club, account=account, role=Member.Role.PLAYER)
    PlayerFactory.create(club=cast.club, account=account, name="Ruth Rye")
    return account


def test_members_see_who_looks_for_a_partner_and_nobody_else_does(
    client: Client, cast: Cast, pairs: Competition
) -> None:
    client.force_login(cast.paul)
    assert "Petra Plum" in client.get(f"/competitions/{pairs.slug}/coming/").content.decode()
    client.logout()
    for part in ("", "entries/", "coming/"):
        shown = client.get(f"/competitions/{pairs.slug}/{part}", follow=True)
        assert "Petra Plum" not in shown.content.decode()
    client.force_login(cast.nora)
    assert client.get(f"/competitions/{pairs.slug}/coming/").status_code == 403


def test_two_taps_make_a_pair(client: Client, cast: Cast, pairs: Competition) -> None:
    client.force_login(cast.paul)
    page = f"/competitions/{pairs.slug}/coming/"
    client.post(page, {"ask": str(cast.petra_plays.pk)})
    client.post(page, {"ask": str(cast.petra_plays.pk)})
    request = PartnerRequest.objects.get()
    client.force_login(cast.petra)
    assert "Paul Pike asks you to play together." in client.get(page).content.decode()
    for _tap in range(2):
        client.post(page, {"request": str(request.pk), "agrees": "yes"})
    assert entered(pairs) == ["Paul Pike & Petra Plum"]
    assert {*replies(pairs)} == {("Petra Plum", "yes"), ("Paul Pike", "yes")}
    event = Event.objects.get(competition=pairs, event__type="entered")
    assert (event.role, event.account) == ("player", str(cast.petra.pk))
    assert not queries.wishing(pairs)


@pytest.mark.parametrize("email", ["", "petra@cards.example"])
def test_a_member_who_asks_learns_nothing_of_anothers_address(
    client: Client, cast: Cast, pairs: Competition, email: str
) -> None:
    Account.objects.filter(pk=cast.petra.pk).update(email=email)
    client.force_login(cast.paul)
    page = f"/competitions/{pairs.slug}/coming/"
    said = client.post(page, {"ask": str(cast.petra_plays.pk)}, follow=True).content.decode()
    assert "Petra Plum is asked, and can answer on the page of the evening. Tell them, too." in said


def test_who_is_asked_agrees_by_the_link_of_an_email(client: Client, cast: Cast, pairs: Competition) -> None:
    Account.objects.filter(pk=cast.petra.pk).update(email="petra@cards.example")
    services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    assert [each.about["why"] for each in Email.objects.filter(kind="coming")] == ["request"]
    address = link(pairs, cast.petra_plays)
    assert "Paul Pike asks you" in client.get(address).content.decode()
    client.post(address, {"request": str(PartnerRequest.objects.get().pk), "agrees": "yes"})
    assert entered(pairs) == ["Paul Pike & Petra Plum"]


def test_who_agrees_without_an_account_is_entered_by_who_asked(
    client: Client, cast: Cast, pairs: Competition
) -> None:
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    client.post(link(pairs, ruth), {"reply": "yes", "wish": "partner"})
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=ruth.pk)
    client.post(link(pairs, ruth), {"request": str(asked.pk), "agrees": "yes"})
    assert entered(pairs) == ["Paul Pike & Ruth Rye"]
    assert [*gate.of_competition(pairs.pk, stopped=True)] == []


def test_who_declines_enters_nobody_and_is_not_asked_again(cast: Cast, pairs: Competition) -> None:
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    given: dict[str, Any] = {"by": cast.petra, "player": cast.petra_plays, "request_id": asked.pk}
    given["competition"] = pairs
    services.answer_request(**given, agrees=False)
    again = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    assert (again.pk, again.status, entered(pairs)) == (asked.pk, "declined", [])
    with pytest.raises(Illegal, match="answered this already"):
        services.answer_request(**given, agrees=True)


def test_the_second_who_asks_is_too_late(cast: Cast, pairs: Competition) -> None:
    ruth = third(cast)
    first, second = (
        services.ask_partner(by=account, competition=pairs, asked=cast.petra_plays.pk)
        for account in (cast.paul, ruth)
    )
    given: dict[str, Any] = {"by": cast.petra, "player": cast.petra_plays}
    services.answer_request(**given, competition=first.competition, request_id=first.pk, agrees=True)
    with pytest.raises(Refusal):
        services.answer_request(**given, competition=second.competition, request_id=second.pk, agrees=True)
    assert entered(pairs) == ["Paul Pike & Petra Plum"]
    assert PartnerRequest.objects.get(pk=second.pk).status == "open"


def test_nobody_answers_what_another_is_asked(client: Client, cast: Cast, pairs: Competition) -> None:
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    with pytest.raises(PartnerRequest.DoesNotExist):
        services.answer_request(
            by=cast.paul,
            player=cast.paul_plays,
            competition=asked.competition,
            request_id=asked.pk,
            agrees=True,
        )
    client.post(link(pairs, cast.paul_plays), {"request": str(asked.pk), "agrees": "yes"})
    assert entered(pairs) == []


def test_only_who_looks_for_a_partner_can_be_asked(cast: Cast, pairs: Competition) -> None:
    with pytest.raises(Illegal, match="by now"):
        services.ask_partner(by=cast.petra, competition=pairs, asked=cast.paul_plays.pk)
    with pytest.raises(Illegal, match="by now"):
        services.ask_partner(by=cast.petra, competition=pairs, asked=cast.petra_plays.pk)
    with pytest.raises(PermissionDenied):
        services.ask_partner(by=cast.nora, competition=pairs, asked=cast.petra_plays.pk)


@pytest.mark.parametrize("verb", [CloseEntries, StartCompetition])
def test_nobody_agrees_once_entries_are_closed(cast: Cast, pairs: Competition, verb: type[Verb]) -> None:
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    if verb is StartCompetition:
        for number in range(2):
            people = PlayerFactory.create_batch(2, club=cast.club)
            act_enter(cast, pairs, *people, name=f"Pair {number}")
    act(cast.olga, pairs, verb)
    with pytest.raises(Illegal):
        services.answer_request(
            by=cast.petra,
            player=cast.petra_plays,
            competition=asked.competition,
            request_id=asked.pk,
            agrees=True,
        )
    assert PartnerRequest.objects.get().status == "open"


def act_enter(cast: Cast, competition: Competition, *people: Player, name: str) -> None:
    act(cast.olga, competition, EnterPlayers, players=[each.pk for each in people], name=name)


def test_an_organiser_asks_who_can_fill_in_and_who_agrees_comes(client: Client, cast: Cast) -> None:
    tonight = evening(cast)
    services.answer_myself(by=cast.paul, competition=tonight, reply="no", wish="fills_in")
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}/coming/"
    assert "Ask to fill in" in client.get(page).content.decode()
    said = client.post(page, {"fill_in": str(cast.paul_plays.pk)}, follow=True).content.decode()
    assert "No email reaches Paul Pike, who reads it on the page of the evening." in said
    client.force_login(cast.paul)
    shown = client.get(f"/competitions/{tonight.slug}/coming/").content.decode()
    assert "An organiser asks whether you can fill in." in shown
    asked = {"request": str(PartnerRequest.objects.get().pk), "agrees": "yes"}
    client.post(f"/competitions/{tonight.slug}/coming/", asked)
    assert (entered(tonight), replies(tonight)) == (["Paul Pike"], [("Paul Pike", "yes")])


def test_who_agrees_brings_the_guest_who_was_named(cast: Cast, pairs: Competition) -> None:
    for account, guest in ((cast.paul, "Zoe Gast"), (cast.petra, "Ada Gast")):
        services.answer_myself(by=account, competition=pairs, reply="guest", wish="partner", guest=guest)
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    services.answer_request(
        by=cast.petra,
        player=cast.petra_plays,
        competition=asked.competition,
        request_id=asked.pk,
        agrees=True,
    )
    assert {*Guest.objects.values_list("name", flat=True)} == {"Zoe Gast", "Ada Gast"}
    assert {*Answer.objects.values_list("reply", flat=True)} == {"guest"}


def test_nobody_agrees_for_an_asker_who_does_not_come(cast: Cast, pairs: Competition) -> None:
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=cast.petra_plays.pk)
    services.answer_myself(by=cast.paul, competition=pairs, reply="no")
    with pytest.raises(Illegal, match="does not come"):
        services.answer_request(
            by=cast.petra,
            player=cast.petra_plays,
            competition=asked.competition,
            request_id=asked.pk,
            agrees=True,
        )
    assert entered(pairs) == []


def test_the_link_of_another_evening_answers_no_request(
    client: Client, cast: Cast, pairs: Competition
) -> None:
    other, petra = evening(cast, lineup="partners", team_size=2, name="Other"), cast.petra_plays
    services.answer_for(by=cast.olga, competition=other, player=petra, reply="yes")
    asked = services.ask_partner(by=cast.paul, competition=pairs, asked=petra.pk)
    services.revoke_links(by=cast.olga, competition=pairs)
    for agrees in ("yes", "no"):
        client.post(link(other, petra), {"request": str(asked.pk), "agrees": agrees})
    assert PartnerRequest.objects.get(pk=asked.pk).status == "open"
    assert entered(pairs) == []


def test_a_team_of_three_is_entered_once_both_who_were_asked_have_agreed(client: Client, cast: Cast) -> None:
    trios = evening(cast, lineup="boards", team_size=3)
    ruth = third(cast)
    for each in (cast.petra, ruth):
        services.answer_myself(by=each, competition=trios, reply="yes", wish="partner")
    for player in Player.objects.filter(account__in=(cast.petra, ruth)):
        services.ask_partner(by=cast.paul, competition=trios, asked=player.pk)
    agree(trios, cast.petra)
    client.force_login(cast.paul)
    shown = client.get(f"/competitions/{trios.slug}/coming/").content.decode()
    assert entered(trios) == [] and "Agreed so far: Petra Plum" in shown
    client.force_login(cast.olga)
    desk = client.get(f"/admin/league/competition/{trios.pk}/coming/").content.decode()
    assert "Paul Pike → Petra Plum" in desk
    agree(trios, ruth)
    assert entered(trios) == ["Paul Pike & Petra Plum & Ruth Rye"]


def test_who_agreed_and_does_not_come_after_all_is_in_no_team(cast: Cast) -> None:
    trios = evening(cast, lineup="boards", team_size=3)
    ruth = third(cast)
    for each in (cast.petra, ruth):
        services.answer_myself(by=each, competition=trios, reply="yes", wish="partner")
    for player in Player.objects.filter(account__in=(cast.petra, ruth)):
        services.ask_partner(by=cast.paul, competition=trios, asked=player.pk)
    agree(trios, cast.petra)
    services.answer_myself(by=cast.petra, competition=trios, reply="no")
    agree(trios, ruth)
    assert entered(trios) == []


def agree(competition: Competition, by: Account) -> None:
    player = Player.objects.get(account=by, club=competition.club_id)
    (asked,) = queries.requests_to(competition, player)
    services.answer_request(
        by=by, player=player, competition=asked.competition, request_id=asked.pk, agrees=True
    )
