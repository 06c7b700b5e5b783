"""Seeks as clients read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from api.serializers.computed import Computed
from api.serializers.games import PlayerReferenceSerializer, RulesetField
from league.choices import SeekStatus


@extend_schema_field(contract.ref("Clock"))
class ClockField(serializers.JSONField):
    """The clock of a game."""


class SeekSerializer(serializers.Serializer[Any]):
    """Somebody looks for players: the game begins once `seats` players have joined."""

    id = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    ruleset = serializers.CharField()
    options = RulesetField("options")
    clock = ClockField()
    private = serializers.BooleanField(help_text="joined by links alone, and seen by who has joined")
    seats = serializers.IntegerField(help_text="how many players the game needs")
    players = Computed(
        lambda seek: [taken.player for taken in seek.taken.all()], PlayerReferenceSerializer, many=True
    )
    status = serializers.ChoiceField(SeekStatus.choices)
    made_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="when it lapses")
    game = serializers.CharField(source="game_id", allow_null=True, help_text="once it has begun")


class SeatLinkSerializer(serializers.Serializer[Any]):
    """A link to a seat of a seek, for one person, who accepts or declines on the page that it leads to."""

    id = serializers.CharField()
    url = serializers.URLField(allow_null=True, help_text="null once it was answered")
    accepted = serializers.BooleanField(allow_null=True, help_text="null before there is an answer")
    made_at = serializers.DateTimeField()
