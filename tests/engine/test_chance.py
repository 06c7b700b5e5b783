"""The test vectors of docs/chance.md: what another language's implementation must reproduce."""

import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.chance import Chance, commitment, draw_below, game_seed

PAGE = Path(__file__).parents[2] / "docs" / "chance.md"
VECTORS: Any = json.loads(re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[1])  # type: ignore[index]


@pytest.mark.parametrize("vector", VECTORS["seeds"], ids=lambda vector: str(vector["entropy"]))
def test_a_seed_and_its_commitment_come_out_as_documented(vector: Any) -> None:
    secret = bytes.fromhex(vector["secret"])
    assert commitment(secret) == vector["commitment"]
    assert game_seed(secret, vector["entropy"]).hex() == vector["seed"]


@pytest.mark.parametrize(
    "vector", VECTORS["draws"], ids=lambda vector: f"{vector['draw']} {vector['purpose']}"
)
def test_a_draw_comes_out_as_documented(vector: Any) -> None:
    chance, purpose = Chance(bytes.fromhex(VECTORS["seed"])), vector["purpose"]
    match vector["draw"]:
        case "words":
            drawn: Any = [str(word) for word in islice(chance.words(purpose), len(vector["gives"]))]
        case "below":
            drawn = chance.below(purpose, int(vector["bound"]))
        case "shuffle":
            drawn = list(chance.shuffled(purpose, vector["items"]))
        case "dice":
            drawn = list(chance.dice(purpose, vector["count"]))
    assert drawn == vector["gives"]


def test_a_word_beyond_the_last_full_multiple_is_drawn_again() -> None:
    bound = (1 << 63) + 1
    assert draw_below(iter([bound, (1 << 64) - 1, 5]), bound) == 5


@given(st.binary(min_size=32, max_size=32), st.text(max_size=30), st.lists(st.integers(), max_size=60))
def test_a_shuffle_keeps_every_item_and_repeats_itself(seed: bytes, purpose: str, items: list[int]) -> None:
    shuffled = Chance(seed).shuffled(purpose, items)
    assert Counter(shuffled) == Counter(items)
    assert shuffled == Chance(seed).shuffled(purpose, items)


def test_every_order_of_four_comes_about_equally_often() -> None:
    chance = Chance(bytes(32))
    orders = Counter(chance.shuffled(f"trial/{trial}", "abcd") for trial in range(24_000))
    assert len(orders) == 24
    # 4.5 standard deviations around 1000; the draws are fixed, so this never flickers.
    assert all(860 < count < 1140 for count in orders.values())
