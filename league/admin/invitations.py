"""Invitations on the desk: by e-mail, with a role, and perhaps as one of the club's players."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from league import services
from league.admin.scope import OfClubs, said
from league.admin.site import desk
from league.models import Invitation
from league.services.invitations import masked
from league.views.callers import caller


@admin.register(Invitation, site=desk)
class InvitationAdmin(OfClubs[Invitation]):
    """Who was asked to join, and who has."""

    may_add = True
    list_display = ("address", "role", "player", "state", "expires_at", "inviter", "club")
    list_filter = ("role", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club", "player", "made_by", "accepted_by")
    search_fields = ("email", "player__search_name")
    radio_fields = {"role": admin.VERTICAL}
    change_form_outer_after_template = "admin/invitation.html"

    @display(
        description=gettext_lazy("status"),
        label={"open": "info", "accepted": "success", "revoked": "danger", "expired": "warning"},
    )
    def state(self, invitation: Invitation) -> tuple[str, Any]:
        """Return what became of it."""
        if invitation.accepted_at:
            return "accepted", _("accepted")
        if invitation.revoked_at:
            return "revoked", _("revoked")
        return ("open", _("open")) if invitation.is_open else ("expired", _("too old"))

    @display(description=gettext_lazy("e-mail address"), ordering="email")
    def address(self, invitation: Invitation) -> str:
        """Return enough of the address to know it again: a list is easily taken along."""
        return masked(invitation.email)

    @display(description=gettext_lazy("status"))
    def standing(self, invitation: Invitation) -> str:
        """Return what became of it, in words."""
        return str(self.state(invitation)[1])

    @display(description=gettext_lazy("invited by"), ordering="made_by__username")
    def inviter(self, invitation: Invitation) -> str:
        """Return who sent it."""
        return invitation.made_by.username

    @display(description=gettext_lazy("accepted by"))
    def guest(self, invitation: Invitation) -> str:
        """Return which account accepted it."""
        return invitation.accepted_by.username if invitation.accepted_by else "–"

    def get_fields(self, request: HttpRequest, obj: Invitation | None = None) -> tuple[str, ...]:
        """Return what is asked of a new one, and what is known of any other."""
        asked = ("club", "email", "role", "player")
        return (*asked, "standing", "inviter", "made_at", "expires_at", "guest") if obj else asked

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the players who have no account yet."""
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "player":
            field.queryset = field.queryset.filter(account=None, active=True)  # type: ignore[union-attr]
            field.empty_label = _("none: the club’s player is linked later")
            field.help_text = _("Who accepts plays this player’s seats from then on.")
        return field

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the invitation, with buttons while it can still be used."""
        found = self.get_object(request, object_id) if object_id else None
        waits = found and self.directs(request, found) and not (found.accepted_at or found.revoked_at)
        context = {"invitation": found if waits else None, **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        """Send the invitation."""
        obj.pk = services.invite(by=caller(request), **form.cleaned_data).pk

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and those of the two buttons."""
        again, revoke = self.admin_site.admin_view(self.again), self.admin_site.admin_view(self.revoke)
        return [
            path("<uuid:pk>/again/", again, name="league_invitation_again"),
            path("<uuid:pk>/revoke/", revoke, name="league_invitation_revoke"),
            *super().get_urls(),
        ]

    def again(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Send it again, by a new link."""
        invitation = self._directed(request, pk)
        if request.method == "POST":
            said(request, lambda: self._done(request, services.send_invitation_again, invitation))
        return redirect("admin:league_invitation_change", pk)

    def revoke(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Make its link worthless."""
        invitation = self._directed(request, pk)
        if request.method == "POST":
            said(request, lambda: self._done(request, services.revoke_invitation, invitation))
        return redirect("admin:league_invitation_change", pk)

    def _done(self, request: HttpRequest, verb: Any, invitation: Invitation) -> HttpResponse:
        verb(by=caller(request), invitation=invitation)
        messages.success(request, _("Done."))
        return HttpResponse()

    def _directed(self, request: HttpRequest, pk: UUID) -> Invitation:
        invitation: Invitation | None = self.get_object(request, str(pk))
        if invitation is None:
            raise Http404
        if not self.directs(request, invitation):
            raise PermissionDenied
        return invitation
