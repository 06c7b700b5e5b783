"""The games of a club over the API: listed, made and retired by its organisers' programs."""

from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import QuerySet
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.views.base import Operation, Resource, answers_made, created_or_found
from games.engine.refusals import below
from games.engine.shapes import Help
from games.rules.card_game.definition import Definition
from league.apps.own_games.models import OwnGame
from league.apps.own_games.queries import own_games
from league.apps.own_games.serializers import OwnGameSerializer
from league.apps.own_games.services import keep_game, retire_game
from league.queries.clubs import club_at


@dataclass(frozen=True)
class NewOwnGame:
    """A game of a club: a copy of another definition, with what is different in it."""

    definition: Annotated[Definition, Help("the whole definition, as a game or a list of games has it")]


class OwnGames(Resource, ListAPIView[OwnGame]):
    """The games that a club has made for itself, by title, also those that are retired."""

    serializer_class = OwnGameSerializer
    filter_backends = ()
    operations = {
        "GET": Operation(scopes=("club:organise",)),
        "POST": Operation(body=NewOwnGame, scopes=("club:organise",), makes=True),
    }

    def get_queryset(self) -> QuerySet[OwnGame]:
        return own_games(club_at(self.kwargs["slug"]), self.account())

    @answers_made(OwnGameSerializer)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Keep a game: it is offered where a competition is set up. The same definition is kept once."""
        body: NewOwnGame = self.body()
        account, club = self.account(), club_at(self.kwargs["slug"])
        with below("definition"):
            made = self.once(account, lambda: keep_game(by=account, club=club, game=body.definition))
        game = own_games(club, account).get(pk=made.id)
        location = reverse("api:own-games", args=[club.slug])
        return created_or_found(OwnGameSerializer(game).data, created=made.created, location=location)


class Retire(Resource):
    """A game that is retired."""

    operations = {"POST": Operation(body=bodies.Nothing, scopes=("club:organise",))}

    @extend_schema(responses={200: OwnGameSerializer})
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Offer a game no more. What is played with it goes on."""
        self.body()
        account = self.account()
        game = own_games(club_at(self.kwargs["slug"]), account).get(pk=self.kwargs["id"])
        return Response(OwnGameSerializer(retire_game(by=account, game=game)).data)


urlpatterns = [
    path("clubs/<slug:slug>/own-games/", OwnGames.as_view(), name="own-games"),
    path("clubs/<slug:slug>/own-games/<uuid:id>/retire/", Retire.as_view(), name="retire-own-game"),
]
