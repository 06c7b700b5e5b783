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
        named = STAGE.read(request, 0), ROUND.read(request, 0)
        drawn, address = directs(request, competition), urls_below(site_address(request))
        asked = sheets.PrintRequest(competition, *named, drawn, address)
        try:
            number = sheets.round_to_print(asked).number
        except sheets.NothingToPrint:
            raise Http404 from None
        return kept_print(request, "sheets", asked, f"{competition.slug}-{number}.pdf")
