"""The pages behind the links of an invitation: accept it with an account, and confirm its address."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model, login, password_validation
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from games.engine.messages import filled
from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.forms import add_errors
from league.queries import permissions
from league.queries.accounts import own_entries, zone_for
from league.queries.links import masked, read_invitation
from league.queries.readers import reading_as_people_of
from league.requests import account_in, ask_for_proof, note_proof, spectator_or_account
from league.services.invitations import Accepted, accept_invitation, confirm_address, sign_up
from league.web.log_in import remember_place
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Account, Member


class SignUpForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=get_user_model()._meta.get_field("username").max_length,
        help_text=gettext_lazy("You log in with this name. Letters, digits and @ . + - _ only."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        help_text=password_validation.password_validators_help_text_html,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=gettext_lazy("Repeat the password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if again != self.cleaned_data.get("password", again):
            raise forms.ValidationError(_("The two passwords don’t match."))
        return again


@never_cache
@sensitive_post_parameters()
def page(request: HttpRequest, invitation_id: UUID, token: str) -> HttpResponse:
    """Show the invitation; on POST accept it, with the account that is logged in or with a new one.

    Who is logged in shows again who they are before the address of the invitation may become the account's.
    """
    account = spectator_or_account(request)
    try:
        invitation = read_invitation(invitation_id=invitation_id, token=token, account=account)
        known = invitation.is_for(account)
        if request.method == "POST" and account and not known and (asking := ask_for_proof(request)):
            return asking
        form = None if account else SignUpForm(request.POST if request.method == "POST" else None)
        accepted = _accepted(request, account, form, invitation_id, token)
    except Illegal as refusal:
        return render(
            request, "account/no_invitation.html", {"why": translated(refusal.sentence)}, status=410
        )
    if accepted is None:
        context = {
            "invitation": invitation,
            "form": form,
            "zone": zone_for(account, invitation.club),
            "to": "" if known else masked(invitation.email),
        }
        # Who is invited reads the own name whole.
        with reading_as_people_of(invitation.club_id):
            return render(request, "account/invitation.html", context)
    login(request, accepted.account, backend="django.contrib.auth.backends.ModelBackend")
    if account is None:
        note_proof(request)
    member = accepted.member
    answer = welcome(request, member) if member else redirect(request.path)
    return remember_place(request, answer, accepted.account)


def welcome(request: HttpRequest, member: Member) -> HttpResponse:
    """Greet a new member, and by the name of its player if it has one; lead to what the invitation was for.

    That is the table whose link was opened before, the competition in which the player is entered, the desk,
    the scores to enter, or else the club.
    """
    club, role = member.club, member.role
    player = permissions.player_in(club.pk, member.account)
    greeting = _("Welcome to %(club)s. You play as %(player)s.") if player else _("Welcome to %(club)s.")
    messages.success(request, filled(greeting, {"club": club.name, "player": player and player.called}))
    for address in filter(None, (first(request, club) for first in hooks.account_welcomed)):
        return redirect(address)
    if role in permissions.DIRECTORS:
        return redirect("admin:index")
    entries = own_entries(member.account).filter(competition__club=club)
    competitions = [entry.competition for entry in entries]
    if competitions:
        return redirect("competition", min(competitions, key=lambda each: not each.is_under_way).slug)
    return redirect("scores") if role in permissions.SCOREKEEPERS else redirect("club", club.slug)


def _accepted(
    request: HttpRequest, account: Account | None, form: SignUpForm | None, invitation_id: UUID, token: str
) -> Accepted | None:
    """Return the accepted invitation; None before it is sent, and for a form with errors."""
    if request.method != "POST":
        return None
    if account is not None:
        return accept_invitation(by=account, invitation_id=invitation_id, token=token)
    if form is None or not form.is_valid():
        return None
    new = {name: form.cleaned_data[name] for name in ("username", "password")}
    try:
        return sign_up(invitation_id=invitation_id, token=token, language=get_language() or "", **new)
    except Malformed as refusal:
        add_errors(form, refusal.errors)
        return None


@never_cache
@login_required
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation of the address that the link was sent to; on POST make it the account's.

    Where an invitation waited for that, lead to what it was for.
    """
    if request.method != "POST":
        return render(request, "account/confirm_address.html")
    try:
        accepted = confirm_address(by=account_in(request), token=token)
        messages.success(request, _("Your address is confirmed."))
        if accepted and accepted.member:
            return welcome(request, accepted.member)
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
    return redirect("notifications")
