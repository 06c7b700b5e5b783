"""The hall of a competition as JSON."""

from typing import Any

from rest_framework import serializers


class TimerSerializer(serializers.Serializer[Any]):
    """The timer of the round that is played; it decides nothing."""

    seconds = serializers.IntegerField(help_text="how long it lasts in all")
    left = serializers.IntegerField(help_text="seconds that are left; less than zero once the time is up")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null while it is paused")
    paused = serializers.BooleanField()
    over = serializers.BooleanField(help_text="whether the time is up")


class AnnouncementSerializer(serializers.Serializer[Any]):
    """What an organiser tells everybody until it is removed."""

    id = serializers.CharField()
    text = serializers.CharField()
    made_at = serializers.DateTimeField()


class HallSerializer(serializers.Serializer[Any]):
    """What the hall page shows besides seats and standings; `timer` is null where the round has none."""

    timer = TimerSerializer(allow_null=True)
    announcements = AnnouncementSerializer(many=True)
