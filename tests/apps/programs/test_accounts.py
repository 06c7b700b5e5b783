"""What programs mean for the account that made or connected them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken

from league.apps.people.queries import own_data
from league.apps.programs.models import Program
from league.apps.programs.services import create_program
from tests.apps.people.test_privacy import _password, delete
from tests.factories import Cast
from tests.web.conftest import as_account
from tests.web.test_account import page_text, thief

__all__ = ["_password", "as_account", "thief"]


@pytest.mark.usefixtures("_password")
def test_programs_end_with_the_account_and_their_secrets_are_in_no_file(cast: Cast) -> None:
    made = create_program(by=cast.nora, name="App", kind="app", redirect_uris="https://app.example/back")
    soon = timezone.now() + timedelta(hours=1)
    AccessToken.objects.create(
        user=cast.paul, application=made.program, token="a-secret", expires=soon, scope="read:private"
    )
    tables = own_data(cast.paul)["tables"]
    assert tables["oauth2_provider.accesstoken"] and "a-secret" not in str(tables)
    assert AccessToken.objects.get().token_checksum not in str(tables)
    assert "Your account is deleted." in delete(cast.paul)
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize(("address", "fields"), [
    ("/account/programs/", {"name": "Board", "kind": "device", "redirect_uris": ""}),
    ("/oauth/device/", {"code": "WDJB-MJHT", "answer": "allow"}),
    ("/oauth/authorize/", {"client_id": "x"}),
])  # fmt: skip
def test_a_stolen_session_makes_and_connects_no_program(
    thief: Client, address: str, fields: dict[str, Any]
) -> None:
    for wrong in ({}, {"proof_password": "wrong"}):
        page = page_text(thief.post(address, {**fields, **wrong}))
        assert "Is that you?" in page
        for name, value in fields.items():
            assert f'name="{name}" value="{value}"' in page
    assert "This is not your password." in page
    assert not Program.objects.exists() and not AccessToken.objects.exists()
