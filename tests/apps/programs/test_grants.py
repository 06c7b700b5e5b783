"""Requests for a token by grants that there are not, or that are not whole."""

from base64 import b64encode
from typing import Any

import pytest
from django.test import Client
from oauth2_provider.models import AbstractApplication
from oauth2_provider.oauth2_validators import GRANT_TYPE_MAPPING

from league.apps.programs.models import Program
from league.apps.programs.oauth import GRANTS
from tests.apps.programs.test_oauth import DEVICE, program, registered, token
from tests.factories import Cast

__all__ = ["program"]

OTHER_GRANTS = {*GRANT_TYPE_MAPPING, *dict(AbstractApplication.GRANT_TYPES), "openid", "", "x"} - {*GRANTS}


@pytest.mark.parametrize("grant", sorted(OTHER_GRANTS))
def test_any_other_grant_is_refused_at_once_whatever_it_brings(
    cast: Cast, grant: str, django_assert_num_queries: Any
) -> None:
    cast.paul.set_password("right")
    cast.paul.save()
    made = registered(cast.nora, kind="server")
    who = {"client_id": made.program.client_id, "client_secret": made.secret}
    for more in ({}, {"username": "paul", "password": "right"}, {"username": "paul", "password": "wrong"}):
        for fields in ({}, who):
            with django_assert_num_queries(0):
                answer = token(grant_type=grant, **more, **fields)
            assert (answer.status_code, answer.json()) == (400, {"error": "unsupported_grant_type"})


@pytest.mark.parametrize("fields", [
    {}, {"grant_type": DEVICE}, {"grant_type": "password", "username": "paul", "password": "x"},
    {"grant_type": "x"}, {"grant_type": "client_credentials"}, {"grant_type": "refresh_token"},
    {"grant_type": "authorization_code", "code": "x\0y"}, {"grant_type": DEVICE, "device_code": "\0"},
])  # fmt: skip
def test_no_request_for_a_token_breaks_the_server(
    cast: Cast, program: Program, fields: dict[str, str]
) -> None:
    basic: Any = {"HTTP_AUTHORIZATION": f"Basic {b64encode(b'x:y').decode()}"}
    headers: Any
    for headers in ({}, basic):
        for more in ({}, {"client_id": program.client_id}, {"client_id": "\0"}):
            answer = Client(raise_request_exception=False).post(
                "/oauth/token/", {**fields, **more}, **headers
            )
            assert answer.status_code in (400, 401), (fields, more)
            assert "error" in answer.json()
