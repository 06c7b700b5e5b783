"""The caller, as programs that act for somebody read it, and the tokens of its account."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from api.serializers.games import PlayerReferenceSerializer
from api.serializers.league import EntrySerializer
from league.choices import Audience, MemberRole, TokenScope
from league.core.verbs import PLAYER_VERBS
from league.queries.links import calendar_of

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
    asks = serializers.SerializerMethodField(
        help_text="whether games that other members open wait for the caller's answer"
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

    def get_asks(self, own: Any) -> bool:
        """Return whether the caller wants to be asked."""
        return not own.member.agrees_to_games


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
