"""Score sheets to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.engine.refusals import Refusal
from league import sheets


@require_safe
def blank(request: HttpRequest, key: str, players: int) -> HttpResponse:
    """Show an empty score sheet as PDF; 404 for a game without one or a table that it doesn't have."""
    try:
        pdf = sheets.blank(key, players, {})
    except Refusal:
        raise Http404 from None
    return as_pdf(pdf, f"{key}-{players}.pdf")


def as_pdf(pdf: bytes, name: str) -> HttpResponse:
    """Return a PDF to be shown under a name."""
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
