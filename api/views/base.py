"""What every view of the API shares: its methods declared once, for the checks and for the schema alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rest_framework.views import APIView

from api import callers
from games.engine import shapes
from league.models import Account


@dataclass(frozen=True)
class Operation:
    """What one method of a view asks: a body of this shape, one of these scopes; and how it may refuse.

    ``refuses`` lists codes of `api.errors.PROBLEMS` beyond those that follow from body, scopes and path;
    ``about`` describes the operation where the method's docstring does not.
    """

    body: type | None = None
    scopes: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    about: str = ""


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
