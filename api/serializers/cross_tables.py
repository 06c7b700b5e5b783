"""Cross tables as clients read them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.league import EntryReferenceSerializer
from league.core.standings.cross_table import CrossRow


class CrossTableRowSerializer(serializers.Serializer[Any]):
    """An entry's row: `cells` holds its results against each entry, in the order of the rows.

    Each meeting is "1" for ahead, "1/2" for level or "0" for behind; null is the entry itself.
    """

    rank = serializers.IntegerField()
    entry = serializers.SerializerMethodField()
    points = serializers.CharField()
    cells = serializers.ListField(child=serializers.ListField(child=serializers.CharField(), allow_null=True))

    @extend_schema_field(EntryReferenceSerializer)
    def get_entry(self, row: CrossRow) -> Any:
        """Return the entry."""
        return {"id": row.entry, "name": row.name}


class CrossTableGroupSerializer(serializers.Serializer[Any]):
    """A group's cross table, with its rows in the order of the standings."""

    group = serializers.IntegerField()
    rows = CrossTableRowSerializer(many=True)


class CrossTableSerializer(serializers.Serializer[Any]):
    """The cross tables of a stage's groups; `as_of` is the last event that they include."""

    stage = serializers.IntegerField()
    as_of = serializers.IntegerField()
    groups = CrossTableGroupSerializer(many=True)
