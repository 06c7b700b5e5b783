"""What is told of who is let in, and who fills in once an evening goes on."""

from typing import Any

import pytest
from django.test import Client

from league.apps.attendance import partners, queries, services
from league.apps.attendance.models import Guest, PartnerRequest
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Contact, Entry
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import entered, link
from tests.apps.attendance.test_door import door, say
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import opened, pairs_in_play


def _desk_says(cast: Cast, competition: Competition) -> str:
    """Let the only guest in on the desk; return what it says."""
    desk = Client()
    desk.force_login(cast.olga)
    page = f"/admin/league/competition/{competition.pk}/coming/"
    said = desk.post(page, {"let_in": f"{Guest.objects.get().pk}:", "name": "Gus Gale"}, follow=True)
    return str(said.content.decode())


def test_who_is_let_in_onto_the_waiting_list_is_not_told_to_be_in(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 2, entering={"places": 2})
    here = say(client, door(cast, tonight))["Location"]
    said = _desk_says(cast, tonight)
    assert "Taking part" not in said
    assert "On the waiting list, for all places are taken: Gus Gale." in said
    shown = client.get(here).content.decode()
    assert "You are in." not in shown
    assert "You are on the waiting list" in shown


@pytest.mark.parametrize("when", ["before", "without a date", "drawn"])
def test_a_guest_of_an_evening_of_pairs_is_told_that_a_partner_is_missing(
    client: Client, cast: Cast, when: str
) -> None:
    pairs: dict[str, Any] = {"lineup": "partners", "team_size": 2}
    if when == "without a date":
        tonight = opened(cast, **pairs)
    else:
        tonight = pairs_in_play(cast) if when == "drawn" else evening(cast, **pairs)
    here = say(client, door(cast, tonight))["Location"]
    said = _desk_says(cast, tonight)
    assert "Taking part" not in said
    assert "Waits for a partner: Gus Gale." in said
    assert "You still need a partner" in client.get(here).content.decode()
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    services.let_in(by=cast.olga, guest_id=_at_door(client, cast, tonight, "Ruth Rye").pk, player=ruth.pk)
    seekers = [each.player_id for each in queries.wishing(tonight)]
    assert len(seekers) == 2
    partners.enter_seekers(by=cast.olga, competition=tonight, players=seekers)
    assert "You are in." in client.get(here).content.decode()


def _at_door(client: Client, cast: Cast, competition: Competition, name: str) -> Guest:
    say(client, door(cast, competition), name)
    return Guest.objects.get(name=name)


def test_who_has_applied_and_is_let_in_takes_part(client: Client, cast: Cast) -> None:
    tonight = evening(cast, enters=True, entering={"approval": True})
    services.answer_myself(by=cast.paul, competition=tonight, reply="yes")
    assert Entry.objects.get(competition=tonight).status == "applied"
    say(client, door(cast, tonight), "Paul Pike")
    services.let_in(by=cast.olga, guest_id=Guest.objects.get().pk, player=cast.paul_plays.pk)
    assert entered(tonight) == ["Paul Pike"]
    assert Entry.objects.get(competition=tonight).status == "entered"


def test_who_can_fill_in_is_found_and_asked_until_the_end(client: Client, cast: Cast) -> None:
    tonight = evening(cast, 4)
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    PlayerFactory.create(club=cast.club, name="Ann Ash")
    Contact.objects.create(player=ruth, phone="0151 <2345>")
    services.answer_for(by=cast.olga, competition=tonight, player=ruth, reply="unsure", wish="fills_in")
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, tonight, verb)
    desk = Client()
    desk.force_login(cast.olga)
    page = f"/admin/league/competition/{tonight.pk}/"
    shown = desk.get(f"{page}do/substitute/").content.decode()
    assert "Offered to fill in: Ruth Rye (0151 &lt;2345&gt;)." in shown
    assert shown.index(f'"{ruth.pk}"') < shown.index(">Ann Ash<")
    assert "Ask to fill in" in desk.get(f"{page}coming/").content.decode()
    desk.post(f"{page}coming/", {"fill_in": str(ruth.pk)})
    made = PartnerRequest.objects.get()
    address = link(tonight, ruth)
    assert "An organiser asks whether you can fill in." in client.get(address).content.decode()
    client.post(address, {"request": str(made.pk), "agrees": "yes"})
    assert PartnerRequest.objects.get().status == "agreed"
    assert "Ruth Rye" not in entered(tonight)
