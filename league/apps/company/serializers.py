"""Friends and whom somebody mutes, as clients read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.games import PlayerReferenceSerializer


class FriendSerializer(serializers.Serializer[Any]):
    """A friend, or somebody who asks or is asked to be one."""

    id = serializers.CharField(source="row.pk")
    player = PlayerReferenceSerializer(allow_null=True, help_text="null while the person hides")
    status = serializers.ChoiceField(
        ["friends", "asks", "asked"], help_text="`asks`: waits for the caller’s answer"
    )
    since = serializers.SerializerMethodField()
    here = serializers.SerializerMethodField(help_text="whether the friend is here now; false of who hides")
    seen_at = serializers.DateTimeField(
        source="here.at", allow_null=True, default=None, help_text="the last quarter of an hour alone"
    )

    @extend_schema_field({"type": "string", "format": "date-time"})
    def get_since(self, friend: Any) -> Any:
        """Return since when they are friends, or one waits."""
        return serializers.DateTimeField().to_representation(friend.row.accepted_at or friend.row.asked_at)

    def get_here(self, friend: Any) -> bool:
        return friend.here is not None and friend.here.now


class MutedSerializer(serializers.Serializer[Any]):
    """Somebody whom the caller mutes or blocks."""

    id = serializers.CharField(source="pk")
    player = PlayerReferenceSerializer(allow_null=True, help_text="null while the person hides")
    blocks = serializers.BooleanField(help_text="neither meets the other in casual games, or is seen as here")
    at = serializers.DateTimeField()


class ReportSerializer(serializers.Serializer[Any]):
    """What the caller told the organisers of a club about one of its players."""

    id = serializers.CharField(source="pk")
    at = serializers.DateTimeField()


class PhraseSerializer(serializers.Serializer[Any]):
    """Something that can be said, in the caller's language."""

    key = serializers.CharField()
    text = serializers.CharField()


class PresentSerializer(serializers.Serializer[Any]):
    """A seat whose player is at the table, or has left lately; one that hides is not listed."""

    seat = serializers.IntegerField()
    left_at = serializers.DateTimeField(allow_null=True, help_text="null of who is here now")


class CompanySerializer(serializers.Serializer[Any]):
    """What can be said at a table, and who is there."""

    phrases = PhraseSerializer(many=True, help_text="none where club or competition want none")
    room = serializers.URLField(allow_null=True, help_text="the club's room for voice or chat")
    seats = PresentSerializer(many=True)
