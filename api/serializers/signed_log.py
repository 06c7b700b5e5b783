"""The signed log as the API describes it."""

from typing import Any

from rest_framework import serializers

from games.engine.chain import stamp


class EpochSerializer(serializers.Serializer[Any]):
    """A stretch of the signed log under one origin."""

    number = serializers.IntegerField()
    origin = serializers.CharField()
    reason = serializers.CharField(allow_blank=True, help_text="Why it began; empty for the first one.")
    at = serializers.DateTimeField()


class PublishedHeadSerializer(serializers.Serializer[Any]):
    """A head of the signed log as it was published."""

    origin = serializers.CharField(source="row.epoch.origin")
    size = serializers.IntegerField(source="row.size", help_text="The number of leaves.")
    root = serializers.CharField(  # type: ignore[assignment]  # a field, not the property
        help_text="The root of the tree, 64 hex digits."
    )
    at = serializers.SerializerMethodField(help_text="When it was signed.")
    note = serializers.CharField(help_text="The checkpoint as it was signed, with all signatures.")
    witnesses = serializers.ListField(
        child=serializers.CharField(), help_text="The names of the witnesses that signed it too."
    )

    def get_at(self, head: Any) -> str:
        """Return the time as logs write it."""
        return stamp(head.row.at)


class SignedLogSerializer(PublishedHeadSerializer):
    """The newest head of the signed log."""

    key = serializers.CharField(help_text="The key that signs now, as `--key` of the verifiers takes it.")
    witnessed = PublishedHeadSerializer(
        allow_null=True, help_text="The newest head that a witness signed; null without any."
    )
    epochs = EpochSerializer(many=True)


class PathSerializer(serializers.Serializer[Any]):
    """A proof in the tree: hashes of 64 hex digits, in the order of RFC 9162."""

    path = serializers.ListField(child=serializers.CharField())


class InclusionSerializer(PathSerializer):
    """Where a leaf is in the tree, with the proof."""

    index = serializers.IntegerField(help_text="The number of the leaf, from 0.")


class LeafSerializer(serializers.Serializer[Any]):
    """A leaf of the signed log."""

    index = serializers.IntegerField()
    hash = serializers.SerializerMethodField(help_text="64 hex digits.")

    def get_hash(self, leaf: Any) -> str:
        """Return the hash in hexadecimal."""
        return bytes(leaf.hash).hex()
