"""Score sheets of a round as PDF."""

from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.negotiation import OneFormat
from api.params import ROUND, STAGE
from api.renderers import PDFRenderer
from api.views.base import BelowCompetition, Operation, directs
from league.files import sheets
from league.queries.rounds import rounds_of
from league.requests import kept_print, site_address, urls_below


class Sheets(BelowCompetition):
    """A page for each table of a round, with its players' names and a QR code that opens the game."""

    content_negotiation_class = OneFormat
    renderer_classes = (PDFRenderer,)
    operations = {"GET": Operation(refuses=("illegal",), query=(STAGE, ROUND))}

    @extend_schema(responses={(200, PDFRenderer.media_type): OpenApiTypes.BINARY})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        """The sheets of the round in `stage` and `round`, by default the last one."""
        competition = self.competition()
        drawn = directs(request, competition)
        rounds = rounds_of(competition, drawn=drawn)
        named = {"stage__number": STAGE.read(request, 0), "number": ROUND.read(request, 0)}
        its_round = rounds.filter(**{name: value for name, value in named.items() if value}).first()
        if its_round is None:
            raise Http404

        def make() -> bytes:
            return sheets.of_round(its_round, urls_below(site_address(request)))

        pdf = make() if drawn else kept_print(request, competition, ("sheets", its_round.pk), make)
        answer = HttpResponse(pdf, content_type=PDFRenderer.media_type)
        answer["Content-Disposition"] = f'inline; filename="{competition.slug}-{its_round.number}.pdf"'
        return answer
