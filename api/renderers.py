"""How the API describes, chooses and renders its answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.metadata import SimpleMetadata
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

# ---- Renderers -----------------------------------------------------------------------------------


class WrittenByTheView(BaseRenderer):
    """A format whose view answers with the text itself."""

    charset: str | None = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return data


class JSONLinesRenderer(WrittenByTheView):
    """A JSON value a line."""

    media_type = "application/jsonl"
    format = "jsonl"


class NDJSONRenderer(WrittenByTheView):
    """A JSON object a line, as the lines are read."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class EventStreamRenderer(WrittenByTheView):
    """Server-sent events."""

    media_type = "text/event-stream"
    format = "events"


class TextRenderer(WrittenByTheView):
    """Plain text."""

    media_type = "text/plain"
    format = "txt"


class CSVRenderer(WrittenByTheView):
    """Comma-separated values."""

    media_type = "text/csv"
    format = "csv"


class CalendarRenderer(WrittenByTheView):
    """Calendars (RFC 5545)."""

    media_type = "text/calendar"
    format = "ics"


class PDFRenderer(WrittenByTheView):
    """Pages to print."""

    media_type = "application/pdf"
    format = "pdf"
    charset = None


# ---- Negotiation ---------------------------------------------------------------------------------


class OneFormat(DefaultContentNegotiation):
    """For addresses with one format: the Accept header is ignored."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        only = next(iter(renderers))
        return only, str(only.media_type)


# ---- Metadata ------------------------------------------------------------------------------------


class Description(SimpleMetadata):
    """Names and describes an address; its fields are in the OpenAPI document."""

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """Return nothing: REST Framework would describe the fields of answers as if clients sent them."""
        return {}
