"""The page that says what a bot is, and marks an account as one."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from games.engine.refusals import Illegal
from league.choices import BotsPlay
from league.queries.accounts import memberships
from league.requests import account_in
from league.services.accounts import declare_bot
from league.words.messages import translated


class BotForm(forms.Form):
    """The agreement that there is no way back."""

    agreed = forms.BooleanField(
        label=gettext_lazy("A program plays by itself with this account. I know that this is for good.")
    )


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
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
