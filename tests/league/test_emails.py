"""The outbox's channel for emails: each is sent once, and again where the mail server did not take it."""

import socket
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from threading import Event, Thread

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.translation import get_language
from pytest_django import Settings

from league import tasks
from league.models import Account, Email, Invitation
from league.queries import due
from league.services import emails, outbox
from league.services.emails import send_emails
from league.words import emails as word_emails
from tests.factories import Cast


def sent() -> list[EmailMultiAlternatives]:
    """Return the emails that have gone out, after everything due was sent."""
    send_emails()
    return [message for message in mail.outbox if isinstance(message, EmailMultiAlternatives)]


def who(messages: list[EmailMultiAlternatives]) -> list[str]:
    return sorted(to.partition("@")[0] for message in messages for to in message.to)


def write(cast: Cast) -> None:
    """Write an email to Paul and one to Petra."""
    emails.write_for([cast.paul, cast.petra], kind=Email.Kind.PASSWORD, key="k", about={})


@pytest.fixture(autouse=True)
def _addresses(cast: Cast) -> None:
    """Paul and Petra can get mails."""
    for account in (cast.paul, cast.petra):
        account.email = f"{account.username}@cards.example"
        account.save()


def refuse_with(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the mail server refuse all emails."""

    def refuse(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)


def greet(server: socket.socket, line: bytes) -> None:
    """Send a piece of a greeting again and again until the other side is gone."""
    with suppress(OSError):
        connection, _address = server.accept()
        while line:
            connection.sendall(line)
            Event().wait(0.01)
        connection.recv(1)


class TestAMailServer:
    def test_that_is_down_keeps_all_emails_waiting(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        write(cast)
        with monkeypatch.context() as down:
            refuse_with(down, ConnectionRefusedError("mail.example"))
            assert sent() == [] == due.emails_to_send()
        assert sent() == []
        with time_machine.travel(timezone.now() + timedelta(seconds=31), tick=False):
            assert who(sent()) == ["paul", "petra"]
        assert [*Email.objects.order_by("attempts").values_list("attempts", flat=True)] == [1, 2]

    @pytest.mark.parametrize(("code", "status"), [(450, "waiting"), (550, "failed")])
    def test_that_refuses_an_address_for_now_is_asked_again(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch, code: int, status: str
    ) -> None:
        refuse_with(monkeypatch, SMTPRecipientsRefused({"paul@cards.example": (code, b"no")}))
        write(cast)
        send_emails()
        assert [*Email.objects.values_list("status", "attempts")] == [(status, 1), (status, 1)]

    @pytest.mark.parametrize("line", [b"", b"2", b"220-\r\n"], ids=["nothing", "byte by byte", "no end"])
    def test_that_accepts_and_never_answers_is_given_up_and_tried_again(
        self, cast: Cast, settings: Settings, line: bytes
    ) -> None:
        write(cast)
        with socket.create_server(("127.0.0.1", 0)) as server:
            settings.EMAIL_BACKEND = "league.ops.mail.EmailBackend"
            settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
            settings.EMAIL_TIMEOUT = 0.2
            Thread(target=greet, args=[server, line], daemon=True).start()
            before = timezone.now()
            send_emails()
        held = [*Email.objects.order_by("attempts").values_list("status", "attempts")]
        assert held == [("waiting", 0), ("waiting", 1)] and due.emails_to_send() == []
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        Email.objects.update(next_at=before)
        assert who(sent()) == ["paul", "petra"]

    def test_that_is_down_leaves_no_address_in_the_log(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        refuse_with(monkeypatch, OSError("paul@cards.example"))
        write(cast)
        send_emails()
        assert "eemail_not_taken" in caplog.text
        assert "cards.example" not in caplog.text


def test_an_email_that_cannot_be_written_keeps_no_other_waiting(cast: Cast) -> None:
    write(cast)
    first = Email.objects.earliest("next_at")
    earlier = timezone.now() - timedelta(hours=1)
    Email.objects.filter(pk=first.pk).update(kind=Email.Kind.NEW_DEVICE, about=[], next_at=earlier)
    assert len(sent()) == 1
    first.refresh_from_db()
    assert (first.status, first.attempts) == ("waiting", 1)
    assert first.next_at and first.next_at > timezone.now()


def test_an_email_of_an_app_that_was_taken_out_is_dropped(cast: Cast) -> None:
    emails.write_for([cast.paul], kind="gone", key="k", about={})
    assert sent() == [] and Email.objects.get().status == "dropped"


@pytest.mark.parametrize("kind", sorted(word_emails._VARIABLES))
def test_an_email_of_any_kind_to_nobody_known_is_in_the_language_of_the_club(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    accounts = Account.objects.filter(pk=cast.olga.pk)
    about = {}
    if kind == Email.Kind.INVITATION:
        made = Invitation.objects.create(
            club=cast.club, email="a@b.example", made_by=cast.paul, expires_at=timezone.now()
        )
        about = {"invitation": str(made.pk)}
    monkeypatch.setitem(word_emails._VARIABLES, kind, lambda _email: {"to": "a@b.example"})
    monkeypatch.setattr(word_emails, "rendered", lambda *_: get_language())
    for language, read in (("", settings.LANGUAGE_CODE), ("de", "de")):
        accounts.update(language=language)
        written: object = word_emails.message_for(Email(kind=kind, club=cast.club, about=about))
        assert written == read


def test_the_desk_shows_what_emails_say(cast: Cast, client: Client) -> None:
    client.force_login(cast.olga)
    page = client.get(f"/admin/league/club/{cast.club.pk}/mails/").content.decode()
    assert "You are invited to Harbour Cards" in page and "&lt;" not in page


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_send_the_same_mail(cast: Cast) -> None:
    write(cast)

    def work() -> None:
        send_emails()
        connection.close()

    workers = [Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert who([message for message in mail.outbox if isinstance(message, EmailMultiAlternatives)]) == [
        "paul",
        "petra",
    ]


def test_another_worker_takes_over_after_a_crash_while_sending(cast: Cast) -> None:
    write(cast)
    lost = outbox.lent(Email.objects.all())
    assert lost and len(sent()) == 1 and due.emails_to_send() == []
    with time_machine.travel(timezone.now() + outbox.LEASE, tick=False):
        assert due.emails_to_send() == [lost.pk]
        assert who(sent()) == ["paul", "petra"]


def test_the_sweep_sends_emails_with_a_lost_task(cast: Cast) -> None:
    write(cast)
    tasks.sweep()
    assert len(mail.outbox) == 2


@pytest.mark.django_db
def test_old_emails_are_deleted_and_waiting_ones_kept() -> None:
    long_ago = timezone.now() - timedelta(days=91)
    for status in ("waiting", "sent"):
        Email.objects.create(key=status, kind="your_turn", about={}, status=status, made_at=long_ago)
    tasks.tidy()
    assert [*Email.objects.values_list("status", flat=True)] == ["waiting"]


@pytest.mark.parametrize("hangs", [True, False], ids=["hangs", "is away"])
def test_emails_are_tried_again_soon_where_the_mail_server(
    cast: Cast, settings: Settings, hangs: bool
) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if hangs:
            server.listen()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()
        settings.EMAIL_TIMEOUT = 0.1
        emails.ask_for_address(by=cast.paul, email="paul@cards.example")
        send_emails()
    (email,) = Email.objects.all()
    assert (email.status, email.attempts) == ("waiting", 1)
    assert email.next_at and timedelta(0) < email.next_at - timezone.now() <= timedelta(minutes=1)
