"""Players' records as clients read them."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import NamedPlayerSerializer


class PlayedSerializer(serializers.Serializer[Any]):
    """What came of a finished game for a player: rank 1 is best."""

    game = serializers.CharField(source="place.game_id")
    ruleset = serializers.CharField(source="place.game.ruleset")
    competition = serializers.CharField(source="place.competition_id", allow_null=True)
    finished_at = serializers.DateTimeField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField()
    opponents = NamedPlayerSerializer(many=True)


class MeetingsSerializer(serializers.Serializer[Any]):
    """How often two players met in finished games, and how often the first came out ahead."""

    opponent = NamedPlayerSerializer()
    met = serializers.IntegerField()
    ahead = serializers.IntegerField()
    level = serializers.IntegerField()
    behind = serializers.IntegerField()


class PlayerRecordSerializer(serializers.Serializer[Any]):
    """A player with the latest results and every opponent."""

    id = serializers.CharField(source="player.id")
    name = serializers.CharField(source="player.name")
    club = serializers.CharField(source="player.club.slug")
    active = serializers.BooleanField(source="player.active")
    results = PlayedSerializer(many=True)
    head_to_head = MeetingsSerializer(many=True)
