"""Webhooks on the desk: made, tested and watched; and the log of what they were told."""

from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.postgres.forms import SimpleArrayField
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables
from unfold.decorators import display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminTextInputWidget

from league import services
from league.admin.scope import OfClubs, said
from league.admin.site import desk
from league.models import Delivery, Webhook
from league.services.webhooks import NewWebhook
from league.views.callers import caller

SHOWN: Final = 15
"""Deliveries on a webhook's own page."""


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]
    """Where a webhook leads and what it is told."""

    kinds = SimpleArrayField(forms.CharField())

    class Meta:
        model = Webhook
        fields = ("club", "url", "kinds", "active")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kinds"] = forms.MultipleChoiceField(
            label=gettext_lazy("What it is told"),
            choices=Webhook.Kind.choices,
            widget=UnfoldAdminCheckboxSelectMultipleWidget,
        )
        self.fields["url"].widget = UnfoldAdminTextInputWidget(attrs={"inputmode": "url"})
        self.fields["url"].help_text = gettext_lazy(
            "An https address of a program that understands these messages: docs/api.md tells how."
        )


@admin.register(Webhook, site=desk)
class WebhookAdmin(OfClubs[Webhook]):
    """The addresses that are told what happens in the club."""

    form = WebhookForm
    may_add = may_change = True
    list_display = ("host", "state", "number_of_waiting", "number_of_failed", "club")
    list_display_links = ("host",)
    ordering = ("url", "pk")
    list_filter = ("active", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club",)
    search_fields = ("url",)
    change_form_outer_after_template = "admin/webhook.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        """Return the webhooks with how many deliveries wait and failed."""
        status = Delivery.Status
        return (
            super()
            .get_queryset(request)
            .annotate(
                waiting=Count("deliveries", filter=Q(deliveries__status=status.WAITING)),
                failed=Count("deliveries", filter=Q(deliveries__status=status.FAILED)),
            )
        )

    @display(description=gettext_lazy("host"), ordering="url")
    def host(self, webhook: Webhook) -> str:
        """Return whose address it is."""
        return webhook.host

    @display(
        description=gettext_lazy("status"),
        ordering="active",
        label={"active": "success", "failing": "warning", "stopped": "danger", "off": "default"},
    )
    def state(self, webhook: Webhook) -> tuple[str, Any]:
        """Return whether what it is told arrives."""
        if webhook.stopped_at:
            return "stopped", _("stopped, for nothing was taken for days")
        if not webhook.active:
            return "off", _("switched off")
        return ("failing", _("failing")) if webhook.failing_since else ("active", _("active"))

    @display(description=gettext_lazy("waiting"), ordering="waiting")
    def number_of_waiting(self, webhook: Webhook) -> Any:
        """Return how many deliveries wait."""
        return getattr(webhook, "waiting", 0)

    @display(description=gettext_lazy("failed"), ordering="failed")
    def number_of_failed(self, webhook: Webhook) -> Any:
        """Return how many deliveries were given up."""
        return getattr(webhook, "failed", 0)

    # ---- Its form --------------------------------------------------------------------------------

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> tuple[str, ...]:
        """Return what is asked; a new one is active."""
        return ("club", "url", "kinds", "active") if obj else ("club", "url", "kinds")

    def get_readonly_fields(self, request: HttpRequest, obj: Webhook | None = None) -> tuple[str, ...]:
        """Return the club of a webhook that has one."""
        return ("club",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Webhook | None = None) -> bool:
        return self.has_change_permission(request, obj)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the webhook with what it was told last."""
        webhook = self.get_object(request, object_id) if object_id else None
        context = {"webhook": webhook, "deliveries": _last(webhook), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        """Make or change the webhook; a new one's secret is kept for the answer to this very request."""
        told, by = form.cleaned_data, caller(request)
        if change:
            services.change_webhook(
                by=by, webhook=obj, url=told["url"], kinds=told["kinds"], active=told["active"]
            )
            return
        made = services.create_webhook(by=by, club=told["club"], url=told["url"], kinds=told["kinds"])
        obj.pk = made.webhook.pk
        request.made = made  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Webhook, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Tell the secret, in this answer and never again."""
        return self._secret_shown(request, request.made)  # type: ignore[attr-defined]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], Any]:
        """Return what goes with a webhook: its deliveries, which need no right of their own."""
        found, counts, _missing, protected = super().get_deleted_objects(objs, request)
        return found, counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: Webhook) -> None:
        """Remove it with its deliveries."""
        services.remove_webhook(by=caller(request), webhook=obj)

    # ---- What else can be done with it -----------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of the two buttons."""
        ping, renew = self.admin_site.admin_view(self.ping), self.admin_site.admin_view(self.renew)
        return [
            path("<uuid:pk>/ping/", ping, name="league_webhook_ping"),
            path("<uuid:pk>/secret/", renew, name="league_webhook_secret"),
            *super().get_urls(),
        ]

    def ping(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Send a test and say how it went."""
        webhook = self._directed(request, pk)
        if request.method == "POST":
            sent = services.ping(by=caller(request), webhook=webhook)
            if sent.status == Delivery.Status.DELIVERED:
                messages.success(request, _("The test has arrived: %(code)d.") % {"code": sent.code})
            else:
                messages.error(request, _("The test was not taken: %(why)s") % {"why": outcome(sent)})
        return redirect("admin:league_webhook_change", pk)

    def renew(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Give it another secret and tell that, in this answer and never again."""
        webhook = self._directed(request, pk)
        if request.method != "POST":
            return redirect("admin:league_webhook_change", pk)
        return self._secret_shown(request, services.renew_secret(by=caller(request), webhook=webhook))

    def _directed(self, request: HttpRequest, pk: UUID) -> Webhook:
        webhook: Webhook | None = self.get_object(request, str(pk))
        if webhook is None:
            raise Http404
        if not self.directs(request, webhook):
            raise PermissionDenied
        return webhook

    @sensitive_variables("made", "context")
    def _secret_shown(self, request: HttpRequest, made: NewWebhook) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The secret of the webhook at %(host)s") % {"host": made.webhook.host},
            "why": _("It stands nowhere here. With it the other side checks that a message comes from us."),
            "back": "admin:league_webhook_change",
            "pk": made.webhook.pk,
            "secret": made.secret,
        }
        return TemplateResponse(request, "admin/secret.html", context)


def _last(webhook: Webhook | None) -> list[Delivery]:
    return list(Delivery.objects.filter(webhook=webhook)[:SHOWN]) if webhook else []


def outcome(delivery: Delivery) -> str:
    """Return what the last attempt met: a response code with what came with it, or why there was none."""
    return f"{delivery.code} {delivery.answer}".strip() if delivery.code else delivery.answer


@admin.register(Delivery, site=desk)
class DeliveryAdmin(OfClubs[Delivery]):
    """What webhooks were told, and how that went."""

    club_path = "webhook__club"
    list_display = ("number", "kind", "state", "attempts", "code", "tried_at", "next_at", "webhook_link")
    list_filter = ("status", "kind", "at", ("webhook", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("webhook__club",)
    search_fields = ("webhook__url", "answer", "id")
    search_help_text = gettext_lazy("A host, words of an answer, or the id of a delivery")
    ordering = ("-number",)
    fields = (
        *("number", "id", "webhook_link", "kind", "at", "status", "attempts"),
        *("tried_at", "next_at", "code", "answer", "payload"),
    )
    change_form_outer_after_template = "admin/delivery.html"

    @display(
        description=gettext_lazy("status"),
        ordering="status",
        label={"delivered": "success", "waiting": "info", "failed": "danger"},
    )
    def state(self, delivery: Delivery) -> tuple[str, str]:
        """Return how it went."""
        return delivery.status, delivery.get_status_display()

    @display(description=gettext_lazy("webhook"), ordering="webhook__url")
    def webhook_link(self, delivery: Delivery) -> str:
        """Return whom it was for, with the way there."""
        address = reverse("admin:league_webhook_change", args=[delivery.webhook_id])
        return format_html('<a href="{}">{}</a>', address, delivery.webhook.host)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the delivery, with a button to send it again."""
        delivery = self.get_object(request, object_id or "")
        mine = delivery is not None and self.directs(request, delivery)
        context = {"delivery": delivery if mine else None, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of the button."""
        again = self.admin_site.admin_view(self.again)
        return [path("<int:pk>/again/", again, name="league_delivery_again"), *super().get_urls()]

    def again(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send it once more."""
        delivery: Delivery | None = self.get_object(request, str(pk))
        if delivery is None:
            raise Http404
        if not self.directs(request, delivery):
            raise PermissionDenied
        if request.method == "POST":
            said(request, lambda: self._resent(request, delivery))
        return redirect("admin:league_delivery_change", pk)

    def _resent(self, request: HttpRequest, delivery: Delivery) -> HttpResponse:
        services.resend(by=caller(request), delivery=delivery)
        messages.success(request, _("It is on its way again."))
        return HttpResponse()
