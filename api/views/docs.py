"""The API's own description, for programs and for people."""

from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document, made once: it follows from the code alone."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(request=None, public=True)
    return made


class Schema(APIView):
    """The OpenAPI document, as JSON unless YAML is asked for."""

    renderer_classes = (
        OpenApiJsonRenderer2,
        OpenApiJsonRenderer,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    )

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response(document())


class Docs(SpectacularSwaggerSplitView):
    """The document for people: Swagger UI, with no script in the page itself."""

    url_name = "api:schema"
    # What REST Framework tells of a view for OPTIONS has no template here.
    metadata_class = None
