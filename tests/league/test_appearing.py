"""People who never played are shown nowhere public."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from league.core.verbs.course import CancelCompetition, FinishCompetition, ReopenCompetition
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import ReturnEntry, SubstitutePlayer, WithdrawEntry
from league.core.verbs.start import StartCompetition
from league.models import Competition, Player
from league.projections import appearing
from league.services import gate
from league.services.players import create_player
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(cast: Cast) -> Player:
    return create_player(by=cast.olga, club=cast.club, name="Zenzi Unseen")


def test_who_never_played_is_known_to_the_clubs_people_alone(cast: Cast, newcomer: Player) -> None:
    addresses = [f"/players/{newcomer.pk}/", f"/api/v1/players/{newcomer.pk}/"]
    lists = [f"/clubs/{cast.club.slug}/players/", f"/clubs/{cast.club.slug}/"]
    lists.append(f"/api/v1/clubs/{cast.club.slug}/players/")
    for account, known in ((None, False), (cast.nora, False), (cast.petra, True), (cast.olga, True)):
        client = Client()
        if account:
            client.force_login(account)
        assert [client.get(address).status_code for address in addresses] == [200 if known else 404] * 2
        assert [b"Zenzi" in client.get(address).content for address in lists] == [known] * 3


def test_who_sits_down_at_a_table_appears(cast: Cast, newcomer: Player) -> None:
    assert not Player.objects.get(pk=newcomer.pk).appeared
    cast.game("scamper@1", players=[cast.paul_plays.pk, newcomer.pk])
    assert Player.objects.get(pk=newcomer.pk).appeared
    assert Client().get(f"/players/{newcomer.pk}/").status_code == 200


_OPERATIONS = re.findall(
    r"`GET ((?:clubs|competitions|players)/.*)` \| everybody", Path("docs/access.md").read_text()
)


def _addresses(cast: Cast, newcomer: Player, evening: Competition) -> Iterator[str]:
    """Yield the addresses that everybody may read and that could name somebody of the club."""
    club, year = f"/clubs/{cast.club.slug}/", cast.club.today.year
    yield from (club, f"{club}players/", f"{club}seasons/{year}/", f"{club}feed/", f"{club}calendar.ics")
    yield from (f"{club}ratings/", f"{club}competitions/", "/", "/competitions/", "/players/?name=Unseen")
    yield from ("/sitemap.xml", "/sitemap-players.xml", f"/players/{newcomer.pk}/")
    for part in ("", "entries/", "rounds/", "log/", "feed/", "cross-table/", "charts/", "live/", "winners/"):
        yield f"/competitions/{evening.slug}/{part}"
    for operation in _OPERATIONS:
        of = newcomer.pk if operation.startswith("players") else evening.pk
        found = operation.replace("{slug}", cast.club.slug).replace("{id}", str(of))
        if "{" not in found and not found.endswith("/stream/"):
            yield f"/api/v1/{found}"
    yield "/api/v1/players/?search=Unseen"


def _told(client: Client, address: str) -> str:
    answer = client.get(address)
    return (b"".join(answer) if answer.streaming else answer.content).decode(errors="replace")


@pytest.mark.parametrize(
    "leaving", ["withdraws", "is replaced", "is cancelled", "withdraws after the start", "waits at the end"]
)
def test_who_left_before_the_first_table_is_named_to_no_stranger(
    cast: Cast, newcomer: Player, leaving: str
) -> None:
    evening = opened(cast, 4, entering={"places": 4} if leaving == "waits at the end" else {})
    page, stranger = f"/players/{newcomer.pk}/", Client()
    entry = act(cast.olga, evening, EnterPlayers, players=[str(newcomer.pk)]).state.entries[-1].id
    assert stranger.get(page).status_code == 200
    assert "Zenzi" in _told(stranger, f"/competitions/{evening.slug}/entries/")
    _leave(cast, evening, entry, newcomer, leaving)
    assert [*gate.of_club(cast.club.pk)] == []
    for address in _addresses(cast, newcomer, evening):
        told = _told(stranger, address)
        assert "Zenzi" not in told and f'href="{page}' not in told, address
    assert [stranger.get(each).status_code for each in (page, f"/api/v1{page}")] == [404, 404]
    member = Client()
    member.force_login(cast.petra)
    assert "Zenzi" in _told(member, f"/competitions/{evening.slug}/log/")
    if leaving == "withdraws":
        act(cast.olga, evening, ReturnEntry, entry=entry)
        assert "Zenzi" in _told(stranger, page)
        assert "Zenzi" in _told(stranger, f"/competitions/{evening.slug}/entries/")


def _leave(cast: Cast, evening: Competition, entry: str, newcomer: Player, leaving: str) -> None:
    match leaving:
        case "withdraws":
            act(cast.olga, evening, WithdrawEntry, entry=entry)
        case "is replaced":
            into = create_player(by=cast.olga, club=cast.club, name="Sam Stand")
            act(cast.olga, evening, SubstitutePlayer, entry=entry, out=str(newcomer.pk), into=str(into.pk))
        case "is cancelled":
            act(cast.olga, evening, CancelCompetition, reason="snow")
        case "waits at the end":
            act(cast.olga, evening, StartCompetition)
            act(cast.olga, evening, FinishCompetition)
            act(cast.olga, evening, ReopenCompetition, reason="late")
            assert Player.objects.get(pk=newcomer.pk).appeared
            act(cast.olga, evening, FinishCompetition)
        case _:
            act(cast.olga, evening, StartCompetition)
            act(cast.olga, evening, WithdrawEntry, entry=entry)


def test_who_left_and_sits_down_elsewhere_appears_again(cast: Cast, newcomer: Player) -> None:
    evening = opened(cast, 4)
    entry = act(cast.olga, evening, EnterPlayers, players=[str(newcomer.pk)]).state.entries[-1].id
    act(cast.olga, evening, WithdrawEntry, entry=entry)
    cast.game("scamper@1", players=[cast.paul_plays.pk, newcomer.pk])
    assert "Zenzi" in _told(Client(), f"/players/{newcomer.pk}/")
    assert "Zenzi" in _told(Client(), f"/competitions/{evening.slug}/log/")
    assert [*gate.of_club(cast.club.pk)] == []


def test_who_appears_is_made_anew_and_compared(cast: Cast, newcomer: Player) -> None:
    cast.game("scamper@1")
    appearing.rebuild(cast.club.pk)
    assert not [*gate.of_club(cast.club.pk)]
    Player.objects.filter(pk=newcomer.pk).update(appeared=True)
    told = f"player {newcomer.pk}: appeared and unplayed are (True, False), the logs give (False, False)"
    assert [*gate.of_club(cast.club.pk)] == [told]
    appearing.rebuild(cast.club.pk)
    assert not Player.objects.get(pk=newcomer.pk).appeared
