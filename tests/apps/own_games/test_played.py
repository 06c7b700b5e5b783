"""A competition of a club's own game: its rules are reached, and its file is verified by itself."""

from pathlib import Path

import pytest
from django.test import Client

from games.engine import shapes
from games.engine.values import replace
from games.rules.card_game import CardGame, ruleset_of
from games.rules.card_game.shipped import HEARTS
from games.verifier import UNFINISHED
from league.apps.own_games.models import OwnGame
from league.apps.own_games.services import keep_game
from league.models import ClubGame, Competition
from league.queries import verification
from tests.factories import Cast
from tests.league.playing import PLAN, in_play
from tests.league.test_verify import run_alone

GAME = replace(HEARTS, title="Black Maria", summary="As on Thursdays: the queen counts 13.", target=50)


@pytest.fixture
def evening(cast: Cast) -> Competition:
    """An evening of a game that the club has made, whose first round is being played."""
    keep_game(by=cast.olga, club=cast.club, game=GAME)
    options = {CardGame.defined_by: shapes.write(GAME)}
    return in_play(cast, ruleset=CardGame.key, options=options, stages=[{**PLAN, "table_size": 4}])


def test_its_rules_are_one_tap_from_the_competition_and_from_a_game(evening: Competition) -> None:
    rules = f'href="/rules/{ruleset_of(GAME).key}/'
    game = ClubGame.objects.filter(competition=evening)[0]
    for page in (f"/competitions/{evening.slug}/", f"/games/{game.pk}/"):
        assert rules in Client().get(page).content.decode(), page
    assert GAME.summary in Client().get(f"/rules/{ruleset_of(GAME).key}/").content.decode()


def test_its_file_is_verified_without_the_server_after_the_club_has_changed_its_game(
    cast: Cast, evening: Competition, tmp_path: Path
) -> None:
    path = tmp_path / "evening.jsonl"
    before = [*verification.lines(Competition.objects.get(pk=evening.pk))]
    kept = OwnGame.objects.get()
    keep_game(by=cast.olga, club=cast.club, game=replace(GAME, target=75), instead_of=kept)
    after = [*verification.lines(Competition.objects.get(pk=evening.pk))]
    assert after == before
    path.write_text("".join(f"{line}\n" for line in after), encoding="utf-8")
    said = run_alone(path)
    assert (said.returncode, said.stderr) == (UNFINISHED, "") and "correct so far" in said.stdout
