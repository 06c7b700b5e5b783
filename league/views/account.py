"""The account's own pages: its tables, its clubs, its tokens."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST
from django.views.generic import FormView

from games.engine.refusals import Malformed
from league import permissions, selectors, services
from league.models import Account, Token
from league.views.callers import caller


class LogIn(LoginView):
    """Where an account logs in; whoever is logged in already goes on to its page."""

    template_name = "account/login.html"


class ChangePassword(PasswordChangeView):
    """Where an account chooses another password."""

    template_name = "account/password.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Keep the password and say so."""
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)


class ForgottenForm(forms.Form):
    """Whose password is forgotten."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class ForgotPassword(FormView):  # type: ignore[type-arg]
    """Where a link to a new password is asked for. Whether an address is known here is told to nobody."""

    template_name = "account/forgotten.html"
    form_class = ForgottenForm
    success_url = reverse_lazy("login")

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        """Send the link to the accounts of the address, if there are any."""
        services.tell_of_forgotten_passwords(email=form.cleaned_data["email"])
        messages.success(
            self.request, _("If there is an account with this address, a link is on its way there.")
        )
        return super().form_valid(form)


class ResetPassword(PasswordResetConfirmView):
    """Where the link leads: a new password, once."""

    template_name = "account/reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the password and say so."""
        messages.success(self.request, _("Your password is changed: log in with it."))
        return super().form_valid(form)


class TokenForm(forms.Form):
    """What a new token is called and how far it reaches."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=Token._meta.get_field("name").max_length,
        help_text=gettext_lazy("Where you will use it, so that you know later which one to revoke."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("What it may do"),
        choices=Token.Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=[Token.Scope.READ],
    )


@never_cache
@login_required
@sensitive_variables("secret")
def page(request: HttpRequest) -> HttpResponse:
    """Show the account's page; a POST makes a token and tells its secret in the answer, and only there."""
    account, secret = caller(request), None
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        secret = _made(account, form)
        form = TokenForm() if secret else form
    return render(request, "account/page.html", {**_own(account), "form": form, "secret": secret})


def _made(account: Account, form: TokenForm) -> str | None:
    """Return the secret of a new token, or None with the form's errors saying why there is none."""
    try:
        return services.create_token(by=account, **form.cleaned_data).secret
    except Malformed as refusal:
        for field, sentences in refusal.errors.items():
            form.add_error(field if field in form.fields else None, sentences)
        return None


def _own(account: Account) -> dict[str, object]:
    return {
        "tables": selectors.tables_of(account),
        "memberships": selectors.memberships(account),
        "tokens": selectors.tokens_of(account),
        "desk": account.is_superuser or selectors.clubs_of(account, *permissions.DIRECTORS).exists(),
    }


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """Revoke one of the account's own tokens; 404 for any other."""
    account = caller(request)
    token = get_object_or_404(selectors.tokens_of(account), pk=token_id)
    services.revoke_token(by=account, token=token)
    messages.success(request, _("The token “%(name)s” is worthless now.") % {"name": token.name})
    return redirect("account")
