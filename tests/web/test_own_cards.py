"""The inputs of a score card of a club's game."""

from types import SimpleNamespace
from typing import Final
from uuid import uuid4

import pytest
from django.utils import translation

from games import rules
from games.rules.card_game import CardGame
from games.rules.card_game.definition import Options
from league.web.score_cards import Card
from league.web.score_rows import grid
from league.words.messages import translated
from tests.rules.card_game.scenarios import opened, shipped

NAMES: Final = ["Ann", "Ben", "Cem", "Dana"]


def test_a_seat_that_has_left_is_marked_at_its_inputs_and_no_other_is() -> None:
    game = opened(1, 4, shipped("doppelkopf"))
    assert not any(cell.absent for row in grid(uuid4(), game.position, {}) for cell in row.cells)
    game.seat(2, {"type": "resign"})
    first = grid(uuid4(), game.position, {})[0]
    assert {cell.seat for cell in first.cells if cell.absent} == {2}


def test_its_printed_sheet_is_in_the_readers_language() -> None:
    ruleset = rules.of(CardGame.key, CardGame.shipped["skat"])
    assert isinstance(ruleset, CardGame)
    form = ruleset.form(Options(ruleset.game))
    with translation.override("de"):
        told = [translated(form.rows[0].task), translated(form.rows[0].hint)]
    assert told == ["Alleinspieler ____ · Spiel ____", "Faktor ____ · Reizwert ____ · Gewonnen ☐"]


def test_what_is_written_for_sides_is_told_of_sides_on_the_sheet() -> None:
    ruleset = rules.of(CardGame.key, CardGame.shipped["canasta"])
    assert isinstance(ruleset, CardGame)
    form = ruleset.form(Options(ruleset.game))
    assert any(translated(line).startswith("For each side: ") for line in form.legend)
    assert form.heading == "Notes"


def test_a_card_says_what_is_written_for_each_player() -> None:
    first = grid(uuid4(), opened(1, 4, shipped("doppelkopf")).position, {})[0]
    with translation.override("de"):
        assert translated(first.about) == "Für jeden Spieler: Gewonnen."


@pytest.mark.parametrize(("game", "heads"), [("jass", ["Ann & Cem", "Ben & Dana"]), ("doppelkopf", NAMES)])
def test_partners_have_one_column_where_their_side_is_written_once(game: str, heads: list[str]) -> None:
    position = opened(1, 4, shipped(game)).position
    card = Card(SimpleNamespace(pk=uuid4(), turn=0), None, dict(enumerate(NAMES)), position, None, True, {})  # type: ignore[arg-type]
    assert [*card.heads.values()] == heads
