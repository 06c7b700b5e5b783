"""The signed log, the lines of a competition's files (docs/log.md) and imports as the API describes them."""

from typing import Any, Final

from rest_framework import serializers

from api import contract
from games.engine.chain import stamp
from league.choices import EventRole, JobStatus

# ---- Signed log ----------------------------------------------------------------------------------


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


# ---- Logs ----------------------------------------------------------------------------------------

_TEXT: Final[contract.Schema] = {"type": "string"}
LOG_LINE: Final = contract.component(
    "CompetitionLogEntry",
    contract.an_object(
        "An entry of a competition's log as its file has it.",
        {
            "seq": {"type": "integer"},
            "role": {"enum": [*EventRole.values]},
            "account": contract.nullable(_TEXT),
            "event": contract.ref(contract.EVENT),
            "at": {"type": "string", "format": "date-time"},
            "hash": _TEXT,
        },
    ),
)
FILE_LINE: Final = contract.component(
    "CompetitionFileLine",
    {
        "description": "A line of a competition's file (docs/log.md).",
        "anyOf": [
            contract.an_object(
                "The first line.",
                {"trefoil": {"type": "integer"}, "competition": _TEXT, "address": _TEXT, "club": _TEXT},
            ),
            contract.an_object("What it tells about itself.", {"details": contract.ref("NewDetails")}),
            contract.an_object("A player.", {"player": _TEXT, "name": _TEXT}),
            LOG_LINE,
            contract.an_object("The game of the lines that follow.", {"game": _TEXT}),
            contract.ref("GameLogLine"),
            contract.an_object("How many lines there were before.", {"lines": {"type": "integer"}}),
        ],
    },
)


# ---- Imports -------------------------------------------------------------------------------------


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
