"""The bot plays legally at every table size with every value of every option: so many entries of a round."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import pytest

from games.engine import shapes
from games.engine.refusals import Malformed
from games.rules.scamper.options import CONTRACTS, Options
from games.rules.scamper.state import State
from tests.rules.recording import Recorder
from tests.rules.scamper.tables import SCAMPER

CLUBS: Final[Any] = [{"sets": [4], "runs": [4]}, {"sets": [], "runs": [13]}, {"sets": [3, 3], "runs": [3, 3]}]
VALUES: Final[Mapping[str, Sequence[Any]]] = {
    "contracts": [[each.as_json()] for each in CONTRACTS] + [[each] for each in CLUBS],
    "rounds": [None, 1],
    "wild_cards": ["jokers_and_deuces", "jokers", "none"],
    "hand_size": [6, 8, 10, 13],
    "packs": [None, 2, 5, 8],
    "aces": ["high", "both"],
    "advanced_points": [True, False],
    "passing": ["offer", "forced", "first", "off"],
    "stock_out": ["replay", "add_pack"],
    "melds": ["checked", "challenge"],
    "strict_ratio": [False, True],
    "declare_scamper": [True, False],
    "first_dealer_bonus": [-20, -100, 0, 100],
    "max_replays": [0, 1, 2, 20],
}
"""Every value of an option that has few; of whole numbers the bounds, the default and one between."""
GAMES: Final = 13
ENTRIES: Final = 60
DEPENDENT: Final = {"contracts", "packs"}
"""Options with more values than can be paired, or whose value depends on another's."""


def games(seats: int) -> list[dict[str, Any]]:
    """Return the options of the games at a table size, among them every value of every option."""
    mixed = {name: _shuffled(name, values, seats) for name, values in VALUES.items()}
    return [_fitting({name: values[n] for name, values in mixed.items()}, seats) for n in range(GAMES)]


def _shuffled(name: str, values: Sequence[Any], seats: int) -> list[Any]:
    drawn = [values[number % len(values)] for number in range(GAMES)]
    random.Random(f"{name} of {seats}").shuffle(drawn)
    return drawn


def _fitting(options: dict[str, Any], seats: int) -> dict[str, Any]:
    """Return the options, with more packs where the hands need them."""
    try:
        SCAMPER.read_options(options, seats)
    except Malformed:
        return {**options, "packs": 8}
    return options


def test_every_option_is_here_with_all_its_values() -> None:
    fields = {field.name: field.shape for field in shapes.record(Options).fields}
    assert {*VALUES} == {*fields}
    for name, values in VALUES.items():
        allowed = getattr(fields[name], "values", values)
        assert {*map(repr, allowed)} == {*map(repr, values)}


@pytest.mark.parametrize("seats", SCAMPER.seats)
def test_every_size_plays_every_value(seats: int) -> None:
    for name in {*VALUES} - DEPENDENT:
        assert {repr(each[name]) for each in games(seats)} == {*map(repr, VALUES[name])}


def test_every_pair_of_values_is_played() -> None:
    played = [each for seats in SCAMPER.seats for each in games(seats)]
    for first, second in combinations([name for name in VALUES if name not in DEPENDENT], 2):
        pairs = {(repr(each[first]), repr(each[second])) for each in played}
        assert len(pairs) == len(VALUES[first]) * len(VALUES[second]), (first, second)


@pytest.mark.parametrize("seats", SCAMPER.seats)
def test_bots_play_legally(seats: int) -> None:
    for number, options in enumerate(games(seats)):
        game = Recorder("scamper", seats, options, secret=number.to_bytes(32, "big"))
        game.play(until=ENTRIES)
        state: State = game.position.state
        adjustments = (*state.round.adjustments, *(each for row in state.rows for each in row.adjustments))
        assert {each.name for each in adjustments} <= {"first_dealer"}
