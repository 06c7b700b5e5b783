"""Invitations on the desk: by email, with a role, and for one of the club's players if wanted."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.messages import filled
from games.engine.refusals import Malformed
from league.admin.base import ClubScopedAdmin, directed_clubs, display, reporting_refusals
from league.admin.needs import opened_in_words, path_to_confirm
from league.admin.site import desk
from league.models import Club, Entry, Invitation, Member, Player
from league.queries.clubs import named, players_to_invite, without_account
from league.queries.competitions import last_entries_of_namesakes
from league.queries.links import masked, open_invitations, token_of
from league.queries.permissions import role_in
from league.requests import account_in, keep_site_address, likely_address, site_address
from league.services.invitations import (
    confirm_invitation,
    invite,
    invite_players,
    revoke_invitation,
    send_invitation_again,
)
from league.words.emails import kept_here
from league.words.messages import errors_in_words, told_apart


def _what_revoking_does(_request: HttpRequest, invitation: Invitation) -> str:
    if invitation.is_waiting:
        return _("Who waits does not join, and the link stops working for good. You can invite again.")
    return _("Its link stops working for good. You can invite again.")


@admin.register(Invitation, site=desk)
class InvitationAdmin(ClubScopedAdmin[Invitation]):
    """Who was invited to join, and who has accepted."""

    may_add = True
    add_title = gettext_lazy("Add an invitation")
    add_fields = ("club", "email", "role", "player")
    fields = (*add_fields, "state", "inviter", "made_at", "expires_at", "guest")
    buttons = ("again", "revoke", "confirm")
    asks: ClassVar = {"revoke": (gettext_lazy("Revoke the invitation"), _what_revoking_does)}
    list_display = ("address", "role", "player", "state", "expires_at", "inviter", "club")
    list_filter = ("role", ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("club", "player", "made_by", "accepted_by")
    search_fields = ("email", "player__search_name")
    radio_fields = {"role": admin.VERTICAL}
    below_form = "admin/invitation.html"

    @display(
        description=gettext_lazy("status"),
        label={"open": "", "waiting": "warn", "accepted": "good", "revoked": "bad", "expired": "warn"},
    )
    def state(self, invitation: Invitation) -> tuple[str, Any]:
        if invitation.accepted_at:
            return "accepted", _("accepted")
        if invitation.revoked_at:
            return "revoked", _("revoked")
        if invitation.is_waiting:
            return "waiting", _("waits for a confirmation")
        return ("open", _("open")) if invitation.is_open else ("expired", _("expired"))

    @display(description=gettext_lazy("email address"), ordering="email")
    def address(self, invitation: Invitation) -> str:
        """Return part of the address only: lists are exported."""
        return masked(invitation.email) or _("by link")

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

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, and those of many invitations and their links."""
        return [
            self.page_url("many/", self.many_view, "many"),
            self.page_url("links/", self.links_view, "links"),
            *super().get_urls(),
        ]

    def tools(self, request: HttpRequest) -> Sequence[tuple[str, Any]]:
        """Return the links to invite many players, and to the links of open invitations."""
        if not self.has_add_permission(request):
            return ()
        return (
            (reverse("admin:league_invitation_many"), _("Invite players")),
            (reverse("admin:league_invitation_links"), _("Links to copy")),
        )

    def many_view(self, request: HttpRequest) -> HttpResponse:
        """Show the players who can be invited, those of ``?competition=`` ticked; on POST invite."""
        club = self._club(request)
        players = players_to_invite(club)
        if request.method == "POST":
            ticked = [pk for pk in request.POST.getlist("players") if _is_id(pk)]
            return reporting_refusals(
                request, lambda: self._invited(request, club, players.filter(pk__in=ticked))
            )
        last = last_entries_of_namesakes(club)
        find, wanted = request.GET.get("find", ""), request.GET.get("competition", "")
        competition = club.competitions.filter(pk=wanted).first() if _is_id(wanted) else None
        context = {
            "players": [(player, told_apart(player, last)) for player in named(players, find)],
            "find": find,
            "ticked": {*without_account(competition).values_list("pk", flat=True)} if competition else (),
            "waiting": open_invitations(club).count(),
            **self._frame(request, club),
        }
        return self.render_page(request, "admin/invite_players.html", _("Invite players"), context)

    def _invited(self, request: HttpRequest, club: Club, players: QuerySet[Player]) -> HttpResponse:
        made = invite_players(by=account_in(request), club=club, players=list(players))
        if not made:
            messages.error(request, _("Tick the players to invite."))
            return redirect(request.get_full_path())
        sentence = ngettext("%(count)d player is invited.", "%(count)d players are invited.", len(made))
        messages.success(request, sentence % {"count": len(made)})
        return redirect(f"{reverse('admin:league_invitation_links')}?club={club.slug}")

    def links_view(self, request: HttpRequest) -> HttpResponse:
        """Show the links of the open invitations that the caller may give to others."""
        club = self._club(request)
        if request.method == "POST":
            return self._address_kept(request)
        site = site_address(request)
        base = site or request.build_absolute_uri("/").rstrip("/")
        roles = (Member.Role.PLAYER, Member.Role.SCOREKEEPER)
        may_all = role_in(club.pk, account_in(request)) == Member.Role.OWNER
        unopened = open_invitations(club).filter(accepted_by=None)
        found = unopened if may_all else unopened.filter(role__in=roles)
        last = last_entries_of_namesakes(club)
        rows = [(_whom(each, last), each, base + _path(each)) for each in found]
        context = {
            "rows": rows,
            "only_here": not site,
            "suggested": likely_address(request),
            "all": "\n".join(f"{whom}\t{link}" for whom, _invitation, link in rows),
            **self._frame(request, club),
        }
        answer = self.render_page(request, "admin/invitation_links.html", _("Links to copy"), context)
        patch_cache_control(answer, no_store=True)
        return answer

    def _address_kept(self, request: HttpRequest) -> HttpResponse:
        """Keep the address by which others reach the server, or say what is wrong with it."""
        try:
            keep_site_address(request, request.POST.get("address", ""))
        except Malformed as refusal:
            messages.error(request, " ".join(errors_in_words(refusal.errors)["address"]))
        return redirect(request.get_full_path())

    def _club(self, request: HttpRequest) -> Club:
        """Return the club of ``?club=``, or the caller's first one; raise PermissionDenied for strangers."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = {club.slug: club for club in directed_clubs(request)}
        wanted = request.GET.get("club") or next(iter(clubs))
        if wanted not in clubs:
            raise Http404
        return clubs[wanted]

    def _frame(self, request: HttpRequest, club: Club) -> dict[str, Any]:
        return {"club": club, "clubs": directed_clubs(request), "no_mail": kept_here()}

    def row_context(self, request: HttpRequest, row: Invitation | None) -> dict[str, Any]:
        """Return the invitation for its buttons, while it can still be accepted or sent again."""
        pending = row and self.directs(request, row) and not (row.accepted_at or row.revoked_at)
        waiting = pending and row and row.is_waiting
        told = {"opened": opened_in_words(row), "confirm": path_to_confirm(row)} if row and waiting else {}
        return {"invitation": row if pending else None, **told}

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        """Send the invitation."""
        obj.pk = invite(by=account_in(request), **form.cleaned_data).pk

    def response_add(self, request: HttpRequest, obj: Invitation, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say that an email goes out, and where it goes on a server without a mail server."""
        answer: HttpResponse = super().response_add(request, obj, *args, **kwargs)
        messages.info(request, _mail_goes_out(obj))
        return answer

    def again(self, request: HttpRequest, invitation: Invitation) -> None:
        """Send the invitation again with a new link."""
        send_invitation_again(by=account_in(request), invitation=invitation)
        messages.success(request, _("The invitation is sent again."))
        messages.info(request, _mail_goes_out(invitation))

    def revoke(self, request: HttpRequest, invitation: Invitation) -> None:
        """Make the link of the invitation invalid."""
        revoke_invitation(by=account_in(request), invitation=invitation)
        messages.success(request, _("The invitation is revoked."))

    def confirm(self, request: HttpRequest, invitation: Invitation) -> None:
        """Let the account that the page named join."""
        account_id = request.GET.get("account", "")
        if not _is_id(account_id):
            raise Http404
        confirm_invitation(by=account_in(request), invitation=invitation, account_id=UUID(account_id))
        messages.success(request, _("Confirmed: the account is a member."))


def _mail_goes_out(invitation: Invitation) -> str:
    """Return where the email with the link goes: to the address, or into a folder of the server."""
    if not invitation.email:
        return _("No email goes out. Copy the link under “Links to copy” and pass it on.")
    if files := kept_here():
        page = f"{reverse('admin:league_invitation_links')}?club={invitation.club.slug}"
        link = format_html('<a href="{}">{}</a>', page, _("Links to copy"))
        return format_html("{} {} {}", files, _("Pass it on yourself:"), link)
    sentence = _("An email with the link goes to %(address)s. The link works for two weeks.")
    return filled(sentence, {"address": invitation.email})


def _whom(invitation: Invitation, last: Mapping[UUID, Entry | tuple[int, int]]) -> str:
    return told_apart(invitation.player, last) if invitation.player else invitation.email


def _path(invitation: Invitation) -> str:
    return reverse("invitation", args=[invitation.pk, token_of(invitation)])


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
