"""Webhooks of a club: made, changed, tested, removed; and what happens is written down for them.

What a webhook is told is public already. Sending is `league.services.deliveries`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.refusals import Illegal
from games.models import Game
from league import permissions
from league.competition import events
from league.log import Appended
from league.models import Account, Club, ClubChange, ClubGame, Competition, Delivery, Webhook
from league.models.webhooks import new_salt
from league.services import hints
from league.services.changes import Values, note_change
from league.services.checking import check
from league.services.derived import derived

_Kind: Final = Webhook.Kind
_Change: Final = ClubChange.Kind
_PREFIX: Final = "whsec_"
_MOST: Final = 10

_TOLD: Final[Mapping[type[events.Event], Webhook.Kind]] = {
    events.Opened: _Kind.COMPETITION_OPENED,
    events.Started: _Kind.COMPETITION_STARTED,
    events.Published: _Kind.ROUND_PUBLISHED,
    events.RoundClosed: _Kind.ROUND_CLOSED,
    events.Finished: _Kind.COMPETITION_FINISHED,
    events.Cancelled: _Kind.COMPETITION_FINISHED,
    events.ResultRecorded: _Kind.RESULT,
    events.Ruled: _Kind.RESULT,
    events.NoShow: _Kind.RESULT,
    events.Forfeited: _Kind.RESULT,
    events.WalkedOver: _Kind.RESULT,
    events.Voided: _Kind.RESULT,
    events.Adjusted: _Kind.RESULT,
}
"""The events that webhooks are told of; the others change nothing that the public waits for."""


# ---- An organiser's verbs ------------------------------------------------------------------------


@dataclass(frozen=True)
class NewWebhook:
    """A webhook and its secret, which is told now and never again."""

    webhook: Webhook
    secret: str = field(repr=False)


@transaction.atomic
def create_webhook(*, by: Account, club: Club, url: str, kinds: Sequence[str]) -> NewWebhook:
    """Return a new webhook with its secret; raises `Malformed`, `Illegal`, and PermissionDenied."""
    permissions.require_organiser(club.pk, by)
    # The club's row is the lock: two at once can't both be the last that there may be.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if Webhook.objects.filter(club=club).count() >= _MOST:
        raise Illegal(_("A club has at most %(most)d webhooks.") % {"most": _MOST})
    webhook = Webhook(club=club, url=url, kinds=_in_order(kinds))
    check(webhook)
    webhook.save(force_insert=True)
    _note(by, _Change.WEBHOOK_MADE, webhook, {}, _values(webhook))
    return NewWebhook(webhook, secret_of(webhook))


@transaction.atomic
def change_webhook(*, by: Account, webhook: Webhook, url: str, kinds: Sequence[str], active: bool) -> Webhook:
    """Return the webhook with these values; made active again it starts afresh, with what still waits."""
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
        hints.after_commit("send_webhook", changed.pk)
    return changed


@transaction.atomic
def renew_secret(*, by: Account, webhook: Webhook) -> NewWebhook:
    """Give the webhook another secret; from now on everything is signed with that one."""
    permissions.require_organiser(webhook.club_id, by)
    changed = Webhook.objects.select_for_update().get(pk=webhook.pk)
    changed.salt = new_salt()
    changed.save(update_fields=["salt"])
    _note(by, _Change.WEBHOOK_CHANGED, changed, {"secret": None}, {"secret": _("another one")})
    return NewWebhook(changed, secret_of(changed))


@transaction.atomic
def remove_webhook(*, by: Account, webhook: Webhook) -> None:
    """Remove the webhook with its deliveries; a second time changes nothing."""
    permissions.require_organiser(webhook.club_id, by)
    found = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if found is not None:
        _note(by, _Change.WEBHOOK_REMOVED, found, _values(found), {})
        found.delete()


@transaction.atomic
def resend(*, by: Account, delivery: Delivery) -> Delivery:
    """Send a delivery once more, with all its attempts before it; raises `Illegal` while it cannot go out."""
    permissions.require_organiser(delivery.webhook.club_id, by)
    if not delivery.webhook.active:
        raise Illegal(_("Make the webhook active first."))
    if delivery.kind == Delivery.Kind.PING:
        raise Illegal(_("A test is not sent again: make a new one."))
    Delivery.objects.filter(pk=delivery.pk).update(
        status=Delivery.Status.WAITING, attempts=0, next_at=timezone.now()
    )
    hints.after_commit("send_webhook", delivery.webhook_id)
    delivery.refresh_from_db()
    return delivery


def secret_of(webhook: Webhook) -> str:
    """Return what the webhook's deliveries are signed with. Only who makes or renews it is told."""
    return _PREFIX + derived("webhook", webhook.pk, webhook.salt)


def _in_order(kinds: Sequence[str]) -> list[str]:
    return sorted({*kinds})


def _values(webhook: Webhook) -> Values:
    return {"host": webhook.host, "kinds": ", ".join(webhook.kinds), "active": webhook.active}


def _note(by: Account, kind: str, webhook: Webhook, before: Values, after: Values) -> None:
    note_change(by=by, club=webhook.club, kind=kind, subject=webhook.host, before=before, after=after)


# ---- What is told --------------------------------------------------------------------------------


def tell_of_events(appended: Appended) -> None:
    """Write down, in the transaction of the events themselves, what webhooks will be told of them."""
    competition = appended.competition
    first = competition.seq - len(appended.events) + 1
    told = [
        (_TOLD[type(event)], {"seq": seq, "event": events.write(event)})
        for seq, event in enumerate(appended.events, first)
        if type(event) in _TOLD
    ]
    _write(competition.club_id, [(kind, {"competition": _named(competition), **told}) for kind, told in told])


def tell_of_standings(competition: Competition) -> None:
    """Write down that a competition's standings are new; in the transaction that computed them."""
    payload = {"competition": _named(competition), "as_of": competition.seq}
    _write(competition.club_id, [(_Kind.STANDINGS_CHANGED, payload)])


def tell_of_game(game: Game) -> None:
    """Write down that a club's game is over; in the transaction of its last entry."""
    place = ClubGame.objects.select_related("competition").filter(game=game.pk).first()
    if place is not None:
        told = {
            "id": str(game.pk),
            "ruleset": game.ruleset,
            "status": game.status,
            "seats": game.result["seats"] if game.result else [],
        }
        named = _named(place.competition) if place.competition else None
        _write(place.club_id, [(_Kind.GAME_OVER, {"competition": named, "game": told})])


def _named(competition: Competition) -> Mapping[str, str]:
    return {"id": str(competition.pk), "slug": competition.slug, "name": competition.name}


def _write(club: Any, told: Sequence[tuple[Webhook.Kind, Mapping[str, Any]]]) -> None:
    """Write a delivery for each thing that a webhook of the club wants to know, in order."""
    kinds = {kind for kind, _payload in told}
    if not kinds:
        return
    webhooks = Webhook.objects.filter(club=club, active=True, kinds__overlap=sorted(kinds)).order_by("pk")
    for webhook in webhooks:
        Delivery.objects.bulk_create(
            Delivery(webhook=webhook, kind=kind, payload=payload)
            for kind, payload in told
            if kind in webhook.kinds
        )
        hints.after_commit("send_webhook", webhook.pk)
