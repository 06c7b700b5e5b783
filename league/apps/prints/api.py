"""The score sheets of a round, by the API."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.answers import OneFormat, PDFRenderer
from api.requests import ROUND, STAGE
from api.views.base import BelowCompetition, Operation, directs
from league.apps.prints import printing
from league.requests import site_address


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
        drawn = directs(request, competition)
        asked = printing.PrintRequest(competition, *named, drawn, site_address(request))
        try:
            number = printing.round_to_print(asked).number
        except printing.NothingToPrint:
            raise Http404 from None
        return printing.kept_print(request, "sheets", asked, f"{competition.slug}-{number}.pdf")


urlpatterns = [path("competitions/<uuid:id>/sheets.pdf", Sheets.as_view(), name="sheets")]
