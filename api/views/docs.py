"""The OpenAPI document and the page that shows it."""

from functools import cache
from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
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
    """Return the OpenAPI document, generated once per process."""
    generator = SchemaGenerator()
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


# The scripts of the page create style elements and attributes.
@method_decorator(csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch")
class Docs(SpectacularSwaggerSplitView):
    """The document in Swagger UI, without inline scripts."""

    url_name = "api:schema"
    # REST Framework's answer to OPTIONS has no template here.
    metadata_class = None
