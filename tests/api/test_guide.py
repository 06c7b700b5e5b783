"""The code and tables in the guide for client authors are correct."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from api.errors import PROBLEMS
from api.serializers.games import PlayerReferenceSerializer
from api.serializers.people import MembershipSerializer, MeSerializer
from games.engine.clocks import Clock
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


def test_the_guide_has_a_row_for_each_setting_of_a_clock() -> None:
    table = GUIDE.partition("| `clock` |")[2].partition("\n\n")[0]
    rows = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert rows == [field.name for field in fields(Clock)]


def test_the_guide_shows_all_that_the_caller_is_told_of_themselves() -> None:
    shown = json.loads(GUIDE.partition("`GET me/` says")[2].partition("```json\n")[2].partition("```")[0])
    (club,) = shown["clubs"]
    assert {*shown} == {*MeSerializer().fields}
    assert {*club} == {*MembershipSerializer().fields}
    assert {*club["player"]} == {*PlayerReferenceSerializer().fields}


def test_the_guide_names_every_code_of_a_refusal() -> None:
    for code in PROBLEMS:
        assert f"`{code}`" in GUIDE, code
