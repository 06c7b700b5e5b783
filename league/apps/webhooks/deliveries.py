"""The outbox's channel for webhooks: one message at a time for a webhook, signed (docs/api.md)."""

import hmac
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from games import database_time
from games.engine.chain import stamp
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.services import keys_of
from league.models import Account, Member
from league.ops import posting
from league.queries import permissions
from league.queries.permissions import DIRECTORS
from league.services import emails, outbox, queue

_GIVEN_UP_AFTER: Final = timedelta(days=3)


def signed(keys: Sequence[bytes], message: str, at: int, body: bytes) -> Mapping[str, str]:
    """Return the headers of Standard Webhooks: a message's id, the time, and a signature by each key.

    https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    """
    content = f"{message}.{at}.".encode() + body
    digests = (hmac.digest(key, content, "sha256") for key in keys)
    signatures = " ".join(f"v1,{b64encode(digest).decode()}" for digest in digests)
    return {"webhook-id": message, "webhook-timestamp": str(at), "webhook-signature": signatures}


def send_webhook(*, webhook_id: UUID) -> None:
    """Send a webhook's deliveries that are due, in order, unless another worker is sending to it.

    A delivery that is refused waits and is tried again; later ones are sent meanwhile. If the server doesn't
    answer at all, all of them wait as long.
    """
    mine = Webhook.objects.filter(pk=webhook_id, active=True)
    for webhook in outbox.due(mine, "send_webhook", webhook_id, app=__package__):
        another = _send_next(webhook)
        Webhook.objects.filter(pk=webhook_id, next_at=webhook.next_at).update(next_at=database_time.now())
        if not another:
            return


def ping(*, by: Account, webhook: Webhook) -> Delivery:
    """Send a ``ping`` once, whether the webhook is active or not, and return its delivery."""
    delivery = _new_ping(by, webhook)
    _attempt(delivery)
    return delivery


@transaction.atomic
def queue_ping(*, by: Account, webhook: Webhook) -> Delivery:
    """Return the delivery of a ``ping`` that a worker sends once; one that is lost is not sent again."""
    delivery = _new_ping(by, webhook)
    queue.after_commit("send_ping", delivery.id, app=__package__)
    return delivery


def _new_ping(by: Account, webhook: Webhook) -> Delivery:
    permissions.require_organiser(webhook.club_id, by)
    payload = {"competition": None}
    return Delivery.objects.create(webhook=webhook, kind=Delivery.Kind.PING, payload=payload, next_at=None)


def send_ping(*, delivery_id: UUID) -> None:
    """Send a ``ping`` that nobody has sent yet."""
    waiting = Delivery.objects.filter(id=delivery_id, status=Delivery.Status.WAITING, attempts=0)
    delivery = waiting.select_related("webhook__club").first()
    if delivery is not None:
        _attempt(delivery)


def _send_next(webhook: Webhook) -> bool:
    """Send the first delivery that is due; return whether another should follow at once."""
    due = Delivery.objects.filter(
        webhook=webhook, status=Delivery.Status.WAITING, next_at__lte=database_time.now()
    )
    delivery = due.select_related("webhook__club").order_by("number").first()
    if delivery is None:
        return False
    answered = _attempt(delivery)
    _follow(webhook, delivery)
    if not answered and delivery.next_at:
        due.update(next_at=delivery.next_at)
    return answered


def _attempt(delivery: Delivery) -> bool:
    """Send a delivery once and store the outcome; return whether the server answered."""
    webhook = delivery.webhook
    body, at = body_of(delivery), int(database_time.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Trefoil",
        **signed(keys_of(webhook), str(delivery.id), at, body),
    }
    answer: posting.Answer | None = None
    try:
        answer = posting.post(webhook.url, body, headers, private=settings.WEBHOOKS_PRIVATE)
        excerpt = answer.excerpt
    except posting.Unreachable as error:
        excerpt = str(error)
    status = Delivery.Status.DELIVERED if answer and answer.taken else None
    outbox.settle(
        delivery,
        status,
        last=delivery.kind == Delivery.Kind.PING,
        tried_at=database_time.now(),
        code=answer.code if answer else None,
        answer=excerpt[: posting.EXCERPT],
    )
    return answer is not None


def body_of(delivery: Delivery) -> bytes:
    """Return the body of a delivery: the same bytes at every attempt."""
    body: dict[str, Any] = {
        "id": str(delivery.id),
        "number": delivery.number,
        "kind": delivery.kind,
        "at": stamp(delivery.at),
        "club": delivery.webhook.club.slug,
        **dict(sorted(delivery.payload.items())),
    }
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _follow(webhook: Webhook, delivery: Delivery) -> None:
    """Note since when a webhook refuses deliveries, and stop it after `_GIVEN_UP_AFTER`."""
    if delivery.status == Delivery.Status.DELIVERED:
        Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)
        return
    now = database_time.now()
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    long_ago = Webhook.objects.filter(pk=webhook.pk, active=True, failing_since__lt=now - _GIVEN_UP_AFTER)
    if long_ago.update(active=False, stopped_at=now):
        _write_stopped(webhook)


def _write_stopped(webhook: Webhook) -> None:
    """Write emails to the organisers of a club that a webhook of the club was stopped."""
    directors = Member.objects.filter(club=webhook.club_id, role__in=DIRECTORS).values("account")
    accounts = Account.objects.filter(pk__in=directors, is_active=True).exclude(email="")
    key, about = f"{webhook.pk}:{database_time.now():%Y-%m-%d}", {"webhook": str(webhook.pk)}
    emails.write_for(accounts, kind="webhook_stopped", club=webhook.club, key=key, about=about)
