"""The descriptions of problems, and the response for unknown addresses."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.callers import wait_of_address
from api.errors import PROBLEMS, handler, problem
from api.views.base import Operation, Resource, the_release


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
