"""The pages behind the links of a club's emails that stop emails of their kind, without an account."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Illegal
from league.queries.links import is_stopped, read_token_to_stop, read_token_to_stop_invitations
from league.services.emails import stop_all_emails, stop_emails
from league.services.emails import stop_invitations as stop_inviting
from league.words.emails import STOPPABLE, stopping
from league.words.messages import translated


# Mail programs with a button to unsubscribe post here without a CSRF token (RFC 8058).
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, player_id: UUID, kind: str, token: str) -> HttpResponse:
    """Ask whether to stop a kind of a club's emails to a player, or to send it again; on POST do so."""
    try:
        player = read_token_to_stop(player_id=player_id, kind=kind, token=token)
        title = STOPPABLE[kind]
    except Illegal as refusal:
        raise Http404(translated(refusal.sentence)) from None
    except KeyError:
        raise Http404 from None
    if request.method == "POST":
        # Who has an account chooses the other kinds there.
        if "all" in request.POST and player.account_id is None:
            stop_all_emails(player=player)
        else:
            stop_emails(player=player, kind=kind, stop="again" not in request.POST)
        return redirect("stop_kind", player_id, kind, token)
    context = {
        "club": player.club,
        "title": title,
        "stopped": stopping(player, kind) is None,
        "all": player.account_id is None,
    }
    return render(request, "account/stop_kind.html", context)


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
    context = {"club": club, "title": _("invitations to the club"), "stopped": stopped}
    return render(request, "account/stop_kind.html", context)
