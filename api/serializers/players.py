"""Players' records as clients read them."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import NamedPlayerSerializer


class PlayedSerializer(serializers.Serializer[Any]):
    """What came of a finished game for a player: rank 1 is best."""

    game = serializers.CharField(source="club_game.game_id")
    ruleset = serializers.CharField(source="club_game.game.ruleset")
    competition = serializers.CharField(source="club_game.competition_id", allow_null=True)
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


class BelievedSerializer(serializers.Serializer[Any]):
    """A rating: skill in points, give or take; `sure_points` it all but surely exceeds."""

    ruleset = serializers.CharField(help_text="without a version: ratings outlive it")
    points = serializers.IntegerField()
    uncertainty = serializers.IntegerField(help_text="a standard deviation, in points")
    sure_points = serializers.IntegerField(help_text="`points` less three times `uncertainty`")
    games = serializers.IntegerField(help_text="how many rated games")


class GameRatingSerializer(serializers.Serializer[Any]):
    """The rating after a game, and how many points the game brought."""

    game = serializers.CharField(source="game_id")
    competition = serializers.CharField(source="competition_id")
    ended_at = serializers.DateTimeField()
    rank = serializers.IntegerField()
    points = serializers.IntegerField(source="believed.points")
    uncertainty = serializers.IntegerField(source="believed.uncertainty")
    sure_points = serializers.IntegerField(source="believed.sure_points")
    games = serializers.IntegerField()
    gained = serializers.IntegerField()


class RatedSerializer(BelievedSerializer):
    """A player's place in a rating list."""

    player = NamedPlayerSerializer()


class CourseSerializer(serializers.Serializer[Any]):
    """A rating with its course: the latest rated games, oldest first."""

    ruleset = serializers.CharField(source="rating.ruleset")
    points = serializers.IntegerField(source="rating.points")
    uncertainty = serializers.IntegerField(source="rating.uncertainty")
    sure_points = serializers.IntegerField(source="rating.sure_points")
    games = serializers.IntegerField(source="rating.games")
    history = GameRatingSerializer(many=True)


class PlayerRecordSerializer(serializers.Serializer[Any]):
    """A player with the latest results, every opponent, and ratings over time."""

    id = serializers.CharField(source="player.id")
    name = serializers.CharField(source="player.name")
    club = serializers.CharField(source="player.club.slug")
    active = serializers.BooleanField(source="player.active")
    results = PlayedSerializer(many=True)
    head_to_head = MeetingsSerializer(many=True)
    ratings = CourseSerializer(many=True)
