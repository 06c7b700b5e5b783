"""Webhooks on the desk: set up, tested and watched, with the log of their deliveries."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.postgres.forms import SimpleArrayField
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from games import database_time
from league.admin.base import ClubScopedAdmin, display
from league.admin.fields import ChecksField
from league.admin.needs import MOST, PATIENCE, PROVIDERS, Clubs, Need
from league.admin.site import CLUB, desk
from league.apps.webhooks import deliveries
from league.apps.webhooks.models import Delivery, Webhook
from league.apps.webhooks.services import (
    NewWebhook,
    change_webhook,
    create_webhook,
    remove_webhook,
    renew_secret,
    resend,
)
from league.models import ClubChange
from league.requests import account_in
from league.words.times import point_in_time

SHOWN: Final = 15
"""The most deliveries on a webhook's page."""


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]
    """Where a webhook sends its messages, and which."""

    kinds = SimpleArrayField(forms.CharField())

    class Meta:
        model = Webhook
        fields = ("club", "url", "kinds", "active")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"] = ChecksField(
            label=gettext_lazy("What it is sent"), choices=Webhook.Kind.choices
        )
        self.fields["url"].widget = forms.TextInput(attrs={"inputmode": "url"})
        self.fields["url"].help_text = gettext_lazy(
            "The https address of a program that reads these messages. docs/api.md describes them."
        )


@admin.register(Webhook, site=desk)
class WebhookAdmin(ClubScopedAdmin[Webhook]):
    """The addresses that the server sends news of the club to."""

    form = WebhookForm
    may_add = may_change = may_delete = True
    add_title = gettext_lazy("Add a webhook")
    noted_as = (ClubChange.Kind.WEBHOOK_CHANGED,)
    add_fields = ("club", "url", "kinds")
    fields = (*add_fields, "active")
    fixed_fields = ("club",)
    buttons = ("ping", "secret")
    asks: ClassVar = {
        "secret": (
            gettext_lazy("Create a new secret"),
            gettext_lazy("The receiver needs the new secret within a day: then the former one ends."),
        )
    }
    list_display = ("host", "state", "number_of_waiting", "number_of_failed", "club")
    list_display_links = ("host",)
    ordering = ("url", "pk")
    list_filter = ("active", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club",)
    search_fields = ("url",)
    below_form = "webhooks/webhook.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        """Return the webhooks with the numbers of their waiting and failed deliveries."""
        status = Delivery.Status
        counts = {
            "waiting": Count("deliveries", filter=Q(deliveries__status=status.WAITING)),
            "failed": Count("deliveries", filter=Q(deliveries__status=status.FAILED)),
        }
        return super().get_queryset(request).annotate(**counts)

    @display(description=gettext_lazy("host"), ordering="url")
    def host(self, webhook: Webhook) -> str:
        return webhook.host

    @display(
        description=gettext_lazy("status"),
        ordering="active",
        label={"active": "good", "failing": "warn", "stopped": "bad", "off": ""},
    )
    def state(self, webhook: Webhook) -> tuple[str, Any]:
        """Return whether its messages arrive."""
        if webhook.stopped_at:
            return "stopped", _("stopped after days without an answer")
        if not webhook.active:
            return "off", _("switched off")
        return ("failing", _("failing")) if webhook.failing_since else ("active", _("active"))

    @display(description=gettext_lazy("waiting"), ordering="waiting")
    def number_of_waiting(self, webhook: Webhook) -> Any:
        return getattr(webhook, "waiting", 0)

    @display(description=gettext_lazy("failed"), ordering="failed")
    def number_of_failed(self, webhook: Webhook) -> Any:
        return getattr(webhook, "failed", 0)

    def row_context(self, request: HttpRequest, row: Webhook | None) -> dict[str, Any]:
        """Return the webhook with its latest deliveries."""
        latest = list(Delivery.objects.filter(webhook=row)[:SHOWN]) if row else []
        return {"webhook": row, "deliveries": latest}

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        """Create or change the webhook; `response_add` shows the secret of a new one."""
        values, by = form.cleaned_data, account_in(request)
        changed = {"url": values["url"], "kinds": values["kinds"]}
        if change:
            change_webhook(by=by, webhook=obj, active=values["active"], **changed)
            return
        made = create_webhook(by=by, club=values["club"], **changed)
        obj.pk = made.webhook.pk
        request.made = made  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Webhook, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the secret of a new webhook."""
        return self._show_secret(request, request.made)  # type: ignore[attr-defined]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], Any]:
        """Return what is deleted with a webhook: its deliveries, which need no permission of their own."""
        rows, counts, _missing, protected = super().get_deleted_objects(objs, request)
        return rows, counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: Webhook) -> None:
        """Delete the webhook with its deliveries."""
        remove_webhook(by=account_in(request), webhook=obj)

    # ---- Buttons ----------------------------------------------------------------------------------

    def ping(self, request: HttpRequest, webhook: Webhook) -> None:
        """Send a test and say whether it arrived."""
        sent = deliveries.ping(by=account_in(request), webhook=webhook)
        if sent.status == Delivery.Status.DELIVERED:
            messages.success(request, _("The test has arrived: %(code)d.") % {"code": sent.code})
        else:
            messages.error(request, _("The test has failed: %(why)s") % {"why": _outcome(sent)})

    def secret(self, request: HttpRequest, webhook: Webhook) -> HttpResponse:
        """Replace the secret and show the new one."""
        return self._show_secret(request, renew_secret(by=account_in(request), webhook=webhook))

    @sensitive_variables("made")
    def _show_secret(self, request: HttpRequest, made: NewWebhook) -> HttpResponse:
        title = _("The secret of the webhook at %(host)s") % {"host": made.webhook.host}
        why = _(
            "It won’t be shown again. The receiver uses it to check that messages come from this server. "
            "A former secret is good for another day."
        )
        return self.secret_page(request, made.webhook, made.secret, title, why)


def _outcome(delivery: Delivery) -> str:
    """Return the response of the last attempt, code first, or why there was none."""
    return f"{delivery.code} {delivery.answer}".strip() if delivery.code else delivery.answer


@admin.register(Delivery, site=desk)
class DeliveryAdmin(ClubScopedAdmin[Delivery]):
    """The messages sent to webhooks, and whether they arrived."""

    club_path = "webhook__club"
    buttons = ("again",)
    list_display = ("number", "kind", "state", "attempts", "code", "tried_at", "next_at", "webhook_link")
    list_filter = ("status", "kind", "at", ("webhook", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("webhook__club",)
    search_fields = ("webhook__url", "answer", "id")
    search_help_text = gettext_lazy("A host, part of an answer, or a delivery’s id")
    ordering = ("-number",)
    fields = (
        *("number", "id", "webhook_link", "kind", "at", "status", "attempts"),
        *("tried_at", "next_at", "code", "answer", "payload"),
    )
    below_form = "webhooks/delivery.html"

    @display(
        description=gettext_lazy("status"),
        ordering="status",
        label={"delivered": "good", "waiting": "", "failed": "bad"},
    )
    def state(self, delivery: Delivery) -> tuple[str, str]:
        return delivery.status, delivery.get_status_display()

    @display(description=gettext_lazy("webhook"), ordering="webhook__url")
    def webhook_link(self, delivery: Delivery) -> str:
        address = reverse("admin:webhooks_webhook_change", args=[delivery.webhook_id])
        return format_html('<a href="{}">{}</a>', address, delivery.webhook.host)

    def row_context(self, request: HttpRequest, row: Delivery | None) -> dict[str, Any]:
        """Return the delivery for its button."""
        return {"delivery": row if row is not None and self.directs(request, row) else None}

    def again(self, request: HttpRequest, delivery: Delivery) -> None:
        """Send the delivery again."""
        resend(by=account_in(request), delivery=delivery)
        messages.success(request, _("The message will be sent again."))


def failing_webhooks(clubs: Clubs) -> Iterator[Need]:
    """Yield the webhooks that are stopped, fail now, or had a message fail for good lately."""
    lately = Q(
        deliveries__status=Delivery.Status.FAILED, deliveries__tried_at__gt=database_time.now() - PATIENCE
    )
    given_up = Count("deliveries", filter=lately & ~Q(deliveries__kind=Delivery.Kind.PING))
    webhooks = Webhook.objects.filter(club__in=clubs).select_related("club").annotate(given_up=given_up)
    failing = Q(stopped_at__isnull=False) | Q(active=True, failing_since__isnull=False) | Q(given_up__gt=0)
    for webhook in webhooks.filter(failing).order_by("created_at", "pk")[:MOST]:
        address = reverse("admin:webhooks_webhook_change", args=[webhook.pk])
        since = webhook.failing_since or webhook.stopped_at
        given = {"host": webhook.host, "since": point_in_time(since) if since else ""}
        text = _webhook_trouble(webhook) % given
        yield Need(webhook.club.name, text, _("View"), address, webhook.failing_since)


def _webhook_trouble(webhook: Webhook) -> str:
    if webhook.stopped_at:
        return _("The webhook at %(host)s has not answered since %(since)s and is stopped.")
    if webhook.failing_since:
        return _("The webhook at %(host)s has not answered since %(since)s.")
    return _("The webhook at %(host)s has missed messages.")


PROVIDERS.append(failing_webhooks)
CLUB.append((gettext_lazy("Webhooks"), "webhooks_webhook"))
