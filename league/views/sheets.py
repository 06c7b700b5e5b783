"""Score sheets, table cards, pairings and standings to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from games.engine.refusals import Refusal
from league import selectors, sheets
from league.models import Competition
from league.sheets import NoForm
from league.views.competitions import number_in


@require_safe
def blank(request: HttpRequest, key: str, players: int) -> HttpResponse:
    """Show an empty score sheet as PDF; 404 for a game without one or a table that it doesn't have."""
    try:
        pdf = sheets.blank(key, players, {})
    except Refusal:
        raise Http404 from None
    return as_pdf(pdf, f"{key}-{players}.pdf")


@require_safe
def competition(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show a print of a competition as PDF: of the last round, or of those that ``?stage=&round=`` name."""
    shown = get_object_or_404(selectors.competitions(), slug=slug)
    try:
        return answered(request, shown, kind, drawn=False)
    except (LookupError, NoForm):
        raise Http404 from None


def answered(request: HttpRequest, competition: Competition, kind: str, *, drawn: bool) -> HttpResponse:
    """Return a print as an answer; ``drawn`` is for organisers: rounds that aren't published count too.

    Raises `league.sheets.NothingToPrint`, `NoForm`, and Http404 for a bad query.
    """
    stage, round_ = number_in(request, "stage"), number_in(request, "round")
    asked = sheets.Asked(competition, stage or 0, round_ or 0, drawn, request.build_absolute_uri)
    return as_pdf(sheets.printed(kind, asked), f"{competition.slug}-{kind}.pdf")


def as_pdf(pdf: bytes, name: str) -> HttpResponse:
    """Return a PDF to be shown under a name."""
    answer = HttpResponse(pdf, content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
