"""What webhooks are sent of what happens in a club, written in the transaction in which it happens.

All of it is public.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from games.models import Game
from league import hooks
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.queries import deliveries_due
from league.core import events
from league.hooks import upkeep
from league.log import Appended
from league.models import ClubGame, Competition, Email
from league.services import outbox, queue
from league.words import emails

_Kind: Final = Webhook.Kind

upkeep.WORK.append(upkeep.Work(f"{__package__}.tasks.send_webhook", deliveries_due, "next_at", "webhook"))


@upkeep.tidied.connect
def forget_deliveries() -> None:
    """Remove old deliveries that were delivered or failed."""
    outbox.forget(Delivery.objects.all(), "at")


@hooks.events_appended.connect
def write_events(appended: Appended) -> None:
    """Write the deliveries of a competition's new events, in the transaction of the events."""
    competition = appended.competition
    first = competition.seq - len(appended.events) + 1
    named = _named(competition)
    payloads = [
        (_Kind(event.announces), {"competition": named, "seq": seq, "event": events.write(event)})
        for seq, event in enumerate(appended.events, first)
        if event.announces
    ]
    if payloads:
        _write(competition.club_id, payloads)


@hooks.standings_computed.connect
def write_standings(competition: Competition) -> None:
    """Write the deliveries of new standings, in the transaction that computed them."""
    payload = {"competition": _named(competition), "as_of": competition.seq}
    _write(competition.club_id, [(_Kind.STANDINGS_CHANGED, payload)])


@hooks.game_ended.connect
def write_game(game: Game) -> None:
    """Write the deliveries of the end of a club's game, in the transaction of its last entry."""
    club_game = ClubGame.objects.select_related("competition").filter(game=game.pk).first()
    if club_game is not None:
        ended = {
            "id": str(game.pk),
            "ruleset": game.ruleset,
            "status": game.status,
            "seats": game.result["seats"] if game.result else [],
        }
        named = _named(club_game.competition) if club_game.competition else None
        _write(club_game.club_id, [(_Kind.GAME_OVER, {"competition": named, "game": ended})])


def _named(competition: Competition) -> Mapping[str, str]:
    return {"id": str(competition.pk), "slug": competition.slug, "name": competition.name}


def _write(club: UUID, payloads: Sequence[tuple[Webhook.Kind, Mapping[str, Any]]]) -> None:
    """Write a delivery of each payload, in order, for every webhook of the club that wants its kind."""
    kinds = sorted({kind for kind, _payload in payloads})
    webhooks = Webhook.objects.filter(club=club, active=True, kinds__overlap=kinds).order_by("pk")
    for webhook in webhooks:
        Delivery.objects.bulk_create(
            Delivery(webhook=webhook, kind=kind, payload=payload)
            for kind, payload in payloads
            if kind in webhook.kinds
        )
        queue.after_commit("send_webhook", webhook.pk, app=__package__)


@emails.variables_of("webhook_stopped")
def _of_stopped_webhook(email: Email) -> emails.Context | None:
    webhook = Webhook.objects.filter(pk=email.about["webhook"], active=False).first()
    if webhook is None:
        return None
    return {"webhook": webhook, "link": emails.address("admin:webhooks_webhook_change", webhook.pk)}
