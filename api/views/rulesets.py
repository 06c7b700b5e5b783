"""The rulesets of the games."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import contract
from api.serializers.games import RulesetSerializer
from api.views.base import Operation, Resource, the_release
from games import rules
from games.engine import schemas
from games.engine.replay import AnyRuleset


class Rulesets(Resource, ListAPIView[Any]):
    """The newest version of every ruleset."""

    operations = {"GET": Operation(follows=(the_release,))}
    serializer_class = RulesetSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        return sorted(rules.NEWEST.values(), key=lambda ruleset: ruleset.key)


class Schema(Resource):
    """The JSON Schema (2020-12) of what an edition of a ruleset tells: views, choices, moves and options.

    Its `$defs` hold one schema for each: `view` and `choices` of a game, `at` for `at/{seq}/`, `open_view`
    for the view of a game that is over, `move` and `options`. No object has fields that are not declared.
    """

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses={200: contract.json_schema()})
    def get(self, request: Request, key: str, version: int) -> Response:
        return Response(schemas.document(_found(f"{key}@{version}")))


class Ruleset(Resource):
    """One ruleset by key (`rummy`: the newest version) or by key and version (`rummy@1`)."""

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses=RulesetSerializer)
    def get(self, request: Request, key: str) -> Response:
        return Response(RulesetSerializer(_found(key), context={"request": request}).data)


def _found(name: str) -> AnyRuleset:
    """Return the ruleset of a key or name; raise Http404."""
    try:
        return rules.find(name)
    except KeyError:
        raise Http404 from None
