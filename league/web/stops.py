"""The pages behind the links of a club's emails that stop emails of their kind, without an account.

An account has on its own page what is stopped, and there the way back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.engine.refusals import Illegal
from league.queries.links import is_stopped, read_token_to_stop, read_token_to_stop_invitations
from league.requests import account_in
from league.services.emails import start_all_emails, start_emails_of, stop_all_emails, stop_emails
from league.services.emails import stop_invitations as stop_inviting
from league.words.emails import INVITATIONS, STOPPABLE, stopped_by, stopping
from league.words.messages import translated

if TYPE_CHECKING:
    from league.models import Player


# Mail programs with a button to unsubscribe post here without a CSRF token (RFC 8058).
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, player_id: UUID, kind: str, token: str) -> HttpResponse:
    """Ask whether to stop a kind of a club's emails to a player, or to send it again; on POST do so.

    Without an account it stops all of them, too, and starts them again; who has one chooses the others there.
    """
    try:
        player = read_token_to_stop(player_id=player_id, kind=kind, token=token)
        title = STOPPABLE[kind]
    except Illegal as refusal:
        raise Http404(translated(refusal.sentence)) from None
    except KeyError:
        raise Http404 from None
    if request.method == "POST":
        _stop(player, kind, request.POST)
        return redirect("stop_kind", player_id, kind, token)
    context = {
        "club": player.club,
        "title": title,
        "stopped": stopping(player, kind) is None,
        "all": player.account_id is None,
        "others": () if player.account_id else stopped_by(player, but=kind),
    }
    return render(request, "account/stop_kind.html", context)


def _stop(player: Player, kind: str, sent: QueryDict) -> None:
    # A page that was opened before there was an account sends "all", too.
    match sent.get("all") if player.account_id is None else None:
        case "again":
            start_all_emails(player=player)
        case str():
            stop_all_emails(player=player)
        case _:
            stop_emails(player=player, kind=kind, stop="again" not in {*sent, sent.get("all")})


@require_POST
@login_required
def start_again(request: HttpRequest) -> HttpResponse:
    """Send an account again what it, or its person before there was one, has stopped of a club's emails."""
    try:
        club = start_emails_of(by=account_in(request), club_id=UUID(request.POST.get("club", "")))
    except (ValueError, ObjectDoesNotExist):
        raise Http404 from None
    messages.success(request, _("%(club)s sends you all of its emails again.") % {"club": club.name})
    return redirect("notifications")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_invitations(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop a club's invitations to an address, or to send them again; on POST do so."""
    try:
        club, at = read_token_to_stop_invitations(token)
    except Illegal as refusal:
        raise Http404(translated(refusal.sentence)) from None
    if request.method == "POST":
        stop_inviting(club=club, address=at, stop="again" not in request.POST)
        return redirect("stop_invitations", token)
    stopped = is_stopped(club, at)
    context = {"club": club, "title": INVITATIONS, "stopped": stopped}
    return render(request, "account/stop_kind.html", context)
