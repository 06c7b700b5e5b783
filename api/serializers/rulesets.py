"""Rulesets as clients read them."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from games.engine import schemas, shapes
from games.engine.replay import AnyRuleset


@extend_schema_field({"type": "object", "additionalProperties": contract.ref("AnyOptions")})
class PresetsField(serializers.JSONField):
    """Options by name."""


class SeatCountsSerializer(serializers.Serializer[Any]):
    """The numbers of players that a game allows."""

    min = serializers.IntegerField()
    max = serializers.IntegerField()
    allowed = serializers.ListField(child=serializers.IntegerField())


class RulesetSerializer(serializers.Serializer[Any]):
    """A game that can be played here; `options` and each of `moves` are JSON Schema (2020-12)."""

    key = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    summary = serializers.CharField()
    seats = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    presets = PresetsField(help_text="options by the name of the preset")
    moves = serializers.SerializerMethodField()
    rules_url = serializers.SerializerMethodField()

    @extend_schema_field(SeatCountsSerializer)
    def get_seats(self, ruleset: AnyRuleset) -> dict[str, Any]:
        """Return fewest, most, and each number that is allowed."""
        return {"min": min(ruleset.seats), "max": max(ruleset.seats), "allowed": list(ruleset.seats)}

    @extend_schema_field(contract.json_schema())
    def get_options(self, ruleset: AnyRuleset) -> Any:
        """Return the JSON Schema of the options, with defaults."""
        return shapes.schema(ruleset.options)

    @extend_schema_field({"type": "object", "additionalProperties": contract.json_schema()})
    def get_moves(self, ruleset: AnyRuleset) -> Any:
        """Return the JSON Schema of each move by its type, those of every game included."""
        return schemas.move_schemas(ruleset)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_rules_url(self, ruleset: AnyRuleset) -> str:
        """Return the address of the page with the rules."""
        return str(self.context["request"].build_absolute_uri(reverse("rules", args=[ruleset.key])))
