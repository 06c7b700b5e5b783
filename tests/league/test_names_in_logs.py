"""Logs of clubs that keep names to their members: what they are told, and who reads what they have."""

from typing import Any

import pytest
from django.test import Client

from league.core import portable, verifier
from league.core.verbs.entering import EnterPlayers
from league.models import Competition, Entry
from league.models.events import Event
from league.services.clubs import change_club
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, opened

pytestmark = pytest.mark.django_db
OWN = "Pike and Plum"


def shown(cast: Cast, names: str) -> None:
    change_club(by=cast.olga, club=cast.club, name=cast.club.name, timezone="UTC", names=names)


def team(cast: Cast, name: str) -> Competition:
    competition = opened(cast, lineup="partners", team_size=2)
    players = [cast.paul_plays.pk, cast.petra_plays.pk]
    act(cast.olga, competition, EnterPlayers, players=players, name=name)
    return competition


def read(client: Client, competition: Competition, path: str) -> Any:
    return client.get(f"/api/v1/competitions/{competition.pk}/{path}/")


def text_of(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return bytes(content).decode()


def of_olga(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.olga)
    return client


def test_a_log_is_told_no_new_name_that_is_made_of_peoples(cast: Cast) -> None:
    shown(cast, "members")
    assert Entry.objects.get(competition=team(cast, "The Reds")).public_name == "The Reds"
    shown(cast, "short")
    competition = team(cast, OWN)
    entered = Event.objects.get(competition=competition, event__type="entered")
    assert entered.event.get("name", "") == ""
    entry = Entry.objects.get(competition=competition)
    assert (entry.name, entry.public_name) == ("Paul Pike & Petra Plum", "Paul P. & Petra P.")


def test_a_log_from_before_is_for_members_and_says_no_name_elsewhere(cast: Cast) -> None:
    competition = team(cast, OWN)
    shown(cast, "short")
    for path in ("log", "export"):
        assert read(Client(), competition, path).status_code in (401, 403), path
        assert OWN in text_of(read(of_olga(cast), competition, path))
    for path in (f"/api/v1/competitions/{competition.pk}/events/", f"/competitions/{competition.slug}/log/"):
        answer = Client().get(path)
        assert answer.status_code == 200 and "Plum" not in text_of(answer), path
    assert "Paul P. &amp; Petra P." in text_of(Client().get(f"/competitions/{competition.slug}/log/"))


def test_the_file_for_everybody_has_public_names_and_verifies(cast: Cast) -> None:
    competition = finished(cast, 4)
    shown(cast, "members")
    files = [text_of(read(client, competition, "export")) for client in (Client(), of_olga(cast))]
    assert ["Paul Pike" in each for each in files] == [False, True]
    reports = [verifier.check(portable.read(each.splitlines())) for each in files]
    assert reports[0].state.opening == reports[1].state.opening
    assert all(entry.name.startswith("Member ") for entry in reports[0].state.entries)


def test_whose_name_is_for_members_has_no_page(cast: Cast) -> None:
    finished(cast, 4)
    shown(cast, "members")
    address = f"/players/{cast.petra_plays.pk}/"
    assert Client().get(address).status_code == Client().get(f"/api/v1{address}").status_code == 404
    assert "are for members of the club only" in text_of(Client().get(address))
    assert "Petra Plum" in text_of(of_olga(cast).get(address))
