"""Who looks for a partner or can fill in: seen by members, asked with one tap, agreed or not."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.engine.refusals import Illegal, Refusal
from league.apps.attendance import partners, queries, services
from league.apps.attendance.desk import in_words
from league.apps.attendance.models import Answer, Guest, PartnerRequest
from league.apps.my_evening.queries import code_of, people_of
from league.apps.my_evening.services import make_passes, revoke
from league.core.verb import Verb
from league.core.verbs.entering import CloseEntries, EnterPlayers
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Email, Member, Player
from league.models.events import Event
from league.queries.competitions import state_of
from league.services import gate
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import entered, link, replies
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league.acting import act

pytestmark = pytest.mark.usefixtures("locks_in_order")


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
    told = in_words(queries.expected_at(pairs))
    assert told.startswith("1 yes, 0 not sure, 0 guests, 1 in no team yet")
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
    partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
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
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=ruth.pk)
    client.post(link(pairs, ruth), {"request": str(asked.pk), "agrees": "yes"})
    assert entered(pairs) == ["Paul Pike & Ruth Rye"]
    assert [*gate.of_competition(pairs.pk, stopped=True)] == []


def test_who_declines_enters_nobody_and_is_not_asked_again(cast: Cast, pairs: Competition) -> None:
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    given: dict[str, Any] = {"by": cast.petra, "player": cast.petra_plays, "request_id": asked.pk}
    given["competition"] = pairs
    partners.answer_request(**given, agrees=False)
    again = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    assert (again.pk, again.status, entered(pairs)) == (asked.pk, "declined", [])
    with pytest.raises(Illegal, match="answered this already"):
        partners.answer_request(**given, agrees=True)


def test_the_second_who_asks_is_too_late(cast: Cast, pairs: Competition) -> None:
    ruth = third(cast)
    first, second = (
        partners.ask_partner(asker=asker, competition=pairs, asked=cast.petra_plays.pk)
        for asker in (cast.paul_plays, ruth.players.get())
    )
    given: dict[str, Any] = {"by": cast.petra, "player": cast.petra_plays}
    partners.answer_request(**given, competition=first.competition, request_id=first.pk, agrees=True)
    with pytest.raises(Refusal):
        partners.answer_request(**given, competition=second.competition, request_id=second.pk, agrees=True)
    assert entered(pairs) == ["Paul Pike & Petra Plum"]
    assert PartnerRequest.objects.get(pk=second.pk).status == "open"


def test_nobody_answers_what_another_is_asked(client: Client, cast: Cast, pairs: Competition) -> None:
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    with pytest.raises(PartnerRequest.DoesNotExist):
        partners.answer_request(
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
        partners.ask_partner(asker=cast.petra_plays, competition=pairs, asked=cast.paul_plays.pk)
    with pytest.raises(Illegal, match="by now"):
        partners.ask_partner(asker=cast.petra_plays, competition=pairs, asked=cast.petra_plays.pk)


@pytest.mark.parametrize("verb", [CloseEntries, StartCompetition])
def test_nobody_agrees_once_entries_are_closed(cast: Cast, pairs: Competition, verb: type[Verb]) -> None:
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    if verb is StartCompetition:
        for number in range(2):
            people = PlayerFactory.create_batch(2, club=cast.club)
            act_enter(cast, pairs, *people, name=f"Pair {number}")
    act(cast.olga, pairs, verb)
    with pytest.raises(Illegal):
        partners.answer_request(
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
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    partners.answer_request(
        by=cast.petra,
        player=cast.petra_plays,
        competition=asked.competition,
        request_id=asked.pk,
        agrees=True,
    )
    assert {*Guest.objects.values_list("name", flat=True)} == {"Zoe Gast", "Ada Gast"}
    assert {*Answer.objects.values_list("reply", flat=True)} == {"guest"}


def test_nobody_agrees_for_an_asker_who_does_not_come(cast: Cast, pairs: Competition) -> None:
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    services.answer_myself(by=cast.paul, competition=pairs, reply="no")
    with pytest.raises(Illegal, match="does not come"):
        partners.answer_request(
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
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=petra.pk)
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
        partners.ask_partner(asker=cast.paul_plays, competition=trios, asked=player.pk)
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
        partners.ask_partner(asker=cast.paul_plays, competition=trios, asked=player.pk)
    agree(trios, cast.petra)
    services.answer_myself(by=cast.petra, competition=trios, reply="no")
    agree(trios, ruth)
    assert entered(trios) == []


def agree(competition: Competition, by: Account) -> None:
    player = Player.objects.get(account=by, club=competition.club_id)
    (asked,) = queries.requests_to(competition, player)
    partners.answer_request(
        by=by, player=player, competition=asked.competition, request_id=asked.pk, agrees=True
    )


# ---- Without an account --------------------------------------------------------------------------


@pytest.fixture
def seekers(cast: Cast, pairs: Competition) -> list[Player]:
    """Two without an account who look for a partner."""
    found = [PlayerFactory.create(club=cast.club, name=name) for name in ("Ruth Rye", "Rob Reed")]
    for each in found:
        services.answer_for(by=cast.olga, competition=pairs, player=each, reply="yes")
        services.answer_by_pass(player=each, competition=pairs, reply="yes", wish="partner")
    return found


def phone(cast: Cast, competition: Competition, player: Player) -> Client:
    """Return a phone without an account on which the person's evening is open."""
    made = make_passes(by=cast.olga, competition=competition, people=[player])
    browser = Client()
    browser.post("/enter/", {"code": code_of(*made.values())})
    return browser


def test_who_has_no_account_finds_a_partner_in_my_evening(
    cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    mine, page = (f"/competitions/{pairs.slug}/{each}/" for each in ("my-evening", "coming"))
    shown = phone(cast, pairs, ruth).get(mine).content.decode()
    assert "Rob Reed" in shown and "Ask to play together" in shown
    phone(cast, pairs, ruth).post(page, {"ask": str(rob.pk)})
    request = PartnerRequest.objects.get()
    assert (request.asker, request.asked, request.status) == (ruth, rob, "open")
    assert "Ruth Rye asks you to play together." in phone(cast, pairs, rob).get(mine).content.decode()
    done = phone(cast, pairs, rob).post(page, {"request": str(request.pk), "agrees": "yes"}, follow=True)
    assert "You have agreed. An organiser enters you." in done.content.decode()
    assert entered(pairs) == []


def test_an_organiser_enters_with_one_tap_who_agreed_without_accounts(
    client: Client, cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    asked = partners.ask_partner(asker=ruth, competition=pairs, asked=rob.pk)
    partners.answer_request(by=None, competition=pairs, player=rob, request_id=asked.pk, agrees=True)
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{pairs.pk}"
    for part in ("change", "coming"):
        shown = " ".join(client.get(f"{page}/{part}/").content.decode().split())
        assert "Ruth Rye &amp; Rob Reed: agreed to play together" in shown
    for _tap in range(2):
        client.post(f"{page}/coming/", {"enter_team": str(ruth.pk), "back": "competition"})
    assert entered(pairs) == ["Ruth Rye & Rob Reed"]
    assert "agreed to play together" not in client.get(f"{page}/coming/").content.decode()
    assert not queries.ready_teams(pairs)


def test_the_first_page_of_the_desk_lists_who_agreed_until_they_are_entered(
    client: Client, cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    client.force_login(cast.olga)
    told = "Ruth Rye &amp; Rob Reed agreed to play together"
    asked = partners.ask_partner(asker=ruth, competition=pairs, asked=rob.pk)
    assert told not in client.get("/admin/").content.decode()
    partners.answer_request(by=None, competition=pairs, player=rob, request_id=asked.pk, agrees=True)
    assert told in client.get("/admin/").content.decode()
    partners.enter_team(by=cast.olga, competition=pairs, asker=ruth.pk)
    assert told not in client.get("/admin/").content.decode()


def test_the_secretary_notes_who_looks_for_a_partner_and_enters_two_of_them(
    client: Client, cast: Cast, pairs: Competition
) -> None:
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    client.force_login(cast.olga)
    page = f"/admin/league/competition/{pairs.pk}/coming/"
    for wish in ("partner", "fills_in"):
        assert f'name="wish" value="{ruth.pk}:{wish}"' in client.get(page).content.decode()
    client.post(page, {"wish": f"{ruth.pk}:fills_in"})
    client.post(page, {"wish": f"{cast.paul_plays.pk}:partner"})
    assert replies(pairs) == [("Petra Plum", "yes"), ("Ruth Rye", "unsure"), ("Paul Pike", "yes")]
    client.post(page, {"wish": f"{cast.paul_plays.pk}:"})
    assert [each.player.name for each in queries.wishing(pairs)] == ["Petra Plum", "Ruth Rye"]
    both = [str(cast.petra_plays.pk), str(ruth.pk)]
    said = client.post(page, {"enter_seekers": "1", "seeker": both[:1]}, follow=True).content.decode()
    assert "Tick the people of one team. Players of a team: 2." in said
    assert entered(pairs) == []
    for _tap in range(2):
        done = client.post(page, {"enter_seekers": "1", "seeker": both}, follow=True).content.decode()
        assert "Taking part: Petra Plum &amp; Ruth Rye." in done
    assert entered(pairs) == ["Petra Plum & Ruth Rye"]
    assert ("Ruth Rye", "yes") in replies(pairs) and not queries.wishing(pairs)


def test_only_organisers_enter_two_and_only_such_as_look_for_a_partner(
    cast: Cast, pairs: Competition
) -> None:
    both = [cast.petra_plays.pk, cast.paul_plays.pk]
    with pytest.raises(PermissionDenied):
        partners.enter_seekers(by=cast.paul, competition=pairs, players=both)
    with pytest.raises(Illegal, match="by now"):
        partners.enter_seekers(by=cast.olga, competition=pairs, players=both)
    services.answer_for(by=cast.olga, competition=pairs, player=cast.petra_plays, reply="no")
    assert not queries.wishing(pairs)  # who does not come looks for nobody any more
    partners.wish_for(by=cast.olga, competition=pairs, player=cast.petra_plays, wish="partner")
    assert replies(pairs) == [("Petra Plum", "yes")]


def test_where_single_players_enter_nobody_looks_for_a_partner(client: Client, cast: Cast) -> None:
    found = evening(cast)
    client.force_login(cast.olga)
    shown = client.get(f"/admin/league/competition/{found.pk}/coming/").content.decode()
    assert ":fills_in" in shown and ":partner" not in shown


def test_what_one_wishes_stands_open_before_the_answers_of_pairs(
    client: Client, cast: Cast, pairs: Competition
) -> None:
    shown = client.get(link(pairs, cast.paul_plays) + "?reply=yes").content.decode()
    assert shown.index("<details open>") < shown.index('name="wish"') < shown.index('name="reply"')
    shown = client.get(link(evening(cast), cast.paul_plays)).content.decode()
    assert shown.index("<details>") < shown.index('name="reply"')


def test_who_asked_each_other_are_one_team_and_who_agreed_to_two_is_in_both(
    cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    ida = PlayerFactory.create(club=cast.club, name="Ida Ince")
    requests = [
        (partners.ask_partner(asker=asker, competition=pairs, asked=other.pk), other)
        for asker, other in ((ruth, rob), (rob, ruth), (ida, rob))
    ]
    for made, other in requests:
        partners.answer_request(by=None, competition=pairs, player=other, request_id=made.pk, agrees=True)
    teams = [{each.name for each in team} for team in queries.ready_teams(pairs)]
    assert teams == [{"Ida Ince", "Rob Reed"}, {"Rob Reed", "Ruth Rye"}]


def test_who_has_withdrawn_together_is_no_team_without_an_account(cast: Cast, pairs: Competition) -> None:
    asked = partners.ask_partner(asker=cast.paul_plays, competition=pairs, asked=cast.petra_plays.pk)
    given: dict[str, Any] = {"competition": pairs, "player": cast.petra_plays, "request_id": asked.pk}
    partners.answer_request(by=cast.petra, **given, agrees=True)
    (entry,) = state_of(Competition.objects.get(pk=pairs.pk)).entries
    act(cast.olga, pairs, WithdrawEntry, entry=entry.id)
    assert not queries.ready_teams(Competition.objects.get(pk=pairs.pk))


def test_the_number_of_queries_does_not_depend_on_the_teams_that_have_agreed(
    cast: Cast, pairs: Competition, django_assert_max_num_queries: Any
) -> None:
    for number in range(5):
        one, other = (PlayerFactory.create(club=cast.club, name=f"{name} {number}") for name in ("Al", "Bo"))
        PartnerRequest.objects.create(competition=pairs, asker=one, asked=other, status="agreed")
    state_of(pairs)
    with django_assert_max_num_queries(1):
        assert len(queries.ready_teams(pairs)) == 5


def test_a_team_of_which_one_does_not_come_after_all_is_not_entered(
    cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    asked = partners.ask_partner(asker=ruth, competition=pairs, asked=rob.pk)
    partners.answer_request(by=None, competition=pairs, player=rob, request_id=asked.pk, agrees=True)
    services.answer_by_pass(player=ruth, competition=pairs, reply="no")
    with pytest.raises(Illegal, match="does not come"):
        partners.enter_team(by=cast.olga, competition=pairs, asker=ruth.pk)
    with pytest.raises(PermissionDenied):
        partners.enter_team(by=cast.paul, competition=pairs, asker=ruth.pk)


def test_the_link_of_an_email_shows_seekers_to_who_looks_for_a_partner(
    client: Client, cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    address = link(pairs, ruth)
    assert "Rob Reed" in client.get(address).content.decode()
    client.post(address, {"ask": str(rob.pk)})
    assert PartnerRequest.objects.filter(asker=ruth, asked=rob).count() == 1
    client.post(address, {"reply": "yes", "wish": ""})
    client.get(address)  # which says that the answer is kept
    assert "Rob Reed" not in client.get(address).content.decode()


def test_a_phone_asks_and_answers_for_nobody_but_its_person_while_the_code_is_good(
    cast: Cast, pairs: Competition, seekers: list[Player]
) -> None:
    ruth, rob = seekers
    page, browser = f"/competitions/{pairs.slug}/coming/", phone(cast, pairs, ruth)
    asked = partners.ask_partner(asker=ruth, competition=pairs, asked=rob.pk)
    browser.post(page, {"request": str(asked.pk), "agrees": "yes"})
    assert PartnerRequest.objects.get(pk=asked.pk).status == "open"
    revoke(by=cast.olga, competition=pairs)
    assert (
        browser.get(page)["Location"].startswith("/accounts/login/") or browser.get(page).status_code == 302
    )
    browser.post(page, {"reply": "no"})
    assert ("Ruth Rye", "no") not in replies(pairs)


def test_who_comes_has_a_code_before_anybody_is_entered(cast: Cast, pairs: Competition) -> None:
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    assert [each.name for each in people_of(pairs)] == ["Petra Plum"]
    services.answer_for(by=cast.olga, competition=pairs, player=ruth, reply="yes")
    assert [each.name for each in people_of(pairs)] == ["Petra Plum", "Ruth Rye"]
    act(cast.olga, pairs, EnterPlayers, players=[str(ruth.pk), str(cast.paul_plays.pk)])
    assert {each.name for each in people_of(pairs)} == {"Petra Plum", "Ruth Rye", "Paul Pike"}
