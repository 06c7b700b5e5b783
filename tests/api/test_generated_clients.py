"""Clients made from the OpenAPI document play games of every ruleset."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from games import rules
from league.models import Account
from league.services.accounts import create_token
from tests import installing, patience
from tests.api.generated import Seated, generated, make_client, write_schema
from tests.api.live import plain, server
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.factories import cast as a_cast

SHORT: dict[str, dict[str, Any]] = {
    "scamper": {"contracts": [{"sets": [3], "runs": []}], "hand_size": 6},
    "scoops": {"target": 1, "round_limit": 1, "turn_limit": 2},
    "scram": {"rounds": 1, "turn_limit": 2},
    "scamper-scorecard": {"rounds": 1},
    "scoops-scorecard": {"target": 1, "round_limit": 1},
    "scram-scorecard": {"rounds": 1},
    "card-game": {"rounds": 1},
}
"""Options of games that end soon."""
LONGEST = 80
"""After so many moves somebody resigns: random moves may not end a game of Scamper for long."""


def people(cast: Cast, count: int) -> list[tuple[Account, str]]:
    """Return so many accounts of the club, with their players."""
    third = AccountFactory.create()
    MemberFactory.create(club=cast.club, account=third)
    player = PlayerFactory.create(club=cast.club, account=third)
    seats = [(cast.paul, cast.paul_plays), (cast.petra, cast.petra_plays), (third, player)]
    return [(account, str(plays.pk)) for account, plays in seats][:count]


def seated(address: str, account: Account, number: int) -> Seated:
    secret = create_token(by=account, name="client", scopes=["play", "organise"]).secret
    return Seated(address.removesuffix("/api/v1"), secret, number)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_generated_client_plays_a_game_of_each_ruleset_by_its_types(
    transactional_db: None, tmp_path: Path
) -> None:
    make_client(tmp_path)
    cast = a_cast()
    with server(plain()) as address:
        for ruleset in rules.RULESETS:
            sitting = people(cast, ruleset.seats[0])
            players = [seated(address, account, number) for number, (account, _) in enumerate(sitting)]
            olga = seated(address, cast.olga, 0)
            game = opened(olga, cast, ruleset.name, [player for _, player in sitting])
            play(game, players)


@pytest.mark.django_db(transaction=True)
def test_a_typescript_client_plays_a_game_by_the_types_of_the_schema(
    transactional_db: None, tmp_path: Path
) -> None:
    modules, node = installing.node_packages(), installing.node_command()
    program, _ = (
        str(shutil.copy(installing.TYPESCRIPT / name, tmp_path)) for name in ("play.ts", "package.json")
    )
    types = tmp_path / "schema.d.ts"
    generator = modules / "openapi-typescript" / "bin" / "cli.js"
    source = str(write_schema(tmp_path))
    run([*node, str(generator), source, "--output", str(types), "--default-non-nullable=false"])
    run([*node, str(modules / "typescript" / "bin" / "tsc"), *CHECKED, program])
    cast = a_cast()
    game = cast.game("scoops", SHORT["scoops"])
    secrets = [create_token(by=who, name="x", scopes=["play"]).secret for who in (cast.paul, cast.petra)]
    with server(plain()) as address:
        where = {"TREFOIL": address, "GAME": str(game.pk), "TOKENS": " ".join(secrets)}
        assert run([*node, program], **where) == "finished over 2\n"


CHECKED = (
    "--noEmit", "--strict", "--target", "es2023", "--lib", "es2023,dom", "--module", "nodenext",
    "--allowImportingTsExtensions", "--skipLibCheck",
)  # fmt: skip
"""How the compiler checks a program that node runs as it is."""


def run(command: Sequence[str], **variables: str) -> str:
    """Return what a program prints; raise AssertionError with what it says if it fails."""
    done = subprocess.run(
        command,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=patience.SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def opened(by: Seated, cast: Cast, ruleset: str, players: list[str]) -> Any:
    """Return a new game, opened with the types of its ruleset."""
    models = generated("models")
    key, _, version = ruleset.partition("@")
    prefix = f"{key.title().replace('-', '')}V{version}"
    body = getattr(models, f"{prefix}NewGame")(
        club=cast.club.slug,
        ruleset=getattr(models, f"{prefix}NewGameRuleset")(ruleset),
        players=players,
        options=getattr(models, f"{prefix}Options").from_dict(SHORT[key]),
    )
    game = by.call("games_create", body=body)
    assert type(game).__name__ == f"{prefix}Game"
    return game


def play(game: Any, players: list[Seated]) -> None:
    """Play a game to its end."""
    made = 0
    while str(game.status) == "active":
        seat = game.to_act[0]
        if game.you != seat:
            game = players[seat].call("games_retrieve", game.id)
        game = players[seat].move(game) if made < LONGEST else players[seat].resign(game)
        made += 1
    assert str(game.status) == "finished" and len(game.result.seats) == len(players)
    entries = players[0].call("games_moves_list", game.id).results
    assert {type(entry).__name__ for entry in entries} == {f"{type(game).__name__}Entry"}
