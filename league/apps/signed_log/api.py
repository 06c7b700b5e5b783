"""The signed log: its newest head, proofs, leaves, and the signatures of witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.answers import OneFormat, TextRenderer
from api.requests import BIGGEST, FROM_ONE, FROM_ZERO, Parameter
from api.views.base import BelowCompetition, Operation, Resource
from games.engine.kinds import Matching, Text
from games.engine.shapes import Between, Help, Length
from league.apps.signed_log import queries
from league.apps.signed_log.signing import cosign
from league.files.file import File, as_answer
from league.hooks.upkeep import LOGS, EntryLog
from league.queries.games import game_of

if TYPE_CHECKING:
    from games.transparency.proofs import Proof

LEAF: Final = Parameter(
    "leaf", "The hash of the leaf.", Text(0, 0, Matching("[0-9a-f]{64}", "64 hex digits")), required=True
)
SIZE: Final = Parameter("size", "The number of leaves of the tree.", FROM_ONE, required=True)
FIRST: Final = Parameter("first", "The number of leaves of the smaller tree.", FROM_ONE, required=True)
SECOND: Final = Parameter("second", "The number of leaves of the larger tree.", FROM_ONE, required=True)
START: Final = Parameter("start", "The number of the first leaf, from 0.", FROM_ZERO, required=True)
END: Final = Parameter("end", "The number after that of the last leaf.", FROM_ZERO, required=True)


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
    at = serializers.CharField(read_only=True, help_text="When it was signed.")
    note = serializers.CharField(help_text="The checkpoint as it was signed, with all signatures.")
    witnesses = serializers.ListField(
        child=serializers.CharField(), help_text="The names of the witnesses that signed it too."
    )


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
    hash = serializers.CharField(read_only=True, help_text="64 hex digits.")


@dataclass(frozen=True)
class NewCosignature:
    """A witness's signature below a head of the signed log."""

    size: Annotated[int, Between(1, BIGGEST), Help("the number of leaves of the head")]
    line: Annotated[
        str, Length(1, 500), Help("the signature as the line of a note, c2sp.org/tlog-cosignature, version 1")
    ]


class SignedLog(Resource):
    """The newest head of the signed log over all logs of the site, published within a minute of a change."""

    operations = {"GET": Operation(refuses=("not_found",))}

    @extend_schema(responses=SignedLogSerializer)
    def get(self, request: Request) -> Response:
        found = queries.newest_head()
        if found is None:
            raise Http404
        return Response(SignedLogSerializer(found).data)


class Inclusion(Resource):
    """The proof that a leaf is in the tree of a published size."""

    operations = {"GET": Operation(query=(LEAF, SIZE), refuses=("not_found",))}

    @extend_schema(responses=InclusionSerializer)
    def get(self, request: Request) -> Response:
        found = queries.inclusion(bytes.fromhex(LEAF.read(request)), SIZE.read(request))
        if found is None:
            raise Http404
        index, hashes = found
        return Response({"path": [each.hex() for each in hashes], "index": index})


class Consistency(Resource):
    """The proof that the tree of a published size begins with that of a smaller one."""

    operations = {"GET": Operation(query=(FIRST, SECOND), refuses=("not_found",))}

    @extend_schema(responses=PathSerializer)
    def get(self, request: Request) -> Response:
        found = queries.consistency(FIRST.read(request), SECOND.read(request))
        if found is None:
            raise Http404
        return Response({"path": [each.hex() for each in found]})


class Leaves(Resource):
    """The hashes of published leaves in a range, 1000 at most."""

    operations = {"GET": Operation(query=(START, END))}

    @extend_schema(responses=LeafSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(queries.entries(START.read(request), END.read(request)))


class Witnesses(Resource):
    """Signatures of witnesses."""

    operations = {"POST": Operation(body=NewCosignature)}

    @extend_schema(responses=SignedLogSerializer)
    def post(self, request: Request) -> Response:
        """Put a witness's signature below a published head. The site must know the witness's key."""
        body: NewCosignature = self.body()
        cosign(size=body.size, line=body.line)
        return Response(SignedLogSerializer(queries.newest_head()).data)


class GameProof(Resource):
    """The proof that a game's log is in the signed log, which `league.verify --head PROOF` takes."""

    content_negotiation_class = OneFormat
    renderer_classes = (TextRenderer,)

    @extend_schema(responses={(200, TextRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        return _as_file([queries.proof_of_game(game_of(id))], str(id))


class CompetitionProof(BelowCompetition):
    """The proof that a competition's log is in the signed log, which `league.verify --head PROOF` takes."""

    content_negotiation_class = OneFormat
    renderer_classes = (TextRenderer,)

    @extend_schema(responses={(200, TextRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        return _as_file([queries.proof_of_competition(self.competition())], str(id))


class LogProof(Resource):
    """The proof that a log of an app is in the signed log, which `league.verify --head PROOF` takes.

    Below it are those of the competitions that the log builds on.
    """

    content_negotiation_class = OneFormat
    renderer_classes = (TextRenderer,)
    entry_log: EntryLog | None = None

    @extend_schema(responses={(200, TextRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        assert self.entry_log is not None
        row = self.entry_log.logs().get(pk=id)
        return _as_file(queries.proofs_of_log(self.entry_log, row), str(id))


def _as_file(proofs: Sequence[Proof | None], name: str) -> HttpResponse:
    """Return proofs as a file; raise Http404 where there is none yet."""
    text = "".join(str(each) for each in proofs if each)
    if not text:
        raise Http404
    return as_answer(File(text.encode(), f"{name}.tlog-proof"))


urlpatterns = [
    path("games/<uuid:id>/proof/", GameProof.as_view(), name="game-proof"),
    path("competitions/<uuid:id>/proof/", CompetitionProof.as_view(), name="competition-proof"),
    *(
        path(f"{each.kind}/<uuid:id>/proof/", LogProof.as_view(entry_log=each), name=f"{each.kind}-proof")
        for each in LOGS
    ),
    path("signed-log/", SignedLog.as_view(), name="signed-log"),
    path("signed-log/inclusion/", Inclusion.as_view(), name="inclusion"),
    path("signed-log/consistency/", Consistency.as_view(), name="consistency"),
    path("signed-log/leaves/", Leaves.as_view(), name="leaves"),
    path("signed-log/witnesses/", Witnesses.as_view(), name="witnesses"),
]
