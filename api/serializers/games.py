"""Games as clients read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.choices import GameStatus, MoveRole


@extend_schema_field({"type": "object", "additionalProperties": True})
class ObjectField(serializers.JSONField):
    """An object whose fields are declared elsewhere: by a ruleset, a format."""


@extend_schema_field(
    {
        "type": "object",
        "properties": {"type": {"type": "string"}, "fields": {"type": "object"}},
        "required": ["type", "fields"],
    }
)
class ChoiceField(serializers.JSONField):
    """A move that a seat may make, with the values of its fields."""


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

    id = serializers.CharField(source="club_game.game.id")
    ruleset = serializers.CharField(source="club_game.game.ruleset")
    options = ObjectField(source="club_game.game.options")
    status = serializers.ChoiceField(GameStatus.choices, source="club_game.game.status")
    club = serializers.CharField(source="club_game.club.slug")
    competition = serializers.CharField(source="club_game.competition_id", allow_null=True)
    table = serializers.CharField(source="club_game.table_id", allow_null=True)
    seats: serializers.Serializer[Any] = TakenSeatSerializer(many=True)
    seq = serializers.IntegerField(source="club_game.game.seq", help_text="entries in the log")
    head = serializers.CharField(source="club_game.game.head", help_text="hash of the last entry")
    commitment = serializers.CharField(source="club_game.game.commitment")
    awaited = serializers.ListField(child=serializers.IntegerField(), source="club_game.game.awaited")
    opened_at = serializers.DateTimeField(source="club_game.game.opened_at")
    moved_at = serializers.DateTimeField(source="club_game.game.moved_at")
    result = ResultSerializer(source="club_game.game.result", allow_null=True)


class GameSerializer(serializers.Serializer[Any]):
    """A game as the caller may see it now."""

    id = serializers.CharField(source="game.id")
    ruleset = serializers.CharField(source="game.ruleset")
    options = ObjectField(source="game.options")
    status = serializers.ChoiceField(GameStatus.choices, source="game.status")
    club = serializers.CharField(source="club_game.club.slug")
    competition = serializers.CharField(source="club_game.competition_id", allow_null=True)
    table = serializers.CharField(source="club_game.table_id", allow_null=True)
    seats = GameSeatSerializer(many=True)
    seq = serializers.IntegerField(source="game.seq", help_text="entries in the log")
    head = serializers.CharField(source="game.head", help_text="hash of the last entry")
    commitment = serializers.CharField(source="game.commitment")
    seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    to_act = serializers.ListField(child=serializers.IntegerField())
    deadline = serializers.DateTimeField(source="game.deadline", allow_null=True)
    you = serializers.IntegerField(allow_null=True, help_text="your seat, null for a spectator")
    view = ObjectField(help_text="what you may know; the rules page of the game explains it")
    choices = serializers.ListField(
        child=ChoiceField(), source="choices_as_json", read_only=True, help_text="what you may do now"
    )
    result = ResultSerializer(source="game.result", allow_null=True)


class MoveSerializer(serializers.Serializer[Any]):
    """An entry of a game's log."""

    seq = serializers.IntegerField(source="entry.seq")
    seat = serializers.IntegerField(source="entry.seat", allow_null=True)
    role = serializers.ChoiceField(MoveRole.choices, source="entry.role")
    move = ObjectField(source="entry.move")
    at = serializers.SerializerMethodField()
    hash = serializers.CharField(source="entry.hash")
    text = serializers.CharField(help_text="one line for a person")

    @extend_schema_field({"type": "string", "format": "date-time"})
    def get_at(self, line: Any) -> Any:
        """Return the time as the log writes it: to the microsecond, as it was hashed."""
        return line.entry.as_json()["at"]
