"""The time zone in which an account sees times of its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from league.requests import account_in
from league.services.accounts import choose_zone
from league.words.zones import zone_choices

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def _choices() -> list[tuple[str, str]]:
    return [("", _("that of each club")), *zone_choices()]


class ZoneForm(forms.Form):
    """A time zone, or that of each club."""

    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=_choices,
        required=False,
        help_text=gettext_lazy("The difference from UTC is the one of today. Common zones stand first."),
    )


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show the account's time zone; a POST saves the chosen one and shows the account's page."""
    account = account_in(request)
    form = ZoneForm(
        request.POST if request.method == "POST" else None, initial={"timezone": account.timezone}
    )
    if form.is_valid():
        choose_zone(by=account, timezone=form.cleaned_data["timezone"])
        messages.success(request, _("Saved."))
        return redirect("account")
    return render(request, "account/zone.html", {"form": form}, status=422 if form.errors else 200)
