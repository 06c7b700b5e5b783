"""What an account is told by e-mail, and the links in its mails."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from games.engine.refusals import Illegal, Malformed
from league import services
from league.models import Account, Notice, NoticeChoices
from league.models.notices import CHOSEN
from league.views.callers import caller


class AddressForm(forms.Form):
    """Where mails shall go."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=Account._meta.get_field("email").max_length,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ChoicesForm(forms.ModelForm):  # type: ignore[type-arg]
    """What shall be told."""

    class Meta:
        model = NoticeChoices
        fields = CHOSEN


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show what the account is told and where, and keep what it chooses."""
    account = caller(request)
    doing = request.POST.get("do")
    address = AddressForm(request.POST if doing == "address" else None, initial={"email": account.email})
    stands = NoticeChoices.objects.filter(account=account).first() or NoticeChoices(account=account)
    choices = ChoicesForm(request.POST if doing == "choices" else None, instance=stands)
    if _asked(account, address) or _chosen(request, account, choices):
        if doing == "address":
            messages.success(request, _("A link is on its way to that address: open it within three days."))
        return redirect("notices")
    return render(request, "account/notices.html", {"address": address, "choices": choices})


def _asked(account: Account, form: AddressForm) -> bool:
    """Return whether a link is on its way to another address."""
    if not form.is_valid():
        return False
    try:
        services.ask_for_address(by=account, email=form.cleaned_data["email"])
    except Malformed as refusal:
        form.add_error("email", refusal.errors["email"])
    except Illegal as refusal:
        form.add_error("email", refusal.sentence)
    return form.is_valid()


def _chosen(request: HttpRequest, account: Account, form: ChoicesForm) -> bool:
    if not form.is_valid():
        return False
    services.choose_notices(by=account, **form.cleaned_data)
    messages.success(request, _("Your choice is kept."))
    return True


@never_cache
@login_required
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the address at which the link arrived shall be the account's; on POST make it so."""
    if request.method != "POST":
        return render(request, "account/confirm_address.html")
    try:
        services.confirm_address(by=caller(request), token=token)
        messages.success(request, _("Your address is confirmed."))
    except Illegal as refusal:
        messages.error(request, refusal.sentence)
    return redirect("notices")


# A mail program that offers a button of its own posts without having seen a page of ours (RFC 8058).
@csrf_exempt
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether a kind of mail shall stop; on POST stop it, without asking anybody to log in."""
    try:
        _account, kind = services.read_token_to_stop(token=token)
    except Illegal as refusal:
        raise Http404(refusal.sentence) from None
    if request.method == "POST":
        services.stop_notices(token=token)
        messages.success(request, _("These mails are stopped."))
        return redirect("home")
    return render(request, "account/stop.html", {"kind": Notice.Kind(kind).label})
