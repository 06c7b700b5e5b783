"""Lists in one piece, as CSV: what the list of the same name gives page by page as JSON."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request

from api.filters import CompetitionFilter, GameFilter, PlayerFilter
from api.negotiation import OneFormat
from api.params import RULESET
from api.renderers import CSVRenderer
from api.views.base import Operation, Resource
from api.views.competitions import PARAMETERS, BelowCompetition, OfStage, directs
from league import selectors
from league.exports import CSV, Listing, clubs, competitions
from league.exports.answers import as_file
from league.models import Club, ClubGame, Competition, Player

MOST_GAMES: Final = 10_000


class InOnePiece(Resource):
    """A list as a file."""

    content_negotiation_class = OneFormat
    renderer_classes = (CSVRenderer,)

    def listing(self) -> Listing:
        """Return what the file says."""
        raise NotImplementedError

    @extend_schema(responses={(200, CSVRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:
        listing = self.listing()
        return as_file(listing, CSV, listing.name)


# ---- Of a competition ----------------------------------------------------------------------------


class StandingsCSV(InOnePiece, OfStage):
    """The standings of a stage as a sheet: a column for each tie-break, in their order."""

    def listing(self) -> Listing:
        return competitions.standings(self.competition(), *self.stage_and_round())

    @extend_schema(parameters=PARAMETERS, responses={(200, CSVRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:
        return super().get(request, **kwargs)


class ResultsCSV(InOnePiece, BelowCompetition):
    """A row for each seat of each table and for each bye, in the order of play.

    Rounds that are drawn but not published stand in it for organisers of the club alone.
    """

    def listing(self) -> Listing:
        competition = self.competition()
        return competitions.results(competition, drawn=directs(self.request, competition))


class EntriesCSV(InOnePiece, BelowCompetition):
    """Who takes part, in the order of entering."""

    def listing(self) -> Listing:
        return competitions.entries(self.competition())


class EventsCSV(InOnePiece, BelowCompetition):
    """The competition's log in words, entry by entry, as far as everybody may read it."""

    def listing(self) -> Listing:
        return competitions.public_log(self.competition())


# ---- Of a club -----------------------------------------------------------------------------------


class Filtered(InOnePiece, GenericAPIView[Any]):
    """A list of a club as a file, with the filters of the list that it is of."""

    def club(self) -> Club:
        """Return the club of the address; raises Club.DoesNotExist."""
        return selectors.clubs().get(slug=self.kwargs["slug"])


class RatingsCSV(InOnePiece):
    """A club's rating list for a game: whose skill is surest to be high, first."""

    operations = {"GET": Operation(refuses=("malformed",))}

    def listing(self) -> Listing:
        club = selectors.clubs().get(slug=self.kwargs["slug"])
        return clubs.ratings(selectors.rating_list(club, RULESET.read(self.request)))

    @extend_schema(
        parameters=[RULESET.parameter()], responses={(200, CSVRenderer.media_type): OpenApiTypes.STR}
    )
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:
        return super().get(request, **kwargs)


class PlayersCSV(Filtered):
    """A club's players by name. The filters of the list of players hold here too."""

    queryset = Player.objects.none()
    filterset_class = PlayerFilter

    def listing(self) -> Listing:
        return clubs.players(self.filter_queryset(selectors.players_of(self.club())))


class CompetitionsCSV(Filtered):
    """A club's competitions. The filters of the list of competitions hold here too."""

    queryset = Competition.objects.none()
    filterset_class = CompetitionFilter

    def listing(self) -> Listing:
        club = self.club()
        return clubs.competitions(self.filter_queryset(selectors.competitions_of(club)))


class GamesCSV(Filtered):
    """A row for each seat of a club's games, the last opened first: the newest 10,000 games.

    The filters of the list of games hold here too.
    """

    queryset = ClubGame.objects.none()
    filterset_class = GameFilter

    def games(self) -> QuerySet[ClubGame]:
        """Return the games that are listed; raises the DoesNotExist of what the address names."""
        return selectors.games().filter(club=self.club())

    def listing(self) -> Listing:
        places = list(self.filter_queryset(self.games())[:MOST_GAMES])
        return clubs.games(places, selectors.seated_at([place.game for place in places]))


class PlayerGamesCSV(GamesCSV):
    """A row for each seat of a player's games, the last opened first: the newest 10,000 games.

    The filters of the list of games hold here too.
    """

    def games(self) -> QuerySet[ClubGame]:
        """Return the games in which the player has a seat; raises Player.DoesNotExist."""
        return selectors.games_of_player(Player.objects.get(pk=self.kwargs["id"]))
