"""The signed log: its newest head, proofs, leaves, and the signatures of witnesses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.answers import OneFormat, TextRenderer
from api.params import FROM_ONE, FROM_ZERO, Parameter
from api.serializers.signed_log import (
    InclusionSerializer,
    LeafSerializer,
    PathSerializer,
    SignedLogSerializer,
)
from api.views.base import BelowCompetition, Operation, Resource
from games.engine.kinds import Matching, Text
from league.files.file import File, as_answer
from league.queries import signed_log
from league.queries.games import game_of
from league.services.signing import cosign

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


class SignedLog(Resource):
    """The newest head of the signed log over all logs of the site, published within a minute of a change."""

    operations = {"GET": Operation(refuses=("not_found",))}

    @extend_schema(responses=SignedLogSerializer)
    def get(self, request: Request) -> Response:
        found = signed_log.published()
        if found is None:
            raise Http404
        return Response(SignedLogSerializer(found).data)


class Inclusion(Resource):
    """The proof that a leaf is in the tree of a published size."""

    operations = {"GET": Operation(query=(LEAF, SIZE), refuses=("not_found",))}

    @extend_schema(responses=InclusionSerializer)
    def get(self, request: Request) -> Response:
        found = signed_log.inclusion(bytes.fromhex(LEAF.read(request)), SIZE.read(request))
        if found is None:
            raise Http404
        index, path = found
        return Response(InclusionSerializer({"index": index, "path": [each.hex() for each in path]}).data)


class Consistency(Resource):
    """The proof that the tree of a published size begins with that of a smaller one."""

    operations = {"GET": Operation(query=(FIRST, SECOND), refuses=("not_found",))}

    @extend_schema(responses=PathSerializer)
    def get(self, request: Request) -> Response:
        path = signed_log.consistency(FIRST.read(request), SECOND.read(request))
        if path is None:
            raise Http404
        return Response(PathSerializer({"path": [each.hex() for each in path]}).data)


class Leaves(Resource):
    """The hashes of published leaves in a range, 1000 at most."""

    operations = {"GET": Operation(query=(START, END))}

    @extend_schema(responses=LeafSerializer(many=True))
    def get(self, request: Request) -> Response:
        found: Any = signed_log.entries(START.read(request), END.read(request))
        return Response(LeafSerializer(found, many=True).data)


class Witnesses(Resource):
    """Signatures of witnesses."""

    operations = {"POST": Operation(body=bodies.NewCosignature)}

    @extend_schema(responses=SignedLogSerializer)
    def post(self, request: Request) -> Response:
        """Put a witness's signature below a published head. The site must know the witness's key."""
        body: bodies.NewCosignature = self.body()
        cosign(size=body.size, line=body.line)
        return Response(SignedLogSerializer(signed_log.published()).data)


class GameProof(Resource):
    """The proof that a game's log is in the signed log, which `league.verify --head PROOF` takes."""

    content_negotiation_class = OneFormat
    renderer_classes = (TextRenderer,)

    @extend_schema(responses={(200, TextRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        return _as_file(signed_log.proof_of_game(game_of(id)), str(id))


class CompetitionProof(BelowCompetition):
    """The proof that a competition's log is in the signed log, which `league.verify --head PROOF` takes."""

    content_negotiation_class = OneFormat
    renderer_classes = (TextRenderer,)

    @extend_schema(responses={(200, TextRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        return _as_file(signed_log.proof_of_competition(self.competition()), str(id))


def _as_file(proof: Proof | None, name: str) -> HttpResponse:
    """Return a proof as a file; raise Http404 where there is none yet."""
    if proof is None:
        raise Http404
    return as_answer(File(str(proof).encode(), f"{name}.tlog-proof"))
