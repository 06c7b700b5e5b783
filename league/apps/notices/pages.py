"""Email notifications: what an account gets, and the links in its emails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from games.engine.refusals import Illegal, Malformed
from league.queries.links import read_token_to_stop
from league.queries.notices import NoticeChoice, choices_of, is_subscribed
from league.requests import account_in, ask_for_proof
from league.services.notices import ask_for_address, choose_notices, stop_notices
from league.services.push import push_key
from league.words.messages import errors_in_words, translated

if TYPE_CHECKING:
    from league.models import Account


class AddressForm(forms.Form):
    """A new email address."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=get_user_model()._meta.get_field("email").max_length,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ChoicesForm(forms.Form):
    """A checkbox for each kind of notification."""

    def __init__(self, *args: Any, choices: Sequence[NoticeChoice], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in choices:
            self.fields[each.kind] = forms.BooleanField(label=each.title, required=False, initial=each.wanted)


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show the account's email address and notifications; on POST save one of them."""
    account = account_in(request)
    form = request.POST.get("do")
    if form == "address" and (asking := ask_for_proof(request)):
        return asking
    address = AddressForm(request.POST if form == "address" else None, initial={"email": account.email})
    choices = ChoicesForm(request.POST if form == "choices" else None, choices=choices_of(account))
    if _send_link(request, account, address) or _save(request, account, choices):
        return redirect("notices")
    context = {
        "address": address,
        "choices": choices,
        "push_key": push_key() if request.is_secure() else "",
        "subscribed": is_subscribed(account, request.session.session_key or ""),
    }
    return render(request, "account/notices.html", context)


def _send_link(request: HttpRequest, account: Account, form: AddressForm) -> bool:
    """Send a confirmation link to a new address; return False where the form has errors or is refused."""
    if not form.is_valid():
        return False
    try:
        ask_for_address(by=account, email=form.cleaned_data["email"])
        messages.success(request, _("We sent a link to that address. Open it within 30 days."))
    except Malformed as refusal:
        form.add_error("email", errors_in_words(refusal.errors)["email"])
    except Illegal as refusal:
        form.add_error("email", translated(refusal.sentence))
    return form.is_valid()


def _save(request: HttpRequest, account: Account, form: ChoicesForm) -> bool:
    if not form.is_valid():
        return False
    choose_notices(by=account, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return True


# Mail programs with a button to unsubscribe post here without a CSRF token (RFC 8058).
@csrf_exempt
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop a kind of email; on POST stop it. No log-in is needed."""
    try:
        account, kind = read_token_to_stop(token=token)
    except Illegal as refusal:
        raise Http404(translated(refusal.sentence)) from None
    if request.method == "POST":
        stop_notices(token=token)
        messages.success(request, _("You will get no more emails of this kind."))
        return redirect("home")
    choice = next(each.title for each in choices_of(account) if each.kind == kind)
    return render(request, "account/stop.html", {"choice": choice})
