"""Friends, muting and reporting over the API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import Nothing
from api.views.base import Operation, Resource
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length
from league.apps.company import acts, queries, services
from league.apps.company.models import MOST_WORDS
from league.apps.company.serializers import (
    CompanySerializer,
    FriendSerializer,
    MutedSerializer,
    ReportSerializer,
)
from league.core.state.values import Id
from league.models import Account, Player
from league.queries.at_table import present_at
from league.queries.clubs import club_at
from league.queries.games import club_game_of, seat_of

READS = ("read:private", "play:enter")


@dataclass(frozen=True)
class NewFriend:
    """Whom to ask."""

    player: Annotated[Id, Help("a player of a club of the caller, shown to the caller, with an account")]


@dataclass(frozen=True)
class NewMuted:
    """Whom to mute or block."""

    player: Annotated[Id, Help("a player of a club of the caller")]
    blocks: Annotated[bool, Help("be kept apart, too; it ends a friendship")] = False


@dataclass(frozen=True)
class Place:
    """Where a card of a campsite lies."""

    seat: Annotated[int, Between(0, 9)]
    index: Annotated[int, Between(0, 99), Help("its place in the campsite, from 0")]


@dataclass(frozen=True)
class Saying:
    """What to say."""

    phrase: Annotated[str, Length(1, 20), Help("the key of one of the table's phrases")]
    at: Annotated[Place | None, Help("the card, for `seen` alone")] = None


@dataclass(frozen=True)
class NewReport:
    """What happened."""

    player: Annotated[Id, Help("a player of the club")]
    words: Annotated[str, Length(1, MOST_WORDS), Help("a sentence, for the club's organisers alone")]
    game: Annotated[Id | None, Help("a game of the club in which it happened")] = None


@contextmanager
def _named() -> Iterator[None]:
    """Refuse a player who is not there at the field of the body."""
    try:
        yield
    except Player.DoesNotExist:
        raise Malformed({"player": [services.NOT_THERE]}) from None


def _friend(account: Account, pk: UUID) -> Response:
    known = next(each for each in queries.friends_of(account) if each.row.pk == pk)
    return Response(FriendSerializer(known).data)


class Friends(Resource):
    """The caller's friends, and who asks or is asked; who asks comes first, then those who are here."""

    operations = {
        "GET": Operation(scopes=READS),
        "POST": Operation(body=NewFriend, scopes=("play:enter",), refuses=("illegal",)),
    }

    @extend_schema(responses=FriendSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The friends; they are not paged, for they are few."""
        return Response(FriendSerializer(queries.friends_of(self.account()), many=True).data)

    @extend_schema(responses=FriendSerializer)
    def post(self, request: Request) -> Response:
        """Ask a player to be friends; who has asked the caller is accepted. Again changes nothing."""
        body: NewFriend = self.body()
        account = self.account()
        with _named():
            row = services.ask_friend(by=account, player_id=UUID(body.player))
        return _friend(account, row.pk)


class AcceptFriend(Resource):
    """Accept somebody who asked."""

    operations = {"POST": Operation(body=Nothing, scopes=("play:enter",))}

    @extend_schema(responses=FriendSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Accept; again changes nothing."""
        self.body()
        account = self.account()
        return _friend(account, services.accept_friend(by=account, friendship_id=id).pk)


class OneFriend(Resource):
    """One friend."""

    operations = {"DELETE": Operation(scopes=("play:enter",))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """End the friendship, decline who asked, or take a question back."""
        services.end_friendship(by=self.account(), friendship_id=id)
        return Response(status=204)


def _muted(row: Any, player: Player | None) -> Any:
    return MutedSerializer({"pk": row.pk, "player": player, "blocks": row.blocks, "at": row.at}).data


class MutedPeople(Resource):
    """Whom the caller mutes or blocks, the first first."""

    operations = {
        "GET": Operation(scopes=READS),
        "POST": Operation(body=NewMuted, scopes=("play:enter",), refuses=("illegal",)),
    }

    @extend_schema(responses=MutedSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The people; they are not paged, for they are few. Nobody is told of it."""
        return Response([_muted(*each) for each in queries.muted_by(self.account())])

    @extend_schema(responses=MutedSerializer)
    def post(self, request: Request) -> Response:
        """Mute or block a player; the last choice counts."""
        body: NewMuted = self.body()
        account = self.account()
        with _named():
            row = services.mute(by=account, player_id=UUID(body.player), blocks=body.blocks)
        return Response(_muted(row, queries.faces([row.other_id], account).get(row.other_id)))


class OneMuted(Resource):
    """Somebody whom the caller mutes or blocks."""

    operations = {"DELETE": Operation(scopes=("play:enter",))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Stop that."""
        services.hear_again(by=self.account(), muted_id=id)
        return Response(status=204)


class Reports(Resource):
    """Reports of people to a club's organisers."""

    operations = {"POST": Operation(body=NewReport, scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses=ReportSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Tell the organisers what happened, at most five times a day; the same again changes nothing.

        The person is not told who did.
        """
        body: NewReport = self.body()
        account, club = self.account(), club_at(slug)
        with _named():
            player = Player.objects.get(pk=UUID(body.player), club=club)
        game = UUID(body.game) if body.game else None
        row = services.report(by=account, player_id=player.pk, words=body.words, game_id=game)
        return Response(ReportSerializer(row).data)


class Company(Resource):
    """What is said at a table, beside the game."""

    operations = {
        "GET": Operation(scopes=("read:private", "play:move")),
        "POST": Operation(body=Saying, scopes=("play:move",), refuses=("illegal", "throttled")),
    }

    @extend_schema(responses=CompanySerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """What can be said at the caller's table, who is there, and the club's room."""
        account, club_game = self.account(), club_game_of(id)
        if seat_of(account, id) is None:
            raise PermissionDenied(text("You have no seat at this table."))
        unseen = acts.follow_table(account, id).unseen
        present = sorted(present_at([id])[id].items())
        told = {
            "phrases": [{"key": each.value, "text": str(each.label)} for each in acts.phrases_at(club_game)],
            "room": queries.company_of(club_game.club_id).room or None,
            "seats": [{"seat": seat, "left_at": left} for seat, left in present if seat not in unseen],
        }
        return Response(CompanySerializer(told).data)

    @extend_schema(responses={204: None})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Say something at the caller's table: a `said` event of the game's stream, kept nowhere."""
        body: Saying = self.body()
        at = (body.at.seat, body.at.index) if body.at else None
        try:
            acts.say(by=self.account(), game_id=id, phrase=body.phrase, at=at)
        except acts.TooOften as refusal:
            raise Throttled(refusal.wait) from None
        return Response(status=204)


urlpatterns = [
    path("games/<uuid:id>/company/", Company.as_view(), name="company"),
    path("me/friends/", Friends.as_view(), name="friends"),
    path("me/friends/<uuid:id>/", OneFriend.as_view(), name="friend"),
    path("me/friends/<uuid:id>/accept/", AcceptFriend.as_view(), name="accept-friend"),
    path("me/muted/", MutedPeople.as_view(), name="muted"),
    path("me/muted/<uuid:id>/", OneMuted.as_view(), name="one-muted"),
    path("clubs/<slug:slug>/reports/", Reports.as_view(), name="reports"),
]
