"""A person's own page with the days on which they are away."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.engine.refusals import Illegal
from league.apps.away.desk import AwayForm, drop_days, keep_days
from league.apps.away.queries import away_of, players_of
from league.requests import account_in
from league.words.messages import translated


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show when the account's players are away; on POST keep another time, in all clubs, or drop one."""
    account = account_in(request)
    players = players_of(account)
    sent = request.POST if request.method == "POST" else None
    if sent and (dropped := sent.get("drop")):
        try:
            drop_days(account, dropped)
            messages.success(request, _("Saved."))
        except Illegal as refusal:
            messages.error(request, translated(refusal.sentence))
        return redirect("away")
    form = AwayForm(sent)
    if sent and form.is_valid() and keep_days(account, form, players):
        messages.success(request, _("Saved."))
        return redirect("away")
    context = {"form": form, "players": players, "away": away_of(players)}
    return render(request, "away/page.html", context)


urlpatterns = [path("account/away/", page, name="away")]
