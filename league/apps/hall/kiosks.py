"""Kiosks on the desk: a link for a device, whether one has opened it, and the end of it."""

from typing import Any

from django.contrib import admin, messages
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ClubScopedAdmin, directed_ids, display
from league.admin.fields import WallTimeField
from league.admin.site import desk
from league.models import Kiosk
from league.queries.competitions import running_competitions
from league.queries.hall import link_to
from league.requests import account_in, site_address
from league.services.hall import make_kiosk, renew_kiosk, revoke_kiosk


@admin.register(Kiosk, site=desk)
class KioskAdmin(ClubScopedAdmin[Kiosk]):
    """Devices that serve one competition without an account."""

    club_path = "competition__club"
    may_add = True
    add_title = gettext_lazy("Add a kiosk")
    add_fields = ("competition", "name", "expires_at")
    fields = (*add_fields, "state", "maker", "made_at", "opened_at", "seen_at")
    buttons = ("renew", "revoke")
    list_display = ("name", "competition", "state", "expires_at", "seen_at", "maker")
    list_filter = (("competition", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("competition__club", "made_by")
    search_fields = ("name", "competition__name")
    below_form = "admin/kiosk.html"

    @display(
        description=gettext_lazy("status"),
        label={"in use": "good", "waiting": "", "revoked": "bad", "expired": "warn"},
    )
    def state(self, kiosk: Kiosk) -> tuple[str, Any]:
        if kiosk.revoked_at:
            return "revoked", _("revoked")
        if not kiosk.is_open:
            return "expired", _("expired")
        return ("in use", _("in use")) if kiosk.opened_at else ("waiting", _("waits for a device"))

    @display(description=gettext_lazy("made by"), ordering="made_by__username")
    def maker(self, kiosk: Kiosk) -> str:
        return kiosk.made_by.username

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Ask for a time with one field of the browser's own."""
        if db_field.name != "expires_at":
            return super().formfield_for_dbfield(db_field, request, **kwargs)
        help_text = _("In the club’s time; three days at most.")
        return db_field.formfield(form_class=WallTimeField, help_text=help_text)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only competitions that are not over, of clubs that the caller directs."""
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "competition":
            field.queryset = running_competitions().filter(club__in=directed_ids(request))
        return field

    def save_model(self, request: HttpRequest, obj: Kiosk, form: Any, change: bool) -> None:
        """Make the kiosk."""
        made = make_kiosk(by=account_in(request), **form.cleaned_data)
        obj.pk, obj.salt = made.pk, made.salt

    def response_add(self, request: HttpRequest, obj: Kiosk, *args: Any, **kwargs: Any) -> HttpResponse:
        """Go to the kiosk's page, which has the link."""
        return redirect(f"admin:{self.url_name('change')}", obj.pk)

    def row_context(self, request: HttpRequest, row: Kiosk | None) -> dict[str, Any]:
        """Return the kiosk for its buttons while it works, and its link until a device has opened it."""
        working = row if row and row.is_open and self.directs(request, row) else None
        path = link_to(working) if working and not working.opened_at else ""
        known = site_address(request)
        site = known or request.build_absolute_uri("/").rstrip("/")
        link = f"{site}{path}" if path else ""
        return {"kiosk": working, "path": path, "link": link, "this_machine_only": not known}

    def renew(self, request: HttpRequest, kiosk: Kiosk) -> None:
        """Give the kiosk a new link, for another device."""
        renew_kiosk(by=account_in(request), kiosk=kiosk)
        messages.success(request, _("The kiosk has a new link. The old device no longer works."))

    def revoke(self, request: HttpRequest, kiosk: Kiosk) -> None:
        """End the kiosk."""
        revoke_kiosk(by=account_in(request), kiosk=kiosk)
        messages.success(request, _("The kiosk is revoked."))
