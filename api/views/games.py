"""The rulesets, and opening, reading and playing games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseNotModified, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, bodies, contract
from api.answers import JSONLinesRenderer, NDJSONRenderer, OneFormat
from api.callers import ByKeptToken, account_of
from api.lists import WRONG_CURSOR, Entries, GameExportFilter, GameFilter, Lists
from api.requests import AFTER, CURSOR, SHEET_AFTER
from api.serializers.games import (
    LOG_LINE,
    DrawsSerializer,
    GameSerializer,
    GameSummarySerializer,
    GameWithLogSerializer,
    MoveSerializer,
    RulesetSerializer,
    game_body,
)
from api.views.base import (
    Operation,
    Resource,
    answers_made,
    club_named,
    created_or_found,
    the_log,
    the_release,
)
from games import rules
from games.engine import schemas
from games.engine.refusals import Malformed, below
from games.engine.replay import AnyRuleset
from league.callers import ByAccount
from league.files.file import File, as_answer
from league.queries import reading, seen, verification
from league.queries.clubs import club_at, player_now
from league.queries.games import all_games, draws_of, game_of, games_of_player, seated_at
from league.queries.keysets import BadCursor
from league.queries.permissions import record_of
from league.queries.seen import GameWithLog, listed, with_logs
from league.services.casual_games import accept_game, decline_game, open_casual_game, open_rematch
from league.services.play import make_move, make_moves
from league.words.moves import lines

if TYPE_CHECKING:
    from games.log import Appended
    from games.models import Game
    from games.models.moves import Move
    from league.models import Account, ClubGame
    from league.queries.reading import GameRead


# ---- Rulesets ------------------------------------------------------------------------------------


class Rulesets(Resource, ListAPIView[Any]):
    """The newest version of every ruleset."""

    operations = {"GET": Operation(follows=(the_release,))}
    serializer_class = RulesetSerializer
    filter_backends = ()

    def get_queryset(self) -> Any:
        return sorted(rules.NEWEST.values(), key=lambda ruleset: ruleset.key)


class Schema(Resource):
    """The JSON Schema (2020-12) of what an edition of a ruleset tells: views, choices, moves and options.

    Its `$defs` hold one schema for each: `view` and `choices` of a game, `at` for `at/{seq}/`, `open_view`
    for the view of a game that is over, `move` and `options`. No object has fields that are not declared.
    """

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses={200: contract.json_schema()})
    def get(self, request: Request, key: str, version: int) -> Response:
        return Response(schemas.document(_found(f"{key}@{version}")))


class Ruleset(Resource):
    """One ruleset by key (`rummy`: the newest version) or by key and version (`rummy@1`)."""

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses=RulesetSerializer)
    def get(self, request: Request, key: str) -> Response:
        return Response(RulesetSerializer(_found(key), context={"request": request}).data)


def _found(name: str) -> AnyRuleset:
    """Return the ruleset of a key or name; raise Http404."""
    try:
        return rules.find(name)
    except KeyError:
        raise Http404 from None


# ---- Games ---------------------------------------------------------------------------------------

AWAITING: Final = Operation(refuses=("not_authenticated", "insufficient_scope"))
"""The filter `awaited=me` needs a caller."""


ON_A_GAME: Final = (
    "games_retrieve",
    "games_moves_create",
    "games_moves_list",
    "games_events_retrieve",
    "games_accept_create",
    "games_decline_create",
)
"""What can be done with a game that was returned."""


class Games(Resource, ListAPIView["ClubGame"]):
    """Games, the last opened first."""

    serializer_class = GameSummarySerializer
    filterset_class = GameFilter
    pagination_class = Lists
    operations = {
        "GET": AWAITING,
        "POST": Operation(
            body=bodies.NewGame,
            scopes=("play:enter", "club:organise"),
            refuses=("illegal",),
            makes=True,
            gives_game=True,
            links=ON_A_GAME,
        ),
    }

    def get_queryset(self) -> QuerySet[ClubGame]:
        return seen.listed()

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset) or ()
        seats = seated_at([club_game.game for club_game in page])
        return [seen.ListedGame(club_game, seats[club_game.game_id]) for club_game in page]

    @answers_made(GameSerializer)
    def post(self, request: Request) -> Response:
        """Open a casual game of a club that the caller is a member of.

        An organiser's game begins at once. In a member's, the other players are invited, unless they let the
        club's games begin without asking: its `status` is `invited` until all have accepted.
        """
        body: bodies.NewGame = self.body()
        account = self.account()
        made = self.once(account, lambda: _opened(body, account))
        return _given(made.id, account, created=made.created)


def _given(game_id: UUID, account: Account, *, created: bool) -> Response:
    """Return the answer with a game that was made, or was there, as its own address gives it."""
    read, address = reading.read(game_id, account), reverse("api:game", args=[game_id])
    answer = created_or_found(game_body(read), created=created, location=address)
    for name, value in headers_of_game(address, read).items():
        answer[name] = value
    return answer


def _opened(body: bodies.NewGame, account: Account) -> Game:
    return open_casual_game(
        by=account,
        club=club_named(body.club),
        ruleset=body.ruleset,
        options=body.options or {},
        players=[UUID(player) for player in body.players],
        entropy=body.entropy,
        clock=body.clock,
    )


class GameDetail(Resource):
    """One game, as the caller may see it now."""

    operations = {
        "GET": Operation(query=(SHEET_AFTER,), refuses=("not_replayable",), links=ON_A_GAME, asks_token=True),
    }

    @extend_schema(responses=GameSerializer)
    def get(self, request: Request, id: UUID) -> HttpResponseBase:  # noqa: A002 - the name in the address
        sheet_after = SHEET_AFTER.read(request, 0)
        read = self._read(id)
        tag = tag_of(read, sheet_after)
        if answers.is_known(request._request, tag):
            answer: HttpResponseBase = HttpResponseNotModified()
        else:
            answer = Response(game_body(read, sheet_after))
        answer["ETag"] = tag
        return answer

    def _read(self, game: UUID) -> GameRead:
        caller = self.request.auth
        if not isinstance(caller, ByKeptToken):
            return reading.read(game, account_of(self.request))
        with suppress(ObjectDoesNotExist):
            return reading.read(game, caller.by, caller.guard)
        return reading.read(game, caller.checked().by)


def tag_of(read: GameRead, sheet_after: int) -> str:
    """Return the tag of a game as it was read, its sheet from the round after one on."""
    names = tuple(holder.called for _seat, _team, holder in read.place.seats if holder)
    surroundings = read.place.text, read.imported_at, read.you, read.rulings, names
    return answers.of(read.game.version, *surroundings, sheet_after)


def headers_of_game(game: str, read: GameRead, sheet_after: int = 0) -> dict[str, str]:
    """Return the headers of an answer with what the game's address gives, which has the same tag."""
    query = f"?{SHEET_AFTER.name}={sheet_after}" if sheet_after else ""
    return {"Content-Location": f"{game}{query}", "ETag": tag_of(read, sheet_after)}


class Accept(Resource):
    """Accept an invitation to a game; it begins with the last answer."""

    operations = {
        "POST": Operation(
            body=bodies.Nothing,
            scopes=("play:enter", "club:organise"),
            refuses=("illegal", "not_replayable"),
        )
    }

    @extend_schema(responses=GameSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Accept the invitation of the caller's seat; accepting again changes nothing.

        An organiser of the club who is not asked begins the game without the missing answers.
        """
        self.body()
        account = self.account()
        accept_game(by=account, game_id=id)
        return Response(game_body(reading.read(id, account)))


class Decline(Resource):
    """Decline an invitation to a game, which is called off."""

    operations = {
        "POST": Operation(body=bodies.Nothing, scopes=("play:enter",), refuses=("illegal", "not_replayable"))
    }

    @extend_schema(responses=GameSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Call off a game that has not begun, as one of its players; doing so again changes nothing."""
        self.body()
        account = self.account()
        decline_game(by=account, game_id=id)
        return Response(game_body(reading.read(id, account)))


class Rematch(Resource):
    """Play a finished game again: the same players, rules, options and clock."""

    operations = {
        "POST": Operation(
            body=bodies.Nothing,
            scopes=("play:enter",),
            gives_game=True,
            refuses=("illegal", "not_replayable"),
        )
    }

    @extend_schema(
        responses={
            201: GameSerializer,
            200: OpenApiResponse(GameSerializer, "The rematch that another player asked for, accepted."),
        }
    )
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Invite the others to a rematch, as one of the players; everybody moves up a seat.

        If there is a rematch already, the caller's invitation to it is accepted.
        """
        self.body()
        account = self.account()
        game, created = open_rematch(by=account, game_id=id)
        return _given(game.pk, account, created=created)


class Moves(Resource, ListAPIView["Move"]):
    """A game's log, entry by entry."""

    serializer_class = MoveSerializer
    filter_backends = ()
    pagination_class = Entries
    operations = {
        "GET": Operation(query=(AFTER,), follows=(the_log,)),
        "POST": Operation(
            body=bodies.NewMove,
            query=(SHEET_AFTER,),
            # Which of them is needed depends on the move.
            scopes=("play:move", "play:enter", "club:rule", "club:organise"),
            gives_game=True,
            asks_token=True,
            refuses=("stale", "illegal", "not_replayable"),
        ),
    }

    def get_queryset(self) -> QuerySet[Move]:
        self.game = game_of(self.kwargs["id"])
        return self.game.entries.filter(seq__lte=self.game.seq)

    def paginate_queryset(self, queryset: Any) -> Any:
        return lines(self.game, super().paginate_queryset(queryset) or ())

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The entries after `after`, oldest first."""
        return super().get(request, *args, **kwargs)

    @answers_made(GameSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Make a move of the caller's seat, or, as an organiser of the club, of the arbiter.

        The same move at the same `seq` again is answered with 200 and the game as it is by then.
        """
        body: bodies.NewMove = self.body()
        sheet_after = SHEET_AFTER.read(request, 0)
        caller = self.caller()
        with below("move"):
            made = make_move(caller, game_id=id, seq=body.seq, move=body.move)
        return _after(request, made, caller.by, sheet_after)


class MovesBatch(Resource):
    """Several moves at once: all are made, or none."""

    operations = {
        "POST": Operation(
            body=bodies.NewMoves,
            query=(SHEET_AFTER,),
            scopes=("play:move", "club:rule"),
            gives_game=True,
            refuses=("stale", "illegal", "not_replayable"),
        )
    }

    @answers_made(GameSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Make up to 100 moves of the caller's seat, or entries on a score card as its scorekeeper.

        No move may follow one that shows its seat something new, such as a drawn card: send it afterwards.
        The same moves at the same `seq` again are answered with 200 and the game as it is by then.
        """
        body: bodies.NewMoves = self.body()
        sheet_after = SHEET_AFTER.read(request, 0)
        account = self.account()
        with below("moves"):
            moves = [dict(each) for each in body.moves]
            made = make_moves(ByAccount(account), game_id=id, seq=body.seq, moves=moves)
        return _after(request, made, account, sheet_after)


def _after(request: Request, made: Appended, account: Account, sheet_after: int) -> Response:
    """Return the answer to moves: the game as its own address gives it."""
    read = reading.after(made, account)
    game, _, _ = request.path.partition("moves/")
    headers = headers_of_game(game, read, sheet_after)
    if made.created:
        headers["Location"] = f"{game}at/{made.entry.seq}/"
    return Response(game_body(read, sheet_after), status=201 if made.created else 200, headers=headers)


def the_open_hands(view: Resource) -> object:
    """Follow whether the hands of the deal of the address are open by now."""
    return seen.is_open_after(view.kwargs["id"], view.kwargs["seq"])


GAME_AT: Final = contract.component("GameAt", contract.declared_by_ruleset("at"))


class GameAt(Resource):
    """The view after an entry: with all cards once the game is over, otherwise as spectators see it.

    Where the competition has `open_hands`, spectators see all cards of a past deal after so many minutes.
    """

    operations = {"GET": Operation(refuses=("not_replayable",), follows=(the_log, the_open_hands))}

    @extend_schema(responses={200: GAME_AT})
    def get(self, request: Request, id: UUID, seq: int) -> Response:  # noqa: A002 - the name in the address
        return Response(seen.view_after(id, seq))


class Draws(Resource):
    """Every shuffle and roll of dice of a game that is over, to be repeated from its seed; none before."""

    operations = {"GET": Operation(refuses=("not_replayable",), follows=(the_log,))}

    @extend_schema(responses=DrawsSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(DrawsSerializer({"draws": draws_of(game_of(id))}).data)


class GameLog(Resource):
    """The whole log as JSON Lines, the file that `python3 -m league.verify` takes."""

    operations = {"GET": Operation(follows=(the_log,), refuses=("not_replayable",))}
    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): LOG_LINE})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        text = "".join(f"{line}\n" for line in verification.game_lines(game_of(id)))
        return as_answer(File(text.encode(), f"{id}.jsonl"))


# ---- Games with their logs -----------------------------------------------------------------------

MOST_GAMES: Final = 10_000
AT_ONCE: Final = 25


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
            first = with_logs(rows, CURSOR.read(request, ""), AT_ONCE)
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
    for _ in range(MOST_GAMES // AT_ONCE):
        yield b"".join(JSONRenderer().render(GameWithLogSerializer(game).data) + b"\n" for game in part)
        if len(part) < AT_ONCE:
            return
        part = with_logs(rows, part[-1].cursor, AT_ONCE)
