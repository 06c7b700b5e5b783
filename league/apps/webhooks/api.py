"""Webhooks of a club: made, changed, tested and removed by its organisers, with what was sent to them."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.urls import URLPattern, URLResolver, include, path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.views.base import Operation, Resource, answers_made, created_or_found
from games.engine.shapes import Help, Length
from league.apps.webhooks.deliveries import queue_ping
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.queries import deliveries_of, webhooks_of
from league.apps.webhooks.serializers import (
    DeliverySerializer,
    WebhookSerializer,
    WebhookWithSecretSerializer,
)
from league.apps.webhooks.services import (
    change_webhook,
    create_webhook,
    remove_webhook,
    renew_secret,
    resend,
    secret_of,
)
from league.choices import Announced
from league.queries.clubs import club_at

ORGANISES = Operation(scopes=("club:organise",))


_Url: TypeAlias = Annotated[str, Length(1, 500), Help("an https address on the public internet")]
_Kinds: TypeAlias = Annotated[
    tuple[Literal[(*Announced.values,)], ...],  # type: ignore[valid-type]
    Length(1, len(Announced)),
    Help("what it is sent"),
]


@dataclass(frozen=True)
class NewWebhook:
    """A webhook of a club."""

    url: _Url
    kinds: _Kinds


@dataclass(frozen=True)
class WebhookChange:
    """A change of a webhook; what is left out stays."""

    url: _Url | None = None
    kinds: _Kinds | None = None
    active: Annotated[bool | None, Help("false pauses it")] = None


class BelowClub(Resource):
    """What organisers of a club see below its webhooks."""

    def webhooks(self) -> QuerySet[Webhook]:
        """Return the webhooks of the club in the address; raises PermissionDenied and Club.DoesNotExist."""
        account = self.account()
        return webhooks_of(club_at(self.kwargs["slug"]), account)

    def webhook(self) -> Webhook:
        """Return the webhook of the address; raises Webhook.DoesNotExist."""
        return self.webhooks().get(pk=self.kwargs["id"])


class Webhooks(BelowClub, ListAPIView[Webhook]):
    """A club's webhooks, the first made first."""

    serializer_class = WebhookSerializer
    filter_backends = ()
    operations = {
        "GET": ORGANISES,
        "POST": Operation(body=NewWebhook, scopes=("club:organise",), refuses=("illegal",), makes=True),
    }

    def get_queryset(self) -> QuerySet[Webhook]:
        return self.webhooks()

    @answers_made(WebhookWithSecretSerializer)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Create a webhook. Only this response shows its secret."""
        body: NewWebhook = self.body()
        account, club = self.account(), club_at(self.kwargs["slug"])
        made = self.once(
            account, lambda: create_webhook(by=account, club=club, url=body.url, kinds=body.kinds).webhook
        )
        webhook = self.webhooks().get(pk=made.id)
        shown = {"webhook": webhook, "secret": secret_of(webhook) if made.created else None}
        location = reverse("api:webhook", args=[club.slug, webhook.pk])
        return created_or_found(
            WebhookWithSecretSerializer(shown).data, created=made.created, location=location
        )


class WebhookDetail(BelowClub):
    """One webhook."""

    operations = {
        "GET": ORGANISES,
        "PATCH": Operation(body=WebhookChange, scopes=("club:organise",)),
        "DELETE": ORGANISES,
    }

    @extend_schema(responses=WebhookSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return Response(WebhookSerializer(self.webhook()).data)

    @extend_schema(responses=WebhookSerializer)
    def patch(self, request: Request, **kwargs: Any) -> Response:
        """Change a webhook; `active` false pauses it, true lets it go on with what waits."""
        body: WebhookChange = self.body()
        webhook = self.webhook()
        changed = change_webhook(
            by=self.account(),
            webhook=webhook,
            url=webhook.url if body.url is None else body.url,
            kinds=webhook.kinds if body.kinds is None else body.kinds,
            active=webhook.active if body.active is None else body.active,
        )
        return Response(WebhookSerializer(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, **kwargs: Any) -> Response:
        """Remove a webhook with its deliveries."""
        remove_webhook(by=self.account(), webhook=self.webhook())
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecret(BelowClub):
    """The secret that signs a webhook's messages."""

    operations = {"POST": Operation(body=bodies.Nothing, scopes=("club:organise",))}

    @extend_schema(responses={200: WebhookWithSecretSerializer})
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Make another secret, which only this response shows. The former one is good for another day."""
        self.body()
        made = renew_secret(by=self.account(), webhook=self.webhook())
        return Response(WebhookWithSecretSerializer({"webhook": made.webhook, "secret": made.secret}).data)


class WebhookTest(BelowClub):
    """A test of a webhook."""

    operations = {"POST": Operation(body=bodies.Nothing, scopes=("club:organise",))}

    @extend_schema(responses={202: DeliverySerializer})
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Have a `ping` sent once, also to a paused webhook; the delivery says what came of it."""
        self.body()
        webhook = self.webhook()
        delivery = queue_ping(by=self.account(), webhook=webhook)
        return _accepted(webhook, delivery)


class Deliveries(BelowClub, ListAPIView[Delivery]):
    """A webhook's messages, the latest first. They are kept for 90 days."""

    serializer_class = DeliverySerializer
    filter_backends = ()
    operations = {"GET": ORGANISES}

    def get_queryset(self) -> QuerySet[Delivery]:
        return deliveries_of(self.webhook())


class DeliveryDetail(BelowClub):
    """One message to a webhook."""

    operations = {"GET": ORGANISES}

    @extend_schema(responses=DeliverySerializer)
    def get(self, request: Request, delivery: UUID, **kwargs: Any) -> Response:
        return Response(DeliverySerializer(deliveries_of(self.webhook()).get(id=delivery)).data)


class Resend(BelowClub):
    """A message that is sent again."""

    operations = {
        "POST": Operation(body=bodies.Nothing, scopes=("club:organise",), refuses=("illegal",)),
    }

    @extend_schema(responses={202: DeliverySerializer})
    def post(self, request: Request, delivery: UUID, **kwargs: Any) -> Response:
        """Send a message once more, with all its attempts before it."""
        self.body()
        webhook = self.webhook()
        sent = resend(by=self.account(), delivery=deliveries_of(webhook).get(id=delivery))
        return _accepted(webhook, sent)


def _accepted(webhook: Webhook, delivery: Delivery) -> Response:
    """Return the answer where a worker does the work: 202 with the address that tells what came of it."""
    location = reverse("api:delivery", args=[webhook.club.slug, webhook.pk, delivery.id])
    return Response(DeliverySerializer(delivery).data, status=202, headers={"Location": location})


_OF_WEBHOOK: list[URLPattern | URLResolver] = [
    path("", WebhookDetail.as_view(), name="webhook"),
    path("secret/", WebhookSecret.as_view(), name="webhook-secret"),
    path("test/", WebhookTest.as_view(), name="webhook-test"),
    path("deliveries/", Deliveries.as_view(), name="deliveries"),
    path("deliveries/<uuid:delivery>/", DeliveryDetail.as_view(), name="delivery"),
    path("deliveries/<uuid:delivery>/resend/", Resend.as_view(), name="resend"),
]
urlpatterns = [
    path("clubs/<slug:slug>/webhooks/", Webhooks.as_view(), name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<uuid:id>/", include(_OF_WEBHOOK)),
]
