"""The API about itself: its document and its problems."""

from functools import cache, partial
from typing import Any, Final

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.callers import wait_of_address
from api.errors import PROBLEMS, handler, problem
from api.views.base import Operation, Resource, the_release
from league.ops import offload

# ---- Docs ----------------------------------------------------------------------------------------


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


# ---- Problems ------------------------------------------------------------------------------------


class ProblemTypeSerializer(serializers.Serializer[Any]):
    """A problem type (RFC 9457)."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    about = serializers.CharField(help_text="what to do about it")


class ProblemType(Resource):
    """The description that a problem document's `type` links to."""

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses=ProblemTypeSerializer)
    def get(self, request: Request, code: str) -> Response:
        if code not in PROBLEMS:
            raise Http404
        kind = PROBLEMS[code]
        fields = {"code": code, "status": kind.status, "title": kind.title, "about": kind.about}
        return Response(ProblemTypeSerializer(fields).data)


class Moved(HttpResponsePermanentRedirect):
    """A redirect that keeps method and body."""

    status_code = 308


@csrf_exempt
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Return 404 for an unknown address, or redirect where only the final slash is missing."""
    if wait := wait_of_address(request):
        return handler(Throttled(wait), {})
    there = f"{request.path}/"
    try:
        known = resolve(there).func is not unknown_address
    except Resolver404:
        known = False
    if request.path.endswith("/") or not known:
        return problem("not_found")
    query = request.META.get("QUERY_STRING", "")
    return Moved(f"{there}?{query}" if query else there)
