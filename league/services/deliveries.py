"""Sending what webhooks are told: at least once each, one at a time for a webhook, signed (docs/api.md)."""

import hashlib
import hmac
import json
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.engine.chain import stamp
from league import permissions
from league.house import posting
from league.models import Account, Delivery, Webhook
from league.services import hints
from league.services.notices import tell_of_stopped
from league.services.webhooks import secret_of

MOST_ATTEMPTS: Final = 12
_FIRST_WAIT: Final = timedelta(seconds=30)
_LONGEST_WAIT: Final = timedelta(hours=6)
_GIVEN_UP_AFTER: Final = timedelta(days=3)
# Longer than any attempt: who holds it is sending, or gone.
_LEASE: Final = timedelta(seconds=4 * posting.TOTAL_SECONDS)
_MOST_AT_ONCE: Final = 20
_KEPT: Final = timedelta(days=90)


def wait_after(attempts: int) -> timedelta:
    """Return how long a delivery rests after so many attempts: 30 s, then three times as long, up to 6 h."""
    times: int = 3 ** (min(attempts, 10) - 1)
    return min(_LONGEST_WAIT, _FIRST_WAIT * times)


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the value of the header ``Trefoil-Signature``: the time in seconds, and the HMAC over both."""
    told = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={told}"


def send_webhook(*, webhook_id: UUID) -> None:
    """Send what is due to a webhook, in the order in which it happened, unless another worker is at it.

    What is not taken rests and is tried again, `MOST_ATTEMPTS` times; what follows goes on meanwhile. Where
    nothing answers at all, everything that waits rests as long.
    """
    for _turn in range(_MOST_AT_ONCE):
        lease = _leased(webhook_id)
        if lease is None:
            return
        try:
            goes_on = _send_next(Webhook.objects.get(pk=webhook_id))
        finally:
            Webhook.objects.filter(pk=webhook_id, busy_until=lease).update(busy_until=None)
        if not goes_on:
            return
    hints.after_commit("send_webhook", webhook_id)


def ping(*, by: Account, webhook: Webhook) -> Delivery:
    """Return a ``ping`` that was sent just now, once, whether the webhook is active or not."""
    permissions.require_organiser(webhook.club_id, by)
    delivery = Delivery.objects.create(
        webhook=webhook, kind=Delivery.Kind.PING, payload={"competition": None}, next_at=None
    )
    _attempt(delivery)
    return delivery


def forget_deliveries() -> None:
    """Remove the deliveries that are over, once nobody is likely to ask for them any more."""
    over = Delivery.objects.exclude(status=Delivery.Status.WAITING)
    over.filter(at__lt=timezone.now() - _KEPT).delete()


def _leased(webhook_id: UUID) -> datetime | None:
    """Return until when this worker alone sends to the webhook, None where another does or nothing should."""
    now = timezone.now()
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    taken = Webhook.objects.filter(free, pk=webhook_id, active=True).update(busy_until=now + _LEASE)
    return now + _LEASE if taken else None


def _send_next(webhook: Webhook) -> bool:
    """Send the first delivery that is due; return whether another should follow at once."""
    due = Delivery.objects.filter(
        webhook=webhook, status=Delivery.Status.WAITING, next_at__lte=timezone.now()
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
    """Send a delivery once and keep how that went; return whether anything was answered."""
    webhook = delivery.webhook
    body, at = body_of(delivery), int(timezone.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Trefoil",
        "Trefoil-Kind": delivery.kind,
        "Trefoil-Delivery": str(delivery.id),
        "Trefoil-Signature": signature(secret_of(webhook), at, body),
    }
    answer: posting.Answer | None = None
    try:
        answer = posting.post(webhook.url, body, headers, private=settings.WEBHOOKS_PRIVATE)
        said = answer.excerpt
    except posting.Unreachable as error:
        said = str(error)
    _keep(delivery, answer, said)
    return answer is not None


def body_of(delivery: Delivery) -> bytes:
    """Return what is sent: the same bytes at every attempt."""
    told: dict[str, Any] = {
        "id": str(delivery.id),
        "number": delivery.number,
        "kind": delivery.kind,
        "at": stamp(delivery.at),
        "club": delivery.webhook.club.slug,
        **dict(sorted(delivery.payload.items())),
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _keep(delivery: Delivery, answer: posting.Answer | None, said: str) -> None:
    status, now = Delivery.Status, timezone.now()
    delivery.attempts += 1
    delivery.tried_at, delivery.next_at = now, None
    delivery.code, delivery.answer = answer.code if answer else None, said[: posting.EXCERPT]
    if answer and answer.taken:
        delivery.status = status.DELIVERED
    elif delivery.attempts >= MOST_ATTEMPTS or delivery.kind == Delivery.Kind.PING:
        delivery.status = status.FAILED
    else:
        delivery.next_at = now + wait_after(delivery.attempts)
    # Not saved: a webhook that was removed meanwhile has taken its deliveries along.
    kept = ("attempts", "tried_at", "next_at", "code", "answer", "status")
    Delivery.objects.filter(pk=delivery.pk).update(**{name: getattr(delivery, name) for name in kept})


def _follow(webhook: Webhook, delivery: Delivery) -> None:
    """Let the webhook know since when nothing is taken, and give it up where that is too long."""
    if delivery.status == Delivery.Status.DELIVERED:
        Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)
        return
    now = timezone.now()
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    long_ago = Webhook.objects.filter(pk=webhook.pk, active=True, failing_since__lt=now - _GIVEN_UP_AFTER)
    if long_ago.update(active=False, stopped_at=now):
        tell_of_stopped(webhook)
