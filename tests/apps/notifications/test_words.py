"""What emails to players say, and in whose words and time zone."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db.models import F
from django.utils import timezone

from games import rules
from games.models import Game
from league.apps.notifications.services import (
    choose_emails,
    write_game_invitations,
    write_reminders,
    write_turns,
)
from league.callers import ByAccount
from league.core.verbs.deadlines import SetDeadline
from league.models import Account, Club, Email, Round, TableSeat
from league.services.accounts import choose_language, choose_zone
from league.services.automatic import record_result
from league.services.emails import send_emails, write_for
from league.services.play import make_move
from league.words.emails import message_for
from tests.apps.notifications.test_one_mail import _with_addresses
from tests.factories import Cast
from tests.games.test_database_time import HOUR, Ahead, database, host_ahead
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, pairs_in_play, play_all, tables
from tests.league.test_emails import sent, who
from tests.league.test_invited_games import opened
from tests.league.test_score_cards import CONFIRMATION, ROUND
from tests.league.test_taking_back import Without
from tests.toys import TOYS

__all__ = ["host_ahead"]

NOON = datetime(2099, 7, 1, 12, tzinfo=UTC)
IN_LISBON, IN_AUCKLAND = "1 Jul 2099, 13:00 WEST", "2 Jul 2099, 00:00 NZST"


def test_one_mail_a_day_names_all_games_that_wait(cast: Cast) -> None:
    Account.objects.filter(pk=cast.petra.pk).update(email="petra@cards.example")
    start = timezone.now()
    for minutes in (0, 1, 2):
        with time_machine.travel(start + timedelta(minutes=minutes)):
            opened(cast)
            write_game_invitations()
    assert not Email.objects.exists()
    for minutes in (30, 40):
        with time_machine.travel(start + timedelta(minutes=minutes)):
            write_game_invitations()
            send_emails()
    (message,) = mail.outbox
    assert message.subject == "You are invited to 3 games"
    assert len(re.findall("/games/", str(message.body))) == 3
    assert "Paul Pike asks for this game." in str(message.body)
    with time_machine.travel(start + timedelta(hours=30)):
        write_game_invitations()
        assert Email.objects.count() == 1


def test_emails_name_partners_and_opponents_apart_and_rank_sides(cast: Cast, mailoutbox: list[Any]) -> None:
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
    choose_emails(by=cast.paul, result=True)
    competition = pairs_in_play(cast)
    rivals = TableSeat.objects.exclude(entry__members__player=cast.paul_plays).order_by("number")
    play_all(competition)
    record_result(game_id=competition.games.get().pk)
    send_emails()
    begun, decided = (message.body for message in mailoutbox)
    names = " & ".join(seat.player.name for seat in rivals)
    assert f"You sit at table 1 with Petra Plum against {names}." in begun
    assert re.findall(r"^(\d\.) .+ & ", decided, re.MULTILINE) == ["1.", "2."]


def test_a_reminder_names_partners_and_opponents_apart(cast: Cast, mailoutbox: list[Any]) -> None:
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@cards.example")
    choose_emails(by=cast.paul, round_published=False, your_turn=False)
    pairs_in_play(cast)
    ends = timezone.now() + timedelta(hours=1)
    Round.objects.update(deadline=ends)
    Game.objects.update(opened_at=ends - timedelta(days=3))
    write_reminders()
    send_emails()
    rivals = TableSeat.objects.exclude(entry__members__player=cast.paul_plays).order_by("number")
    names = " & ".join(seat.player.name for seat in rivals)
    assert f"You play with Petra Plum against {names}." in mailoutbox[0].body


def test_scores_at_a_kiosk_mail_nobody_before_the_result_and_then_its_table_alone(cast: Cast) -> None:
    _with_addresses(cast)
    for account in (cast.paul, cast.petra):
        choose_emails(by=account, result=True)
    with rules.registered(*TOYS):
        plan = {**PLAN, "table_size": 2}
        given = {"ruleset": "high-card-on-paper", "options": {"rounds": 1}}
        competition = in_play(cast, 4, stages=[plan], **given)
        sent()
        mail.outbox.clear()
        table = tables(competition)[0]
        seats, game = (
            list(table.seats.order_by("number").select_related("player")),
            table.games.get().game,
        )
        make_move(Without("kiosk"), game_id=game.pk, seq=2, move=ROUND)
        with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
            write_turns()
            assert sent() == []
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=3, move=CONFIRMATION)
        record_result(game_id=game.pk)
        here = [seat.player.account for seat in seats]
        assert who(sent()) == [each.username for each in (cast.paul, cast.petra) if each in here]


@pytest.mark.parametrize("wrong", [-HOUR, HOUR], ids=["behind", "ahead"])
@pytest.mark.parametrize(("minutes", "count"), [(90, 2), (150, 0)])
def test_reminders_are_due_by_the_databases_clock(
    cast: Cast, host_ahead: Ahead, wrong: timedelta, minutes: int, count: int
) -> None:
    competition = in_play(cast, 2)
    Game.objects.update(opened_at=F("opened_at") - 3 * HOUR)
    Account.objects.update(email="somebody@cards.example")
    act(cast.olga, competition, SetDeadline, deadline=database() + minutes * timedelta(minutes=1))
    host_ahead(wrong)
    write_reminders()
    assert Email.objects.filter(kind="reminder").count() == count


# ---- Zones and languages -------------------------------------------------------------------------


@pytest.fixture
def lisbon(cast: Cast) -> None:
    """The club is in Lisbon, sleeps never, and can send Paul emails, who lives in Auckland."""
    Club.objects.update(timezone="Europe/Lisbon")
    cast.club.refresh_from_db()
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    choose_zone(by=cast.paul, timezone="Pacific/Auckland")


@pytest.fixture
def game(cast: Cast, lisbon: None) -> Game:
    """A game that has waited for Paul since midnight, whose move is due at noon UTC."""
    game = cast.game("tally")
    clock = {"move": 43200, "reminder": 3600}
    since = datetime(2099, 7, 1, 0, tzinfo=UTC)
    Game.objects.filter(pk=game.pk).update(since=[since, None], awaited=[0], clock=clock, deadline=NOON)
    game.refresh_from_db()
    return game


def email_about(game: Game, cast: Cast) -> Any:
    club, about = cast.club, {"game": str(game.pk), "seat": 0, "since": "2099-07-01T00:00:00.000000Z"}
    write_for([cast.paul], kind="your_turn", club=club, key="turn", about=about)
    return message_for(Email.objects.get(kind="your_turn"))


@pytest.mark.parametrize("mine", [True, False])
def test_a_turns_deadline_is_in_the_zone_of_reader_or_club(cast: Cast, game: Game, mine: bool) -> None:
    if not mine:
        choose_zone(by=cast.paul, timezone="")
    email = email_about(game, cast)
    assert f"due by {IN_AUCKLAND if mine else IN_LISBON}" in email.body
    assert (IN_AUCKLAND in str(email.alternatives)) is mine


def test_a_deadline_is_written_in_the_language_of_who_gets_the_email(cast: Cast, game: Game) -> None:
    choose_language(by=cast.paul, language="de")
    email = email_about(game, cast)
    assert "2. Juli 2099, 00:00 NZST" in email.body
    assert "Your" not in email.subject + email.body + str(email.alternatives)


def test_the_deadline_of_a_round_is_in_the_readers_zone(cast: Cast, lisbon: None) -> None:
    competition = in_play(cast, 2)
    competition.stages.get().rounds.update(deadline=NOON)
    send_emails()
    (told,) = [message.body for message in mail.outbox if message.to == ["paul@cards.example"]]
    assert f"must be finished by {IN_AUCKLAND}" in str(told)
