"""Privacy: what a player shows, a file of all that is stored, and the end of the account."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.engine.messages import filled
from league import hooks
from league.apps.people.duties import own_turns
from league.apps.people.queries import deletion_of, own_data, players_of_account
from league.apps.people.services import delete_account
from league.choices import Audience, NamesShown
from league.files.file import File, as_answer
from league.queries.links import calendar_of
from league.requests import account_in, needs_proof
from league.services.players import choose_privacy, renew_calendar
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Account, Player


class PrivacyForm(forms.Form):
    """What a player of the account lets others see."""

    audience = forms.ChoiceField(
        label=gettext_lazy("Who sees my results and ratings, and finds me in lists"),
        choices=Audience.choices,
        widget=forms.RadioSelect,
    )
    findable = forms.BooleanField(
        label=gettext_lazy("People in other clubs can find me by my name"), required=False
    )

    names = forms.ChoiceField(
        label=gettext_lazy("My name on public pages"),
        choices=[("", gettext_lazy("as the club says")), *NamesShown.choices],
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any, player: Player) -> None:
        initial = {"audience": player.audience, "findable": player.findable, "names": player.names}
        super().__init__(data, prefix=str(player.pk), initial=initial)
        said = NamesShown(player.club.names).label
        self.fields["names"].help_text = filled(_("The club says: %(choice)s."), {"choice": said})
        self.player, self.calendar = player, calendar_of(player)


@never_cache
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show what each player of the account lets others see; on POST save that of one."""
    account = account_in(request)
    players = players_of_account(account)
    chosen = request.POST.get("player")
    forms_ = [PrivacyForm(request.POST if str(each.pk) == chosen else None, player=each) for each in players]
    for form in forms_:
        if form.is_valid():
            choose_privacy(by=account, player=form.player, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("privacy")
    return render(request, "people/privacy.html", {"forms": forms_})


@never_cache
@login_required
@require_POST
def renew(request: HttpRequest) -> HttpResponse:
    """Give the secret calendar of one of the account's players another address."""
    account = account_in(request)
    for player in players_of_account(account):
        if str(player.pk) == request.POST.get("player"):
            renew_calendar(by=account, player=player)
            messages.success(request, _("The calendar has a new address. The one before it has ended."))
    return redirect("privacy")


@never_cache
@login_required
@require_POST
def export(request: HttpRequest) -> HttpResponse:
    """Return all that is stored about the account, as a JSON file."""
    content = json.dumps(own_data(account_in(request)), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return as_answer(File(content.encode(), "trefoil-account.json"))


@never_cache
@login_required
@needs_proof
def delete(request: HttpRequest) -> HttpResponse:
    """Say what the deletion of the account does; on POST delete it."""
    account = account_in(request)
    deletion = deletion_of(account)
    if request.method == "POST" and not deletion.refusals:
        delete_account(by=account)
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("home")
    context = {"deletion": deletion, "refusals": [*map(translated, deletion.refusals)]}
    return render(request, "people/delete.html", context)


def own_duties(request: HttpRequest, account: Account) -> str:
    """Return the section of the account's page with the duties that its players have."""
    return render_to_string("people/turns.html", {"turns": own_turns(account)}, request)


hooks.account_sections.append(own_duties)

urlpatterns = [
    path("account/privacy/", page, name="privacy"),
    path("account/privacy/file/", export, name="own_data"),
    path("account/privacy/calendar/", renew, name="renew_calendar"),
    path("account/delete/", delete, name="delete_account"),
]
