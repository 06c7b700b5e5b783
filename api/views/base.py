"""What every view of the API shares: its methods declared once, for the checks and for the schema alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import Model
from rest_framework import status
from rest_framework.views import APIView

from api import callers
from api.params import IDEMPOTENCY_KEY
from games.engine import shapes
from games.engine.jsontypes import JsonObject
from league import services
from league.models import Account


@dataclass(frozen=True)
class Operation:
    """What one method of a view asks: a body of this shape, one of these scopes; and how it may refuse.

    ``refuses`` lists codes of `api.errors.PROBLEMS` beyond those that follow from body, scopes and path;
    ``about`` describes the operation where the method's docstring does not; ``makes`` says that it makes
    something, for which it takes an ``Idempotency-Key``.
    """

    body: type | None = None
    scopes: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    about: str = ""
    makes: bool = False


class Resource(APIView):
    """A view whose methods are declared in `operations`; what is not there is open and takes no body."""

    operations: ClassVar[Mapping[str, Operation]] = {}

    @property
    def operation(self) -> Operation:
        """Return what is declared of the request's method."""
        return self.operations.get(str(self.request.method), Operation())

    def body(self) -> Any:
        """Return the request's body as the declared dataclass; raise `Malformed`."""
        assert self.operation.body is not None
        return shapes.read(self.operation.body, self.request.data)

    def caller(self) -> Account:
        """Return the account that calls with a declared scope; raises as `callers.caller` does."""
        return callers.caller(self.request, self.operation.scopes)

    def once(self, by: Account, make: Callable[[], Model]) -> services.Made:
        """Make what the request asks for; with an ``Idempotency-Key`` that came before, find what it made."""
        key = IDEMPOTENCY_KEY.read(self.request)
        if key is None:
            return services.Made(make().pk, created=True)
        asked: JsonObject = {"path": self.request.path, "body": shapes.write(self.body())}
        return services.once(by=by, key=key, asked=asked, make=make)


def status_of(made: services.Made) -> int:
    """Return the status that tells something new from what a request made before."""
    return status.HTTP_201_CREATED if made.created else status.HTTP_200_OK
