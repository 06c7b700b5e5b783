"""What may be laid, laid off and swapped (S12 to S22), row by row."""

from typing import Any

import pytest

from games.rules.scamper import judging
from games.rules.scamper.options import Options
from tests.rules.scamper.tables import (
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


def fault(text: str, *, limited: bool = False, **options: Any) -> str | None:
    found = judging.meld_fault(group(text), Options(**options), limited=limited)
    return found.rule if found else None


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        pytest.param("set 7C 7C 7C 7C", None, id="S12-equal-cards"),
        pytest.param("set AC AD AS AH AC", None, id="S12-five-aces"),
        pytest.param("set 3C 2D 3D", None, id="S12-with-a-deuce"),
        pytest.param("set 2C 2D 2S", "S12", id="S12-deuces"),
        pytest.param("set 2C 2D 2S JK", "S12", id="S12-deuces-and-a-joker"),
        pytest.param("run 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", None, id="S13-all-thirteen"),
        pytest.param("run 4H JK 6H", None, id="S13-a-joker-in-a-gap"),
        pytest.param("run 4H 5H 2S", None, id="S13-a-deuce-for-the-six"),
        pytest.param("run KS AS 2S", "S13", id="S13-nothing-above-the-ace"),
        pytest.param("run JK 2H 3H", "S13", id="S13-no-joker-below-the-two"),
        pytest.param("run 4H 4H 5H", "S13", id="S13-a-rank-twice"),
        pytest.param("run JK JK JK", "S13", id="S13-jokers"),
    ],
)
def test_sets_and_runs(cards: str, rule: str | None) -> None:
    assert fault(cards) == rule


@pytest.mark.parametrize(
    ("cards", "wild", "rule"),
    [
        pytest.param("run 2H 3H 2D", "jokers_and_deuces", None, id="S14-one-natural-one-wild-deuce"),
        pytest.param("run 2D 3D JK", "jokers_and_deuces", None, id="S14-a-natural-deuce-saves-the-ratio"),
        pytest.param("run 2S 3D JK", "jokers_and_deuces", "S17", id="S14-a-deuce-of-another-suit-is-wild"),
        pytest.param(
            "run 3H 2H 5H", "jokers_and_deuces", None, id="S14-its-own-suit-at-another-place-is-wild"
        ),
        pytest.param("run 3H 2H 2C", "jokers_and_deuces", "S17", id="S14-two-wild-deuces"),
        pytest.param("run 2H 3H 4H", "jokers", None, id="S14-natural-where-only-jokers-are-wild"),
        pytest.param("run 3H 4H 2H", "jokers", "S13", id="S14-not-wild-where-only-jokers-are"),
        pytest.param("run 2H 3H 4H", "none", None, id="S14-natural-where-nothing-is-wild"),
    ],
)
def test_deuces(cards: str, wild: Any, rule: str | None) -> None:
    assert fault(cards, limited=True, wild_cards=wild) == rule


@pytest.mark.parametrize(
    ("size", "most"),
    [
        pytest.param(size, most, id=f"S17-{most}-in-{size}")
        for size, most in {3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3, 13: 6}.items()
    ],
)
def test_a_contracts_meld_has_so_many_wild_cards_at_most(size: int, most: int) -> None:
    naturals = size - most
    assert fault(f"set {'9C ' * naturals}{'JK ' * most}", limited=True) is None
    assert fault(f"set {'9C ' * (naturals - 1)}{'JK ' * (most + 1)}", limited=True) == "S17"


@pytest.mark.parametrize(
    ("cards", "strict", "rule"),
    [
        pytest.param("run 5H JK JK 8H JK", False, None, id="S20-any-number-in-a-run"),
        pytest.param("run 9C JK JK", False, "S20", id="S20-one-natural-in-a-run"),
    ],
)
def test_more_melds_are_laid_with_two_naturals(cards: str, strict: bool, rule: str | None) -> None:
    state = table(f"{cards.partition(' ')[2]} KD", options={"strict_ratio": strict})
    if rule:
        assert refusal(state, 0, "meld", melds=groups(cards)) == rule
    else:
        assert on_table(melds(state, cards)) == [f"0 {cards}"]


SIX = "7C 7D 7S 4H 5H 6H KD KS"


@pytest.mark.parametrize(
    ("asked", "text", "rule"),
    [
        pytest.param("set 3", "set 7C 7D 7S", None, id="S15-a-set"),
        pytest.param("set 3,run 3", "set 7C 7D 7S + run 4H 5H 6H", None, id="S15-a-set-and-a-run"),
        pytest.param("set 3,run 3", "run 4H 5H 6H + set 7C 7D 7S", None, id="S15-in-any-order"),
        pytest.param("set 3,set 3", "set 7C 7D 7S + run 4H 5H 6H", "S15", id="S15-a-run-for-a-set"),
        pytest.param("set 3", "run 4H 5H 6H", "S15", id="S16-another-meld-first"),
    ],
)
def test_the_contract_comes_first_and_all_at_once(asked: str, text: str, rule: str | None) -> None:
    state = table(SIX, asked=asked, down=())
    if rule:
        assert refusal(state, 0, "meld", melds=groups(text)) == rule
    else:
        assert melds(state, text).round.down == (0,)


@pytest.mark.parametrize(
    ("asked", "text", "rule"),
    [
        pytest.param("run 3", "run 4H 5H 6H 7H", None, id="S15-longer-than-asked"),
        pytest.param("set 3,set 4", "set KC KD KS KH + set 9C 9D 9S", None, id="S15-the-longer-set-first"),
        pytest.param("set 4,set 3", "set 9C 9D 9S + set KC KD KS KH", None, id="S15-the-longer-set-last"),
        pytest.param("set 3,set 4", "set 9C 9D 9S + set KC KD KS", "S15", id="S15-both-short"),
        pytest.param("run 4", "run 4H 5H JK 7H", None, id="S17-one-in-four"),
        pytest.param("run 4", "run 4H JK JK 7H", "S17", id="S17-two-in-four"),
        pytest.param("run 4", "run 4H JK JK 7H 8H", None, id="S17-two-in-five-for-a-four"),
        pytest.param("set 3", "set 9C JK JK", "S20", id="S17-one-natural"),
        pytest.param("set 3,set 3", "set 9C 9D JK + set KC KD JK", None, id="S17-one-in-each"),
        pytest.param("set 3", "set 9C 9D JK + set KC KD JK JK JK", None, id="S18-the-second-is-no-contract"),
        pytest.param("set 3", "set KC KD JK JK JK + set 9C 9D JK", None, id="S18-whichever-comes-first"),
        pytest.param("set 5", "set KC KD JK JK JK + set 9C 9D JK", "S17", id="S18-the-only-one-long-enough"),
        pytest.param("set 3", "set 9C 9D JK + set KC JK JK", "S20", id="S18-two-naturals-still"),
    ],
)
def test_wild_cards_in_the_contract(asked: str, text: str, rule: str | None) -> None:
    cards = " ".join(part.partition(" ")[2] for part in text.split(" + "))
    state = table(f"{cards} 3C", asked=asked, down=())
    if rule:
        assert refusal(state, 0, "meld", melds=groups(text)) == rule
    else:
        assert len(on_table(melds(state, text))) == len(groups(text))


ON_TABLE = "1 run 6H 7H 8H; 1 set 9C 9D JK; 0 run 3S 4S 5S; 1 run QD KD AD"


@pytest.mark.parametrize(
    ("meld", "cards", "end", "after"),
    [
        pytest.param("m1", "9H JK JH", "high", "1 run 6H 7H 8H 9H JK JH", id="S19-high-outward-with-a-joker"),
        pytest.param("m2", "JK 2C", None, "1 set 9C 9D JK JK 2C", id="S20-wild-cards-onto-a-set"),
        pytest.param("m3", "6S", "high", "0 run 3S 4S 5S 6S", id="S19-ones-own"),
        pytest.param("m3", "2S", "low", "0 run 2S 3S 4S 5S", id="S19-the-two"),
        pytest.param("m3", "JK", "low", "0 run JK 3S 4S 5S", id="S19-a-joker-for-the-two"),
        pytest.param("m1", "JK JK 2C 2D", "high", "1 run 6H 7H 8H JK JK 2C 2D", id="S20-four-wild-cards"),
    ],
)
def test_cards_are_laid_off(meld: str, cards: str, end: str | None, after: str) -> None:
    state = lay_off(table(f"{cards} 3C", melds=ON_TABLE), meld, cards, end)
    assert after in on_table(state)
    assert hand(state) == "3C"


@pytest.mark.parametrize(
    ("meld", "cards", "end", "rule"),
    [
        pytest.param("m1", "TH", "high", "S19", id="S19-a-gap"),
        pytest.param("m1", "9D", "high", "S19", id="S19-another-suit"),
        pytest.param("m4", "JK", "high", "S19", id="S19-past-the-ace"),
        pytest.param("m3", "2S JK", "low", "S19", id="S19-past-the-two"),
    ],
)
def test_other_cards_are_not(meld: str, cards: str, end: str | None, rule: str) -> None:
    state = table(f"{cards} 3C", melds=ON_TABLE)
    fields: Any = {"meld": meld, "cards": cards.split(), **({"end": end} if end else {})}
    assert refusal(state, 0, "lay_off", **fields) == rule


WILD_ON_TABLE = "1 set 9C 9D JK; 1 run 2H JK 4H 2S; 0 set KC KD JK"


@pytest.mark.parametrize(
    ("fields", "after", "held"),
    [
        pytest.param(
            {"meld": "m2", "card": "5H", "wild": "2S", "place": 3},
            "1 run 2H JK 4H 5H",
            "2S 3C",
            id="S21-a-deuce",
        ),
    ],
)
def test_a_natural_card_frees_a_wild_one(fields: Any, after: str, held: str) -> None:
    state = play(table(f"{fields['card']} 3C", melds=WILD_ON_TABLE), 0, "swap", **fields)
    assert after in on_table(state)
    assert hand(state) == held


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"meld": "m2", "card": "3D", "wild": "JK", "place": 1}, id="S21-another-suit"),
        pytest.param({"meld": "m2", "card": "3H", "wild": "JK", "place": 9}, id="S21-no-such-place"),
        pytest.param({"meld": "m1", "card": "9C", "wild": "2S"}, id="S21-no-such-wild-card"),
    ],
)
def test_no_other_card_is_swapped(fields: Any) -> None:
    assert refusal(table(f"{fields['card']} 3C", melds=WILD_ON_TABLE), 0, "swap", **fields) == "S21"


def test_melds_are_numbered_as_they_are_laid() -> None:
    state = melds(table(SIX, melds="1 set 8C 8D 8S"), "set 7C 7D 7S + run 4H 5H 6H")
    assert [meld.id for meld in state.round.melds] == ["m1", "m2", "m3"]


def test_a_contract_is_read_from_its_words() -> None:
    assert contract("set 3,run 4,set 5").asked == 12
