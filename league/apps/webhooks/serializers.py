"""Webhooks and their deliveries, as organisers read them; a secret is in the answer that makes it alone."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from games.choices import GameStatus
from league.apps.webhooks.models import Delivery
from league.choices import Announced

KINDS = [*Announced.choices, *Delivery.Kind.choices]


class WebhookSerializer(serializers.Serializer[Any]):
    """A webhook, without its secret."""

    id = serializers.CharField()
    url = serializers.CharField()
    kinds = serializers.ListField(child=serializers.ChoiceField(Announced.choices))
    active = serializers.BooleanField()
    failing_since = serializers.DateTimeField(
        allow_null=True, help_text="Since when no message was taken; null where the last one was."
    )
    stopped_at = serializers.DateTimeField(
        allow_null=True, help_text="When the server stopped it, after three days without an answer."
    )
    former_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when messages are signed with the former secret, too."
    )
    created_at = serializers.DateTimeField()


class WebhookWithSecretSerializer(serializers.Serializer[Any]):
    """A webhook with a secret that is shown this once; null where an earlier request made the webhook."""

    webhook = WebhookSerializer()
    secret = serializers.CharField(allow_null=True)


_TEXT: Final[contract.Schema] = {"type": "string"}
_NUMBER: Final[contract.Schema] = {"type": "integer"}
_COMPETITION: Final = contract.named("NamedCompetition", "A competition.", id=_TEXT, slug=_TEXT, name=_TEXT)
_GAME: Final = contract.named(
    "EndedGame",
    "A game that is over.",
    id=_TEXT,
    ruleset=_TEXT,
    status={"enum": [*GameStatus.values]},
    seats=contract.list_of(contract.ref("SeatResult")),
)
_PAYLOADS: Final = (
    contract.named(
        "EventPayload",
        "An event in a competition's log.",
        competition=_COMPETITION,
        seq=_NUMBER,
        event=contract.ref(contract.EVENT),
    ),
    contract.named("StandingsPayload", "New standings.", competition=_COMPETITION, as_of=_NUMBER),
    contract.named(
        "GamePayload", "The end of a game.", competition=contract.nullable(_COMPETITION), game=_GAME
    ),
    contract.named("TestPayload", "A test.", competition={"type": "null"}),
)
PAYLOAD: Final = contract.component(
    "Payload", {"description": "What a message says, by its kind.", "anyOf": [*_PAYLOADS]}
)


@extend_schema_field(PAYLOAD)
class PayloadField(serializers.JSONField):
    """What a message says."""


class DeliverySerializer(serializers.Serializer[Any]):
    """A message to a webhook, and what came of it."""

    id = serializers.CharField(help_text="The message's `webhook-id`.")
    number = serializers.IntegerField(help_text="Messages are sent in this order; there are gaps.")
    kind = serializers.ChoiceField(KINDS)
    at = serializers.DateTimeField(help_text="When it happened.")
    status = serializers.ChoiceField(Delivery.Status.choices)
    attempts = serializers.IntegerField()
    tried_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.DateTimeField(allow_null=True)
    code = serializers.IntegerField(allow_null=True, help_text="The status of the last answer.")
    answer = serializers.CharField(
        allow_blank=True, help_text="The beginning of the last answer, or why there was none."
    )
    payload = PayloadField(help_text="What the message says beside id, number, kind, at and club.")
