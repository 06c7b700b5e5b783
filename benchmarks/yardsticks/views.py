"""The yardsticks: a view as REST Framework's guide writes it, and one with a single INSERT."""

import json
from typing import Any, ClassVar
from uuid import UUID

from django.db import connection, transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import serializers, status
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.generics import get_object_or_404
from rest_framework.parsers import JSONParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.yardsticks.models import Entry, Match


class EntrySerializer(serializers.ModelSerializer[Entry]):
    class Meta:
        model = Entry
        fields: ClassVar = ["seq", "move", "at"]
        read_only_fields: ClassVar = ["at"]


class MatchSerializer(serializers.ModelSerializer[Match]):
    last = EntrySerializer()

    class Meta:
        model = Match
        fields: ClassVar = ["id", "name", "seq", "moved_at", "last"]


class Entries(APIView):
    """Writes an entry at the expected number, with a token, a serializer and a transaction."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = (IsAuthenticated,)
    throttle_classes = ()
    parser_classes = (JSONParser,)

    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        serializer = EntrySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        with transaction.atomic():
            match = get_object_or_404(Match.objects.select_for_update(), pk=id, player=request.user)
            if serializer.validated_data["seq"] != match.seq + 1:
                raise ValidationError({"seq": [f"The next one is {match.seq + 1}."]})
            match.last = serializer.save(match=match)
            match.seq += 1
            match.save()
        return Response(MatchSerializer(match).data, status=status.HTTP_201_CREATED)


@csrf_exempt
def bare(request: HttpRequest, id: UUID) -> JsonResponse:  # noqa: A002 - the name in the address
    """Write an entry with one statement, and look at nothing else."""
    body: Any = json.loads(request.body)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO yardsticks_entry (match_id, seq, move, at) VALUES (%s, %s, %s, now())",
            [id, body["seq"], json.dumps(body["move"])],
        )
    return JsonResponse({"seq": body["seq"]}, status=201)
