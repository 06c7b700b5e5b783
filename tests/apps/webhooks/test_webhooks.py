"""Webhooks of a club: messages are signed, sent after the commit, and retried until they are accepted."""

import json
import re
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone
from standardwebhooks import Webhook as Standard
from standardwebhooks import WebhookVerificationError

from games.engine.refusals import Illegal, Malformed
from league import tasks
from league.apps.webhooks import deliveries, queries
from league.apps.webhooks.deliveries import ping, send_webhook
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.services import (
    NewWebhook,
    change_webhook,
    create_webhook,
    remove_webhook,
    renew_secret,
    resend,
)
from league.callers import ByAccount
from league.core.verbs.course import CancelCompetition
from league.core.verbs.rounds import CloseRound, PublishRound
from league.models import Account, ClubChange
from league.ops import posting
from league.ops.processes import eventually
from league.services import automatic, outbox
from league.services.automatic import record_result
from league.services.casual_games import decline_game, open_casual_game
from league.services.emails import send_emails
from league.services.play import make_move
from tests import patience
from tests.factories import Cast
from tests.games.test_database_time import HOUR, Ahead, database, host_ahead
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all
from tests.listener import Listener, listening

__all__ = ["host_ahead"]

MINUTE = timedelta(minutes=1)
ALL = [kind.value for kind in Webhook.Kind]


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


@pytest.fixture
def made(cast: Cast, listener: Listener) -> NewWebhook:
    """A webhook of Olga's club that is told everything."""
    return create_webhook(by=cast.olga, club=cast.club, url=listener.url, kinds=ALL)


def bodies(listener: Listener) -> list[dict[str, Any]]:
    return [json.loads(each.body) for each in listener.received]


def one(made: NewWebhook, **values: Any) -> Delivery:
    """Return something that waits to be told."""
    return Delivery.objects.create(
        webhook=made.webhook, kind="result", payload={"competition": None}, **values
    )


def later() -> None:
    """Let everything that waits be due."""
    Delivery.objects.filter(status="waiting").update(next_at=timezone.now())


class TestMessages:
    def test_are_sent_from_the_opening_to_the_end_of_a_competition(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        competition = in_play(cast, 4)
        for game in play_all(competition):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        automatic.compute_standings(competition_id=competition.pk)
        act(cast.olga, competition, CancelCompetition, reason="flood")
        deliveries.send_webhook(webhook_id=made.webhook.pk)
        kinds = [body["kind"] for body in bodies(listener)]
        assert kinds == [
            *("competition_opened", "competition_started", "round_published", "result"),
            *("round_closed", "standings_changed", "competition_finished"),
        ]
        assert {body["competition"]["slug"] for body in bodies(listener)} == {"autumn"}

    def test_name_the_event_in_the_log(self, cast: Cast, made: NewWebhook, listener: Listener) -> None:
        competition = in_play(cast, 4)
        tasks.sweep()
        shown = next(body for body in bodies(listener) if body["kind"] == "round_published")
        entry = competition.events.get(seq=shown["seq"])
        assert shown["event"] == entry.event
        assert (shown["club"], shown["number"] > 0) == (cast.club.slug, True)

    def test_are_sent_at_the_end_of_a_casual_game(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        game = cast.game("tally")
        for _ in range(2):
            make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "resign"})
        tasks.sweep()
        (body,) = bodies(listener)
        assert (body["kind"], body["competition"], body["game"]["id"]) == ("game_over", None, str(game.pk))

    def test_are_not_sent_of_a_game_that_never_began(self, cast: Cast, made: NewWebhook) -> None:
        game = open_casual_game(
            by=cast.paul,
            club=cast.club,
            ruleset="tally",
            options={},
            players=[player.pk for player in cast.people(2)],
        )
        decline_game(by=cast.petra, game_id=game.pk)
        assert not Delivery.objects.exists()

    def test_are_only_of_the_chosen_kinds_and_the_own_club(self, cast: Cast, listener: Listener) -> None:
        theirs = cast.nora.memberships.get().club
        create_webhook(by=cast.nora, club=theirs, url=listener.url, kinds=ALL)
        create_webhook(by=cast.olga, club=cast.club, url=listener.url, kinds=["round_closed"])
        in_play(cast, 4)
        assert not Delivery.objects.exists()

    def test_are_not_sent_after_a_rollback(self, cast: Cast, made: NewWebhook) -> None:
        competition = opened(cast, 4)
        before = Delivery.objects.count()
        with pytest.raises(Illegal):
            act(cast.olga, competition, PublishRound)
        assert Delivery.objects.count() == before

    def test_are_sent_without_waiting_for_the_sweep(
        self,
        cast: Cast,
        made: NewWebhook,
        listener: Listener,
        django_capture_on_commit_callbacks: Callable[..., Any],
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            opened(cast)
        assert next(body["kind"] for body in bodies(listener)) == "competition_opened"


class TestASignature:
    def test_covers_the_time_and_the_body(self, made: NewWebhook, listener: Listener) -> None:
        one(made)
        tasks.sweep()
        (shown,) = listener.received
        assert Standard(made.secret).verify(shown.body, shown.headers)["id"] == shown.headers["webhook-id"]
        for changed in ({"webhook-id": "x"}, {"webhook-timestamp": str(int(time.time()) + 1)}):
            with pytest.raises(WebhookVerificationError):
                Standard(made.secret).verify(shown.body, {**shown.headers, **changed})

    def test_is_made_with_both_secrets_for_a_day(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        renewed = renew_secret(by=cast.olga, webhook=made.webhook)
        assert renewed.secret != made.secret
        one(made)
        tasks.sweep()
        Webhook.objects.update(former_until=timezone.now())
        one(made)
        tasks.sweep()
        first, second = listener.received
        for told, secrets in ((first, [made.secret, renewed.secret]), (second, [renewed.secret])):
            assert len(told.headers["webhook-signature"].split()) == len(secrets)
            for secret in secrets:
                Standard(secret).verify(told.body, told.headers)


class TestFailedDelivery:
    def test_is_tried_again_with_the_same_id_and_body(self, made: NewWebhook, listener: Listener) -> None:
        one(made)
        listener.code = 500
        tasks.sweep()
        later()
        listener.code = 200
        tasks.sweep()
        first, second = listener.received
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert first.body == second.body
        assert Delivery.objects.get().status == "delivered"

    @pytest.mark.parametrize("code", [301, 307, 400, 404, 410, 500, 503])
    def test_is_any_response_but_success(self, made: NewWebhook, listener: Listener, code: int) -> None:
        one(made)
        listener.code, listener.body = code, b"no, thanks"
        tasks.sweep()
        delivery = Delivery.objects.get()
        assert (delivery.status, delivery.attempts, delivery.code) == ("waiting", 1, code)
        assert delivery.answer == "no, thanks"

    def test_is_retried_with_backoff_and_then_given_up(self, made: NewWebhook, listener: Listener) -> None:
        delivery = one(made)
        listener.code = 500
        waits = []
        for _ in range(outbox.MOST_ATTEMPTS):
            later()
            send_webhook(webhook_id=made.webhook.pk)
            delivery.refresh_from_db()
            rests = delivery.next_at - delivery.tried_at if delivery.next_at and delivery.tried_at else None
            waits.append(rests and round(rests.total_seconds()))
        assert waits == [30, 90, 270, 810, 2430, 7290, 21600, 21600, 21600, 21600, 21600, None]
        assert delivery.status == "failed"

    def test_does_not_delay_other_deliveries(self, made: NewWebhook, listener: Listener) -> None:
        first, second = one(made), one(made)
        listener.code = 500
        send_webhook(webhook_id=made.webhook.pk)
        listener.code = 200
        Delivery.objects.filter(pk=second.pk).update(next_at=timezone.now())
        send_webhook(webhook_id=made.webhook.pk)
        first.refresh_from_db()
        second.refresh_from_db()
        assert (first.status, second.status) == ("waiting", "delivered")

    def test_pauses_all_deliveries_if_the_server_is_down(self, cast: Cast, made: NewWebhook) -> None:
        Webhook.objects.update(url="http://127.0.0.1:1/")
        rows = [one(made) for _ in range(3)]
        tasks.sweep()
        tried = Delivery.objects.filter(attempts=1)
        assert list(tried.values_list("pk", flat=True)) == [rows[0].pk]
        assert not queries.deliveries_due()

    def test_can_be_sent_again_by_an_organiser(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        delivery = one(made, status="failed", attempts=12, next_at=None)
        with pytest.raises(PermissionDenied):
            resend(by=cast.paul, delivery=delivery)
        resend(by=cast.olga, delivery=delivery)
        tasks.sweep()
        delivery.refresh_from_db()
        assert (delivery.status, len(listener.received)) == ("delivered", 1)


class TestFailingWebhook:
    def test_is_stopped_after_three_days_and_organisers_told(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        Account.objects.filter(pk=cast.olga.pk).update(email="olga@cards.example")
        long_ago = timezone.now() - timedelta(days=3, minutes=1)
        Webhook.objects.update(failing_since=long_ago)
        one(made)
        listener.code = 500
        tasks.sweep()
        webhook = Webhook.objects.get()
        assert (webhook.active, webhook.stopped_at is not None) == (False, True)
        later()
        tasks.sweep()
        assert len(listener.received) == 1
        send_emails()
        (message,) = mail.outbox
        assert message.to == ["olga@cards.example"]
        assert message.subject == f"The webhook at {webhook.host} is stopped"

    def test_is_healthy_again_after_a_success(self, made: NewWebhook, listener: Listener) -> None:
        Webhook.objects.update(failing_since=timezone.now() - timedelta(days=5))
        one(made)
        tasks.sweep()
        webhook = Webhook.objects.get()
        assert (webhook.active, webhook.failing_since) == (True, None)

    def test_resumes_with_waiting_deliveries_when_it_is_activated(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        Webhook.objects.update(active=False, stopped_at=timezone.now(), failing_since=timezone.now())
        one(made)
        change_webhook(by=cast.olga, webhook=made.webhook, url=listener.url, kinds=["result"], active=True)
        tasks.sweep()
        webhook = Webhook.objects.get()
        assert (len(listener.received), webhook.stopped_at) == (1, None)

    def test_can_be_removed_during_a_delivery(
        self, cast: Cast, made: NewWebhook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one(made)

        def post(*_: object, **__: object) -> posting.Answer:
            remove_webhook(by=cast.olga, webhook=made.webhook)
            return posting.Answer(500, b"")

        monkeypatch.setattr(posting, "post", post)
        send_webhook(webhook_id=made.webhook.pk)
        assert not Delivery.objects.exists()


class TestAPing:
    def test_is_sent_at_once_and_returns_the_result(
        self, cast: Cast, made: NewWebhook, listener: Listener
    ) -> None:
        sent = ping(by=cast.olga, webhook=made.webhook)
        assert (sent.status, sent.code, bodies(listener)[0]["kind"]) == ("delivered", 204, "ping")

    def test_that_fails_is_not_repeated(self, cast: Cast, made: NewWebhook, listener: Listener) -> None:
        listener.code = 404
        assert ping(by=cast.olga, webhook=made.webhook).status == "failed"
        later()
        tasks.sweep()
        assert len(listener.received) == 1

    def test_is_not_sent_to_private_addresses_unless_the_site_allows_it(
        self, cast: Cast, made: NewWebhook, listener: Listener, settings: LazySettings
    ) -> None:
        settings.WEBHOOKS_PRIVATE = False
        Webhook.objects.update(url=listener.url.replace("http:", "https:"))
        made.webhook.refresh_from_db()
        sent = ping(by=cast.olga, webhook=made.webhook)
        assert (sent.status, sent.code, listener.received) == ("failed", None, [])


@pytest.mark.parametrize(
    ("url", "kinds", "field"),
    [
        ("", ALL, "url"),
        ("gopher://club.example/", ALL, "url"),
        ("https://club.example/" + "x" * 500, ALL, "url"),
        ("https://club.example/", [], "kinds"),
        ("https://club.example/", ["ping"], "kinds"),
        ("https://club.example/", ["everything"], "kinds"),
    ],
)
def test_an_invalid_webhook_is_refused_with_its_fields(
    cast: Cast, url: str, kinds: list[str], field: str
) -> None:
    with pytest.raises(Malformed) as refused:
        create_webhook(by=cast.olga, club=cast.club, url=url, kinds=kinds)
    assert list(refused.value.errors) == [field]


@pytest.mark.parametrize("who", ["paul", "nora"])
@pytest.mark.parametrize(
    "act",
    [
        lambda by, webhook: create_webhook(by=by, club=webhook.club, url=webhook.url, kinds=ALL),
        lambda by, webhook: change_webhook(by=by, webhook=webhook, url=webhook.url, kinds=ALL, active=False),
        lambda by, webhook: renew_secret(by=by, webhook=webhook),
        lambda by, webhook: remove_webhook(by=by, webhook=webhook),
        lambda by, webhook: ping(by=by, webhook=webhook),
    ],
)
def test_only_organisers_can_manage_webhooks(
    cast: Cast, made: NewWebhook, act: Callable[[Account, Webhook], object], who: str
) -> None:
    with pytest.raises(PermissionDenied):
        act(getattr(cast, who), made.webhook)
    assert Webhook.objects.get(active=True).salt == made.webhook.salt


def test_a_club_has_at_most_ten(cast: Cast, made: NewWebhook) -> None:
    Webhook.objects.bulk_create(
        Webhook(club=cast.club, url=made.webhook.url, kinds=["result"]) for _ in range(9)
    )
    with pytest.raises(Illegal):
        create_webhook(by=cast.olga, club=cast.club, url=made.webhook.url, kinds=ALL)


def test_the_secret_is_not_shown_and_the_record_has_only_the_host(cast: Cast, made: NewWebhook) -> None:
    renew_secret(by=cast.olga, webhook=made.webhook)
    remove_webhook(by=cast.olga, webhook=made.webhook)
    changes = list(ClubChange.objects.filter(club=cast.club).values("kind", "subject", "values"))
    assert [each["kind"] for each in changes] == ["webhook_removed", "webhook_changed", "webhook_made"]
    assert "key=kept" not in str(changes)
    assert made.secret not in str(changes) + repr(made) + str(vars(made.webhook))


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_send_to_one_webhook_at_the_same_time(
    cast: Cast, made: NewWebhook, listener: Listener
) -> None:
    for _ in range(6):
        one(made)
    listener.pause.clear()

    def work() -> None:
        send_webhook(webhook_id=made.webhook.pk)
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    assert eventually(lambda: len(listener.received) == 1, patience.SECONDS)
    listener.pause.set()
    for worker in workers:
        worker.join()
    send_webhook(webhook_id=made.webhook.pk)
    numbers = [body["number"] for body in bodies(listener)]
    assert (len(numbers), numbers, listener.most_at_once) == (6, sorted({*numbers}), 1)


def test_another_worker_takes_over_after_a_crash_while_sending(made: NewWebhook, listener: Listener) -> None:
    one(made)
    assert outbox.lent(Webhook.objects.all())
    tasks.sweep()
    assert listener.received == []
    with time_machine.travel(timezone.now() + outbox.LEASE, tick=False):
        tasks.sweep()
    assert len(listener.received) == 1


def test_the_code_in_the_guide_accepts_a_signature() -> None:
    """The function that docs/api.md gives to authors of receivers."""
    guide = Path(__file__).parents[3].joinpath("docs", "api.md").read_text(encoding="utf-8")
    code = next(block for block in re.findall(r"```python\n(.*?)```", guide, re.S) if "comes_from" in block)
    given: dict[str, Any] = {}
    exec(code, given)
    check, at = given["comes_from_trefoil"], int(time.time())
    secret, key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    for keys, moment, body, holds in (
        ([key], at, b"{}", True),
        ([b"another", key], at, b"{}", True),
        ([b"another"], at, b"{}", False),
        ([key], at, b"{ }", False),
        ([key], at - 400, b"{}", False),
    ):
        assert check(secret, deliveries.signed(keys, "msg_1", moment, b"{}"), body) is holds
    known = deliveries.signed([key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, b'{"test": 2432232314}')
    assert known["webhook-signature"] in guide


def test_old_deliveries_are_deleted_and_waiting_ones_kept(made: NewWebhook) -> None:
    long_ago = timezone.now() - timedelta(days=91)
    for status in ("waiting", "failed"):
        Delivery.objects.create(webhook=made.webhook, kind="result", payload={}, status=status, at=long_ago)
    tasks.tidy()
    assert [*Delivery.objects.values_list("status", flat=True)] == ["waiting"]


@pytest.mark.parametrize("wrong", [-HOUR, HOUR], ids=["behind", "ahead"])
def test_a_message_is_tried_again_by_the_clock_of_the_database(
    made: NewWebhook, listener: Listener, host_ahead: Ahead, wrong: timedelta
) -> None:
    later, now = (Delivery(webhook=made.webhook, kind="result", payload={}) for _ in range(2))
    later.next_at, now.next_at = database() + MINUTE, database() - MINUTE
    Delivery.objects.bulk_create([later, now])
    host_ahead(wrong)
    assert [each.webhook for each in queries.deliveries_due()] == [made.webhook]
    listener.code = 500
    send_webhook(webhook_id=made.webhook.pk)
    now.refresh_from_db()
    assert len(listener.received) == 1 and now.next_at
    assert timedelta(0) < now.next_at - database() < 2 * MINUTE
