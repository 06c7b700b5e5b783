"""The code and tables in the guide for client authors are correct."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from api.errors import PROBLEMS
from games.models import Game
from league.models import Account
from league.services.accounts import create_token
from tests import patience
from tests.api.live import plain, server
from tests.factories import cast as a_cast

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", ["tally", "scoops"])
@pytest.mark.django_db(transaction=True)
def test_two_of_the_guides_bots_play_a_game_to_its_end(transactional_db: None, ruleset: str) -> None:
    cast = a_cast()
    game = cast.game(ruleset, {"target": 1, "turn_limit": 3} if ruleset == "scoops" else {"rounds": 3})
    bot, *_others = re.findall("```python\n(.*?)```", GUIDE, re.DOTALL)
    with server(plain()) as address:
        playing = [start(bot, address, game, account) for account in (cast.paul, cast.petra)]
        answer = [each.communicate(timeout=patience.SECONDS) for each in playing]
    assert [each.returncode for each in playing] == [0, 0], answer
    game.refresh_from_db()
    assert game.status == "finished" and all(str(out).startswith("{'seats'") for out, _ in answer)


def start(bot: str, address: str, game: Game, account: Account) -> "subprocess.Popen[str]":
    """Start the guide's bot for an account, as a program of its own."""
    secret = create_token(by=account, name="bot", scopes=["play"]).secret
    answer = {"TREFOIL": address, "GAME": str(game.pk), "TOKEN": secret}
    return subprocess.Popen(
        [sys.executable, "-c", bot],
        env={**os.environ, **answer},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_guide_names_every_code_of_a_refusal() -> None:
    for code in PROBLEMS:
        assert f"`{code}`" in GUIDE, code
