"""Kiosks: the page behind a kiosk's link, which turns the device that opens it into the kiosk."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Illegal
from league.queries.kiosks import COOKIE, cookie_of, read_link
from league.services.kiosks import start_kiosk
from league.words.messages import translated


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest, kiosk_id: UUID, token: str) -> HttpResponse:
    """Show what the link does; on POST make this device the kiosk and log its account out.

    A GET changes nothing: programs that show links look at them before people do.
    """
    try:
        if request.method != "POST":
            kiosk = read_link(kiosk_id=kiosk_id, token=token)
            context = {"kiosk": kiosk, "zone": kiosk.competition.club.timezone}
            return render(request, "kiosks/open.html", context)
        kiosk = start_kiosk(kiosk_id=kiosk_id, token=token)
    except Illegal as refusal:
        return render(request, "kiosks/no_link.html", {"why": translated(refusal.sentence)}, status=410)
    # Whoever stands at the device must not act for the organiser who set it up.
    logout(request)
    answer = redirect("competition", kiosk.competition.slug)
    answer.set_cookie(
        COOKIE,
        cookie_of(kiosk),
        expires=kiosk.expires_at,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return answer
