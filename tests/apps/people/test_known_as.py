"""What people are in a club: guest or member, and one who was two."""

from datetime import date
from typing import Any

import pytest

from games.engine.refusals import Malformed
from league.apps.people.membership import add_period
from league.apps.people.models import Rule
from league.apps.people.queries import Facts, contradicted, facts_of
from league.apps.people.services import merge_players
from tests.apps.people.test_membership import A, B, C, D, G, M, P, category, keep
from tests.factories import Cast, PlayerFactory


def test_merging_two_players_merges_what_is_known_of_them(cast: Cast) -> None:
    again = PlayerFactory.create(club=cast.club, name="P. Pike")
    keep(cast, cast.paul_plays, (M, A, B), born=1990)
    keep(cast, again, (M, C, None), (P, A, D), born=1991, pass_number="17")
    merge_players(by=cast.olga, kept=cast.paul_plays, merged=again)
    known = facts_of([cast.paul_plays.pk, again.pk])
    assert known == {
        cast.paul_plays.pk: Facts(1990, "17", periods=(("member", None, A, None), ("paid", None, A, D)))
    }
    assert list(contradicted({})) == []


@pytest.mark.parametrize(
    ("guest", "member", "left"),
    [
        ((A, None), (C, None), [(A, B)]),
        ((A, D), (C, C), [(A, B), (date(2025, 4, 2), D)]),
        ((None, B), (C, None), [(None, B)]),
        ((C, D), (A, None), []),
        ((None, None), (None, B), [(C, None)]),
    ],
)
def test_who_becomes_a_member_is_a_guest_no_more(cast: Cast, guest: Any, member: Any, left: Any) -> None:
    again = PlayerFactory.create(club=cast.club, name="P. Plum")
    keep(cast, cast.paul_plays, (G, *guest))
    keep(cast, cast.petra_plays, (G, *guest))
    keep(cast, again, (M, *member))
    since, until = member
    add_period(by=cast.olga, club=cast.club, players=[cast.paul_plays], what=M, since=since, until=until)
    merge_players(by=cast.olga, kept=cast.petra_plays, merged=again)
    whole = Facts(periods=(*(("guest", None, *span) for span in left), ("member", None, *member)))
    assert facts_of([cast.paul_plays.pk, cast.petra_plays.pk]) == {
        cast.paul_plays.pk: whole,
        cast.petra_plays.pk: whole,
    }
    if member[1] is None:
        with pytest.raises(Malformed, match="Paul Pike would be a guest and a member"):
            add_period(by=cast.olga, club=cast.club, players=[cast.paul_plays], what=G, since=D, until=None)


@pytest.mark.parametrize("name", ["Member", "guests", "PAID UP"])
def test_no_category_says_again_who_is_a_member(cast: Cast, name: str) -> None:
    with pytest.raises(Malformed, match="kept on each player’s page"):
        category(cast, Rule.TICKED, name=name)
