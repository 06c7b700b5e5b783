"""What becomes of a competition is told to all who have entered it, and to who was asked."""

from collections.abc import Sequence
from datetime import date, time
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail

from league import hooks
from league.apps.notifications.services import choose_emails
from league.core.verbs.course import CancelCompetition, FinishCompetition, ReopenCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.rounds import PublishRound
from league.core.verbs.settings import ChangeSettings
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Contact, Email, Player
from league.services.competitions import change_details
from league.services.emails import send_emails
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, opened


@pytest.fixture
def competition(cast: Cast) -> Competition:
    for account in (cast.paul, cast.petra):
        Account.objects.filter(pk=account.pk).update(email=f"{account.username}@club.example")
    return opened(cast, 4)


def sent() -> Sequence[Any]:
    mail.outbox.clear()
    send_emails()
    return sorted(mail.outbox, key=lambda each: each.to)


def change(cast: Cast, competition: Competition) -> None:
    act(cast.olga, competition, ChangeSettings, settings={"name": "Spring"}, reason="It is May")


def test_who_has_entered_reads_what_it_was_and_what_it_is(cast: Cast, competition: Competition) -> None:
    change(cast, competition)
    first, second = sent()
    assert [*first.to, *second.to] == ["paul@club.example", "petra@club.example"]
    assert first.subject == "Changed: Spring"
    assert "Name: Autumn → Spring (It is May)." in first.body
    assert "List-Unsubscribe" in first.extra_headers


def test_who_withdrew_or_wants_none_of_these_is_not_written_to(cast: Cast, competition: Competition) -> None:
    choose_emails(by=cast.petra, changed=False)
    entry = competition.entries.get(members__player=cast.paul_plays)
    act(cast.olga, competition, WithdrawEntry, entry=entry.pk)
    change(cast, competition)
    assert sent() == []


def test_a_competition_that_is_cancelled_is_told_to_addresses_that_the_club_keeps_too(
    cast: Cast, competition: Competition
) -> None:
    guest = Player.objects.filter(account=None).order_by("pk")[0]
    Contact.objects.create(player=guest, email="ann@home.example")
    act(cast.olga, competition, CancelCompetition, reason="Snow")
    assert [each.to for each in sent()] == [
        ["ann@home.example"],
        ["paul@club.example"],
        ["petra@club.example"],
    ]
    assert mail.outbox[0].subject == "Cancelled: Autumn"
    assert "(Snow)" in mail.outbox[0].body


def test_who_has_no_account_reads_the_language_of_the_club(cast: Cast, competition: Competition) -> None:
    Account.objects.filter(pk=cast.olga.pk).update(language="de")
    guest = Player.objects.filter(account=None).order_by("pk")[0]
    Contact.objects.create(player=guest, email="ann@home.example")
    change(cast, competition)
    (told,) = (each for each in sent() if each.to == ["ann@home.example"])
    assert told.subject == "Geändert: Spring" and "Name: Autumn → Spring (It is May)." in told.body
    assert "E-Mails dieser Art" in told.body and "Stop emails" not in told.body


def test_what_was_taken_back_before_it_was_sent_is_not_told(cast: Cast, competition: Competition) -> None:
    act(cast.olga, competition, CancelCompetition)
    act(cast.olga, competition, ReopenCompetition, reason="The snow is gone")
    assert {each.subject for each in sent()} == {"It takes place after all: Autumn"}


def test_a_correction_after_the_end_is_told_to_nobody(cast: Cast) -> None:
    done = finished(cast)
    act(cast.olga, done, ReopenCompetition, reason="A slip")
    act(cast.olga, done, FinishCompetition)
    assert not Email.objects.filter(kind="changed").exists()


def test_apps_say_who_was_asked_and_what_only_these_are_told(cast: Cast) -> None:
    Account.objects.filter(pk=cast.paul.pk).update(email="paul@club.example")
    competition, asked = opened(cast), Player.objects.filter(pk=cast.paul_plays.pk)
    with (
        patch.object(hooks, "ASKED", [lambda _pk: asked]),
        patch.object(hooks, "TOLD_APART", [lambda _pk: "The landlord is ill."]),
    ):
        act(cast.olga, competition, CancelCompetition)
        (email,) = sent()
    assert "The landlord is ill." in email.body


# ---- Another day, time or place ------------------------------------------------------------------


def move(cast: Cast, competition: Competition, **values: Any) -> None:
    change_details(by=cast.olga, competition=competition, values=values)


def test_another_day_time_or_place_is_told_in_the_language_of_who_reads(
    cast: Cast, competition: Competition
) -> None:
    move(cast, competition, begins_on=date(2027, 3, 4), begins_at=time(19, 0), place="Hall")
    Email.objects.all().delete()
    Account.objects.filter(pk=cast.paul.pk).update(language="de")
    guest = Player.objects.filter(account=None).order_by("pk")[0]
    Contact.objects.create(player=guest, email="ann@home.example")
    move(cast, competition, begins_on=date(2027, 4, 10), place="Inn")
    told = {each.to[0]: (each.subject, each.body) for each in sent()}
    assert told.keys() == {"ann@home.example", "paul@club.example", "petra@club.example"}
    subject, body = told["petra@club.example"]
    assert subject == "Changed: Autumn"
    assert "Before: Thu 4 Mar 2027, 19:00 · Hall. Now: Sat 10 Apr 2027, 19:00 · Inn." in body
    subject, body = told["paul@club.example"]
    assert subject == "Geändert: Autumn"
    assert "Bisher: Do, 4. März 2027, 19:00 · Hall. Jetzt: Sa, 10. April 2027, 19:00 · Inn." in body


def test_a_new_description_a_first_day_or_what_was_moved_back_before_it_was_sent_is_told_to_nobody(
    cast: Cast, competition: Competition
) -> None:
    move(cast, competition, description="Bring a friend.", contact="Olga")
    move(cast, competition, begins_on=date(2027, 3, 4))
    assert not Email.objects.exists()
    move(cast, competition, begins_on=date(2027, 3, 11))
    assert Email.objects.exists()
    move(cast, competition, begins_on=date(2027, 3, 4))
    assert sent() == []


def test_another_day_after_the_end_is_told_to_nobody(cast: Cast) -> None:
    move(cast, finished(cast), begins_on=date(2027, 3, 4))
    assert not Email.objects.exists()


# ---- Another account, or none --------------------------------------------------------------------


@pytest.mark.parametrize("to", ["nora", None])
def test_a_waiting_email_is_dropped_once_its_account_is_no_players(
    cast: Cast, competition: Competition, to: str | None
) -> None:
    change(cast, competition)
    act(cast.olga, competition, StartCompetition)
    for verb in (DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    waiting = Email.objects.filter(account=cast.paul).values_list("kind", flat=True)
    assert {*waiting} == {"changed", "round_published"}
    Player.objects.filter(account=cast.paul).update(account=to and getattr(cast, to))
    assert {*(each.to[0] for each in sent())} == {"petra@club.example"}


def test_who_got_an_account_meanwhile_reads_it_there_if_they_want(
    cast: Cast, competition: Competition
) -> None:
    guests = Player.objects.filter(account=None).order_by("pk")[:2]
    for number, guest in enumerate(guests):
        Contact.objects.create(player=guest, email=f"{number}@home.example")
    change(cast, competition)
    for account, guest in zip((cast.nora, cast.olga), guests, strict=True):
        Account.objects.filter(pk=account.pk).update(email=f"{account.username}@club.example")
        Player.objects.filter(pk=guest.pk).update(account=account)
    choose_emails(by=cast.olga, changed=False)
    assert [each.to[0] for each in sent()] == [
        "nora@club.example",
        "paul@club.example",
        "petra@club.example",
    ]
