"""The OpenAPI document and the page that shows it."""

from functools import cache, partial
from typing import Any, Final

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
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.ops import offload


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return made


WRITTEN: Final[dict[type[BaseRenderer], bytes]] = {}
"""The document by the renderers that have written it in this process."""


def rendered(renderer: type[BaseRenderer]) -> bytes:
    """Return the document as a renderer writes it, once, in a process that ends: it leaves 20 MB."""
    if renderer not in WRITTEN:
        WRITTEN[renderer] = offload.call(_written, renderer)
    return WRITTEN[renderer]


def _written(renderer: type[BaseRenderer]) -> bytes:
    text = renderer().render(document())
    document.cache_clear()
    return text if isinstance(text, bytes) else text.encode()


def _once(renderer: type[BaseRenderer]) -> type[BaseRenderer]:
    """Return the renderer, which writes the document once, whatever it is given."""
    written = partial(rendered, renderer)
    return type(renderer.__name__, (renderer,), {"render": lambda *_, **__: written()})


class Schema(APIView):
    """The OpenAPI document, as JSON unless YAML is asked for."""

    renderer_classes = (
        _once(OpenApiJsonRenderer2),
        _once(OpenApiJsonRenderer),
        _once(OpenApiYamlRenderer),
        _once(OpenApiYamlRenderer2),
    )

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response()


# The scripts of the page create style elements and attributes.
@method_decorator(csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch")
class Docs(SpectacularSwaggerSplitView):
    """The document in Swagger UI, without inline scripts."""

    url_name = "api:schema"
    # REST Framework's answer to OPTIONS has no template here.
    metadata_class = None
