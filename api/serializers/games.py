"""Games as clients read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import Game, Move


@extend_schema_field({"type": "object", "additionalProperties": True})
class ObjectField(serializers.JSONField):
    """An object whose fields are declared elsewhere: by a ruleset, a format."""


class NamedPlayerSerializer(serializers.Serializer[Any]):
    """A person, as far as a table shows them."""

    id = serializers.CharField()
    name = serializers.CharField()


class TakenSeatSerializer(serializers.Serializer[Any]):
    """A seat and who has it."""

    seat = serializers.IntegerField()
    player = NamedPlayerSerializer(allow_null=True)
    team = serializers.IntegerField()


class GameSeatSerializer(TakenSeatSerializer):
    """A seat, who has it, and whether it has left the game."""

    out = serializers.BooleanField()


class PlacingSerializer(serializers.Serializer[Any]):
    """Where a seat ended: rank 1 is best, equal seats share."""

    seat = serializers.IntegerField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField()


class ResultSerializer(serializers.Serializer[Any]):
    """The end of a finished game, with the rows of its score sheet."""

    seats = PlacingSerializer(many=True)
    sheet = serializers.ListField(child=ObjectField())


class ListedGameSerializer(serializers.Serializer[Any]):
    """A game without what is on its table; `awaited` are the seats that it waits for."""

    id = serializers.CharField(source="place.game.id")
    ruleset = serializers.CharField(source="place.game.ruleset")
    options = ObjectField(source="place.game.options")
    status = serializers.ChoiceField(Game.Status.choices, source="place.game.status")
    club = serializers.CharField(source="place.club.slug")
    competition = serializers.CharField(source="place.competition_id", allow_null=True)
    table = serializers.CharField(source="place.table_id", allow_null=True)
    seats: serializers.Serializer[Any] = TakenSeatSerializer(many=True)
    seq = serializers.IntegerField(source="place.game.seq", help_text="entries in the log")
    head = serializers.CharField(source="place.game.head", help_text="hash of the last entry")
    commitment = serializers.CharField(source="place.game.commitment")
    awaited = serializers.ListField(child=serializers.IntegerField(), source="place.game.awaited")
    opened_at = serializers.DateTimeField(source="place.game.opened_at")
    moved_at = serializers.DateTimeField(source="place.game.moved_at")
    result = ResultSerializer(source="place.game.result", allow_null=True)


class GameSerializer(serializers.Serializer[Any]):
    """A game as the caller may see it now."""

    id = serializers.CharField(source="game.id")
    ruleset = serializers.CharField(source="game.ruleset")
    options = ObjectField(source="game.options")
    status = serializers.ChoiceField(Game.Status.choices, source="game.status")
    club = serializers.CharField(source="place.club.slug")
    competition = serializers.CharField(source="place.competition_id", allow_null=True)
    table = serializers.CharField(source="place.table_id", allow_null=True)
    seats = GameSeatSerializer(many=True)
    seq = serializers.IntegerField(source="game.seq", help_text="entries in the log")
    head = serializers.CharField(source="game.head", help_text="hash of the last entry")
    commitment = serializers.CharField(source="game.commitment")
    seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    to_act = serializers.ListField(child=serializers.IntegerField())
    deadline = serializers.DateTimeField(allow_null=True)
    you = serializers.IntegerField(allow_null=True, help_text="your seat, null for a spectator")
    view = ObjectField(help_text="what you may know; the rules page of the game explains it")
    choices = serializers.SerializerMethodField(help_text="what you may do now")
    result = ResultSerializer(source="game.result", allow_null=True)

    @extend_schema_field(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"type": {"type": "string"}, "fields": {"type": "object"}},
                "required": ["type", "fields"],
            },
        }
    )
    def get_choices(self, seen: Any) -> list[Any]:
        """Return the choices as JSON."""
        return [choice.as_json() for choice in seen.choices]


class MoveSerializer(serializers.Serializer[Any]):
    """An entry of a game's log."""

    seq = serializers.IntegerField(source="entry.seq")
    seat = serializers.IntegerField(source="entry.seat", allow_null=True)
    role = serializers.ChoiceField(Move.Role.choices, source="entry.role")
    move = ObjectField(source="entry.move")
    at = serializers.SerializerMethodField()
    hash = serializers.CharField(source="entry.hash")
    text = serializers.CharField(help_text="one line for a person")

    @extend_schema_field({"type": "string", "format": "date-time"})
    def get_at(self, told: Any) -> Any:
        """Return the time as the log writes it: to the microsecond, as it was hashed."""
        return told.entry.as_json()["at"]
