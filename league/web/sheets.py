"""Printed sheets as PDF: score sheets, table cards, pairings and standings."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from games.engine.refusals import Refusal
from league.files import sheets
from league.files.sheets import NoForm
from league.files.sheets.answers import as_pdf
from league.queries.competitions import all_competitions
from league.requests import printed


@require_safe
def blank(request: HttpRequest, key: str, players: int) -> HttpResponse:
    """Return an empty score sheet; 404 for a game without one, or for a wrong number of players."""
    try:
        pdf = sheets.blank(key, players, {})
    except Refusal:
        raise Http404 from None
    return as_pdf(pdf, f"{key}-{players}.pdf")


@require_safe
def competition(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return a printed sheet of a competition, of the round in ``?stage=&round=`` or the last one."""
    shown = get_object_or_404(all_competitions(), slug=slug)
    try:
        return printed(request, shown, kind, drawn=False)
    except (LookupError, NoForm):
        raise Http404 from None
