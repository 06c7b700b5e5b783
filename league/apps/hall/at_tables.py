"""What who sits at a table sends: calls for the organiser, and totals; and what is done about them."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.engine.messages import text
from games.engine.refusals import Illegal, Refusal
from league.apps.hall import queries, services, totals
from league.apps.hall.models import Call
from league.core.state.entries import JOIN
from league.models import ClubGame, TableSeat
from league.queries import permissions
from league.queries.clubs import clubs_of
from league.queries.games import all_games, seat_of
from league.queries.rounds import sharing_a_total
from league.requests import account_in, spectator_or_account
from league.web.holders import holder_in
from league.words.messages import in_one_text, name_at_table, translated
from league.words.values import on_paper


def _own_seat(request: HttpRequest, club_game: ClubGame) -> int | None:
    """Return the seat at whose table whoever asks sits: with an account, a code or at a kiosk."""
    account, holder = spectator_or_account(request), holder_in(request, club_game)
    seat = holder.seat if holder else seat_of(account, club_game.pk) if account else None
    return None if seat is None else seat ^ club_game.turn


@require_POST
def call(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Call the organiser to a table, for one who sits there."""
    club_game = get_object_or_404(all_games(), pk=game_id)
    seat, account = _own_seat(request, club_game), spectator_or_account(request)
    if seat is None or club_game.table is None:
        raise PermissionDenied(text("Only who sits at this table can call the organiser to it."))
    try:
        services.call_organiser(table=club_game.table, seat=seat, account=account)
        messages.success(request, _("The organiser was called to your table."))
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
    return redirect(f"{reverse('game', args=[game_id])}#messages")


class TotalsForm(forms.Form):
    """The totals of a table, one for partners who share it; who has left it needs none."""

    def __init__(self, *args: Any, seats: Iterable[TableSeat], ruleset: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shared = sharing_a_total(seats, ruleset)
        for at, (seat, *others) in self.shared.items():
            self.fields[f"seat-{at}"] = forms.IntegerField(
                label=JOIN.join(map(name_at_table, (seat, *others))),
                required=not seat.has_left,
                help_text=seat.needs_no_score,
            )

    @property
    def totals(self) -> list[int | None]:
        """Return the totals of a valid form in the order of the seats."""
        typed = {
            seat.number: self.cleaned_data[f"seat-{at}"] for at, its in self.shared.items() for seat in its
        }
        return [typed[at] for at in sorted(typed)]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_totals(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask who sits at a table for its totals; on POST call the organiser with them."""
    club_game = get_object_or_404(all_games(), pk=game_id)
    seat, table = _own_seat(request, club_game), club_game.table
    if seat is None or table is None or not on_paper(club_game.game.ruleset):
        raise PermissionDenied(text("Only who sits at this table enters its totals."))
    seats = totals.seats_of(table.pk)
    form = TotalsForm(request.POST or None, seats=seats, ruleset=club_game.game.ruleset)
    if form.is_bound and form.is_valid():
        account = spectator_or_account(request)
        try:
            totals.enter_totals(table=table, seat=seat, account=account, totals=form.totals)
        except Refusal as refusal:
            form.add_error(None, in_one_text(refusal))
        else:
            messages.success(request, _("Entered: they count once an organiser or scorekeeper takes them."))
            return redirect(f"{reverse('game', args=[game_id])}#messages")
    return render(
        request,
        "hall/totals.html",
        {"club_game": club_game, "form": form},
        status=422 if form.errors else 200,
    )


@require_POST
@login_required
def see_call(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Close a call for an organiser or scorekeeper, and go back to where it was listed."""
    services.see_call(by=account_in(request), call=_call(request, call_id))
    return _back(request)


@require_POST
@login_required
def take_totals(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Set the totals that came with a call as the result of its table, and go back to where it was listed."""
    try:
        found = _call(request, call_id)
        totals.take_totals(by=account_in(request), call=found, typed=request.GET.get("totals", ""))
        messages.success(request, _("The totals are the table’s result."))
    except Refusal as refusal:
        messages.error(request, in_one_text(refusal))
    return _back(request)


def _call(request: HttpRequest, call_id: UUID) -> Call:
    clubs = clubs_of(account_in(request), *permissions.SCOREKEEPERS)
    return get_object_or_404(queries.calls_of(clubs), pk=call_id)


def _back(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if safe else "scores")
