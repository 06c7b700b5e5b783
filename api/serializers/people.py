"""Clubs and their players, and the caller's own account."""

from typing import Any, get_args

from rest_framework import serializers
from rest_framework.request import Request

from api.serializers.computed import TRUTH, Computed
from api.serializers.games import PlayerReferenceSerializer
from api.serializers.league import EntrySerializer
from league.choices import Audience, MemberRole, NamesShown, TokenScope
from league.core.state.challenges import ChallengeStatus, Cost
from league.core.verbs import PLAYER_VERBS
from league.queries.links import calendar_of

# ---- Clubs and players ---------------------------------------------------------------------------


class ClubSerializer(serializers.Serializer[Any]):
    """A club; times on its pages are in its zone."""

    id = serializers.CharField()
    slug = serializers.CharField()
    name = serializers.CharField()
    timezone = serializers.CharField()
    names = serializers.ChoiceField(
        NamesShown.choices, help_text="what others than members read of its people’s names"
    )


class PlayerSerializer(PlayerReferenceSerializer):
    """A person who plays in a club."""

    club = serializers.CharField(source="club.slug")
    active = serializers.BooleanField()


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

    ruleset = serializers.CharField(
        help_text="of the game, without a version: ratings span versions, and mended words"
    )
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
    name = serializers.CharField(source="player.called")
    club = serializers.CharField(source="player.club.slug")
    active = serializers.BooleanField(source="player.active")
    bot = serializers.BooleanField(source="player.bot")
    shown = serializers.BooleanField(help_text="false where the player keeps the rest from you: it is empty")
    results = PlayerResultSerializer(many=True)
    head_to_head = HeadToHeadSerializer(many=True)
    ratings = PlayerRatingSerializer(many=True)


# ---- The caller ----------------------------------------------------------------------------------

# ---- Me ------------------------------------------------------------------------------------------


class ParticipationSerializer(serializers.Serializer[Any]):
    """The caller's part in a competition; `entry` is null for a player who has not entered."""

    player = PlayerReferenceSerializer()
    entry = EntrySerializer(allow_null=True)
    may = serializers.ListField(
        child=serializers.ChoiceField(sorted(PLAYER_VERBS)),
        help_text="what the caller may do now: verbs below `me/`",
    )
    next_round = serializers.IntegerField(help_text="the next round to publish, or the open-ended one played")
    absences = serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds to come that the entry will miss"
    )
    requested_byes = serializers.ListField(
        source="requested",
        child=serializers.IntegerField(),
        help_text="those of them that are byes on request",
    )
    games = serializers.ListField(
        child=serializers.CharField(), help_text="ids of running games in which the caller has a seat"
    )
    unmailed = serializers.ListField(
        child=serializers.CharField(),
        help_text="names of who gets no email about a table that the caller has opened and that is played",
    )


class MembershipSerializer(serializers.Serializer[Any]):
    """A club of the caller: the role there, and the player that the caller is, if any."""

    club = serializers.CharField(source="member.club.slug", help_text="the club's slug")
    name = serializers.CharField(source="member.club.name")
    role = serializers.ChoiceField(MemberRole.choices, source="member.role")
    player = PlayerReferenceSerializer(allow_null=True)
    audience = serializers.ChoiceField(
        Audience.choices,
        source="player.audience",
        default=None,
        allow_null=True,
        help_text="who sees the player's results and ratings; null without a player",
    )
    findable = serializers.BooleanField(
        source="player.findable", default=False, help_text="whether `players/?search=` finds the player"
    )
    names = serializers.ChoiceField(
        NamesShown.values,
        source="player.names",
        default="",
        allow_blank=True,
        help_text="what the public reads for the player’s name; empty: what the club says",
    )
    asks = Computed(
        lambda own: not own.member.agrees_to_games,
        TRUTH,
        help_text="whether games that other members open wait for the caller's answer",
    )

    calendar = serializers.SerializerMethodField(
        help_text="the secret address of the player’s calendar; null without a player, and for a "
        "token, whose end it would outlive"
    )

    def get_calendar(self, own: Any) -> str | None:
        """Return the address, which works whomever the player is shown to."""
        request: Request = self.context["request"]
        if own.player is None or request.auth is not None:
            return None
        return request.build_absolute_uri(calendar_of(own.player))


class MeSerializer(serializers.Serializer[Any]):
    """Who calls, with which token, and as whom in which clubs."""

    id = serializers.CharField(source="account.id")
    username = serializers.CharField(source="account.username")
    bot = serializers.BooleanField(
        source="account.bot", help_text="whether a program plays by itself with it"
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(TokenScope.choices),
        allow_null=True,
        help_text="what the token may do; null for a web session, which may do everything",
    )
    clubs = MembershipSerializer(many=True)
    awaited = serializers.IntegerField(help_text="how many games `games/?awaited=me` lists")


# ---- Tokens --------------------------------------------------------------------------------------


class TokenSerializer(serializers.Serializer[Any]):
    """A token, without its secret."""

    id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(TokenScope.choices))
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True, help_text="null for a token that never expires")
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class TokenWithSecretSerializer(serializers.Serializer[Any]):
    """A token just made, with the secret that is shown this once."""

    token = TokenSerializer()
    secret = serializers.CharField()


class ChallengeSerializer(serializers.Serializer[Any]):
    """A challenge that waits for an answer, or did; `closed`: the event that ended it, 0 while open."""

    number = serializers.IntegerField(help_text="that of its event")
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    by = serializers.CharField(help_text="the entry that challenges")
    entry = serializers.CharField(help_text="the entry that is challenged")
    until = serializers.DateTimeField(help_text="when the time to answer is over")
    status = serializers.ChoiceField(get_args(ChallengeStatus))
    closed = serializers.IntegerField()
    costs = serializers.ChoiceField(get_args(Cost), help_text="what the end of it cost who was challenged")
    table = serializers.CharField(help_text="the one that opened once it was accepted; empty without one")


class ObjectionSerializer(serializers.Serializer[Any]):
    """An objection to a posted result; `decision` and `reason` are empty until an organiser decides."""

    number = serializers.IntegerField(help_text="the number of its event")
    table = serializers.UUIDField()
    entry = serializers.UUIDField()
    what = serializers.CharField()
    decision = serializers.ChoiceField(choices=["corrected", "dismissed"], allow_blank=True)
    reason = serializers.CharField()
    decided = serializers.IntegerField(help_text="the number of the decision’s event, 0 before it")
