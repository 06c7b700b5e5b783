"""Score cards: who enters, who confirms, and what is disputed."""

from typing import Any, Final

import pytest

from games.engine import replay
from games.engine.refusals import Illegal
from tests.rules.recording import Recorder
from tests.rules.scamper_scorecard.lines import entry, refused
from tests.rules.scamper_scorecard.scenarios import held, opened


def test_one_seat_enters_a_round_and_another_confirms_it() -> None:
    game = opened(1, 3, rounds=1)
    game.seat(0, entry(1, "0 15 20"))
    assert game.position.status == "active"
    game.seat(2, {"type": "confirm", "round": 1})
    result = replay.result(game.position)
    assert result is not None
    assert [(placing.rank, placing.score) for placing in result.seats] == [(1, 0), (2, 15), (3, 20)]


def test_what_a_scorekeeper_enters_counts_at_once() -> None:
    game = opened(1, 2, rounds=2)
    game.arbiter(entry(1, "0 15"))
    row: Any = replay.view(game.position, None)["sheet"]
    assert (row[0]["entered_by"], row[0]["confirmed"], row[0]["confirmed_by"]) == (None, True, None)
    assert refused(game, 1, {"type": "confirm", "round": 1}) == "S26"
    game.arbiter(entry(2, "0 15"))
    assert game.position.status == "finished"


def test_a_scorekeeper_confirms_what_a_seat_entered() -> None:
    game = opened(1, 2, rounds=1)
    game.seat(0, entry(1, "0 15"))
    game.arbiter({"type": "confirm", "round": 1})
    assert game.position.status == "finished"


@pytest.mark.parametrize(
    ("seats", "disputed"),
    [
        pytest.param([0, 0], False, id="by-who-entered-it"),
        pytest.param([0, 1], True, id="by-another-seat"),
        pytest.param([0, 1, 1], True, id="by-another-seat-twice"),
        pytest.param([None, 1], True, id="what-a-scorekeeper-entered"),
    ],
)
def test_a_correction_is_disputed_where_seats_contradict_each_other(
    seats: list[int | None], disputed: bool
) -> None:
    game = opened(1, 2, rounds=2)
    for times, seat in enumerate(seats):
        move = {"type": "correct", "replaces": 1, "seats": held(f"0 {20 + 5 * times}")}
        enter_by(game, seat, move if times else entry(1, "0 15"))
    assert [each.disputed for each in replay.open_rounds(game.position)] == [disputed]


def enter_by(game: Recorder, seat: int | None, move: Any) -> None:
    """Make a move of a seat, or of a scorekeeper."""
    if seat is None:
        game.arbiter(move)
    else:
        game.seat(seat, move)


def test_a_dispute_ends_with_what_a_scorekeeper_enters() -> None:
    game = opened(1, 2, rounds=2)
    game.seat(0, entry(1, "0 15"))
    game.seat(1, {"type": "correct", "replaces": 1, "seats": held("0 25")})
    game.arbiter({"type": "correct", "replaces": 1, "seats": held("0 20")})
    assert replay.open_rounds(game.position) == ()


class TestAtTheEnd:
    """A card that is over can still be corrected by a scorekeeper, and by nobody else."""

    CORRECTION: Final = {"type": "correct", "replaces": 1, "seats": held("0 25")}

    def full(self) -> Recorder:
        game = opened(1, 2, rounds=1)
        game.arbiter(entry(1, "0 15"))
        return game

    def test_a_scorekeeper_corrects_it_and_it_stays_over(self) -> None:
        game = self.full()
        game.arbiter(self.CORRECTION)
        result = replay.result(game.position)
        assert result is not None
        assert [placing.score for placing in result.seats] == [0, 25]

    def test_a_seat_does_not(self) -> None:
        with pytest.raises(Illegal, match="over"):
            self.full().seat(0, self.CORRECTION)

    @pytest.mark.parametrize(
        "move", [{"type": "confirm", "round": 1}, entry(2, "0 5"), {"type": "abandon", "reason": "Lost."}]
    )
    def test_nothing_else_is_written_on_it(self, move: Any) -> None:
        with pytest.raises(Illegal, match="over"):
            self.full().arbiter(move)

    def test_a_card_that_somebody_left_is_not_corrected(self) -> None:
        game = opened(1, 2, rounds=2)
        game.arbiter(entry(1, "0 15"))
        game.seat(0, {"type": "resign"})
        with pytest.raises(Illegal, match="over"):
            game.arbiter(self.CORRECTION)
