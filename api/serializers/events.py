"""The JSON of events of competitions' logs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import contract
from api.serializers.computed import TIME, Computed
from league.choices import EventRole
from league.queries.readers import as_read

if TYPE_CHECKING:
    pass


@extend_schema_field(contract.ref(contract.EVENT))
class EventField(serializers.JSONField):
    """An event as it was written."""


class EventSerializer(serializers.Serializer[Any]):
    """An event in a competition's log."""

    seq = serializers.IntegerField()
    role = serializers.ChoiceField(EventRole.choices)
    event = EventField()
    at = Computed(lambda entry: entry.as_json()["at"], TIME)
    hash = serializers.CharField()

    def to_representation(self, instance: Any) -> Any:
        """Return the event as the caller may read it: a name that is for others is left out."""
        told = super().to_representation(instance)
        return {**told, "event": as_read(instance.competition_id, told["event"])}
