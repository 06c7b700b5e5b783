"""Who wants to play: a club's open seeks with their buttons, and the rematch of a finished game."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from games import rules
from games.engine.refusals import Malformed, Refusal
from league.choices import BotLevel
from league.forms import add_errors
from league.queries import permissions
from league.queries.seeks import bots_fill, open_seeks, seeks_of
from league.requests import caller
from league.services.play import open_rematch
from league.services.seeks import MINUTES, create_seek, fill_seek, join_seek, withdraw_seek
from league.web.addresses import of_club
from league.words.messages import translated
from league.words.values import ruleset_title

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Club, Seek

MOST_SEATS = max(max(ruleset.seats) for ruleset in rules.RULESETS)


def _games() -> list[tuple[str, str]]:
    return sorted(((key, ruleset_title(key)) for key in rules.NEWEST), key=lambda game: game[1])


def _times() -> list[tuple[int, str]]:
    return [
        (MINUTES // 2, ngettext("%(count)d minute", "%(count)d minutes", 30) % {"count": 30}),
        (MINUTES, _("an hour")),
        (4 * MINUTES, ngettext("%(count)d hour", "%(count)d hours", 4) % {"count": 4}),
        (24 * MINUTES, _("a day")),
        (7 * 24 * MINUTES, _("a week")),
    ]


class SeekForm(forms.Form):
    """The game that somebody wants to play, with how many, and how long they wait."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Game"), choices=_games)
    seats = forms.IntegerField(
        label=gettext_lazy("Players, you included"), min_value=1, max_value=MOST_SEATS, initial=2
    )
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Wait at most"), choices=_times, coerce=int, initial=MINUTES
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@of_club
def page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who of the club looks for players; a POST looks for players oneself."""
    account = caller(request)
    if not permissions.sees_seeks(club.pk, account):
        raise PermissionDenied(_("Only members of the club see who looks for players."))
    form = SeekForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _created(form, request, club):
        return redirect("seeks", club.slug)
    found = [
        (
            seek,
            any(taken.account_id == account.pk for taken in seek.taken.all()),
            seek.made_by_id == account.pk and bots_fill(seek),
        )
        for seek in open_seeks(club)
    ]
    context: dict[str, Any] = {
        "club": club,
        "zone": club.timezone,
        "seeks": found,
        "form": form,
        "levels": BotLevel.choices,
        "plays": permissions.player_in(club.pk, account) is not None,
    }
    return render(request, "clubs/seeks.html", context, status=422 if form.errors else 200)


def _created(form: SeekForm, request: HttpRequest, club: Club) -> bool:
    """Look for players; return whether that was not refused, which the form says."""
    try:
        create_seek(by=caller(request), club=club, **form.cleaned_data)
    except Malformed as refusal:
        add_errors(form, refusal.errors)
    except Refusal as refusal:
        form.add_error(None, translated(refusal.sentence))
    return form.is_valid()


@login_required
@require_POST
def join(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Join a seek, and show the game if it has begun."""
    seek = _done(request, seek_id, join_seek)
    return redirect("game", seek.game_id) if seek.game_id else redirect("seeks", seek.club.slug)


@login_required
@require_POST
def fill(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Let bots take the empty seats, and show the game."""
    seek = _done(request, seek_id, partial(fill_seek, level=request.POST.get("level", "")))
    return redirect("game", seek.game_id) if seek.game_id else redirect("seeks", seek.club.slug)


@login_required
@require_POST
def withdraw(request: HttpRequest, seek_id: UUID) -> HttpResponse:
    """Withdraw from a seek."""
    return redirect("seeks", _done(request, seek_id, withdraw_seek).club.slug)


def _done(request: HttpRequest, seek_id: UUID, verb: Callable[..., Seek]) -> Seek:
    """Carry out a verb and return the seek as it is then; where it is refused, a message says so."""
    account = caller(request)
    try:
        seek = seeks_of(account).get(pk=seek_id)
        return verb(by=account, seek_id=seek.pk)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return seek
    except ObjectDoesNotExist:
        raise Http404 from None


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask for a rematch, or accept it, and show that game."""
    try:
        game, _created_now = open_rematch(by=caller(request), game_id=game_id)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return redirect("game", game_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("game", game.pk)
