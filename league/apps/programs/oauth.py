"""OAuth 2 as django-oauth-toolkit speaks it, with what this site asks beyond: settings name these classes."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from oauth2_provider.models import AbstractApplication, DeviceGrant, Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.settings import oauth2_settings
from oauthlib.oauth2 import Server
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError, UnsupportedGrantTypeError
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant

from games import database_time
from league.choices import DEFAULT_SCOPES, SINGLE_SCOPES

GRANTS: Final = ("authorization_code", "refresh_token", AbstractApplication.GRANT_DEVICE_CODE)
"""The grants that there are; any other is refused before anything is looked up."""
CHALLENGES: Final = ("S256",)
"""How a program may hash the challenge of PKCE; `plain` hides nothing."""
_PREFIX: Final = "trefoil_oauth_"  # by which people and secret scanners know them


def new_secret(_request: Any) -> str:
    """Return a new access or refresh token."""
    return _PREFIX + secrets.token_urlsafe(32)


def _family(code: str) -> UUID:
    """Return what all tokens that come from an authorisation code have in common."""
    return UUID(bytes=hashlib.sha256(code.encode(errors="surrogatepass")).digest()[:16])


def end_tokens_of(code: str) -> None:
    """End all tokens that came from an authorisation code."""
    RefreshToken.revoke_family(_family(code))


class Scopes(BaseScopes):
    """The scopes that operations name, each in words; no bundles, and by default nothing but reading."""

    def get_all_scopes(self) -> Mapping[str, Any]:
        return dict(SINGLE_SCOPES)

    def get_available_scopes(self, *_args: Any, **_kwargs: Any) -> Sequence[str]:
        return [scope for scope, _ in SINGLE_SCOPES]

    def get_default_scopes(self, *_args: Any, **_kwargs: Any) -> Sequence[str]:
        return list(DEFAULT_SCOPES)


class Endpoints(Server):
    """The library's, less what is not wanted: its password grant tells right passwords from wrong ones."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered: Any = self.grant_types
        self._grant_types = {name: offered[name] for name in GRANTS}
        self._response_types = {"code": self.auth_grant}
        methods = self.auth_grant._code_challenge_methods
        self.auth_grant._code_challenge_methods = {name: methods[name] for name in CHALLENGES}

    def validate_token_request(self, request: Any) -> None:
        """Refuse every other grant; the library would take it for its default one."""
        super().validate_token_request(request)
        if request.grant_type not in GRANTS:
            raise UnsupportedGrantTypeError(request=request)


class Validator(OAuth2Validator):
    """Answers oauthlib's questions.

    Tokens are for this site alone, so resource indicators (RFC 8707) are not needed and not kept.
    """

    def save_bearer_token(self, token: Any, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Store new tokens. A refresh token that was used meanwhile, too, ends the whole family."""
        with transaction.atomic():
            used = getattr(request, "refresh_token_instance", None)
            here = used and RefreshToken.objects.select_for_update().filter(pk=used.pk).first()
            if used is None or (here and here.revoked is None):
                return super().save_bearer_token(token, request, *args, **kwargs)
        RefreshToken.revoke_family(used.token_family)
        raise InvalidGrantError(request=request)

    def _create_refresh_token(self, request: Any, secret: str, access: Any, previous: Any) -> Any:
        """Store a refresh token; the first of a code begins the family that the code leads to."""
        if previous is None and request.grant_type == "authorization_code":
            previous = RefreshToken(token_family=_family(request.code))
        return super()._create_refresh_token(request, secret, access, previous)

    def _create_access_token(self, _expires: Any, request: Any, token: Any, **given: Any) -> Any:
        expires = database_time.now() + timedelta(seconds=token["expires_in"])
        return super()._create_access_token(expires, request, token, **given)

    def _create_authorization_code(self, request: Any, code: Any, _expires: Any = None) -> Any:
        good_for = timedelta(seconds=oauth2_settings.AUTHORIZATION_CODE_EXPIRE_SECONDS)
        return super()._create_authorization_code(request, code, database_time.now() + good_for)

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *_args: Any) -> bool:
        """Return whether a code is good; one that was used ends its tokens (RFC 6749, section 4.1.2)."""
        live = Grant.objects.filter(code=code, application=client, expires__gt=database_time.now())
        grant = live.select_related("user").first()
        if grant is None:
            end_tokens_of(code)
            return False
        request.scopes, request.user = grant.scope.split(), grant.user
        return True

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *args: Any) -> None:
        """Use a code up. If it was used meanwhile, its tokens end: those of both requests."""
        try:
            super().invalidate_authorization_code(client_id, code, request, *args)
        except InvalidGrantError:
            end_tokens_of(code)
            raise

    def _check_and_set_request_resource(self, request: Any) -> None:
        request.resource = []

    def validate_device_code(self, client_id: str, code: str, request: Any, *_args: Any) -> Any:
        """Return how far a device is (RFC 8628, section 3.5); what was answered is told once."""
        with transaction.atomic():
            grants = DeviceGrant.objects.select_for_update()
            device = grants.filter(device_code=code, client_id=request.client.client_id).first()
            return device and self._poll(device, request)

    def _poll(self, device: DeviceGrant, request: Any) -> Any:
        now, step = database_time.now(), DeviceCodeGrant
        if device.expires <= now:
            device.delete()
            return step.DEVICE_CODE_EXPIRED
        match device.status:
            case DeviceGrant.AUTHORIZED:
                request.user, request.scopes = device.user, device.scope.split()
                device.delete()
                return step.DEVICE_CODE_AUTHORIZED
            case DeviceGrant.DENIED:
                device.delete()
                return step.DEVICE_CODE_DENIED
        hasty = device.last_checked > now - timedelta(seconds=device.interval)
        DeviceGrant.objects.filter(pk=device.pk).update(last_checked=now)
        return step.DEVICE_CODE_SLOW_DOWN if hasty else step.DEVICE_CODE_PENDING
