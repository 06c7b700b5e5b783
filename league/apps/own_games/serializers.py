"""The games of clubs, as organisers and their programs read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from games.engine import shapes
from games.rules.card_game.definition import Definition

DEFINITION = contract.component("GameDefinition", {**shapes.schema(Definition)})


@extend_schema_field(DEFINITION)
class DefinitionField(serializers.JSONField):
    """What a game is."""


class OwnGameSerializer(serializers.Serializer[Any]):
    """A game that a club has made for itself."""

    id = serializers.CharField()
    title = serializers.CharField()
    ruleset = serializers.CharField(help_text="The name by which a competition is opened with it.")
    definition = DefinitionField(help_text="The whole definition; what is as usual is left out.")
    made_at = serializers.DateTimeField()
    retired_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when it is offered no more; null while it is offered."
    )
