"""Organisers of a club get one email for all results that wait for them, and none for what no longer does."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from games.engine.refusals import Illegal
from league.apps.between.emails import TO_CONFIRM
from league.core.verbs.checking import checked_by
from league.models import Competition, Email, Member
from league.words.emails import message_for
from tests.apps.between.leagues import Side, boards, check, in_play, result, says, side, state
from tests.factories import Cast


@pytest.fixture
def alder(cast: Cast) -> Side:
    return side("Alder")


@pytest.fixture
def birch(cast: Cast) -> Side:
    return side("Birch")


@pytest.fixture
def league(cast: Cast, alder: Side, birch: Side) -> Competition:
    return in_play(cast, alder, birch)


def told(to: Side) -> list[str]:
    """What emails to a club's organiser say now; one that is out of date says nothing."""
    written = Email.objects.filter(kind=TO_CONFIRM, account=to.by).order_by("next_at", "pk")
    return [str(message.body) for each in written if (message := message_for(each))]


def test_of_all_boards_in_one(alder: Side, birch: Side, league: Competition) -> None:
    for table in boards(alder, league):
        says(alder, league, result(table, 9, 4))
    (text,) = told(birch)
    assert all(f"Board {number}: " in text for number in range(1, 5))
    assert f"/between/{league.pk}/{birch.club.pk}/" in text
    assert not told(alder)


def test_of_a_result_that_the_other_club_has_refused(alder: Side, birch: Side, league: Competition) -> None:
    table = boards(alder, league)[0]
    says(alder, league, result(table, 9, 4))
    says(birch, league, result(table, 4, 9))
    (text,) = told(alder)
    assert "your club had entered something else" in text
    assert not told(birch)


def test_of_nothing_that_is_confirmed(alder: Side, birch: Side, league: Competition) -> None:
    table = boards(alder, league)[0]
    says(alder, league, result(table, 9, 4))
    says(birch, league, check(league, table))
    assert not told(birch)


def test_of_nothing_that_the_other_club_has_entered_alike(
    alder: Side, birch: Side, league: Competition
) -> None:
    table = boards(alder, league)[0]
    for each in (alder, birch):
        says(each, league, result(table, 9, 4))
    now = state(league)
    (entered,) = now.table(table.id)[2].entered
    assert checked_by(now, entered) in {entry.id for entry in now.entries if entry.club == str(birch.club.pk)}
    assert not told(birch)
    seq = Competition.objects.get(pk=league.pk).seq
    says(birch, league, result(table, 9, 4))
    assert Competition.objects.get(pk=league.pk).seq == seq


def test_who_directs_both_clubs_confirms_no_entry_of_their_own(
    alder: Side, birch: Side, league: Competition
) -> None:
    table = boards(alder, league)[0]
    Member.objects.create(club=birch.club, account=alder.by, role=Member.Role.ORGANISER)
    says(alder, league, result(table, 9, 4))
    with pytest.raises(Illegal, match="You entered this result"):
        says(replace(birch, by=alder.by), league, result(table, 9, 4))


def test_with_a_link_that_stops_such_emails(
    alder: Side, birch: Side, league: Competition, client: Client
) -> None:
    says(alder, league, result(boards(alder, league)[0], 9, 4))
    (text,) = told(birch)
    (link,) = re.findall(r"Stop emails of this kind: https?://[^/]+(\S+)", text)
    assert "results of a team match" in client.get(link).content.decode()
    assert told(birch)
    client.post(link)
    assert not told(birch)


def test_to_nobody_who_is_no_organiser_any_more(alder: Side, birch: Side, league: Competition) -> None:
    says(alder, league, result(boards(alder, league)[0], 9, 4))
    Member.objects.filter(club=birch.club, account=birch.by).update(role=Member.Role.PLAYER)
    assert not told(birch)
