"""The installable app: its manifest and service worker, and the page for when it is offline."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league import hooks

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
    """Send the service worker, with its texts and the few public files that it keeps, and those of apps."""
    given = {
        "offline": reverse("offline"),
        "language": get_language(),
        "kept": [static(f"trefoil/{name}") for name in ("trefoil.css", "trefoil.svg")],
    }
    code = f"self.given = {json.dumps(given)};\nimportScripts({json.dumps(static('trefoil/worker.js'))});\n"
    code += "".join(render_to_string(each) for each in hooks.templates_at("worker"))
    return HttpResponse(code, content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show what a device shows while it is offline."""
    return render(request, "offline.html")
