"""Players' records as clients read them."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import PlayerReferenceSerializer


class PlayerResultSerializer(serializers.Serializer[Any]):
    """A player's result in a finished game; rank 1 is best."""

    game = serializers.CharField(source="club_game.game_id")
    ruleset = serializers.CharField(source="club_game.game.ruleset")
    competition = serializers.CharField(source="club_game.competition_id", allow_null=True)
    finished_at = serializers.DateTimeField()
    rank = serializers.IntegerField()
    score = serializers.IntegerField()
    opponents = PlayerReferenceSerializer(many=True)


class HeadToHeadSerializer(serializers.Serializer[Any]):
    """How often the player met an opponent in finished games, and ended ahead, level or behind."""

    opponent = PlayerReferenceSerializer()
    met = serializers.IntegerField()
    ahead = serializers.IntegerField()
    level = serializers.IntegerField()
    behind = serializers.IntegerField()


class RatingSerializer(serializers.Serializer[Any]):
    """A rating: the estimated skill in points, its uncertainty, and a cautious estimate."""

    ruleset = serializers.CharField(help_text="without its version, because ratings span versions")
    points = serializers.IntegerField()
    uncertainty = serializers.IntegerField(help_text="a standard deviation, in points")
    sure_points = serializers.IntegerField(help_text="`points` less three times `uncertainty`")
    games = serializers.IntegerField(help_text="how many rated games")


class GameRatingSerializer(serializers.Serializer[Any]):
    """A player's rating after a game, and the points gained by it."""

    game = serializers.CharField(source="game_id")
    competition = serializers.CharField(source="competition_id")
    ended_at = serializers.DateTimeField()
    rank = serializers.IntegerField()
    points = serializers.IntegerField(source="rating.points")
    uncertainty = serializers.IntegerField(source="rating.uncertainty")
    sure_points = serializers.IntegerField(source="rating.sure_points")
    games = serializers.IntegerField()
    gained = serializers.IntegerField()


class RatedPlayerSerializer(RatingSerializer):
    """A player of a rating list with their rating."""

    player = PlayerReferenceSerializer()


class PlayerRatingSerializer(serializers.Serializer[Any]):
    """A player's rating, with its latest rated games, oldest first."""

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
    bot = serializers.BooleanField(source="player.bot")
    shown = serializers.BooleanField(help_text="false where the player keeps the rest from you: it is empty")
    results = PlayerResultSerializer(many=True)
    head_to_head = HeadToHeadSerializer(many=True)
    ratings = PlayerRatingSerializer(many=True)
