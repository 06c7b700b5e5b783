"""Imports of logs as organisers read them."""

from typing import Any

from rest_framework import serializers

from league.choices import JobStatus


class ImportSerializer(serializers.Serializer[Any]):
    """An import: how far it is, and what came of it."""

    id = serializers.CharField()
    status = serializers.ChoiceField(JobStatus.choices)
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_blank=True, help_text="Why it failed; then nothing was changed.")
    competition = serializers.SerializerMethodField(help_text="The id of the competition that is here now.")
    game = serializers.SerializerMethodField(help_text="The id of the game that is here now.")
    created = serializers.SerializerMethodField(help_text="False where it was here before; null until done.")

    def get_competition(self, job: Any) -> str | None:
        """Return the competition's id once the import is done."""
        return job.result.get("competition")  # type: ignore[no-any-return]

    def get_game(self, job: Any) -> str | None:
        """Return the game's id once the import is done."""
        return job.result.get("game")  # type: ignore[no-any-return]

    def get_created(self, job: Any) -> bool | None:
        """Return whether anything was missing."""
        return job.result.get("created")  # type: ignore[no-any-return]
