"""Imports of games and competitions from the files of their logs, which workers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.parsers import LOG, LogParser
from api.serializers.imports import ImportSerializer
from api.views.base import Operation, Resource
from league.queries.clubs import club_at
from league.queries.jobs import imports_of
from league.services.jobs import start_import

if TYPE_CHECKING:
    from league.models import Job


class Imports(Resource, ListAPIView["Job"]):
    """A club's imports of logs, the newest first; they are listed for a week."""

    serializer_class = ImportSerializer
    filter_backends = ()
    parser_classes = (LogParser,)
    operations = {
        "GET": Operation(scopes=("club:organise",)),
        "POST": Operation(media_types=(LOG,), scopes=("club:organise",), refuses=("illegal",)),
    }

    def get_queryset(self) -> QuerySet[Job]:
        account = self.account()
        return imports_of(club_at(self.kwargs["slug"]), account)

    @extend_schema(responses={202: ImportSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Import a finished competition with its games, or a finished game, from a file.

        The body is what `competitions/{id}/export/` or `games/{id}/log/` of any server gives, at most 8 MB. A
        worker verifies it (chain, shuffles, every move, results) before anything is written; the address in
        `Location` says how far it is. The same file again changes nothing.
        """
        account, club = self.account(), club_at(self.kwargs["slug"])
        sent = cast(object, request.data)
        # A request without a body has an empty mapping instead.
        job = start_import(by=account, club=club, data=sent if isinstance(sent, bytes) else b"")
        location = reverse("api:import", args=[club.slug, job.pk])
        return Response(ImportSerializer(job).data, status=202, headers={"Location": location})


class ImportDetail(Resource):
    """One import."""

    operations = {"GET": Operation(scopes=("club:organise",))}

    @extend_schema(responses=ImportSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        account = self.account()
        found = imports_of(club_at(self.kwargs["slug"]), account).get(pk=self.kwargs["id"])
        return Response(ImportSerializer(found).data)
