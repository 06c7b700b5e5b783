"""OAuth 2 for programs: tokens, their end, devices, and where all that is (RFC 6749, 7009, 8628, 8414).

Its pages for people are `pages`.
"""

from base64 import b64decode
from typing import Any, Final, cast
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.models import Grant
from oauth2_provider.views import DeviceAuthorizationView, RevokeTokenView, TokenView

from api import schema
from api.callers import CallerThrottle
from league.apps.programs.models import ProgramKind
from league.apps.programs.oauth import CHALLENGES, GRANTS, end_tokens_of
from league.apps.programs.queries import program_with
from league.apps.programs.services import begin_device
from league.choices import SINGLE_SCOPES

METHODS: Final = ("client_secret_basic", "client_secret_post", "none")


class Bounded:
    """Counts the requests of each address, so that nobody fills the tables or tries secrets at leisure."""

    @method_decorator(csrf_exempt)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        posted = [value for values in request.POST.lists() for value in values[1]]
        if any("\0" in value for value in (*posted, _basic(request))):
            return JsonResponse({"error": "invalid_request"}, status=400)
        throttle = CallerThrottle()
        if throttle.allows(request, "oauth", throttle.get_ident(cast("Any", request))):
            return cast("HttpResponseBase", super().dispatch(request, *args, **kwargs))  # type: ignore[misc]
        wait = {"Retry-After": str(max(1, round(throttle.wait())))}
        return JsonResponse({"error": "temporarily_unavailable"}, status=429, headers=wait)


def _basic(request: HttpRequest) -> str:
    """Return name and secret as a program has sent them in a header, empty where it has not."""
    scheme, _, given = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return unquote(b64decode(given).decode())
    except ValueError:
        return ""


class Token(Bounded, TokenView):
    """Gives tokens for a code, for a device's code, and for a refresh token."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # The validator answers devices (`league.apps.programs.oauth`), as it answers everybody.
        try:
            _url, headers, body, status = self.create_token_response(request)
        except Grant.DoesNotExist:
            # Another request has used the code up since this one found it good.
            end_tokens_of(request.POST["code"])
            return JsonResponse({"error": "invalid_grant"}, status=400, headers={"Cache-Control": "no-store"})
        return HttpResponse(body, status=status, headers={"Content-Type": "application/json", **headers})


class Revoke(Bounded, RevokeTokenView):
    """Revokes a token: of an access token its refresh token, too."""


class Device(Bounded, DeviceAuthorizationView):
    """Begins to connect a device: a code for it, and one that its owner types on another device."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        program = program_with(request.POST.get("client_id", ""))
        if program and program.kind != ProgramKind.DEVICE:
            return JsonResponse({"error": "unauthorized_client"}, status=400)
        headers, said, status = self.create_device_authorization_response(request)
        if status != 200:
            return HttpResponse(said, status=status, headers=headers, content_type="application/json")
        begin_device(client_id=request.POST["client_id"], said=said)
        page = request.build_absolute_uri(reverse("device"))
        where = {"verification_uri": page, "verification_uri_complete": f"{page}?code={said['user_code']}"}
        return JsonResponse({**said, **where}, headers={"Cache-Control": "no-store"})


def metadata(request: HttpRequest) -> JsonResponse:
    """Return where everything is, and what is understood."""

    def at(name: str) -> str:
        return request.build_absolute_uri(reverse(name))

    return JsonResponse(
        {
            "issuer": request.build_absolute_uri("/").rstrip("/"),
            "authorization_endpoint": at("authorize"),
            "token_endpoint": at("oauth-token"),
            "revocation_endpoint": at("oauth-revoke"),
            "device_authorization_endpoint": at("oauth-device"),
            "scopes_supported": [scope for scope, _ in SINGLE_SCOPES],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANTS,
            "token_endpoint_auth_methods_supported": METHODS,
            "revocation_endpoint_auth_methods_supported": METHODS,
            "code_challenge_methods_supported": CHALLENGES,
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": at("api:docs"),
        },
        headers={"Cache-Control": "public, max-age=3600"},
    )


def _scheme() -> dict[str, Any]:
    """Return the description of the tokens that programs get."""
    flow = {
        "authorizationUrl": reverse("authorize"),
        "tokenUrl": reverse("oauth-token"),
        "refreshUrl": reverse("oauth-token"),
        "scopes": {scope: str(words) for scope, words in SINGLE_SCOPES},
    }
    return {
        "type": "oauth2",
        "description": "A program that people connect to their accounts, with PKCE (S256).",
        "flows": {"authorizationCode": flow},
    }


schema.TokenScheme.name.append("oauth2")
schema.TokenScheme.describing.append(_scheme)
