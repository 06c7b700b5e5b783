"""Seeks: who looks for players for a casual game, and who joins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import path, reverse
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import Nothing, Options, Slug
from api.lists import in_club
from api.views.base import Operation, Resource, answers_made, club_named, created_or_found
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.shapes import Between, Help, Length
from league.apps.seeks.models import Seek, SeekInvitation
from league.apps.seeks.queries import all_seeks, own_seek, seeks_of, token_to_seat
from league.apps.seeks.serializers import SeatLinkSerializer, SeekSerializer
from league.apps.seeks.services import (
    create_seek,
    invite_to_seek,
    join_seek,
    withdraw_seat_link,
    withdraw_seek,
)
from league.choices import SeekStatus
from league.models import Account
from league.queries.games import of_game
from league.queries.permissions import READS_AS_MEMBER


@dataclass(frozen=True)
class NewSeek:
    """A casual game for which players are looked for."""

    club: Annotated[Slug, Help("the club's slug")]
    ruleset: Annotated[str, Length(1, 60), Help("a key that `rulesets/` lists, or a key with a version")]
    seats: Annotated[int, Between(1, 20), Help("how many players the game needs, the caller included")]
    options: Annotated[
        Options | None, Help("as the ruleset's `options` describe; left out: the defaults")
    ] = None
    clock: Clock = NO_CLOCK
    minutes: Annotated[int, Between(5, 7 * 24 * 60), Help("when it lapses")] = 60
    private: Annotated[
        bool, Help("only who has one of its links joins it, and sees it; there is one for each other seat")
    ] = False


class SeekFilter(filters.FilterSet):
    """Seeks by club, ruleset and status."""

    club = filters.CharFilter(method=in_club, label="The club's slug.")
    ruleset = filters.CharFilter(method="of_ruleset", label="A ruleset with or without its version.")
    status = filters.ChoiceFilter(choices=SeekStatus.choices, label="The status; left out: open.")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the seeks that the filters let through; the open ones if no status is given."""
        found: QuerySet[Any] = super().filter_queryset(queryset)
        return found if self.data.get("status") else found.filter(status=SeekStatus.OPEN)

    def of_ruleset(self, seeks: QuerySet[Seek], name: str, value: str) -> QuerySet[Seek]:
        """Return the seeks for a ruleset (``rummy@1``) or all its versions (``rummy``)."""
        return of_game(seeks, "ruleset", value)


def _shown(account: Account, seek: UUID) -> Response:
    return Response(SeekSerializer(seeks_of(account).get(pk=seek)).data)


class Seeks(Resource, ListAPIView["Seek"]):
    """The seeks of the caller's clubs, by default the open ones, the oldest first."""

    serializer_class = SeekSerializer
    filterset_class = SeekFilter
    queryset = all_seeks().none()
    operations = {
        "GET": Operation(scopes=READS_AS_MEMBER),
        "POST": Operation(body=NewSeek, scopes=("play:enter",), refuses=("illegal",), makes=True),
    }

    def get_queryset(self) -> QuerySet[Seek]:
        return seeks_of(self.account())

    @answers_made(SeekSerializer)
    def post(self, request: Request) -> Response:
        """Look for players for a casual game of a club that the caller plays in.

        The game begins at once when the last seat is taken: who joins agrees to it. Until then everybody can
        withdraw. To ask certain players, open the game: they are invited to it.
        """
        body: NewSeek = self.body()
        account = self.account()
        made = self.once(
            account,
            lambda: create_seek(
                by=account,
                club=club_named(body.club),
                ruleset=body.ruleset,
                seats=body.seats,
                options=body.options,
                clock=body.clock,
                minutes=body.minutes,
                private=body.private,
            ),
        )
        shown = SeekSerializer(seeks_of(account).get(pk=made.id)).data
        location = reverse("api:seek", args=[made.id])
        return created_or_found(shown, created=made.created, location=location)


class SeekDetail(Resource):
    """One seek of the caller's clubs, also when it is closed."""

    operations = {"GET": Operation(scopes=READS_AS_MEMBER)}

    @extend_schema(responses=SeekSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return _shown(self.account(), id)


class JoinSeek(Resource):
    """Join a seek; the game begins when its seats are taken."""

    operations = {"POST": Operation(body=Nothing, scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses=SeekSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Join as the caller's player in the club; joining again changes nothing.

        `game` of the answer is set where the game has begun.
        """
        self.body()
        account = self.account()
        seek = seeks_of(account).get(pk=id)
        join_seek(by=account, seek_id=seek.pk)
        return _shown(account, id)


class WithdrawSeek(Resource):
    """Withdraw one's own seek, or leave another's."""

    operations = {"POST": Operation(body=Nothing, scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses=SeekSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Withdraw from a seek that has not begun; it is closed if it is the caller's own."""
        self.body()
        account = self.account()
        seek = seeks_of(account).get(pk=id)
        withdraw_seek(by=account, seek_id=seek.pk)
        # Who has left sees it no more where it is private, or of somebody from whom they are kept apart.
        return Response(SeekSerializer(all_seeks().get(pk=id)).data)


class SeatLinks(Resource):
    """The links to the seats of one's own seek."""

    operations = {
        "GET": Operation(scopes=("play:enter",)),
        "POST": Operation(body=Nothing, scopes=("play:enter",), refuses=("illegal",)),
    }

    @extend_schema(responses=SeatLinkSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """The links of the caller's own seek, the first made first; they are not paged, for they are few."""
        links = own_seek(self.account(), id).invitations.order_by("made_at", "pk")
        return Response([_link(request, link) for link in links])

    @extend_schema(responses={201: SeatLinkSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Make a link to an empty seat that has none without an answer."""
        self.body()
        account = self.account()
        link = invite_to_seek(by=account, seek_id=own_seek(account, id).pk)
        return Response(_link(request, link), status=status.HTTP_201_CREATED)


class SeatLinkDetail(Resource):
    """One link to a seat of one's own seek."""

    operations = {"DELETE": Operation(scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID, link: UUID) -> Response:  # noqa: A002 - the name in the address
        """Withdraw a link that has no answer; it leads nowhere from then on."""
        account = self.account()
        withdraw_seat_link(by=account, seek_id=own_seek(account, id).pk, invitation_id=link)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _link(request: Request, link: SeekInvitation) -> Any:
    address = reverse("seat_invitation", args=[link.pk, token_to_seat(link)])
    url = request.build_absolute_uri(address) if link.accepted is None else None
    shown = {"id": link.pk, "url": url, "accepted": link.accepted, "made_at": link.made_at}
    return SeatLinkSerializer(shown).data


urlpatterns = [
    path("seeks/", Seeks.as_view(), name="seeks"),
    path("seeks/<uuid:id>/", SeekDetail.as_view(), name="seek"),
    path("seeks/<uuid:id>/join/", JoinSeek.as_view(), name="join-seek"),
    path("seeks/<uuid:id>/withdraw/", WithdrawSeek.as_view(), name="withdraw-seek"),
    path("seeks/<uuid:id>/links/", SeatLinks.as_view(), name="seat-links"),
    path("seeks/<uuid:id>/links/<uuid:link>/", SeatLinkDetail.as_view(), name="seat-link"),
]
