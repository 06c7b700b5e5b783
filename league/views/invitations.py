"""Where the link of an invitation leads: accept it, with the account one has or a new one."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import login, password_validation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from games.engine.refusals import Illegal, Malformed
from league import services
from league.models import Account
from league.views.callers import spectator_or_account


class SignUpForm(forms.Form):
    """A new account."""

    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=Account._meta.get_field("username").max_length,
        help_text=gettext_lazy("With this you log in; letters, digits and @ . + - _ only."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        help_text=password_validation.password_validators_help_text_html,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=gettext_lazy("The password again"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_again(self) -> str:
        """Refuse what differs."""
        again: str = self.cleaned_data["again"]
        if again != self.cleaned_data.get("password", again):
            raise forms.ValidationError(_("The two passwords differ."))
        return again


@never_cache
@sensitive_post_parameters()
def page(request: HttpRequest, invitation_id: UUID, token: str) -> HttpResponse:
    """Show the invitation; on POST accept it, as who is logged in or with a new account."""
    try:
        invitation = services.read_invitation(invitation_id=invitation_id, token=token)
        account = spectator_or_account(request)
        form = None if account else SignUpForm(request.POST if request.method == "POST" else None)
        accepted = _accepted(request, account, form, invitation_id, token)
    except Illegal as refusal:
        return render(request, "account/no_invitation.html", {"why": refusal.sentence}, status=410)
    if accepted is None:
        told = {"invitation": invitation, "form": form, "zone": invitation.club.timezone}
        return render(request, "account/invitation.html", told)
    login(request, accepted.account, backend="django.contrib.auth.backends.ModelBackend")
    messages.success(request, _("Welcome to %(club)s.") % {"club": invitation.club.name})
    return redirect("account")


def _accepted(
    request: HttpRequest, account: Account | None, form: SignUpForm | None, invitation_id: UUID, token: str
) -> services.Accepted | None:
    """Return what came of accepting, None where nobody has yet, with the form's errors saying why."""
    if request.method != "POST":
        return None
    if account is not None:
        return services.accept_invitation(by=account, invitation_id=invitation_id, token=token)
    if form is None or not form.is_valid():
        return None
    told = form.cleaned_data
    try:
        return services.sign_up(
            invitation_id=invitation_id, token=token, username=told["username"], password=told["password"]
        )
    except Malformed as refusal:
        for field, sentences in refusal.errors.items():
            form.add_error(field if field in form.fields else None, sentences)
        return None
