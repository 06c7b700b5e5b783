"""The rulesets of the games."""

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
    """The newest version of every ruleset."""

    serializer_class = RulesetSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        return sorted(rules.NEWEST.values(), key=lambda ruleset: ruleset.key)


class Ruleset(Resource):
    """One ruleset by key (`rummy`: the newest version) or by key and version (`rummy@1`)."""

    @extend_schema(responses=RulesetSerializer)
    def get(self, request: Request, key: str) -> Response:
        try:
            ruleset = rules.find(key)
        except KeyError:
            raise Http404 from None
        return Response(RulesetSerializer(ruleset, context={"request": request}).data)
