"""The files of the API: exports and imports of logs, calendars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.answers import CalendarRenderer, CSVRenderer, NDJSONRenderer, OneFormat
from api.callers import account_of
from api.lists import WRONG_CURSOR, CompetitionFilter, GameExportFilter, GameFilter, PlayerFilter
from api.requests import CURSOR, LANGUAGE, LOG, RULESET, SPREADSHEET, LogParser
from api.serializers.games import GameWithLogSerializer
from api.views.base import BelowCompetition, Operation, Resource, directs
from api.views.competitions import FOLLOWS, FOLLOWS_WITH_RIGHTS, OfStage
from api.views.games import AWAITING
from games.engine.refusals import Malformed
from league.choices import JobStatus
from league.files import calendars
from league.files.exports import CSV, Listing, clubs, competitions, sheet_in
from league.files.exports.answers import as_file
from league.files.file import File, as_answer
from league.ops.answers import KeptContents
from league.queries.clubs import all_players, club_at, imports_of, player_now, players_shown
from league.queries.competitions import all_competitions, competitions_of
from league.queries.games import all_games, games_of_player, seated_at, with_rulings
from league.queries.keysets import BadCursor
from league.queries.permissions import record_of
from league.queries.records import ratings_shown
from league.queries.seen import GameWithLog, listed, with_logs
from league.services.jobs import start_import

if TYPE_CHECKING:
    from league.models import Club, ClubGame, Job


# ---- Files ---------------------------------------------------------------------------------------

MOST_GAMES: Final = 10_000
_AT_ONCE: Final = 25
_FILES: Final = KeptContents[tuple[bytes, Mapping[str, str]]](50)
"""Files as they are for everybody, by their tags."""


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
            answer = as_file(listing, sheet_in(language) if language else CSV, listing.name)
        return answer.content, {**answer.headers, "Content-Language": language or settings.LANGUAGE_CODE}


# ---- Of a competition ----------------------------------------------------------------------------


class StandingsCSV(ListFile, OfStage):
    """The standings of a stage, with a column for each tie-break in their order."""

    operations = _a_file(OfStage.operations["GET"])

    def listing(self) -> Listing:
        return competitions.standings(self.competition(), *self.stage_and_round())


class ResultsCSV(ListFile, BelowCompetition):
    """A row for each seat of each table and for each bye, in the order of play.

    Only organisers of the club get unpublished rounds.
    """

    operations = _a_file(FOLLOWS_WITH_RIGHTS)

    def listing(self) -> Listing:
        competition = self.competition()
        return competitions.results(competition, drawn=directs(self.request, competition))


class EntriesCSV(ListFile, BelowCompetition):
    """The entries, in the order of entering."""

    operations = _a_file(FOLLOWS)

    def listing(self) -> Listing:
        return competitions.entries(self.competition())


class EventsCSV(ListFile, BelowCompetition):
    """The public part of the competition's log, in words."""

    operations = _a_file(FOLLOWS)

    def listing(self) -> Listing:
        return competitions.public_log(self.competition())


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
        return clubs.ratings(ratings_shown(club, RULESET.read(self.request), account_of(self.request)))


class PlayersCSV(FilteredFile):
    """A club's players by name, with the filters of the list of players."""

    queryset = all_players().none()
    filterset_class = PlayerFilter

    def listing(self) -> Listing:
        return clubs.players(self.filter_queryset(players_shown(self.club(), account_of(self.request))))


class CompetitionsCSV(FilteredFile):
    """A club's competitions, with the filters of the list of competitions."""

    queryset = all_competitions().none()
    filterset_class = CompetitionFilter

    def listing(self) -> Listing:
        club = self.club()
        return clubs.competitions(self.filter_queryset(competitions_of(club)), club.zone)


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
        return clubs.games(games, seated_at([club_game.game for club_game in games]))


class GamesNDJSON(Resource, GenericAPIView[Any]):
    """A club's games, the first opened first, each on a line of its own, with its whole log once it is over.

    It has the filters of the list of games. After 10,000 games it ends: go on with the last line's `cursor`,
    until nothing comes. Later the same cursor gives the games that were opened since.
    """

    content_negotiation_class = OneFormat
    renderer_classes = (NDJSONRenderer,)
    pagination_class = None
    queryset = all_games().none()
    filterset_class = GameExportFilter
    operations = {"GET": replace(AWAITING, query=(CURSOR,))}

    def games(self) -> QuerySet[ClubGame]:
        """Return the games of the file; raises DoesNotExist where there is no such club or player."""
        return listed().filter(club=club_at(self.kwargs["slug"]))

    @extend_schema(responses={(200, NDJSONRenderer.media_type): GameWithLogSerializer})
    def get(self, request: Request, **kwargs: Any) -> StreamingHttpResponse:
        rows = self.filter_queryset(self.games())
        try:
            first = with_logs(rows, CURSOR.read(request, ""), _AT_ONCE)
        except BadCursor:
            raise Malformed({CURSOR.name: [WRONG_CURSOR]}) from None
        return StreamingHttpResponse(_lines(rows, first), content_type=NDJSONRenderer.media_type)


class PlayerGamesNDJSON(GamesNDJSON):
    """A player's games, the first opened first, each on a line of its own, as those of a club."""

    def games(self) -> QuerySet[ClubGame]:
        """Return the games in which the player has a seat; raises Player.DoesNotExist."""
        return games_of_player(record_of(player_now(self.kwargs["id"]), account_of(self.request)))


def _lines(rows: QuerySet[ClubGame], part: Sequence[GameWithLog]) -> Iterator[bytes]:
    """Yield the lines of games, some at a time: no cursor of the database is held meanwhile."""
    for _ in range(MOST_GAMES // _AT_ONCE):
        yield b"".join(JSONRenderer().render(GameWithLogSerializer(game).data) + b"\n" for game in part)
        if len(part) < _AT_ONCE:
            return
        part = with_logs(rows, part[-1].cursor, _AT_ONCE)


class PlayerGamesCSV(GamesCSV):
    """A row for each seat of a player's newest 10,000 games, the newest first.

    It has the filters of the list of games.
    """

    def games(self) -> QuerySet[ClubGame]:
        """Return the games in which the player has a seat; raises Player.DoesNotExist."""
        return games_of_player(record_of(player_now(self.kwargs["id"]), account_of(self.request)))


# ---- Calendars -----------------------------------------------------------------------------------

RESPONSES = {(200, CalendarRenderer.media_type): OpenApiTypes.STR}


class CompetitionCalendar(BelowCompetition):
    """A competition's published tables and the deadlines of its rounds (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        competition = self.competition()
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            calendar = calendars.of_competition(competition, request.build_absolute_uri)
            return calendar_answer(calendar, competition.slug)


class PlayerCalendar(Resource):
    """A player's tables and their deadlines (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        player = record_of(player_now(id), account_of(request))
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            return calendar_answer(calendars.of_player(player, request.build_absolute_uri), "player")


def calendar_answer(calendar: bytes, name: str) -> HttpResponse:
    """Return a calendar as a file."""
    answer = as_answer(File(calendar, f"{name}.ics"))
    answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
    return answer


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
