"""Answers as clients read them."""

from typing import Any

from rest_framework import serializers

from api.serializers.games import PlayerReferenceSerializer
from league.apps.attendance.models import Reply, Wish


class OwnAnswerSerializer(serializers.Serializer[Any]):
    """What the caller's player answers for an evening."""

    reply = serializers.ChoiceField(Reply.choices, allow_blank=True, help_text="empty: not answered")
    wish = serializers.ChoiceField(Wish.choices, allow_blank=True, help_text="what they look for or offer")
    at = serializers.DateTimeField(allow_null=True, help_text="when it was answered")
    away_until = serializers.DateField(
        allow_null=True,
        help_text="until when the player is away who is away on that day: without an answer taken to be no",
    )
    open = serializers.BooleanField(help_text="whether an answer counts now")


class AnswerSerializer(serializers.Serializer[Any]):
    """What a player of the club answers for an evening."""

    player = PlayerReferenceSerializer()
    reply = serializers.ChoiceField(Reply.choices, allow_blank=True, help_text="empty: not answered")
    wish = serializers.ChoiceField(Wish.choices, allow_blank=True)
    away_until = serializers.DateField(
        allow_null=True,
        help_text="until when the player is away who is away on that day: without an answer taken to be no",
    )
    seq = serializers.IntegerField(allow_null=True, help_text="the order of the answers")
    at = serializers.DateTimeField(allow_null=True)
    by = serializers.CharField(
        source="by.username", allow_null=True, help_text="null: by the link of an email, or not answered"
    )
