"""The base of the API's views: each method is declared once, for its checks and for the schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar, cast

from django.db.models import Model, QuerySet
from django.http import HttpResponseNotModified
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from api import answers
from api.callers import ByKeptToken, account_of
from api.errors import EncodedBody, Ended, TooLarge
from api.requests import (
    IDEMPOTENCY_KEY,
    MOST_BYTES,
    Deprecation,
    Parameter,
    declared_length,
    is_encoded,
    read,
)
from api.serializers.league import CompetitionSerializer
from games.engine import shapes
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Malformed, first_errors
from league.callers import ByAccount
from league.queries import permissions, versions
from league.queries.clubs import find_club
from league.queries.competitions import all_competitions
from league.queries.readers import names_are_hidden
from league.services import once
from league.services.once import Made

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Account, Club, Competition


def directs(request: Request, competition: Competition) -> bool:
    """Return whether the caller may organise the competition: an organiser, with a token of that scope."""
    account = account_of(request)
    return account is not None and permissions.is_organiser(competition.club_id, account)


def competition_data(request: Request, competition: Competition) -> Any:
    """Return a competition as the caller may see it."""
    return CompetitionSerializer(competition, context={"directs": partial(directs, request)}).data


# ---- What answers follow ---------------------------------------------------------------------------


def the_release(view: Resource) -> object:
    """Follow the release alone: no row is read."""
    return ""


def the_log(view: Resource) -> object:
    """Follow the log of the game of the address, and the names of its seats."""
    return versions.of_log(view.kwargs["id"])


def the_competition(view: Resource) -> object:
    """Follow the competition of the address: its log, standings and details, and the names in it."""
    return versions.of_competition(view.kwargs["id"])


def its_games(view: Resource) -> object:
    """Follow the games of the competition of the address."""
    return versions.of_games(view.kwargs["id"])


def the_rights(view: Resource) -> object:
    """Follow whether the caller may organise the competition of the address, and then drafts too."""
    competition = account_of(view.request) and all_competitions().get(pk=view.kwargs["id"])
    return competition and directs(view.request, competition) and competition.head


Method = TypeVar("Method", bound=Callable[..., Any])
Followed: TypeAlias = Callable[["Resource"], object]
"""Returns a text or a fact that changes whenever its part of an answer does."""


# ---- Operations ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operation:
    """What one method of a view needs: a body of this shape, one of these scopes; and how it may refuse.

    What ``needs`` an "account" and has no ``scopes`` is for anybody with an account, by a token of any scope;
    "person" is somebody with the web session. ``refuses`` lists codes of `api.errors.PROBLEMS` beyond those
    that follow from body, scopes and path; ``media_types`` are those of a body that is a file; ``about``
    describes the operation where the method's docstring does not; ``makes`` marks one that makes something
    and so takes an ``Idempotency-Key``; ``query`` are its parameters beside filters and pages;
    ``links`` are the ids of the operations on what it returns, which take its ``id``; ``deprecated`` says
    when it ends.

    ``asks_token`` marks one whose own statement asks whether the token is good: it is given `ByKeptToken`.
    ``gives_game`` marks one that is answered with the game after it, as the game's own address gives it.

    ``follows`` is all that the answer of a public GET is made of, beside the address: only if some of it has
    changed is the answer made again for a client that has it.
    """

    body: type | None = None
    scopes: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    about: str = ""
    makes: bool = False
    asks_token: bool = False
    gives_game: bool = False
    query: tuple[Parameter, ...] = ()
    media_types: tuple[str, ...] = ()
    needs: Literal["", "account", "person"] = ""
    links: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    follows: tuple[Followed, ...] = ()

    @property
    def most_bytes(self) -> int:
        """Return how long a body of JSON may be."""
        most: int = getattr(self.body, "most_bytes", MOST_BYTES)
        return most

    @property
    def is_public(self) -> bool:
        """Return whether callers without an account are let in."""
        return not (self.scopes or self.needs)

    @property
    def is_shared(self) -> bool:
        """Return whether the answer is known to be the same for all callers."""
        return bool(self.follows) and self.is_public and the_rights not in self.follows


class Resource(APIView):
    """A view whose methods are declared in `operations`; one that is not there takes no body and no scope."""

    operations: ClassVar[Mapping[str, Operation]] = {}
    tag = ""
    read_by: Account | None = None

    @cached_property
    def operation(self) -> Operation:
        """Return what is declared of the request's method."""
        method = str(self.request.method)
        return self.operations.get("GET" if method == "HEAD" else method, Operation())

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.operation.deprecated and self.operation.deprecated.is_over:
            raise Ended
        # Before the body: nobody else may have it read.
        if not self.operation.is_public:
            self.account()
        if (self.operation.body or self.operation.media_types) and is_encoded(request.META):
            raise EncodedBody
        wrong = {name: self._wrong(name, given) for name, given in request.query_params.lists()}
        if errors := {name: [sentence] for name, sentence in sorted(wrong.items()) if sentence}:
            raise Malformed(first_errors(errors, ""))
        self._look_at_tag()

    def _look_at_tag(self) -> None:
        """Make the tag of what the answer follows; raise `Unchanged` for a client that has that answer."""
        if not (self.operation.follows and self.operation.is_public):
            return
        followed = [look(self) for look in self.operation.follows]
        # Each address for the same is one: blanks between parameters, their order, zeros before numbers.
        query = {**self.request.query_params.dict()}
        query |= {each.name: each.read(self.request) for each in self.operation.query if each.name in query}
        query.pop(api_settings.URL_FORMAT_OVERRIDE, None)
        # Who is logged in may read other names than the public.
        account = account_of(self.request)
        self.read_by = account if account and names_are_hidden() else None
        reader = (self.read_by.pk,) if self.read_by else ()
        self.tag = answers.of(self.request.path, sorted(query.items()), *followed, *reader)
        if answers.is_known(self.request._request, self.tag):
            raise answers.Unchanged

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, answers.Unchanged):
            return cast("Response", HttpResponseNotModified())
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the response, with its tag, and with what is said of a deprecated operation or parameter."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        if self.tag and answer.status_code in (200, 304):
            answer["ETag"] = self.tag
        if self.tag and self.operation.is_shared and self.read_by is None:
            answer["Cache-Control"] = "no-cache"
        for ending in self._endings():
            for name, value in ending.headers().items():
                answer.headers.setdefault(name, value)
        return answer

    def _endings(self) -> Iterator[Deprecation]:
        """Yield when the operation, and the parameters that the request uses, end."""
        used = [each.deprecated for each in self.operation.query if each.name in self.request.query_params]
        return filter(None, (self.operation.deprecated, *used))

    def parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters that the request's query may have."""
        declared = [each.name for each in self.operation.query if each.is_offered]
        if self.request.method not in ("GET", "HEAD"):
            return tuple(declared)
        pages = getattr(getattr(self, "pagination_class", None), "parameters", ())
        return (*declared, *self._filters(), *(each.name for each in pages))

    def _filters(self) -> Mapping[str, Any]:
        filters: Mapping[str, Any] = getattr(getattr(self, "filterset_class", None), "base_filters", {})
        return filters

    def _wrong(self, name: str, given: Sequence[str]) -> str:
        """Return what is wrong with a parameter, empty if it may be right: its own shape is checked later."""
        known = self.parameters()
        if name not in (*known, api_settings.URL_FORMAT_OVERRIDE):
            if not known:
                return text("This address takes no parameters.")
            return text("This parameter is not known here. Known are %(names)s.", names=", ".join(known))
        if len(given) > 1:
            return text("This parameter is here more than once.")
        if name in self._filters() and not given[0].strip():
            return text("This parameter is empty: give it a value, or leave it out.")
        return ""

    def body(self) -> Any:
        """Return the request's body as the declared dataclass; raise `Malformed` and `TooLarge`."""
        assert self.operation.body is not None
        # REST Framework reads a body into memory before it looks for a parser.
        if declared_length(self.request.META) > self.operation.most_bytes:
            raise TooLarge(self.operation.most_bytes)
        return read(self.operation.body, self.request.data)

    def account(self) -> Account:
        """Return the account that calls as declared; raises NotAuthenticated and PermissionDenied."""
        account = account_of(self.request)
        if account is None:
            raise NotAuthenticated
        if self.operation.scopes:
            account.require_scope(*self.operation.scopes)
        if self.operation.needs == "person":
            account.require_person()
        return account

    def caller(self) -> ByAccount:
        """Return who calls as declared; raises as `account` does."""
        kept = self.request.auth
        return kept if isinstance(kept, ByKeptToken) else ByAccount(self.account())

    def once(self, by: Account, make: Callable[[], Model]) -> Made:
        """Make what the request describes; with an ``Idempotency-Key`` sent before, find what it made."""
        key = IDEMPOTENCY_KEY.read(self.request)
        if key is None:
            return Made(make().pk, created=True)
        request: JsonObject = {"path": self.request.path, "body": shapes.write(self.body())}
        return once.once(by=by, key=key, request=request, make=make)


class BelowCompetition(Resource):
    """What lies below a competition."""

    competitions: ClassVar[QuerySet[Competition]] = all_competitions()

    def competition(self) -> Competition:
        """Return the competition of the address; raises Competition.DoesNotExist."""
        return self.competitions.get(pk=self.kwargs["id"])


def club_named(slug: str) -> Club:
    """Return the club that a body names; raise `Malformed`."""
    club = find_club(slug)
    if club is None:
        raise Malformed({"club": ["There is no such club."]})
    return club


def answers_made(shown: type[Serializer[Any]]) -> Callable[[Method], Method]:
    """Return the decorator of a method that answers with `created_or_found`, with what it shows."""
    return extend_schema(
        responses={201: shown, 200: OpenApiResponse(shown, "Created by an earlier request.")}
    )


def created_or_found(data: Any, *, created: bool, location: str) -> Response:
    """Return the answer to a request that makes something: 201 with its location, or 200 if it was there."""
    return Response(data, status=201, headers={"Location": location}) if created else Response(data)
