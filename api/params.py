"""Query parameters: read strictly, and described once for reader and schema."""

import re
from dataclasses import dataclass
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.engine.refusals import Malformed

BIGGEST: Final = 2**31 - 1
KEY: Final = "[a-z][a-z0-9-]{0,59}"
PRINTABLE: Final = "[!-~]{1,200}"


@dataclass(frozen=True)
class Number:
    """A whole number from 0 to ``high`` in the query, or in a header."""

    name: str
    help: str
    low: int = 0
    high: int = BIGGEST

    def read(self, request: Request, default: int) -> int:
        """Return the number, or the default where it was left out; raise `Malformed`."""
        return self.parsed(request.query_params[self.name]) if self.name in request.query_params else default

    def parsed(self, text: str) -> int:
        """Return the number that a text says; raise `Malformed`."""
        number = int(text) if re.fullmatch("[0-9]{1,10}", text, re.ASCII) else -1
        if not self.low <= number <= self.high:
            raise Malformed({self.name: [f"This must be a whole number from {self.low} to {self.high}."]})
        return number

    def parameter(self, location: Any = OpenApiParameter.QUERY) -> OpenApiParameter:
        """Return the parameter as the schema describes it."""
        schema = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return OpenApiParameter(self.name, schema, location, description=self.help)


@dataclass(frozen=True)
class Key:
    """A ruleset's key in the query, which must be there."""

    name: str
    help: str

    def read(self, request: Request) -> str:
        """Return the key; raise `Malformed` where it is left out or can be none."""
        text: str = request.query_params.get(self.name, "")
        if not re.fullmatch(KEY, text, re.ASCII):
            raise Malformed({self.name: ["This must be the key of a ruleset, such as scoops."]})
        return text

    def parameter(self) -> OpenApiParameter:
        """Return the parameter as the schema describes it."""
        schema = {"type": "string", "pattern": f"^{KEY}$"}
        return OpenApiParameter(
            self.name, schema, OpenApiParameter.QUERY, required=True, description=self.help
        )


@dataclass(frozen=True)
class Header:
    """A text in a header, of printable ASCII without spaces, which may be left out."""

    name: str
    help: str

    def read(self, request: Request) -> str | None:
        """Return the text, None where the header was left out; raise `Malformed`."""
        text = request.headers.get(self.name)
        if text is not None and not re.fullmatch(PRINTABLE, text, re.ASCII):
            raise Malformed({self.name: ["This must be 1 to 200 printable ASCII characters without spaces."]})
        return text

    def parameter(self) -> OpenApiParameter:
        """Return the header as the schema describes it."""
        schema = {"type": "string", "pattern": f"^{PRINTABLE}$"}
        return OpenApiParameter(self.name, schema, OpenApiParameter.HEADER, description=self.help)


RULESET: Final = Key("ruleset", "The key of a ruleset, without a version.")
AFTER: Final = Number("after", "Only entries with a higher `seq`.")
STAGE: Final = Number("stage", "A stage by its number; left out: the last one that has begun.", low=1)
ROUND: Final = Number("round", "As it was after this round; left out: so far.", low=1)
LAST_EVENT_ID: Final = Number("Last-Event-ID", "The last event that arrived; stands above `after`.")
IDEMPOTENCY_KEY: Final = Header(
    "Idempotency-Key",
    "A text of your own, such as a UUID: the same request again with the same key, within a day, makes "
    "nothing more and is answered with what was made (200).",
)
