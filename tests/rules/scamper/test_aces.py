"""Where the ace counts as low too (S13, S14, S19, S21): runs from A-2-3 to the one of fourteen cards."""

from typing import Any

import pytest

from games.rules.scamper import judging
from games.rules.scamper.finder import best_layout
from games.rules.scamper.options import PRESETS, Options
from tests.rules.scamper.tables import (
    SCAMPER,
    contract,
    group,
    groups,
    hand,
    lay_off,
    melds,
    on_table,
    play,
    refusal,
    table,
)

BOTH = Options(aces="both")
FOURTEEN = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"


def test_s13_the_basic_preset_has_it() -> None:
    assert SCAMPER.read_options(PRESETS["basic"], 2).aces == "both"
    assert SCAMPER.read_options({}, 2).aces == "high"


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        pytest.param("run AH 2H 3H", None, id="S13-ace-two-three"),
        pytest.param("run QS KS AS", None, id="S13-still-high"),
        pytest.param(f"run {FOURTEEN}", None, id="S13-an-ace-at-each-end"),
        pytest.param("run AH JK 3H", None, id="S13-a-joker-for-the-two"),
        pytest.param("run JK 2H 3H", None, id="S13-a-joker-for-the-low-ace"),
        pytest.param("run AH 2H JK", None, id="S14-the-two-after-an-ace-is-natural"),
        pytest.param("run AH 2S 3H", None, id="S14-another-suits-two-is-wild-there"),
        pytest.param("run AH 2S JK", "S17", id="S14-which-counts-in-the-ratio"),
        pytest.param("run KH AH 2H", "S13", id="S13-not-round-the-corner"),
        pytest.param("run KH AH JK", "S13", id="S13-no-joker-above-the-ace"),
        pytest.param("run JK AH 2H", "S13", id="S13-no-joker-below-the-ace"),
        pytest.param(f"run {FOURTEEN} JK", "S13", id="S13-never-fifteen"),
        pytest.param("set 2C 2D 2S", "S12", id="S12-still-no-set-of-deuces"),
    ],
)
def test_runs(cards: str, rule: str | None) -> None:
    found = judging.meld_fault(group(cards), BOTH, limited=True)
    assert (found.rule if found else None) == rule


ON_TABLE = "1 run 2H 3H 4H; 1 run QD KD AD; 1 run AS 2S 3S; 1 run JK 2C 3C"


@pytest.mark.parametrize(
    ("meld", "cards", "end", "after"),
    [
        pytest.param("m1", "JK", "low", "1 run JK 2H 3H 4H", id="S19-a-joker-for-it"),
        pytest.param("m3", "4S", "high", "1 run AS 2S 3S 4S", id="S19-above"),
    ],
)
def test_cards_are_laid_off(meld: str, cards: str, end: str, after: str) -> None:
    state = lay_off(table(f"{cards} 5C", melds=ON_TABLE, options={"aces": "both"}), meld, cards, end)
    assert after in on_table(state)


@pytest.mark.parametrize(
    ("meld", "cards", "end"),
    [
        pytest.param("m2", "2D", "high", id="S19-past-the-high-ace"),
        pytest.param("m3", "JK", "low", id="S19-a-joker-past-the-low-ace"),
    ],
)
def test_nothing_goes_past_an_ace(meld: str, cards: str, end: str) -> None:
    state = table(f"{cards} 5C", melds=ON_TABLE, options={"aces": "both"})
    assert refusal(state, 0, "lay_off", meld=meld, cards=cards.split(), end=end) == "S19"


def test_s21_a_wild_card_that_stands_for_the_low_ace_is_swapped() -> None:
    state = table("AC 5D", melds=ON_TABLE, options={"aces": "both"})
    state = play(state, 0, "swap", meld="m4", card="AC", wild="JK", place=0)
    assert (hand(state), on_table(state)[3]) == ("5D JK", "1 run AC 2C 3C")


def test_s21_the_last_place_of_fourteen_is_swapped() -> None:
    melds_then = f"1 run {FOURTEEN.removesuffix('AC')}JK"
    state = table("AC 5D", melds=melds_then, options={"aces": "both"})
    state = play(state, 0, "swap", meld="m1", card="AC", wild="JK", place=13)
    assert on_table(state) == [f"1 run {FOURTEEN}"]


def test_s13_the_refusal_says_where_the_ace_counts() -> None:
    sentences = []
    for aces in ("high", "both"):
        fault = judging.meld_fault(group("run KH AH 2H"), Options(aces=aces), limited=True)
        sentences.append(fault.sentence if fault else "")
    assert sentences[0].endswith("the ace high.")
    assert sentences[1].endswith("the ace comes before the two or after the king.")


LONG = "3H 4H 5H 6H 7H 8H 9H TH JK JK JK JK JK JK JK KD"
BASIC = Options(aces="both", wild_cards="jokers")
STRICT = Options(aces="both", strict_ratio=True)


@pytest.mark.parametrize(
    ("held", "asked", "options", "left"),
    [
        pytest.param("AC 2C 3C KD", "run 3", BASIC, 10, id="S13-ace-two-three"),
        pytest.param(f"{FOURTEEN} KD", "run 13", BASIC, 10, id="S13-fourteen-cards"),
        pytest.param("AC 3C JK KD", "run 3", BASIC, 10, id="S13-a-gap-at-the-two"),
        pytest.param("AC 2C QC KC JK 4D", "run 3,run 3", BASIC, None, id="S13-one-ace-is-at-one-end"),
        pytest.param("AC AC 2C QC KC JK 4D", "run 3,run 3", BASIC, 5, id="S13-two-aces-are-at-both"),
        pytest.param("AC 2C JK 4D", "run 3", Options(aces="both"), 5, id="S14-a-natural-deuce-after-an-ace"),
        pytest.param(LONG, "run 8", STRICT, 60, id="S17-no-room-beyond-the-ace"),
        pytest.param(LONG, "run 8", Options(strict_ratio=True), 60, id="S17-no-room-beyond-the-two"),
    ],
)
def test_the_finder_knows_it(held: str, asked: str, options: Options, left: int | None) -> None:
    found = best_layout(table(held).round.hand, contract(asked), options)
    assert (found.left if found else None) == left
    if found:
        assert judging.contract_fault(found.melds, contract(asked), options) is None


def test_the_view_tells_where_the_ace_counts() -> None:
    seen: Any = SCAMPER.view(table("AC 2C 3C KD", options={"aces": "both"}), 0)
    assert seen["aces"] == "both"


def test_s15_a_contract_of_a_run_may_begin_with_the_ace() -> None:
    state = table("AC 2C 3C KD", asked="run 3", down=(), options={"aces": "both"})
    assert melds(state, "run AC 2C 3C").round.down == (0,)
    assert (
        refusal(table("AC 2C 3C KD", asked="run 3", down=()), 0, "meld", melds=groups("run AC 2C 3C"))
        == "S13"
    )
