"""The base of the API's views: each method is declared once, for its checks and for the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotAuthenticated
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from api.callers import account_of
from api.deprecation import Deprecation
from api.params import IDEMPOTENCY_KEY, Parameter
from api.serializers.league import CompetitionSerializer
from games.engine import shapes
from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Malformed
from league.queries import permissions
from league.queries.competitions import all_competitions
from league.services import once
from league.services.once import Made

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Account, Competition


def directs(request: Request, competition: Competition) -> bool:
    """Return whether the caller may organise the competition: an organiser, with a token of that scope."""
    account = account_of(request)
    return account is not None and permissions.is_organiser(competition.club_id, account)


def competition_data(request: Request, competition: Competition) -> Any:
    """Return a competition as the caller may see it."""
    return CompetitionSerializer(competition, context={"directs": partial(directs, request)}).data


@dataclass(frozen=True)
class Operation:
    """What one method of a view needs: a body of this shape, one of these scopes; and how it may refuse.

    Without ``scopes`` a ``caller`` of "account" is anybody with an account, and a token of any scope will do;
    "person" is somebody with the web session. ``refuses`` lists codes of `api.errors.PROBLEMS` beyond those
    that follow from body, scopes and path; ``media_types`` are those of a body that is a file; ``about``
    describes the operation where the method's docstring does not; ``makes`` marks one that makes something
    and so takes an ``Idempotency-Key``; ``query`` are its parameters beside filters and pages;
    ``links`` are the ids of the operations on what it returns, which take its ``id``; ``deprecated`` says when
    it ends.
    """

    body: type | None = None
    scopes: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    about: str = ""
    makes: bool = False
    query: tuple[Parameter, ...] = ()
    media_types: tuple[str, ...] = ()
    caller: Literal["", "account", "person"] = ""
    links: tuple[str, ...] = ()
    deprecated: Deprecation | None = None

    @property
    def is_public(self) -> bool:
        """Return whether callers without an account are let in."""
        return not (self.scopes or self.caller)


class Resource(APIView):
    """A view whose methods are declared in `operations`; one that is not there takes no body and no scope."""

    operations: ClassVar[Mapping[str, Operation]] = {}

    @property
    def operation(self) -> Operation:
        """Return what is declared of the request's method."""
        method = str(self.request.method)
        return self.operations.get("GET" if method == "HEAD" else method, Operation())

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        unknown = {*request.query_params} - {*self.parameters(), api_settings.URL_FORMAT_OVERRIDE}
        if unknown:
            raise Malformed({name: [self._known()] for name in sorted(unknown)})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the response, which says where the operation or a parameter of the request is deprecated."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        operation = self.operation
        used = [each.deprecated for each in operation.query if each.name in request.query_params]
        for ending in filter(None, (operation.deprecated, *used)):
            for name, value in ending.headers().items():
                answer.headers.setdefault(name, value)
        return answer

    def parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters that the request's query may have."""
        declared = [each.name for each in self.operation.query if each.location == "query"]
        if self.request.method not in ("GET", "HEAD"):
            return tuple(declared)
        filters = getattr(getattr(self, "filterset_class", None), "base_filters", {})
        pages = getattr(getattr(self, "pagination_class", None), "parameters", ())
        return (*declared, *filters, *(each.name for each in pages))

    def _known(self) -> str:
        if names := self.parameters():
            return text("This parameter is not known here. Known are %(names)s.", names=", ".join(names))
        return text("This address takes no parameters.")

    def body(self) -> Any:
        """Return the request's body as the declared dataclass; raise `Malformed`."""
        assert self.operation.body is not None
        return shapes.read(self.operation.body, self.request.data)

    def caller(self) -> Account:
        """Return the account that calls as declared; raises NotAuthenticated and PermissionDenied."""
        account = account_of(self.request)
        if account is None:
            raise NotAuthenticated
        if self.operation.scopes:
            permissions.require_scope(account, *self.operation.scopes)
        if self.operation.caller == "person":
            permissions.require_person(account)
        return account

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


def created_or_found(data: Any, *, created: bool, location: str) -> Response:
    """Return the answer to a request that makes something: 201 with its location, or 200 if it was there."""
    return Response(data, status=201, headers={"Location": location}) if created else Response(data)
