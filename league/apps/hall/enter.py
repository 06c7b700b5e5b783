"""The page on which a seat's code is typed, or arrives from a printed QR code."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from games.engine.messages import text
from games.engine.refusals import Illegal, Refusal
from league.forms import add_errors
from league.queries import permissions
from league.queries.clubs import clubs_of
from league.queries.games import all_games, game_at_table, seat_of
from league.queries.hall import calls_of
from league.requests import account_in, spectator_or_account
from league.services.hall import call_organiser
from league.services.hall import see_call as close_call
from league.services.seat_codes import TooManyTries, try_code
from league.web.holders import client_of, forget_seats, holder_in, use_code
from league.words.messages import translated


class CodeForm(forms.Form):
    """A seat's code."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        help_text=gettext_lazy("Eight letters and digits, below the name of the player on the score sheet."),
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "autofocus": True,
                "placeholder": "K7QD-2M9X",
                "data-code": "1",
            }
        ),
    )


@never_cache
@sensitive_post_parameters("code")
@sensitive_variables("form")
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Ask for a code; lead the holder of a right one to the score card of its table.

    The link of a QR code has the code after a ``#``, which browsers don't send: the page's script does.
    """
    form = CodeForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound and form.is_valid():
        try:
            return _let_in(request, form.cleaned_data["code"])
        except TooManyTries as refusal:
            form.add_error("code", translated(refusal.sentence))
            answer = render(request, "games/enter.html", {"form": form}, status=429)
            answer["Retry-After"] = str(refusal.seconds)
            return answer
        except Refusal as refusal:
            add_errors(form, refusal.errors or {"code": [refusal.sentence]})
            status = 422
    return render(request, "games/enter.html", {"form": form}, status=status)


def _let_in(request: HttpRequest, typed: str) -> HttpResponse:
    """Let this browser write for the seat of a code; raises `Refusal`."""
    code = try_code(typed=typed, client=client_of(request))
    club_game = game_at_table(code.table)
    if club_game is None:
        raise Illegal(text("There is no game at this table now. Ask an organiser."))
    use_code(request, code, club_game)
    return _to_the_card(club_game.pk)


@require_POST
def leave(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Forget the codes that this browser holds."""
    forget_seats(request)
    messages.success(request, _("This device no longer enters scores."))
    return redirect("game", game_id)


@require_POST
def call(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Call the organiser to a table, for one who sits there: with an account, a code or at a kiosk."""
    try:
        club_game = all_games().get(pk=game_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    account, holder = spectator_or_account(request), holder_in(request, club_game)
    seat = holder.seat if holder else seat_of(account, game_id) if account else None
    if seat is None or club_game.table is None:
        raise PermissionDenied(text("Only who sits at this table can call the organiser to it."))
    try:
        call_organiser(table=club_game.table, seat=seat, account=account)
        messages.success(request, _("The organiser was called to your table."))
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
    return redirect(f"{reverse('game', args=[game_id])}#messages")


@require_POST
@login_required
def see_call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Close a call for an organiser or scorekeeper, and go back to where it was listed."""
    clubs = clubs_of(account_in(request), *permissions.SCOREKEEPERS)
    close_call(by=account_in(request), call=get_object_or_404(calls_of(clubs), pk=call_id))
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if safe else "scores")


def _to_the_card(game_id: UUID) -> HttpResponse:
    return redirect(f"{reverse('game', args=[game_id])}#play")
