"""The inputs of a score card of a club's game."""

from uuid import uuid4

from league.web.score_rows import grid
from tests.rules.card_game.scenarios import opened, shipped


def test_a_seat_that_has_left_is_marked_at_its_inputs_and_no_other_is() -> None:
    game = opened(1, 4, shipped("doppelkopf"))
    assert not any(cell.absent for row in grid(uuid4(), game.position, {}) for cell in row.cells)
    game.seat(2, {"type": "resign"})
    first = grid(uuid4(), game.position, {})[0]
    assert {cell.seat for cell in first.cells if cell.absent} == {2}
