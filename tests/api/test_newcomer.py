"""Whoever has nothing but the published document gets from an invitation to a finished game."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.services.accounts import create_token
from tests import patience
from tests.api.live import plain, server
from tests.factories import cast as a_cast


@pytest.mark.django_db(transaction=True)
def test_a_program_gets_from_an_invitation_to_a_finished_game_by_the_schema(transactional_db: None) -> None:
    cast = a_cast()
    tokens = [
        create_token(by=who, name="x", scopes=["play", "read"]).secret for who in (cast.paul, cast.petra)
    ]
    with server(plain()) as address:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).with_name("newcomer.py"))],
            env={**os.environ, "SCHEMA": f"{address}/schema/", "TOKENS": " ".join(tokens)},
            capture_output=True,
            text=True,
            timeout=patience.SECONDS,
            check=False,
        )
    assert (done.stdout, done.returncode) == ("finished 2\n", 0), done.stderr
