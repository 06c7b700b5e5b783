"""The games that can be played here."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.rulesets import RulesetSerializer
from api.views.base import Resource
from games import rules


class Rulesets(ListAPIView[Any]):
    """Every game in its newest version."""

    serializer_class = RulesetSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        return sorted(rules.NEWEST.values(), key=lambda ruleset: ruleset.key)


class Ruleset(Resource):
    """One game, by key (`scoops`: the newest) or by key and version (`scoops@1`)."""

    @extend_schema(responses=RulesetSerializer)
    def get(self, request: Request, key: str) -> Response:
        try:
            ruleset = rules.find(key)
        except KeyError:
            raise Http404 from None
        return Response(RulesetSerializer(ruleset, context={"request": request}).data)
