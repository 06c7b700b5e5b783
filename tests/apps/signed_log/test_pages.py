"""The page and the feed of the signed log."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pgtrigger
import pytest
import time_machine
from django.utils import timezone

from games.models import Game
from games.transparency import notes
from games.transparency.notes import Checkpoint
from league.admin.well import all_told
from league.apps.signed_log import leaves, signing
from league.apps.signed_log.models import Cosignature, LogHead, LogLeaf, LogSalt, SignedLog
from league.apps.signed_log.queries import contradicted, newest_head
from league.core.verbs.course import FinishCompetition, ReopenCompetition
from tests.apps.signed_log.test_signed_log import key_file
from tests.apps.signed_log.test_tampering import club, with_a_shorter_competition, with_a_shorter_game
from tests.factories import Cast
from tests.games.transparency.signing import WITNESS, signed, witnessed
from tests.league.acting import act
from tests.league.playing import moved
from tests.league.test_tampering import Club, found

__all__ = ["club", "key_file"]

pytestmark = pytest.mark.usefixtures("key_file")

OF_ANOTHER_HEAD = str(witnessed(signed(Checkpoint("other/1", 1, bytes(32)))).signatures[-1])


def page(client: Any) -> str:
    return client.get("/log/").content.decode()  # type: ignore[no-any-return]


def test_the_page_shows_the_newest_head_and_says_that_nobody_witnessed_it(cast: Cast, client: Any) -> None:
    assert "Nothing has been signed yet." in page(client)
    signing.enter_and_sign()
    head = newest_head()
    assert head is not None
    shown = page(client)
    assert head.note.splitlines()[2] in shown
    assert str(head.key) in shown
    assert "Not witnessed." in shown


def test_a_witness_is_named_with_its_time_where_its_signature_is_right(
    cast: Cast, client: Any, settings: Any
) -> None:
    signing.enter_and_sign()
    head = newest_head()
    assert head is not None
    settings.LOG_WITNESSES = [str(WITNESS)]
    line = str(witnessed(notes.read_note(head.note)).signatures[-1])
    Cosignature.objects.create(head=head.row, witness=WITNESS.name, line=line, at=head.row.at)
    shown = page(client)
    assert f'up to entry {head.row.size}: {WITNESS.name}, <time datetime="2023-11-14T22' in shown
    assert line.split()[-1] in unescape(shown)
    settings.LOG_WITNESSES = []
    assert "Not witnessed." in page(client)


@pytest.mark.parametrize("line", ["–", OF_ANOTHER_HEAD])
def test_a_signature_that_is_not_the_witnesss_is_not_shown(
    cast: Cast, client: Any, settings: Any, line: str
) -> None:
    signing.enter_and_sign()
    head = newest_head()
    assert head is not None
    settings.LOG_WITNESSES = [str(WITNESS)]
    Cosignature.objects.create(head=head.row, witness=WITNESS.name, line=line, at=head.row.at)
    assert "Not witnessed." in page(client)
    head = newest_head()
    assert head is not None and line not in head.note


def test_a_new_epoch_is_told_with_its_reason(cast: Cast, client: Any) -> None:
    signing.enter_and_sign()
    assert "New epochs" not in page(client)
    signing.declare_epoch("The disk broke.")
    signing.sign()
    assert "The disk broke." in page(client)


def test_the_feed_has_each_head_as_it_was_signed(cast: Cast, client: Any) -> None:
    for _ in range(2):
        cast.game("tally")
        signing.enter_and_sign()
    feed = client.get("/log/feed/")
    assert feed["Content-Type"].startswith("application/atom+xml")
    text = feed.content.decode()
    assert all(head.note.splitlines()[2] in text for head in LogHead.objects.all())
    assert text.count("<entry>") == 2


def test_the_page_says_since_when_nothing_new_has_been_entered(cast: Cast, client: Any) -> None:
    signing.enter_and_sign()
    assert "nothing new has been published" not in page(client)
    SignedLog.objects.update(as_of=timezone.now() - timedelta(hours=1))
    assert "nothing new has been published" in page(client)


def test_the_page_says_that_entries_are_in_no_signed_head(cast: Cast, client: Any) -> None:
    signing.enter_and_sign()
    cast.game("tally")
    leaves.enter_all()
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        leaves.enter_all()
        assert "nothing new has been published" in page(client)


@pytest.mark.parametrize("entered_at_once", [True, False])
def test_the_page_names_times_in_which_nothing_was_published_although_entries_waited(
    cast: Cast, client: Any, entered_at_once: bool
) -> None:
    signing.enter_and_sign()
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        cast.game("tally")
        signing.enter_and_sign()
        assert "Gaps" not in page(client)
        cast.game("tally")
        if entered_at_once:
            leaves.enter_all()
    with time_machine.travel(timezone.now() + timedelta(hours=5), tick=False):
        signing.enter_and_sign()
        assert "nothing was published: 3\xa0hours." in page(client)
    with time_machine.travel(timezone.now() + timedelta(days=100), tick=False):
        cast.game("tally")
        signing.enter_and_sign()
        assert "Gaps" not in page(client)


def with_another_course_of_a_game(club: Club) -> str:
    with pgtrigger.ignore():
        then = with_a_shorter_game(club)
    then()
    for seat in (0, 1):
        moved(club.running, seat, {"type": "say", "number": 2})
    return f"game {club.running.pk}"


def with_another_course_of_a_competition(club: Club) -> str:
    with pgtrigger.ignore():
        then = with_a_shorter_competition(club)
    then()
    act(club.cast.olga, club.competition, FinishCompetition)
    act(club.cast.olga, club.competition, ReopenCompetition, reason="a mistake")
    return f"competition {club.competition.pk}"


def with_a_competition_without_its_last_salt(club: Club) -> str:
    with pgtrigger.ignore():
        LogSalt.objects.filter(leaf__subject=club.competition.pk, leaf__seq=club.competition.seq).delete()
    act(club.cast.olga, club.competition, ReopenCompetition, reason="a mistake")
    return f"competition {club.competition.pk}"


@pytest.mark.parametrize(
    "change",
    [
        with_another_course_of_a_game,
        with_another_course_of_a_competition,
        with_a_competition_without_its_last_salt,
    ],
)
def test_nothing_more_is_published_of_a_log_that_contradicts_what_was(
    club: Club, client: Any, change: Callable[[Club], str]
) -> None:
    log = change(club)
    its = LogLeaf.objects.filter(subject=log.split()[1])
    before, other = its.count(), club.cast.game("tally")
    for minutes, whenever in ((5, False), (6, True), (7, False)):
        with time_machine.travel(timezone.now() + timedelta(minutes=minutes), tick=False):
            signing.enter_and_sign(whenever=whenever)
        assert (its.count(), contradicted()) == (before, [log])
    assert LogLeaf.objects.filter(subject=other.pk).exists()
    assert any(each.startswith(log) for each in found())
    assert log in page(client)
    (told,) = (each for each in all_told() if each.title == "Signed log")
    assert not told.well and log in told.sentence


def test_a_log_that_is_as_it_was_published_again_is_published_again(club: Club) -> None:
    game = Game.objects.filter(pk=club.ended.pk)
    seq = club.ended.seq
    for stored, told in ((seq - 1, [f"game {club.ended.pk}"]), (seq, [])):
        game.update(seq=stored)
        signing.enter_and_sign(whenever=True)
        assert contradicted() == told
