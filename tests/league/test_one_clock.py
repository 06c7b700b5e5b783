"""Whatever begins, is due or ends does so by the database's clock, whatever a host believes."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.engine.refusals import Illegal
from games.prepared import one_row
from league import tasks
from league.models import Email, Job, Token
from league.queries import due, links
from league.services import jobs
from league.services.accounts import create_token, kept_token, use_token
from league.services.emails import send_emails
from league.services.invitations import invite
from tests.factories import Cast
from tests.games.test_database_time import HOUR, Ahead, database, host_ahead
from tests.league.playing import in_play, play_all

__all__ = ["host_ahead"]

MINUTE = timedelta(minutes=1)
DAYS = timedelta(days=400)
"""Longer than any of these is good for."""


def test_tokens_of_an_account_end_by_it(cast: Cast, host_ahead: Ahead) -> None:
    good, ended = (create_token(by=cast.paul, name="it", scopes=["play:move"], days=1) for _ in range(2))
    ended.token.expires_at = database() - MINUTE
    ended.token.save()
    for wrong in (-DAYS, DAYS):
        host_ahead(wrong)
        assert use_token(secret=good.secret) and not use_token(secret=ended.secret)
        good.token.refresh_from_db()
        assert good.token.last_used_at and abs(good.token.last_used_at - database()) < 2 * MINUTE
        made = create_token(by=cast.paul, name="it", scopes=["play:move"], days=1).token
        assert made.expires_at and abs(made.expires_at - database() - timedelta(days=1)) < MINUTE


def test_a_token_that_is_kept_is_judged_by_the_statement_that_it_comes_with(cast: Cast) -> None:
    made = create_token(by=cast.paul, name="it", scopes=["play:move"], days=1)
    use_token(secret=made.secret)
    for ends, good in ((database() + MINUTE, True), (database() - MINUTE, False)):
        Token.objects.update(expires_at=ends)
        kept = kept_token(made.secret)
        assert kept
        sql, given = kept.live()
        assert one_row(f"SELECT {sql}", given) == (good,)


@pytest.mark.parametrize("wrong", [-HOUR, HOUR], ids=["behind", "ahead"])
class TestOnAHostWhoseClockIsWrong:
    def test_an_email_is_written_and_sent_by_it(
        self, cast: Cast, host_ahead: Ahead, wrong: timedelta
    ) -> None:
        invite(by=cast.olga, club=cast.club, role="player", email="robin@cards.example")
        Email.objects.update(next_at=database() + MINUTE)
        host_ahead(wrong)
        invite(by=cast.olga, club=cast.club, role="player", email="mina@cards.example")
        send_emails()
        assert [message.to for message in mail.outbox] == [["mina@cards.example"]]

    def test_a_session_ends_by_it(self, cast: Cast, host_ahead: Ahead, wrong: timedelta) -> None:
        good, ended = Client(), Client()
        for client in (good, ended):
            client.force_login(cast.paul)
        Session.objects.filter(pk=good.session.session_key).update(expire_date=database() + MINUTE)
        Session.objects.filter(pk=ended.session.session_key).update(expire_date=database() - MINUTE)
        host_ahead(wrong)
        assert [client.get("/account/").status_code for client in (good, ended)] == [200, 302]
        good.force_login(cast.petra)
        ends = Session.objects.latest("expire_date").expire_date
        assert abs(ends - database() - timedelta(days=14)) < MINUTE

    def test_links_of_emails_end_by_it(
        self, cast: Cast, host_ahead: Ahead, wrong: timedelta, settings: LazySettings
    ) -> None:
        address = links.token_for_address(cast.paul, "paul@cards.example")
        password, settings.PASSWORD_RESET_TIMEOUT = links.password_tokens.make_token(cast.paul), 60
        host_ahead(wrong)
        assert links.read_token_for_address(address)[2] == "paul@cards.example"
        assert links.password_tokens.check_token(cast.paul, password)

    def test_an_invitation_ends_by_it(self, cast: Cast, host_ahead: Ahead, wrong: timedelta) -> None:
        made = invite(by=cast.olga, club=cast.club, role="player", email="robin@cards.example")
        made.expires_at = database() + MINUTE
        made.save()
        host_ahead(wrong)
        assert links.read_invitation(invitation_id=made.pk, token=links.token_of(made)) == made
        assert [*links.open_invitations(cast.club)] == [made]

    def test_a_job_is_its_worker_s_by_it(self, cast: Cast, host_ahead: Ahead, wrong: timedelta) -> None:
        job = Job.objects.create(club=cast.club, by=cast.olga, kind=Job.Kind.IMPORT_PLAYERS)
        assert jobs.claim(job.pk)
        host_ahead(wrong)
        assert (jobs.claim(job.pk), due.jobs_to_do()) == (None, [])


@pytest.mark.parametrize("wrong", [-HOUR, HOUR], ids=["behind", "ahead"])
def test_what_a_sweep_has_found_is_left_to_the_next_by_it(
    cast: Cast, host_ahead: Ahead, monkeypatch: pytest.MonkeyPatch, wrong: timedelta
) -> None:
    play_all(in_play(cast, 2))
    sent: list[dict[str, str]] = []
    monkeypatch.setattr(tasks.record_result, "apply_async", lambda _args, headers: sent.append(headers))
    host_ahead(wrong)
    tasks.sweep()
    until = datetime.fromisoformat(sent[0]["until"])
    assert abs(until - database() - timedelta(seconds=tasks.SWEEP_SECONDS)) < MINUTE
    for given, left in ((database() - MINUTE, 1), (database() + MINUTE, 0)):
        (game,) = due.games_to_record()
        tasks.record_result.apply((str(game),), headers={"until": given.isoformat()})
        assert len(due.games_to_record()) == left


def test_the_link_to_an_address_ends(cast: Cast, host_ahead: Ahead) -> None:
    address = links.token_for_address(cast.paul, "paul@cards.example")
    with time_machine.travel(timezone.now() + timedelta(days=30, minutes=1)), pytest.raises(Illegal):
        links.read_token_for_address(address)
