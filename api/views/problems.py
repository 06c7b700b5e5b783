"""What the problems' types say, and the answer where there is nothing at all."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import PROBLEMS, problem
from api.views.base import Resource


class ProblemKindSerializer(serializers.Serializer[Any]):
    """A kind of problem."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    about = serializers.CharField(help_text="what to do about it")


class ProblemKind(Resource):
    """What a problem document's `type` leads to."""

    @extend_schema(responses=ProblemKindSerializer)
    def get(self, request: Request, code: str) -> Response:
        if code not in PROBLEMS:
            raise Http404
        kind = PROBLEMS[code]
        told = {"code": code, "status": kind.status, "title": kind.title, "about": kind.about}
        return Response(ProblemKindSerializer(told).data)


class Moved(HttpResponsePermanentRedirect):
    """A redirect that keeps method and body."""

    status_code = 308


@csrf_exempt
def nowhere(request: HttpRequest) -> HttpResponse:
    """Answer for an address that is none of ours: 404, or where only the last slash was forgotten, there."""
    there = f"{request.path}/"
    try:
        known = resolve(there).func is not nowhere
    except Resolver404:
        known = False
    if request.path.endswith("/") or not known:
        return problem("not_found")
    query = request.META.get("QUERY_STRING", "")
    return Moved(f"{there}?{query}" if query else there)
