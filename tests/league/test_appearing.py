"""People who never played are shown nowhere public."""

import pytest
from django.test import Client

from league.models import Player
from league.projections import appearing
from league.services import gate
from league.services.players import create_player
from tests.factories import Cast

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


def test_who_appears_is_made_anew_and_compared(cast: Cast, newcomer: Player) -> None:
    cast.game("scamper@1")
    appearing.rebuild(cast.club.pk)
    assert not [*gate.of_club(cast.club.pk)]
    Player.objects.filter(pk=newcomer.pk).update(appeared=True)
    assert [*gate.of_club(cast.club.pk)] == [f"player {newcomer.pk}: appeared is True, the logs give False"]
    appearing.rebuild(cast.club.pk)
    assert not Player.objects.get(pk=newcomer.pk).appeared
