"""The page behind the link of a club's email that stops emails of its kind, without an account."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Illegal
from league.queries.links import read_token_to_stop
from league.services.emails import stop_emails
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
        stop_emails(player=player, kind=kind, stop="again" not in request.POST)
        return redirect("stop_kind", player_id, kind, token)
    context = {"player": player, "title": title, "stopped": stopping(player, kind) is None}
    return render(request, "account/stop_kind.html", context)
