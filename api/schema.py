"""The parts of the OpenAPI document that drf-spectacular can't find, taken from the views' operations."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction
from rest_framework.generics import ListAPIView

from api import contract
from api.answers import EventStreamRenderer, NDJSONRenderer
from api.errors import MEDIA_TYPE, PROBLEMS
from api.requests import IDEMPOTENCY_KEY
from api.views.base import Operation
from league.words.reference import scopes_table

PROBLEM: Final = {
    "type": "object",
    "description": "A problem document (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": list(PROBLEMS)},
        "rule": {"type": "string", "description": "The number of the rule, such as C9."},
        "seq": {"type": "integer", "description": "The number to use next."},
        "errors": {
            "type": "object",
            "description": "Sentences by field path.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
    "required": ["type", "title", "status", "detail", "code"],
}


def _header(description: str, kind: str = "string") -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind}}


_RATES: Final = {
    "RateLimit-Policy": _header("How many requests (`q`) a caller may send in how many seconds (`w`)."),
    "RateLimit": _header("How many requests are left (`r`), and after how many seconds all are again (`t`)."),
}
_ETAG: Final = {"ETag": _header("Send it back in `If-None-Match`: as long as nothing changes, you get 304.")}
_OF_THE_GAME: Final = _ETAG | {
    "Content-Location": _header("The address that gives what is in this answer, with the same `ETag`.")
}
_MORE: Final[Mapping[str, Mapping[str, Any]]] = {
    "201": {"Location": _header("The address of what was created.")},
    "202": {"Location": _header("The address that says how far the work is.")},
    "401": {"WWW-Authenticate": _header("How to log in (RFC 6750).")},
    "429": {"Retry-After": _header("The seconds to wait.", "integer")},
}


def _headers(status: str) -> dict[str, Any]:
    """Return the headers of a response, beside those of every HTTP response."""
    return {**_RATES, **_MORE.get(str(status), {})}


class OperationSchema(AutoSchema):
    """Describes the body, scopes and errors that a view's `operations` declare."""

    @property
    def operation(self) -> Operation:
        """Return the view's declaration of the method."""
        declared: Mapping[str, Operation] = getattr(self.view, "operations", {})
        return declared.get(self.method, Operation())

    def get_summary(self) -> str:
        first = re.split(r"[.]\s", f"{self.get_description()} ", maxsplit=1)[0]
        return " ".join(first.split()).rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        described = self.operation.about or str(super().get_description())
        # Docstrings are reStructuredText, the document's descriptions are Markdown.
        return described.replace("``", "`")

    def get_operation_id(self) -> str:
        # Client generators make function names of these ids: `standings.csv` has a dot.
        return str(super().get_operation_id()).replace(".", "_")

    def is_deprecated(self) -> bool:
        return self.operation.deprecated is not None

    def get_tags(self) -> list[str]:
        return self._tokenize_path()[:1]

    def get_override_parameters(self) -> list[Any]:
        operation = self.operation
        named = [each.parameter() for each in operation.query]
        made = [IDEMPOTENCY_KEY.parameter()] if operation.makes else []
        return [*super().get_override_parameters(), *named, *made]

    def get_filter_backends(self) -> list[Any]:
        # Files have the filters of their lists.
        filtered = self.method == "GET" and hasattr(self.view, "filterset_class")
        return getattr(self.view, "filter_backends", []) if filtered else []

    def get_request_serializer(self) -> Any:
        body = self.operation.body
        if body is None:
            return dict.fromkeys(self.operation.media_types, OpenApiTypes.BINARY) or None
        return {"application/json": self._component(body.__name__, contract.body_schema(body))}

    def _get_request_body(self, direction: Direction = "request") -> Any:
        described = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        return {**described, "required": True} if described else described

    def get_auth(self) -> list[dict[str, Any]]:
        super().get_auth()
        operation = self.operation
        session: dict[str, Any] = {"session": []}
        if operation.needs == "person":
            return [session]
        # One of the requirements is enough; within one, all its scopes are needed.
        scopes = [[scope] for scope in operation.scopes] or [[]]
        tokens = [{scheme: each} for scheme in TokenScheme.name for each in scopes]
        return [*tokens, session, {}] if operation.is_public else [*tokens, session]

    def _get_response_bodies(self, direction: Direction = "response") -> Any:
        refusals: dict[str, list[str]] = {}
        for code in self._refusals():
            refusals.setdefault(str(PROBLEMS[code].status), []).append(code)
        reference = self._component("Problem", PROBLEM)
        described = {
            status: {
                "description": " ".join(f"{PROBLEMS[code].title} (`{code}`)." for code in codes),
                "content": {MEDIA_TYPE: {"schema": reference}},
            }
            for status, codes in refusals.items()
        }
        unchanged = (
            {"304": {"description": "As the client has it (`If-None-Match`)."}} if self._tagged() else {}
        )
        bodies = {**super()._get_response_bodies(direction), **unchanged, **described}
        links = {"links": contract.links(self.operation.links)} if self.operation.links else {}
        return {
            status: {
                **body,
                "headers": _headers(status)
                | (_ETAG if status == "200" and unchanged else {})
                | (_OF_THE_GAME if self.operation.gives_game and status in ("200", "201") else {}),
                **(links if str(status).startswith("20") else {}),
            }
            for status, body in bodies.items()
        }

    def _tagged(self) -> bool:
        """Return whether the answer has an ETag."""
        streams = {EventStreamRenderer, NDJSONRenderer}
        return self.method == "GET" and not streams & {*getattr(self.view, "renderer_classes", ())}

    def _refusals(self) -> list[str]:
        """Return the codes of all errors that the operation may return."""
        operation = self.operation
        codes = ["malformed", "bad_token", "not_acceptable", "throttled", *operation.refuses]
        if operation.body or operation.media_types:
            codes += ["too_large", "unsupported_media_type"]
        if operation.makes:
            codes.append("key_reused")
        if operation.deprecated:
            codes.append("ended")
        if operation.scopes:
            codes += ["insufficient_scope"]
        if not operation.is_public:
            codes += ["not_authenticated", "not_allowed"]
        if "{" in self.path:
            codes.append("not_found")
        if isinstance(self.view, ListAPIView):
            codes.append("not_found")
        return sorted({*codes}, key=list(PROBLEMS).index)

    def _component(self, name: str, schema: Any) -> dict[str, str]:
        """Return a reference to a named schema, registered once; raise TypeError for another of its name."""
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
        if component in self.registry and self.registry[component].schema != schema:
            raise TypeError(f"two bodies are named {name}")
        self.registry.register_on_missing(component)
        reference: dict[str, str] = component.ref
        return reference


class RulesetFields(OpenApiSerializerFieldExtension):
    """The description of what rulesets declare, which `contract.complete` fills in."""

    target_class = "api.serializers.games.RulesetField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return contract.declared_by_ruleset(self.target.part)


class ComputedFields(OpenApiSerializerFieldExtension):
    """The description of what a function of the row makes."""

    target_class = "api.serializers.computed.Computed"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        shown = self.target.shown
        if isinstance(shown, dict):
            return shown
        return auto_schema._map_serializer_field(shown(many=self.target.many), direction)


class TokenScheme(OpenApiAuthenticationExtension):
    """The description of tokens: an account's own, and those of apps."""

    target_class = "api.callers.BearerAuthentication"
    name = ["token"]
    describing: ClassVar[list[Callable[[], dict[str, Any]]]] = []
    """Return the descriptions of the others, of which `name` has the names."""

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        own = {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your account page or from `manage.py token`, with one of the scopes "
            f"that the operation names.\n\n{scopes_table()}",
        }
        return [own, *(describe() for describe in self.describing)]


class SessionScheme(OpenApiAuthenticationExtension):
    """The description of the web session."""

    target_class = "rest_framework.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The web session. Methods other than GET also need the X-CSRFToken header.",
        }
