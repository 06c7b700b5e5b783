"""Webhooks of a club: made, changed, tested and removed by its organisers."""

from base64 import b64encode, urlsafe_b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games import database_time
from games.engine.refusals import Illegal
from league.apps.webhooks.models import Delivery, Webhook
from league.models import Account, Club, ClubChange
from league.ops.secret import new_salt
from league.queries import permissions
from league.queries.links import derived
from league.services import queue
from league.services.audit import Values, note_change
from league.services.checking import check

_Kind: Final = Webhook.Kind
_Change: Final = ClubChange.Kind
_PREFIX: Final = "whsec_"
_MOST: Final = 10
OVERLAP: Final = timedelta(days=1)
"""How long the former secret is good beside a new one."""


@dataclass(frozen=True)
class NewWebhook:
    """A webhook and its secret, which is shown this once."""

    webhook: Webhook
    secret: str = field(repr=False)


@transaction.atomic
def create_webhook(*, by: Account, club: Club, url: str, kinds: Sequence[str]) -> NewWebhook:
    """Return a new webhook with its secret; raises `Malformed`, `Illegal`, and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    # The club's row is the lock: two at once can't both be the last that there may be.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if Webhook.objects.filter(club=club).count() >= _MOST:
        raise Illegal("A club has at most %(most)s webhooks.", most=_MOST)
    webhook = Webhook(club=club, url=url, kinds=_in_order(kinds))
    check(webhook)
    webhook.save(force_insert=True)
    _note(by, _Change.WEBHOOK_MADE, webhook, {}, _values(webhook))
    return NewWebhook(webhook, secret_of(webhook))


@transaction.atomic
def change_webhook(*, by: Account, webhook: Webhook, url: str, kinds: Sequence[str], active: bool) -> Webhook:
    """Return the webhook with these values; made active again, it gets the deliveries that still wait."""
    permissions.require_organiser(webhook.club_id, by)
    changed = Webhook.objects.select_for_update().get(pk=webhook.pk)
    before = _values(changed)
    if active and not changed.active:
        changed.failing_since = changed.stopped_at = None
    changed.url, changed.kinds, changed.active = url, _in_order(kinds), active
    check(changed)
    changed.save(update_fields=["url", "kinds", "active", "failing_since", "stopped_at"])
    _note(by, _Change.WEBHOOK_CHANGED, changed, before, _values(changed))
    if active:
        queue.after_commit("send_webhook", changed.pk, app=__package__)
    return changed


@transaction.atomic
def renew_secret(*, by: Account, webhook: Webhook) -> NewWebhook:
    """Give the webhook another secret; for a day every delivery is signed with the former one, too."""
    permissions.require_organiser(webhook.club_id, by)
    changed = Webhook.objects.select_for_update().get(pk=webhook.pk)
    changed.former_salt, changed.former_until = changed.salt, database_time.now() + OVERLAP
    changed.salt = new_salt()
    changed.save(update_fields=["salt", "former_salt", "former_until"])
    _note(by, _Change.WEBHOOK_CHANGED, changed, {"secret": None}, {"secret": _("another one")})
    return NewWebhook(changed, secret_of(changed))


@transaction.atomic
def remove_webhook(*, by: Account, webhook: Webhook) -> None:
    """Remove the webhook with its deliveries; a second time changes nothing."""
    permissions.require_organiser(webhook.club_id, by)
    stored = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if stored is not None:
        _note(by, _Change.WEBHOOK_REMOVED, stored, _values(stored), {})
        stored.delete()


@transaction.atomic
def resend(*, by: Account, delivery: Delivery) -> Delivery:
    """Send a delivery once more, with all its attempts before it; raises `Illegal` while it cannot go out."""
    permissions.require_organiser(delivery.webhook.club_id, by)
    if not delivery.webhook.active:
        raise Illegal("Make the webhook active first.")
    if delivery.kind == Delivery.Kind.PING:
        raise Illegal("A test is not sent again: send a new one.")
    Delivery.objects.filter(pk=delivery.pk).update(
        status=Delivery.Status.WAITING, attempts=0, next_at=database_time.now()
    )
    queue.after_commit("send_webhook", delivery.webhook_id, app=__package__)
    delivery.refresh_from_db()
    return delivery


def secret_of(webhook: Webhook) -> str:
    """Return the secret that signs the webhook's deliveries; shown only to whoever makes or renews it."""
    return _PREFIX + b64encode(_key(webhook, webhook.salt)).decode()


def keys_of(webhook: Webhook) -> Sequence[bytes]:
    """Return the keys that sign the webhook's deliveries now, the present one first."""
    overlaps = webhook.former_until and webhook.former_until > database_time.now()
    return [_key(webhook, salt) for salt in (webhook.salt, *([webhook.former_salt] if overlaps else []))]


def _key(webhook: Webhook, salt: str) -> bytes:
    """Return 32 bytes."""
    return urlsafe_b64decode(derived("webhook", webhook.pk, salt) + "=")


def _in_order(kinds: Sequence[str]) -> list[str]:
    return sorted({*kinds})


def _values(webhook: Webhook) -> Values:
    return {"host": webhook.host, "kinds": ", ".join(webhook.kinds), "active": webhook.active}


def _note(by: Account, kind: str, webhook: Webhook, before: Values, after: Values) -> None:
    note_change(by, webhook.club, kind, webhook.host, before=before, after=after)
