"""The verbs of a competition: a POST each, made from what `league.core.verbs` declares; and objections.

Those of organisers (some also of scorekeepers) lie below the competition, players' own below its ``me/``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.urls import URLPattern, path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import Seq
from api.serializers.league import CompetitionSerializer
from api.serializers.people import ChallengeSerializer, ObjectionSerializer, ParticipationSerializer
from api.serializers.previews import PreviewSerializer, preview_data
from api.views.base import (
    BelowCompetition,
    Operation,
    competition_data,
    created_or_found,
    directs,
    the_competition,
    the_rights,
)
from games.engine import shapes
from league.callers import AsPlayer, ByAccount, Caller
from league.core.verb import Verb
from league.core.verbs import ORGANISER_VERBS, PLAYER_VERBS
from league.queries.competitions import state_of
from league.queries.standings import public_seq
from league.queries.verbs import SEES_ITS_PART, own_part, preview
from league.services.verbs import perform
from league.words.event_text import sentences

if TYPE_CHECKING:
    from league.models import Competition


def body_of(verb: type[Verb], *, own: bool = False) -> type:
    """Return the body of a verb: its fields, or with ``own`` those that a player gives, and the `seq`.

    The class has the verb's name, and ``AsPlayer`` after it where organisers have a body of that name.
    """
    namespace = {"__annotations__": {"seq": Seq | None}, "__doc__": verb.__doc__, "seq": None}
    body = type(verb.__name__, (verb,), namespace)
    if not own:
        return body
    whole = shapes.record(body)
    theirs = {*(verb.own or ()), "seq"}
    hidden = [field.name for field in whole.fields if field.name not in theirs]
    both = ORGANISER_VERBS.get(verb.key) is verb
    return shapes.without(whole, hidden, f"{verb.__name__}AsPlayer" if both else verb.__name__).cls


class OrganiserVerb(BelowCompetition):
    """A verb of organisers. With `seq` its first event gets that number; a retry writes nothing."""

    verb: ClassVar[type[Verb]] = Verb

    def acting(self) -> Caller:
        """Return who carries it out."""
        return ByAccount(self.account())

    def performed(self, verb: Verb, seq: int | None) -> tuple[Competition, bool]:
        """Carry out the verb; return the competition after it, and whether anything was written."""
        done = perform(self.acting(), competition=self.competition(), verb=verb, seq=seq)
        return done.competition, done.created

    @extend_schema(responses={201: CompetitionSerializer, 200: CompetitionSerializer})
    def post(self, request: Request, id: UUID, **below: str) -> Response:  # noqa: A002 - the name in the address
        fields = vars(self.body())
        seq = fields.pop("seq")
        competition, created = self.performed(self.verb(**fields), seq)
        location = reverse("api:competition", args=[id])
        body = competition_data(request, competition)
        return created_or_found(body, created=created, location=location)


class VerbPreview(BelowCompetition):
    """What a verb of organisers would change. It takes the verb's body and refuses as the verb does."""

    verb: ClassVar[type[Verb]] = Verb

    @extend_schema(responses=PreviewSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        fields = vars(self.body())
        seq = fields.pop("seq")
        by, competition = self.account(), self.competition()
        found = preview(by=by, competition=competition, verbs=[self.verb(**fields)], seq=seq)
        answer = preview_data(found, sentences(competition.pk, found.events), found.names)
        return Response(answer)


class OwnVerb(BelowCompetition):
    """A verb of players for their own entry."""

    verb: ClassVar[type[Verb]] = Verb

    @extend_schema(responses={201: ParticipationSerializer, 200: ParticipationSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        fields: dict[str, Any] = vars(self.body())
        by, competition = self.account(), self.competition()
        seq = fields.pop("seq")
        verb = self.verb.of_player(**fields)
        done = perform(AsPlayer(by), competition=competition, verb=verb, seq=seq)
        body = ParticipationSerializer(own_part(by, done.competition)).data
        return created_or_found(body, created=done.created, location=reverse("api:me", args=[id]))


def addresses() -> Iterator[URLPattern]:
    """Yield an address below a competition for each verb: `withdraw/`, and `me/withdraw/` of players."""
    for key, verb in ORGANISER_VERBS.items():
        view = OrganiserVerb.as_view(verb=verb, operations=operations_of(verb, body_of(verb), verb.scope))
        yield path(f"{key}/", view, name=key)
        yield path(f"{key}/preview/", _preview_of(verb), name=f"{key}-preview")
    for key, verb in PLAYER_VERBS.items():
        view = OwnVerb.as_view(
            verb=verb, operations=operations_of(verb, body_of(verb, own=True), verb.own_scope)
        )
        yield path(f"me/{key}/", view, name=f"my-{key}")


def _preview_of(verb: type[Verb]) -> Callable[..., Any]:
    about = f"Preview `{verb.key}`: what it would change now. Nothing is written."
    operation = Operation(body_of(verb), (verb.scope,), ("stale", "illegal"), about=about)
    return VerbPreview.as_view(verb=verb, operations={"POST": operation})


def operations_of(verb: type[Verb], body: type, scope: str) -> Mapping[str, Operation]:
    """Return what a view of a verb declares."""
    return {"POST": Operation(body, (scope,), ("stale", "illegal"), about=verb.about())}


class Me(BelowCompetition):
    """The caller's own part in the competition."""

    operations: ClassVar[Mapping[str, Operation]] = {"GET": Operation(scopes=SEES_ITS_PART)}

    @extend_schema(responses=ParticipationSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """The caller's entry and what the caller may do now, for a player of the club."""
        part = own_part(self.account(), self.competition())
        return Response(ParticipationSerializer(part).data)


class Challenges(BelowCompetition):
    """The challenges that waited for an answer, the oldest first. The list is not paged."""

    operations: ClassVar[Mapping[str, Operation]] = {"GET": Operation(follows=(the_competition, the_rights))}

    @extend_schema(responses=ChallengeSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """All of them, open or not; those of a round that was withdrawn are gone."""
        found = state_of(self.competition()).challenges
        return Response(ChallengeSerializer(found, many=True).data)


class Objections(BelowCompetition):
    """The objections to posted results, the oldest first. The list is not paged.

    Only organisers of the club see those that were made since an unpublished draw.
    """

    operations: ClassVar[Mapping[str, Operation]] = {"GET": Operation(follows=(the_competition, the_rights))}

    @extend_schema(responses=ObjectionSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        competition = self.competition()
        last = competition.seq if directs(request, competition) else public_seq(competition, competition.seq)
        found = [each for each in state_of(competition).objections if each.number <= last]
        return Response(ObjectionSerializer(found, many=True).data)
