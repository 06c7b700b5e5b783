"""Clubs, the permissions of their members, and their players."""

from functools import partial

import pytest
from django.core.exceptions import PermissionDenied

from games.engine.refusals import Illegal, Malformed
from league.models import Club, Member, Player
from league.models.names import search_key, sort_key
from league.queries import permissions
from league.queries.clubs import clubs_of, players_of
from league.services.clubs import add_member, create_club, remove_member
from league.services.players import change_player, create_player
from tests.factories import Cast, PlayerFactory
from tests.games.test_log import at_once


def test_the_creator_of_a_club_owns_it(cast: Cast) -> None:
    club = create_club(by=cast.paul, name="Dock Cards", slug="dock", timezone="Asia/Tokyo")
    assert permissions.role_in(club.pk, cast.paul) == "owner"
    assert list(clubs_of(cast.paul, "owner")) == [club]


@pytest.mark.parametrize(
    ("name", "slug", "zone", "fields"),
    [
        ("", "fine", "UTC", ["name"]),
        ("a\x07b", "fine", "UTC", ["name"]),
        ("Fine", "not fine", "UTC", ["slug"]),
        ("Fine", "taken", "UTC", ["slug"]),
        ("Fine", "fine", "Mars/Olympus", ["timezone"]),
    ],
)
def test_an_invalid_club_is_refused_with_its_fields(
    cast: Cast, name: str, slug: str, zone: str, fields: list[str]
) -> None:
    create_club(by=cast.olga, name="Other", slug="taken")
    with pytest.raises(Malformed) as refused:
        create_club(by=cast.olga, name=name, slug=slug, timezone=zone)
    assert list(refused.value.errors) == fields


#                   who adds, whom as what, and whether that may be
@pytest.mark.parametrize(
    ("role", "added", "may"),
    [
        ("owner", "owner", True),
        ("owner", "player", True),
        ("organiser", "scorekeeper", True),
        ("organiser", "organiser", False),
        ("scorekeeper", "player", False),
        ("player", "player", False),
    ],
)
def test_members_are_added_by_members_with_a_higher_role(
    cast: Cast, role: str, added: str, may: bool
) -> None:
    Member.objects.filter(account=cast.paul).update(role=role)
    if may:
        add_member(by=cast.paul, club=cast.club, account=cast.nora, role=added)
    else:
        with pytest.raises(PermissionDenied):
            add_member(by=cast.paul, club=cast.club, account=cast.nora, role=added)
    assert permissions.role_in(cast.club.pk, cast.nora) == (added if may else None)


def test_adding_a_member_again_changes_nothing(cast: Cast) -> None:
    first, second = (
        add_member(by=cast.olga, club=cast.club, account=cast.nora, role="player") for _ in range(2)
    )
    assert first == second


def test_an_organiser_can_not_change_the_role_of_an_owner(cast: Cast) -> None:
    add_member(by=cast.olga, club=cast.club, account=cast.paul, role="organiser")
    with pytest.raises(PermissionDenied):
        add_member(by=cast.paul, club=cast.club, account=cast.olga, role="player")


def test_the_last_owner_can_not_leave(cast: Cast) -> None:
    with pytest.raises(Illegal):
        add_member(by=cast.olga, club=cast.club, account=cast.olga, role="organiser")
    with pytest.raises(Illegal):
        remove_member(by=cast.olga, club=cast.club, account=cast.olga)
    assert permissions.role_in(cast.club.pk, cast.olga) == "owner"


def test_an_unknown_role_is_refused(cast: Cast) -> None:
    with pytest.raises(Malformed) as refused:
        add_member(by=cast.olga, club=cast.club, account=cast.nora, role="emperor")
    assert list(refused.value.errors) == ["role"]


def test_a_member_can_leave_and_leaving_again_changes_nothing(cast: Cast) -> None:
    remove_member(by=cast.paul, club=cast.club, account=cast.paul)
    remove_member(by=cast.olga, club=cast.club, account=cast.paul)
    assert permissions.role_in(cast.club.pk, cast.paul) is None


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_only_organisers_create_players(cast: Cast, who: str) -> None:
    with pytest.raises(PermissionDenied):
        create_player(by=getattr(cast, who), club=cast.club, name="Quentin")
    assert not Player.objects.filter(name="Quentin").exists()


def test_an_account_has_one_player_in_each_club(cast: Cast) -> None:
    with pytest.raises(Malformed):
        create_player(by=cast.olga, club=cast.club, name="Again", account=cast.paul)
    elsewhere = Club.objects.get(members__account=cast.nora)
    assert create_player(by=cast.nora, club=elsewhere, name="Paul", account=cast.paul)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Łukasz  Żak", "lukasz zak"),
        ("Straße", "strasse"),
        ("O’Brien", "o'brien"),
        ("ﷺ" * 100, search_key("ﷺ")[:200]),
        ("ÅSE Bjørn", "ase bjorn"),
    ],
)
def test_a_name_is_sorted_and_found_without_accents(name: str, key: str) -> None:
    assert search_key(name)[: len(key)] == key
    assert len(search_key(name)) <= 200


def test_players_are_found_by_any_part_of_a_name(cast: Cast) -> None:
    zoe = create_player(by=cast.olga, club=cast.club, name=" Zoë Ångström ")
    PlayerFactory.create(name="Zoe of another club", search_name="zoe of another club")
    assert list(players_of(cast.club, name="ZOE ang")) == [zoe]
    change_player(by=cast.olga, player=zoe, name="Zoë", account=None, active=False)
    assert list(players_of(cast.club, name="zo", active=True)) == []


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_one_of_two_owners_who_leave_at_once_stays(self, cast: Cast) -> None:
        add_member(by=cast.olga, club=cast.club, account=cast.paul, role="owner")
        answers = at_once(
            [
                partial(remove_member, by=account, club=cast.club, account=account)
                for account in (cast.olga, cast.paul)
            ]
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["Illegal", "NoneType"]
        assert Member.objects.filter(club=cast.club, role="owner").count() == 1

    def test_one_of_many_clubs_gets_the_slug(self, cast: Cast) -> None:
        answers = at_once([partial(create_club, by=cast.paul, name="Dock", slug="dock")] * 4)
        assert sorted(type(answer).__name__ for answer in answers) == ["Club", *["Malformed"] * 3]

    def test_an_account_is_linked_to_one_player(self, cast: Cast) -> None:
        verb = partial(create_player, by=cast.olga, club=cast.club, account=cast.olga)
        answers = at_once([partial(verb, name=f"Olga {number}") for number in range(4)])
        assert sorted(type(answer).__name__ for answer in answers) == [*["Malformed"] * 3, "Player"]


def test_numbered_names_are_sorted_by_their_numbers() -> None:
    names = ["Member 10", "Member 2", "Ann", "Member 1", "7 of Nine", "Émile"]
    assert sorted(names, key=sort_key) == ["7 of Nine", "Ann", "Émile", "Member 1", "Member 2", "Member 10"]
