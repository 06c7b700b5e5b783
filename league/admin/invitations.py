"""Invitations on the desk: by email, with a role, and for one of the club's players if wanted."""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.forms import ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from league.admin.base import ClubScopedAdmin
from league.admin.site import desk
from league.models import Invitation
from league.requests import caller
from league.services.invitations import invite, masked, revoke_invitation, send_invitation_again


@admin.register(Invitation, site=desk)
class InvitationAdmin(ClubScopedAdmin[Invitation]):
    """Who was invited to join, and who has accepted."""

    may_add = True
    add_fields = ("club", "email", "role", "player")
    fields = (*add_fields, "status", "inviter", "made_at", "expires_at", "guest")
    buttons = ("again", "revoke")
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
        if invitation.accepted_at:
            return "accepted", _("accepted")
        if invitation.revoked_at:
            return "revoked", _("revoked")
        return ("open", _("open")) if invitation.is_open else ("expired", _("expired"))

    @display(description=gettext_lazy("email address"), ordering="email")
    def address(self, invitation: Invitation) -> str:
        """Return part of the address only: lists are exported."""
        return masked(invitation.email)

    @display(description=gettext_lazy("status"))
    def status(self, invitation: Invitation) -> str:
        return str(self.state(invitation)[1])

    @display(description=gettext_lazy("invited by"), ordering="made_by__username")
    def inviter(self, invitation: Invitation) -> str:
        return invitation.made_by.username

    @display(description=gettext_lazy("accepted by"))
    def guest(self, invitation: Invitation) -> str:
        return invitation.accepted_by.username if invitation.accepted_by else "–"

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only players without an account."""
        field: ModelChoiceField[Any] | None = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "player":
            field.queryset = field.queryset.filter(account=None, active=True)  # type: ignore[union-attr]
            field.empty_label = _("no player yet: you can link the account to one later")
            field.help_text = _("The person who accepts plays as this player from then on.")
        return field

    def row_context(self, request: HttpRequest, row: Invitation | None) -> dict[str, Any]:
        """Return the invitation for its buttons, while it can still be accepted or sent again."""
        pending = row and self.directs(request, row) and not (row.accepted_at or row.revoked_at)
        return {"invitation": row if pending else None}

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        """Send the invitation."""
        obj.pk = invite(by=caller(request), **form.cleaned_data).pk

    def response_add(self, request: HttpRequest, obj: Invitation, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say that an email goes out, and where it goes on a server without a mail server."""
        answer: HttpResponse = super().response_add(request, obj, *args, **kwargs)
        messages.info(request, _mail_goes_out(obj))
        return answer

    def again(self, request: HttpRequest, invitation: Invitation) -> None:
        """Send the invitation again with a new link."""
        send_invitation_again(by=caller(request), invitation=invitation)
        messages.success(request, _("The invitation is sent again."))
        messages.info(request, _mail_goes_out(invitation))

    def revoke(self, request: HttpRequest, invitation: Invitation) -> None:
        """Make the link of the invitation invalid."""
        revoke_invitation(by=caller(request), invitation=invitation)
        messages.success(request, _("The invitation is revoked."))


def _mail_goes_out(invitation: Invitation) -> str:
    """Return where the email with the link goes: to the address, or into a folder of the server."""
    sentence = _("An email with the link goes to %(address)s. The link works for two weeks.")
    sentence %= {"address": invitation.email}
    folder = getattr(settings, "EMAIL_FILE_PATH", None)
    if folder and settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        files = _("This server has no mail server yet: the email becomes a file in %(folder)s.")
        sentence += " " + files % {"folder": folder}
    return sentence
