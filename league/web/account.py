"""The account’s pages: its tables, its clubs, its tokens, its password, and where it is logged in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import FormView

from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.choices import SINGLE_SCOPES, TOKEN_LIVES, BotsPlay, TokenScope
from league.forms import add_errors
from league.queries import permissions
from league.queries.accounts import LONGEST_TOKEN_NAME, memberships, passkeys_of, sessions_of, tokens_of
from league.queries.clubs import clubs_of, keeps_desk
from league.queries.games import invitations_of
from league.queries.links import masked, password_tokens, waiting_invitations
from league.queries.own_tables import OwnTable, ended_tables, finished_tables, has_practised, running_tables
from league.requests import (
    account_in,
    ask_first,
    ask_for_proof,
    needs_proof,
    spectator_or_account,
    visitor_in,
)
from league.services.accounts import YEAR, create_token, declare_bot, revoke_all_tokens, revoke_token
from league.services.emails import ask_for_address, write_forgotten_passwords
from league.services.log_ins import end_other_sessions, end_session, remove_all_passkeys
from league.web.log_in import remember_place
from league.words.emails import stopped_of
from league.words.messages import translated
from league.words.moves import names_by_side
from league.words.options import asked_in_words

if TYPE_CHECKING:
    from league.models import Account

# ---- Own tables ----------------------------------------------------------------------------------


@require_safe
@never_cache
def own_tables(request: HttpRequest) -> HttpResponse:
    """Show the running tables of the account that is logged in, or of a guest, as a part of a page.

    Where there is none, the last finished ones are there. The game named by ``?behind=`` does not wait for
    the reader.
    """
    visitor = visitor_in(request, spectator_or_account(request))
    shown = request.GET.get("behind")
    running = [replace(table, behind=str(table.game.pk) == shown) for table in running_tables(visitor)]
    finished = () if running else finished_tables(visitor)
    context = {
        "tables": [*map(with_names, running)],
        "finished": [*map(with_names, finished)],
        "practised": has_practised(visitor),
        "waiting": sum(table.waits for table in running),
    }
    return render(request, "games/own_tables.html", context)


def with_names(table: OwnTable) -> tuple[OwnTable, str, str]:
    """Return a table with the names of the other players, and of those for whom it waits."""
    sides = table.sides
    own = [seat for seat in table.others if sides[seat.seat] == sides[table.mine]]
    others = names_by_side([seat for seat in table.others if seat not in own], sides)
    if own:
        told = {"partners": names_by_side(own, sides), "others": others}
        others = _("with %(partners)s against %(others)s") % told
    return table, others, names_by_side(table.to_move, sides)


# ---- Account -------------------------------------------------------------------------------------


class ResetPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password, behind the link of an email: all that the old one has let in ends with it."""

    passkeys = forms.BooleanField(
        label=gettext_lazy("Remove my passkeys, too"),
        required=False,
        help_text=gettext_lazy("Choose this if somebody may have made one, or has a device of yours."),
    )

    def end_others(self, account: Account, session_key: str | None) -> None:
        """Log the account out on all devices but the one with this session, and end what else there is."""
        end_other_sessions(by=account, session_key=session_key)
        if self.cleaned_data.get("tokens", True):
            revoke_all_tokens(by=account)
            hooks.account_locked(account)
        if self.cleaned_data["passkeys"]:
            remove_all_passkeys(by=account)


class ChangePasswordForm(ResetPasswordForm):
    """A new password, and the choice to end tokens, too."""

    tokens = forms.BooleanField(
        label=gettext_lazy("Revoke my tokens and disconnect programs, too"),
        required=False,
        help_text=gettext_lazy(
            "Other devices are logged out in any case. Choose this if somebody may know your password."
        ),
    )
    field_order = ("new_password1", "new_password2", "tokens", "passkeys")


@method_decorator([never_cache, login_required, needs_proof], name="dispatch")
class ChangePassword(PasswordChangeView):
    """The page that changes the password, which ends all other sessions of the account."""

    template_name = "account/password.html"
    form_class = ChangePasswordForm  # type: ignore[assignment]  # the old password is asked by `needs_proof`
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the password and say so."""
        messages.success(self.request, _("Your password was changed."))
        response = super().form_valid(form)
        account = account_in(self.request)
        form.end_others(account, self.request.session.session_key)
        return remember_place(self.request, response, account)


class ForgottenForm(forms.Form):
    """The email address of an account whose password is forgotten."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class ForgotPassword(FormView):  # type: ignore[type-arg]
    """The page that sends a link to choose a new password. It does not reveal which addresses are known."""

    template_name = "account/forgotten.html"
    form_class = ForgottenForm
    success_url = reverse_lazy("login")

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        """Send the link to the accounts with this address, if any."""
        write_forgotten_passwords(email=form.cleaned_data["email"])
        messages.success(self.request, _("If an account has this address, we have sent it a link."))
        return super().form_valid(form)


class ResetPassword(PasswordResetConfirmView):
    """The page behind the link, which works once."""

    template_name = "account/reset.html"
    form_class = ResetPasswordForm
    token_generator = password_tokens
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the password and say so; the place is known from now on."""
        messages.success(self.request, _("Your password was changed. Log in with it."))
        response = super().form_valid(form)
        form.end_others(form.user, None)
        return remember_place(self.request, response, form.user)


class TokenForm(forms.Form):
    """The name and the scopes of a new token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_TOKEN_NAME,
        help_text=gettext_lazy(
            "For example the program that will use it, so that you know later which token it is."
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=SINGLE_SCOPES,
        widget=forms.CheckboxSelectMultiple,
        initial=[TokenScope.READ_PRIVATE],
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"),
        coerce=int,
        choices=TOKEN_LIVES,
        initial=YEAR,
        widget=forms.RadioSelect,
        required=False,
    )

    def clean_days(self) -> int:
        """Return the chosen days, a year where nothing was chosen."""
        return self.cleaned_data["days"] or YEAR


@never_cache
@login_required
@sensitive_variables("secret")
def page(request: HttpRequest) -> HttpResponse:
    """Show the account's page; a POST creates a token and shows its secret, which is never shown again."""
    if request.method == "POST" and (asking := ask_for_proof(request)):
        return asking
    account, secret = account_in(request), None
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        secret = _create_token(account, form)
        form = TokenForm() if secret else form
    return render(
        request, "account/page.html", {**_context(request, account), "form": form, "secret": secret}
    )


def _create_token(account: Account, form: TokenForm) -> str | None:
    """Return the secret of a new token; where it is refused, add the errors to the form and return None."""
    try:
        return create_token(by=account, **form.cleaned_data).secret
    except Malformed as refusal:
        add_errors(form, refusal.errors)
        return None


def _context(request: HttpRequest, account: Account) -> dict[str, object]:
    own_clubs = memberships(account)
    own_tables = [*running_tables(visitor_in(request, account)), *ended_tables(account)]
    zones = () if account.timezone else (member.club.timezone for member in own_clubs)
    return {
        "invitations": [
            (each, asked_in_words(each.club_game, each.seats)) for each in invitations_of(account)
        ],
        "tables": [with_names(table) for table in own_tables],
        "memberships": own_clubs,
        "member_pages": [page.of(member.club) for member in own_clubs for page in hooks.MEMBER_PAGES],
        "waiting": [(each.club, masked(each.email)) for each in waiting_invitations(account)],
        "zones": " ".join(zones),
        "tokens": tokens_of(account),
        "sections": [section(request, account) for section in hooks.account_sections],
        "scores": clubs_of(account, *permissions.SCOREKEEPERS).exists(),
        "desk": keeps_desk(account),
    }


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """Revoke one of the account's tokens; 404 for any other token."""
    account = account_in(request)
    token = get_object_or_404(tokens_of(account), pk=token_id)
    told = _("What uses the token “%(name)s” can no longer act for you. It needs a new one, if at all.")
    if asking := ask_first(request, _("Revoke"), told % {"name": token.name}, reverse("account")):
        return asking
    revoke_token(by=account, token=token)
    messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})
    return redirect("account")


# ---- Emails --------------------------------------------------------------------------------------


class AddressForm(forms.Form):
    """A new email address."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=get_user_model()._meta.get_field("email").max_length,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


@never_cache
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the account's email address, and what apps tell it; on POST send a link to another address."""
    posted = request.POST if request.method == "POST" else None
    if posted and (asking := ask_for_proof(request)):
        return asking
    account = account_in(request)
    form = AddressForm(posted, initial={"email": account.email})
    if form.is_valid():
        try:
            ask_for_address(by=account, email=form.cleaned_data["email"])
            messages.success(request, _("We sent a link to that address. Open it within 30 days."))
            return redirect("notifications")
        except Malformed as refusal:
            add_errors(form, refusal.errors)
        except Illegal as refusal:
            form.add_error("email", translated(refusal.sentence))
    sections = [section(request, account) for section in hooks.notification_sections]
    context = {"address": form, "sections": sections, "stopped": stopped_of(account)}
    return render(request, "account/notifications.html", context)


# ---- Bots ----------------------------------------------------------------------------------------


class BotForm(forms.Form):
    """The agreement that there is no way back."""

    agreed = forms.BooleanField(
        label=gettext_lazy("A program plays by itself with this account. I know that this is for good.")
    )


@never_cache
@login_required
def bot(request: HttpRequest) -> HttpResponse:
    """Say what being a bot means, and where the account's clubs let bots play; a POST makes it a bot."""
    account = account_in(request)
    form = BotForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            declare_bot(by=account)
        except Illegal as refusal:
            form.add_error(None, translated(refusal.sentence))
        else:
            messages.success(request, _("This account is a bot’s now."))
            return redirect("bot")
    clubs = [
        (each.club, BotsPlay.CASUAL in each.club.bots, BotsPlay.COMPETITIONS in each.club.bots)
        for each in memberships(account)
    ]
    rate = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["bot"]
    context = {"form": form, "clubs": clubs, "rate": rate}
    return render(request, "account/bot.html", context, status=422 if form.errors else 200)


# ---- Devices -------------------------------------------------------------------------------------


@never_cache
@login_required
@require_safe
def devices_page(request: HttpRequest) -> HttpResponse:
    """Show where the account is logged in."""
    account = account_in(request)
    context = {
        "sessions": sessions_of(account),
        "this": request.session.session_key,
        "passkeys": passkeys_of(account),
        "longest": LONGEST_TOKEN_NAME,
        "name": request.GET.get("name", ""),
    }
    return render(request, "account/devices.html", context)


@login_required
@require_POST
def log_out_device(request: HttpRequest, log_in: UUID) -> HttpResponse:
    """Log one device out; 404 for one of another account."""
    account = account_in(request)
    end_session(by=account, log_in=get_object_or_404(sessions_of(account), pk=log_in))
    messages.success(request, _("The device is logged out."))
    return redirect("devices")


@login_required
@require_POST
def end_others(request: HttpRequest) -> HttpResponse:
    """Log all other devices out."""
    end_other_sessions(by=account_in(request), session_key=request.session.session_key)
    messages.success(request, _("All other devices are logged out."))
    return redirect("devices")
