"""Imports and exports over the API: lists as CSV, imports of logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import include, path, reverse
from django.utils.translation import override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.answers import CSVRenderer, OneFormat
from api.callers import account_of
from api.lists import CompetitionFilter, GameFilter, PlayerFilter
from api.requests import RULESET, Parameter
from api.serializers.computed import TEXT_OR_NULL, Computed
from api.views.base import BelowCompetition, Operation, Resource, directs
from api.views.competitions import FOLLOWS, FOLLOWS_WITH_RIGHTS, OfStage
from api.views.games import AWAITING
from games.engine.kinds import OneOf, Whole
from league.apps.exchange import listings
from league.apps.exchange.formats import as_csv, for_spreadsheets
from league.apps.exchange.listings import Listing, in_words
from league.apps.exchange.services import MOST_BYTES, imports_of, start_import
from league.choices import JobStatus
from league.files.file import File, as_answer
from league.hooks import papers
from league.ops.answers import KeptContents
from league.queries.clubs import all_players, club_at, player_now, players_shown
from league.queries.competitions import all_competitions, competitions_of
from league.queries.games import all_games, games_of_player, seated_at, with_rulings
from league.queries.permissions import record_of
from league.queries.records import ratings_shown

if TYPE_CHECKING:
    from league.models import Club, ClubGame, Job


# ---- Files ---------------------------------------------------------------------------------------

MOST_GAMES: Final = 10_000
_FILES: Final = KeptContents[tuple[bytes, Mapping[str, str]]](50)
"""Files as they are for everybody, by their tags."""


SPREADSHEET: Final = Parameter(
    "spreadsheet",
    "The language of a spreadsheet that opens the file: titles and words are in it, fractions are decimals, "
    "times are in the club's zone, and a byte order mark is in front. Where the language has a decimal "
    "comma, semicolons separate the cells. Left out, the file is for programs.",
    OneOf(tuple(code for code, _name in settings.LANGUAGES)),
)


def _a_file(operation: Operation) -> dict[str, Operation]:
    return {"GET": replace(operation, query=(*operation.query, SPREADSHEET))}


class ListFile(Resource):
    """A list as a file."""

    operations = _a_file(Operation())
    content_negotiation_class = OneFormat
    renderer_classes = (CSVRenderer,)

    def listing(self) -> Listing:
        """Return the rows of the file."""
        raise NotImplementedError

    @extend_schema(responses={(200, CSVRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:
        make = partial(self._made, SPREADSHEET.read(request))
        # The tag follows the query, too.
        shared = self.tag and self.operation.is_shared
        content, headers = _FILES.get(self.tag, make) if shared else make()
        return HttpResponse(content, headers=headers)

    def _made(self, language: str | None) -> tuple[bytes, Mapping[str, str]]:
        with override(language or settings.LANGUAGE_CODE):
            listing = self.listing()
            written = for_spreadsheets(in_words(listing), language) if language else as_csv(listing)
            answer = as_answer(File(written.encode(), f"{listing.name}.csv"))
        return answer.content, {**answer.headers, "Content-Language": language or settings.LANGUAGE_CODE}


# ---- Of a competition ----------------------------------------------------------------------------


class StandingsCSV(ListFile, OfStage):
    """The standings of a stage, with a column for each tie-break in their order."""

    operations = _a_file(OfStage.operations["GET"])

    def listing(self) -> Listing:
        return listings.standings(self.competition(), *self.stage_and_round())


class ResultsCSV(ListFile, BelowCompetition):
    """A row for each seat of each table and for each bye, in the order of play.

    Only organisers of the club get unpublished rounds.
    """

    operations = _a_file(FOLLOWS_WITH_RIGHTS)

    def listing(self) -> Listing:
        competition = self.competition()
        return listings.results(competition, drawn=directs(self.request, competition))


class EntriesCSV(ListFile, BelowCompetition):
    """The entries, in the order of entering."""

    operations = _a_file(FOLLOWS)

    def listing(self) -> Listing:
        return listings.entries(self.competition())


class ChallengesCSV(ListFile, BelowCompetition):
    """The challenges of a ladder that waited for an answer, the oldest first."""

    operations = _a_file(FOLLOWS)

    def listing(self) -> Listing:
        return listings.challenges(self.competition())


class EventsCSV(ListFile, BelowCompetition):
    """The public part of the competition's log, in words."""

    operations = _a_file(FOLLOWS)

    def listing(self) -> Listing:
        return listings.public_log(self.competition())


# ---- Of a club -----------------------------------------------------------------------------------


class FilteredFile(ListFile, GenericAPIView[Any]):
    """A list of a club as a file, with the filters of the JSON list, and without pages."""

    pagination_class = None

    def club(self) -> Club:
        """Return the club of the address; raises Club.DoesNotExist."""
        return club_at(self.kwargs["slug"])


class RatingsCSV(ListFile):
    """A club's rating list for a game, sorted by `sure_points`."""

    operations = _a_file(Operation(query=(RULESET,)))

    def listing(self) -> Listing:
        club = club_at(self.kwargs["slug"])
        return listings.ratings(ratings_shown(club, RULESET.read(self.request), account_of(self.request)))


class PlayersCSV(FilteredFile):
    """A club's players by name, with the filters of the list of players."""

    queryset = all_players().none()
    filterset_class = PlayerFilter

    def listing(self) -> Listing:
        return listings.players(self.filter_queryset(players_shown(self.club(), account_of(self.request))))


class CompetitionsCSV(FilteredFile):
    """A club's competitions, with the filters of the list of competitions."""

    queryset = all_competitions().none()
    filterset_class = CompetitionFilter

    def listing(self) -> Listing:
        club = self.club()
        return listings.competitions(self.filter_queryset(competitions_of(club)), club.zone)


class GamesCSV(FilteredFile):
    """A row for each seat of a club's newest 10,000 games, the newest first.

    It has the filters of the list of games.
    """

    queryset = all_games().none()
    filterset_class = GameFilter
    operations = _a_file(AWAITING)

    def games(self) -> QuerySet[ClubGame]:
        """Return the games of the file; raises DoesNotExist where there is no such club or player."""
        return all_games().filter(club=self.club())

    def listing(self) -> Listing:
        games = list(with_rulings(self.filter_queryset(self.games()))[:MOST_GAMES])
        return listings.games(games, seated_at([club_game.game for club_game in games]))


class PlayerGamesCSV(GamesCSV):
    """A row for each seat of a player's newest 10,000 games, the newest first.

    It has the filters of the list of games.
    """

    def games(self) -> QuerySet[ClubGame]:
        """Return the games in which the player has a seat; raises Player.DoesNotExist."""
        return games_of_player(record_of(player_now(self.kwargs["id"]), account_of(self.request)))


class AppCSV(ListFile):
    """A list of an app, as its `papers.Listed` describes it."""

    listed: papers.Listed | None = None

    def listing(self) -> Listing:
        assert self.listed
        after = self.operation.query[0].read(self.request) if self.listed.after else None
        found = self.listed.rows(self.kwargs["id"], after)
        return Listing(found.name, (*self.listed.columns, *found.more), found.rows, found.zone)


def _operation_of(listed: papers.Listed) -> Operation:
    told = [(listed.after[0], Whole(1, listed.after[1]))] if listed.after else []
    return Operation(about=listed.about, query=tuple(Parameter("after", *each) for each in told))


# ---- Imports -------------------------------------------------------------------------------------

LOG: Final = "application/jsonl"


class LogParser(BaseParser):
    """Returns the bytes of a log's file; not more than make it too big."""

    media_type = LOG

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        data = bytes(stream.read(MOST_BYTES + 1))
        if len(data) > MOST_BYTES:
            raise RequestDataTooBig
        return data


class ImportSerializer(serializers.Serializer[Any]):
    """An import: how far it is, and what came of it."""

    id = serializers.CharField()
    status = serializers.ChoiceField(JobStatus.choices)
    made_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_blank=True, help_text="Why it failed; then nothing was changed.")
    competition = Computed(
        lambda job: job.result.get("competition"),
        TEXT_OR_NULL,
        help_text="The id of the competition that is here now.",
    )
    game = Computed(
        lambda job: job.result.get("game"), TEXT_OR_NULL, help_text="The id of the game that is here now."
    )
    created = Computed(
        lambda job: job.result.get("created"),
        {"type": ["boolean", "null"]},
        help_text="False where it was here before; null until done.",
    )


class Imports(Resource, ListAPIView["Job"]):
    """A club's imports of logs, the newest first; they are listed for a week."""

    serializer_class = ImportSerializer
    filter_backends = ()
    parser_classes = (LogParser,)
    operations = {
        "GET": Operation(scopes=("club:organise",)),
        "POST": Operation(media_types=(LOG,), scopes=("club:organise",), refuses=("illegal",)),
    }

    def get_queryset(self) -> QuerySet[Job]:
        account = self.account()
        return imports_of(club_at(self.kwargs["slug"]), account)

    @extend_schema(responses={202: ImportSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Import a finished competition with its games, or a finished game, from a file.

        The body is what `competitions/{id}/export/` or `games/{id}/log/` of any server gives, at most 8 MB. A
        worker verifies it (chain, shuffles, every move, results) before anything is written; the address in
        `Location` says how far it is. The same file again changes nothing.
        """
        account, club = self.account(), club_at(self.kwargs["slug"])
        sent = cast(object, request.data)
        # A request without a body has an empty mapping instead.
        job = start_import(by=account, club=club, data=sent if isinstance(sent, bytes) else b"")
        location = reverse("api:import", args=[club.slug, job.pk])
        return Response(ImportSerializer(job).data, status=202, headers={"Location": location})


class ImportDetail(Resource):
    """One import."""

    operations = {"GET": Operation(scopes=("club:organise",))}

    @extend_schema(responses=ImportSerializer)
    def get(self, request: Request, **kwargs: Any) -> Response:
        account = self.account()
        found = imports_of(club_at(self.kwargs["slug"]), account).get(pk=self.kwargs["id"])
        return Response(ImportSerializer(found).data)


# ---- Addresses -----------------------------------------------------------------------------------

_OF_CLUB: Final = [
    path("imports/", Imports.as_view(), name="imports"),
    path("imports/<uuid:id>/", ImportDetail.as_view(), name="import"),
    path("ratings.csv", RatingsCSV.as_view(), name="ratings-csv"),
    path("players.csv", PlayersCSV.as_view(), name="players-csv"),
    path("competitions.csv", CompetitionsCSV.as_view(), name="competitions-csv"),
    path("games.csv", GamesCSV.as_view(), name="games-csv"),
]
_OF_COMPETITION: Final = [
    path("standings.csv", StandingsCSV.as_view(), name="standings-csv"),
    path("results.csv", ResultsCSV.as_view(), name="results-csv"),
    path("challenges.csv", ChallengesCSV.as_view(), name="challenges-csv"),
    path("entries.csv", EntriesCSV.as_view(), name="entries-csv"),
    path("events.csv", EventsCSV.as_view(), name="events-csv"),
]
urlpatterns = [
    path("clubs/<slug:slug>/", include(_OF_CLUB)),
    path("players/<uuid:id>/games.csv", PlayerGamesCSV.as_view(), name="player-games-csv"),
    path("competitions/<uuid:id>/", include(_OF_COMPETITION)),
    *(
        path(
            each.route,
            AppCSV.as_view(listed=each, operations=_a_file(_operation_of(each))),
            name=each.name,
        )
        for each in papers.LISTED
    ),
]
