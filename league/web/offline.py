"""The installable app: its manifest and service worker, the page for when it is offline, and web push."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.refusals import Malformed
from league.requests import account_in
from league.services.push import last_news, subscribe, unsubscribe
from league.words.messages import translated

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Send what a device needs to install the site as an app."""
    icons = [
        {
            "src": static(f"trefoil/icon-{name}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, size, purpose in (("192", 192, "any"), ("512", 512, "any"), ("maskable", 512, "maskable"))
    ]
    content = {
        "name": "Trefoil",
        "short_name": "Trefoil",
        "description": _("Card clubs: play, watch and follow competitions."),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#faf9f5",
        "theme_color": "#17694a",
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker, with its texts and the few public files that it keeps."""
    given = {
        "title": "Trefoil",
        "turn": _("Your turn"),
        "told": reverse("push"),
        "tables": f"{reverse('account')}#tables",
        "offline": reverse("offline"),
        "language": get_language(),
        "kept": [static(f"trefoil/{name}") for name in ("trefoil.css", "trefoil.svg")],
        "icon": static("trefoil/icon-192.png"),
    }
    code = f"self.given = {json.dumps(given)};\nimportScripts({json.dumps(static('trefoil/worker.js'))});\n"
    return HttpResponse(code, content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show what a device shows while it is offline."""
    return render(request, "offline.html")


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def push(request: HttpRequest) -> HttpResponse:
    """Tell this session's browser from now on that it is the account's turn, or with no endpoint no more.

    A GET answers with the words of a message that the browser has got.
    """
    account, key = account_in(request), request.session.session_key or ""
    if request.method == "GET":
        words = {
            "turn": _("Your turn"),
            "table": _("A table is open for you"),
            "challenge": _("You are challenged"),
        }
        return JsonResponse({"body": words[last_news(account)]})
    endpoint = request.POST.get("endpoint", "")
    if not endpoint:
        unsubscribe(by=account, session_key=key)
        return JsonResponse({})
    if not request.is_secure():
        raise PermissionDenied(_("Notifications need an address that begins with https."))
    try:
        subscribe(by=account, session_key=key, endpoint=endpoint)
    except Malformed as refusal:
        return JsonResponse({"refused": translated(refusal.sentence)}, status=422)
    except Session.DoesNotExist:
        raise PermissionDenied from None
    return JsonResponse({})
