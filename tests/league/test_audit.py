"""The record of changes to a club is complete and can't be changed."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import ProgrammingError, transaction

from games.engine.refusals import Malformed
from league.models import Account, Club, ClubChange
from league.services.clubs import add_member, change_club, create_club, remove_member
from league.services.players import change_player, create_player
from league.words.club_changes import accounts_called, change_in_words, changes_called
from tests.factories import Cast

Act = Callable[[Cast], Any]


def kept(cast: Cast) -> list[tuple[str, str, object, str]]:
    """Return the record: what, of whom, values and by whom, the first change first."""
    changes = ClubChange.objects.filter(club=cast.club).order_by("pk").select_related("account")
    named = {str(account.pk): account.username for account in Account.objects.all()}

    def told(values: dict[str, list[Any]]) -> dict[str, list[Any]]:
        return {
            key: [named.get(each, each) if key == "account" else each for each in pair]
            for key, pair in values.items()
        }

    return [
        (each.kind, named.get(each.subject, each.subject), told(each.values), str(each.account))
        for each in changes
    ]


@pytest.mark.parametrize(
    ("act", "record"),
    [
        (
            lambda cast: change_club(by=cast.olga, club=cast.club, name="Quay", timezone="UTC"),
            (
                *("club_changed", "Quay"),
                {
                    "name": ["Harbour Cards", "Quay"],
                    "slug": ["harbour", "quay"],
                    "timezone": ["Europe/Dublin", "UTC"],
                },
            ),
        ),
        (
            lambda cast: add_member(by=cast.olga, club=cast.club, account=cast.nora, role="scorekeeper"),
            ("member_added", "nora", {"role": [None, "scorekeeper"]}),
        ),
        (
            lambda cast: add_member(by=cast.olga, club=cast.club, account=cast.paul, role="organiser"),
            ("member_changed", "paul", {"role": ["player", "organiser"]}),
        ),
        (
            lambda cast: remove_member(by=cast.olga, club=cast.club, account=cast.paul),
            ("member_removed", "paul", {"role": ["player", None]}),
        ),
        (
            lambda cast: create_player(by=cast.olga, club=cast.club, name="Quentin"),
            ("player_made", "Quentin", {"name": [None, "Quentin"], "active": [None, True]}),
        ),
        (
            lambda cast: change_player(
                by=cast.olga, player=cast.paul_plays, name="Paul Pike", account=None, active=True
            ),
            ("player_changed", "Paul Pike", {"account": ["paul", None]}),
        ),
    ],
)
def test_a_change_is_recorded_with_old_and_new_values(
    cast: Cast, act: Act, record: tuple[str, str, object]
) -> None:
    Club.objects.filter(pk=cast.club.pk).update(slug="harbour")
    cast.club.slug = "harbour"
    act(cast)
    assert kept(cast) == [(*record, "olga")]


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        (
            "member_changed",
            {"role": ["player", "organiser"]},
            "olga changed a member’s role: Paul (role: player → organiser).",
        ),
        (
            "player_made",
            {"name": [None, "Paul"], "active": [None, True]},
            "olga added a player: Paul (active: yes; name: Paul).",
        ),
        (
            "webhook_changed",
            {"kinds": [[], ["result"]]},
            "olga changed a webhook: Paul (events: – → result recorded or corrected).",
        ),
        ("invited", {}, "olga invited: Paul."),
        (
            "competition_described",
            {"contact": ["some", "other"], "place": [None, "Dock 4"]},
            "olga changed what a competition tells: Paul (contact: given → changed; place: Dock 4).",
        ),
    ],
)
def test_a_change_is_a_sentence_with_values_before_and_after(
    cast: Cast, kind: str, values: dict[str, Any], sentence: str
) -> None:
    change = ClubChange(club=cast.club, kind=kind, subject="Paul", values=values, account=cast.olga)
    assert change_in_words(change).replace("'", "’") == sentence


@pytest.mark.parametrize(
    ("word", "kinds"),
    [("role", {"member_changed"}), ("revoked", {"invitation_revoked", "app_token_revoked", "kiosk_revoked"})],
)
def test_kinds_of_change_are_found_by_their_words(word: str, kinds: set[str]) -> None:
    assert {*changes_called(word)} == kinds


def test_an_account_is_named_by_its_id_and_shown_and_found_by_its_present_name(cast: Cast) -> None:
    add_member(by=cast.olga, club=cast.club, account=cast.nora, role="scorekeeper")
    change = ClubChange.objects.latest("pk")
    assert change.subject == str(cast.nora.pk)
    assert change_in_words(change).startswith("olga added a member: nora (")
    assert accounts_called("nor") == [str(cast.nora.pk)]


def test_a_save_without_changes_is_not_recorded(cast: Cast) -> None:
    add_member(by=cast.olga, club=cast.club, account=cast.paul, role="player")
    change_player(by=cast.olga, player=cast.paul_plays, name="Paul Pike", account=cast.paul, active=True)
    assert kept(cast) == []


def test_a_refused_change_is_not_recorded(cast: Cast) -> None:
    with pytest.raises(Malformed):
        create_player(by=cast.olga, club=cast.club, name="")
    assert kept(cast) == []


def test_creating_a_club_is_its_first_record(cast: Cast) -> None:
    club = create_club(by=cast.paul, name="Dock Cards", slug="dock")
    assert [(each.kind, each.account) for each in club.changes.all()] == [("club_made", cast.paul)]


@pytest.mark.parametrize(
    "act", [lambda rows: rows.update(subject="nobody"), lambda rows: rows.delete()], ids=["update", "delete"]
)
def test_the_database_refuses_to_change_records(cast: Cast, act: Callable[[Any], object]) -> None:
    create_player(by=cast.olga, club=cast.club, name="Quentin")
    with pytest.raises(ProgrammingError, match="never changed"), transaction.atomic():
        act(ClubChange.objects.all())
    assert len(kept(cast)) == 1
